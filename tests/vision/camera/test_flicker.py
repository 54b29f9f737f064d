"""Lamps that flicker, as a rolling shutter sees them thirty times a second, over drawn tables and a photograph."""

from __future__ import annotations

from dataclasses import replace

import cv2
import pytest

from tests.support.shared import photos
from tests.support.vision.tables import club_table, shot
from tests.support.vision.troubles import draw_bands
from vision.calibration.model import Calibration
from vision.camera.flicker import BANDS_LAST_S, Flicker
from vision.camera.frame import Frame, read_image
from vision.render.scene import Hand, Scene
from vision.tracking.motion import board_view, has_hand, is_steady
from vision.tracking.tracker import BoardTracker, TrackerConfig

pytestmark = pytest.mark.usefixtures("lone_board")

RATE, DEPTH = 30.0, 0.2
ROWS = ("X.......O", ".........", "..X...O..", ".........", "....X....", "....O....", "..O...X..") + (".........",) * 2
TABLE = club_table(3, 9, 960, 540)
GRID = TABLE.view.grid
SCENE = Scene(ROWS)
STONE_MORE = Scene((*ROWS[:8], "....X...."))


def film(scenes, depth=DEPTH, axis=0):
    """The frames of a film that shows each of these scenes."""
    for number, scene in enumerate(scenes):
        picture = shot(TABLE, scene, number).pixels
        yield Frame(draw_bands(picture, number / RATE, depth, axis), number / RATE)


def views(frames):
    flicker = Flicker()
    return [board_view(flicker.remove_bands(frame).pixels, GRID) for frame in frames]


def looks(frames, calibration):
    """Count the frames of a film of which a look was told."""
    observer = BoardTracker(TrackerConfig(calibration=calibration, lids=False))
    return sum(observer.see(frame) is not None or observer.standing is not None for frame in frames)


@pytest.mark.parametrize("axis", [0, 1])
def test_bands_that_roll_are_no_movement(axis):
    *_, before, now = views(film([SCENE] * 8, axis=axis))
    assert is_steady(now, before)
    first, second = (board_view(frame.pixels, GRID) for frame in film([SCENE] * 2, axis=axis))
    assert not is_steady(first, second)


@pytest.mark.parametrize("depth", [0.0, DEPTH])
def test_a_stone_that_comes_under_bands_is_movement(depth):
    *_, before, now = views(film([*[SCENE] * 8, STONE_MORE], depth))
    assert not is_steady(now, before) and not has_hand(now, before)


@pytest.mark.parametrize("side", ["bottom", "left"])
@pytest.mark.parametrize("depth", [0.0, DEPTH])
def test_a_hand_under_bands_is_movement_and_a_hand(side, depth):
    hands = [replace(SCENE, hand=Hand((0.5, 0.5), side, reach)) for reach in (0.4, 0.7, 1.0)]
    *_, plain, come, there, rests = views(film([*[SCENE] * 8, *hands], depth))
    assert has_hand(come, plain) and has_hand(rests, plain)
    assert not is_steady(come, plain) and not is_steady(there, come) and not is_steady(rests, there)


def test_a_picture_without_bands_is_left_as_it_is():
    flicker = Flicker()
    frames = list(film([SCENE] * 6, 0.0))
    assert all(flicker.remove_bands(frame) is frame for frame in frames)


def test_pictures_in_which_nothing_moves_are_looked_at_only_after_bands():
    flicker = Flicker()
    frames = list(film([SCENE] * 6))
    assert all(flicker.remove_bands(frame, has_moved=False) is frame for frame in frames[:2])
    flicker.remove_bands(frames[2])
    assert flicker.remove_bands(frames[3]) is not frames[3]
    assert flicker.remove_bands(frames[4], has_moved=False) is not frames[4]
    later = replace(frames[5], t=frames[4].t + BANDS_LAST_S + 0.1)
    assert flicker.remove_bands(later, has_moved=False) is later


def test_pictures_of_another_size_are_compared_with_each_other_alone():
    flicker = Flicker()
    frames = list(film([SCENE] * 6))
    for frame in frames[:3]:
        flicker.remove_bands(frame)
    smaller = [replace(frame, picture=cv2.resize(frame.pixels, (480, 270))) for frame in frames[3:]]
    assert flicker.remove_bands(smaller[0]) is smaller[0]
    assert flicker.remove_bands(smaller[1]) is not smaller[1]


@pytest.mark.parametrize("depth", [0.0, DEPTH])
def test_a_board_at_rest_is_read_under_bands(depth):
    assert looks(film([SCENE] * 18, depth), Calibration(GRID)) > 2


@pytest.mark.slow
def test_a_photographed_board_is_read_under_bands():
    picture = read_image(photos("fixed-camera-13x13") / "images" / "move_10.jpg")
    frames = [Frame(draw_bands(picture, number / RATE, DEPTH), number / RATE) for number in range(14)]
    observer = BoardTracker(TrackerConfig(lids=False))
    for frame in frames:
        observer.see(frame)
    assert observer.standing is not None
