"""A game filmed by a phone at 30 frames a second, as its file gives it back: how soon is a stone told?"""

from __future__ import annotations

import cv2
import pytest

from device.simulator.stage import Photographer
from device.simulator.table import Performance, SimulatedFrame, StepTruth, Tempo
from tests.support.simulator.game_scripts import script_of, self_play
from tests.support.vision.phone_film import Phone
from vision.camera.frame import Frame
from vision.camera.recordings import open_source
from vision.render.looks import club_look
from vision.render.table import Table
from vision.tracking.tracker import BoardTracker, TrackerConfig

pytestmark = pytest.mark.usefixtures("lone_board")

pytestmark = pytest.mark.long

RATE, SIZE, WIDE, HIGH = 30, 13, 960, 540
WITHIN = 1.0
"""Seconds from the last hand's leaving."""


def test_a_stone_is_told_within_a_second_of_the_last_hands_leaving(tmp_path):
    film = tmp_path / "film.mp4"
    left = filmed(film, 3, 3)
    times: dict[int, float] = {}
    observer = BoardTracker(TrackerConfig())
    for frame in open_source(str(film)).read_frames():
        assert isinstance(frame, Frame)
        observation = observer.see(frame)
        if observation is not None:
            times.setdefault(sum(max(point) != point[0] for point in observation.points), frame.t)
    assert sorted(times) == [0, 1, 2, 3]
    assert all(0 < times[stones] - left[stones] <= WITHIN for stones in (1, 2, 3)), (times, left)


def filmed(film, seed, turns):
    """Film the first turns of a game; when the hand was last seen in each, seconds."""
    table = Table(club_look(seed, SIZE, WIDE, HIGH))
    script = script_of(self_play(SIZE, seed, turns, delays=False), SIZE, seed)
    photographer, left = Photographer(table), dict[int, float]()
    writer = cv2.VideoWriter(str(film), cv2.VideoWriter.fourcc(*"mp4v"), RATE, (WIDE, HIGH))
    phone = Phone(seed)
    for happening in Performance(script, table, Tempo(RATE, 1.5)).happenings():
        if isinstance(happening, StepTruth):
            left[happening.step] = happening.t
        elif isinstance(happening, SimulatedFrame):
            number = round(happening.t * RATE)
            writer.write(phone.film(photographer.picture(happening.scene, number), happening.t, number))
    writer.release()
    return left
