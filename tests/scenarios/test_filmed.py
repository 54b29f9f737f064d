"""A game filmed by a phone at 30 frames a second, as its file gives it back: how soon is a stone told?"""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from device.simulator.stage import Photographer
from device.simulator.table import Performance, SimulatedFrame, StepTruth, Tempo
from tests.support.simulator.game_scripts import script_of, self_play
from tests.support.vision.troubles import Denoised, Sharpened, Sway
from vision.camera.frame import Frame, Image
from vision.camera.recordings import open_source
from vision.render.looks import club_look
from vision.render.table import Table
from vision.tracking.tracker import BoardTracker, TrackerConfig

pytestmark = pytest.mark.usefixtures("lone_board")

pytestmark = pytest.mark.long

RATE, SIZE, WIDE, HIGH = 30, 13, 960, 540
SMALL, BEST, WORST, KEY = 0.5, 60, 20, 30
"""The picture is kept at half its size, by JPEG of the one quality every so many frames and of the other between."""
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
    processed = (Sharpened(0.8), Denoised(0.6), Sway(seed, 0.5, 1.5))
    for happening in Performance(script, table, Tempo(RATE, 1.5)).happenings():
        if isinstance(happening, StepTruth):
            left[happening.step] = happening.t
        elif isinstance(happening, SimulatedFrame):
            number = round(happening.t * RATE)
            picture = photographer.picture(happening.scene, number)
            for step in processed:
                picture = step.over(picture, happening.t)
            writer.write(phoned(picture, happening.t, number))
    writer.release()
    return left


def phoned(picture: Image, t: float, number: int) -> Image:
    """As a phone keeps it: small, noisy, its exposure drifting, coded better in key frames than between them."""
    light = 1 + 0.04 * np.sin(3 * t)
    small = cv2.resize(picture, None, fx=SMALL, fy=SMALL, interpolation=cv2.INTER_AREA) * light
    noisy = np.clip(small + np.random.default_rng(number).normal(0, 4, small.shape), 0, 255).astype(np.uint8)
    quality = WORST if number % KEY else BEST
    _, coded = cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, quality])
    back = cv2.imdecode(coded, cv2.IMREAD_COLOR)
    return np.asarray(cv2.resize(back, (picture.shape[1], picture.shape[0])), np.uint8)
