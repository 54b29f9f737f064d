"""Tests of what a single game and an evening decide alike: tables, tracking, and words about frames."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from device.session.recording import WatchRequest, recorded_table, tell_trouble
from referee.game.messages import message
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.table.table import TableConfig
from vision.camera.frame import Frame
from vision.camera.recordings import UnreadableStill

REQUEST = WatchRequest(
    str(Path("films", "game.mp4")), Setup(rule_set("chinese")), TableConfig(deep=True), 9, None, False
)


def test_every_look_of_a_recording_is_judged():
    table = recorded_table(REQUEST.setup.with_size(9).record(), REQUEST.config)
    assert table.config == TableConfig(deep=True, every_look=True)


def test_the_request_says_how_boards_are_tracked():
    config = REQUEST.tracker_config(stills=True)
    assert (config.stills, config.size, config.calibration) == (True, 9, None) and REQUEST.name == "game.mp4"


def test_an_unreadable_picture_and_a_noted_frame_are_told():
    warnings: list[str] = []
    pixels = np.zeros((4, 4, 3), np.uint8)
    tell_trouble(UnreadableStill("1.jpg", "1.jpg: no picture."), warnings.append)
    tell_trouble(Frame(pixels, 0.0), warnings.append)
    tell_trouble(Frame(pixels, 1.0, note=message("notice.no-board")), warnings.append)
    assert warnings[0] == "1.jpg: no picture." and len(warnings) == 2
