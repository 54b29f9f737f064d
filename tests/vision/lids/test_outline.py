"""Stones that partly lie under others make these look too large; those that lie alone or touch do not."""

import cv2
import numpy as np
import pytest

from vision.calibration.model import Box
from vision.lids.confidence import SWOLLEN, Stone
from vision.lids.count import read_lid
from vision.lids.net import ROOM, SIDE, cut_square
from vision.lids.outline import measure_widest_stone
from vision.render.scene import LID_STONE, Scene
from vision.render.table import Table
from vision.tracking.reading import to_lid_sight
from vision.training.drawn_lids import aim_at_lid, any_lids, thrown_lid
from vision.training.drawn_looks import random_look

BOX = Box(0.0, 0.0, 120.0, 120.0)
STONE = 21.0
WIDE = STONE / BOX.w * SIDE / ROOM
"""A stone's width in the square."""


def lid(*stones: tuple[float, float], level: int = 200) -> np.ndarray:
    """A square with a grey dish, and black stones at those places, in stone widths from its middle."""
    square = np.full((SIDE, SIDE, 3), level, np.uint8)
    for x, y in stones:
        middle = tuple(round((SIDE / 2 + at * WIDE) * 16) for at in (x, y))
        cv2.circle(square, middle, round(WIDE / 2 * 16), (25, 25, 25), -1, cv2.LINE_AA, 4)
    return square


def counted_stones(*stones: tuple[float, float]) -> list[Stone]:
    return [Stone(SIDE / 2 + x * WIDE, SIDE / 2 + y * WIDE, 0, 0.99, 0.01, 0.99) for x, y in stones]


def test_a_stone_alone_reaches_half_its_width():
    assert measure_widest_stone(lid((0.3, 0.1)), counted_stones((0.3, 0.1)), BOX, STONE) == pytest.approx(1.0, abs=0.25)


def test_stones_that_touch_reach_no_farther():
    some = ((0.0, 0.0), (1.02, 0.0), (0.0, 1.02), (-1.0, 0.1))
    assert measure_widest_stone(lid(*some), counted_stones(*some), BOX, STONE) < SWOLLEN


@pytest.mark.parametrize("way", np.linspace(0, 2 * np.pi, 7)[:-1])
@pytest.mark.parametrize("away", [0.5, 0.65])
def test_a_stone_that_was_not_counted_beneath_another_is_seen(way, away):
    under = (float(away * np.cos(way)), float(away * np.sin(way)))
    assert measure_widest_stone(lid((0.0, 0.0), under), counted_stones((0.0, 0.0)), BOX, STONE) > SWOLLEN


def test_without_stones_nothing_reaches_anywhere():
    assert measure_widest_stone(lid(), [], BOX, STONE) == 0.0


def test_two_overlapping_black_stones_are_not_confirmed_as_one():
    rng = np.random.default_rng(500_204)
    look = random_look(rng, 19, 1280, 720)
    look = any_lids(look, rng) if rng.random() < 0.6 else look
    total = int(rng.integers(0, 41))
    black = int(rng.choice([0, total, int(rng.integers(0, total + 1))], p=[0.2, 0.2, 0.6]))
    stones = thrown_lid(rng, black, total - black, look.lid_kind, "piled")
    side = int(rng.integers(2))
    table = Table(aim_at_lid(look, side, 220, float(rng.uniform(0.62, 0.95)), rng.uniform(-0.06, 0.06, 2)))
    picture = table.draw(Scene(("." * 19,) * 19, (stones, ()) if side == 0 else ((), stones)))
    truth = picture.truth.lids[side]
    assert (truth.black, truth.white) == (2, 0)
    width = max(truth.box.w, truth.box.h) / float(np.sqrt(look.lid_kind.stretch))
    reading = read_lid(picture.pixels, truth.box, LID_STONE / look.lid_kind.wide * width)
    assert not reading.sure and not to_lid_sight(reading).can_confirm(1, 0)


def test_a_lid_of_any_size_is_felt_alike():
    square = lid((0.0, 0.0), (0.6, 0.0))
    large = cv2.resize(square, None, fx=3, fy=3, interpolation=cv2.INTER_CUBIC)
    side = SIDE * 3 / ROOM
    box = Box(SIDE * 1.5 - side / 2, SIDE * 1.5 - side / 2, side, side)
    again = measure_widest_stone(cut_square(large, box), counted_stones((0.0, 0.0)), box, STONE * side / BOX.w)
    assert again == pytest.approx(measure_widest_stone(square, counted_stones((0.0, 0.0)), BOX, STONE), abs=0.15)
