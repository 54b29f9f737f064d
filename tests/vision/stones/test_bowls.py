"""Bowls that stand on the board: none of the stones in them is surely a stone on a point."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.support.tiers import sample
from vision.render.dish import BOWL_WALL, Dish
from vision.render.looks import club_look
from vision.render.scene import LidKind, Scene
from vision.render.table import Table
from vision.render.truth import Picture
from vision.stones.reader import DOUBTFUL_BELOW, EMPTY, default_reader, find_stones_amid_doubt

SIZES = (19, 13, 19, 9)
LIKELY, UNLIKELY = (0.005, 0.99, 0.005), (0.3, 0.4, 0.3)


def draw_bowls(seed: int, monkeypatch: pytest.MonkeyPatch) -> Picture:
    """Return an empty, flat board on which one bowl stands, or two, full of stones."""
    rng, size = np.random.default_rng([seed, 991]), SIZES[seed % len(SIZES)]
    look = club_look(seed, size, 1280, 720)
    look = replace(look, wood=replace(look.wood, thickness=0.05), bowls_shown=True, lids_shown=False)
    many, radius = int(rng.integers(1, 3)), float(rng.uniform(2.4, 3.0))
    spots = rng.uniform(-0.32, 0.32, (many, 2)) * (size - 1)
    bowls = tuple(
        Dish(float(x), float(y), radius, 2.4, 1.6, BOWL_WALL, 0.68, 0.66, colour, LidKind())
        for (x, y), colour in zip(spots, look.lid_colours, strict=False)
    )
    monkeypatch.setattr("vision.render.table.bowl_dishes", lambda *_: bowls)
    return Table(look).draw(Scene(("." * size,) * size))


@pytest.mark.slow
@pytest.mark.parametrize("seed", sample((109, 110, 113, 127), 2))
def test_no_stone_in_a_bowl_on_the_board_is_sure(seed, monkeypatch):
    picture = draw_bowls(seed, monkeypatch)
    read = default_reader().read(picture.pixels, picture.truth.grid)
    likeliest = read.max(axis=-1)
    assert (likeliest < DOUBTFUL_BELOW).any()
    assert not ((read.argmax(axis=-1) != EMPTY) & (likeliest >= DOUBTFUL_BELOW)).any()


def test_a_stone_amid_seven_doubtful_points_is_doubted():
    probabilities = np.full((9, 9, 3), LIKELY, np.float32)
    probabilities[3:6, 3:6] = UNLIKELY
    probabilities[4, 4] = LIKELY
    probabilities[3, 3] = LIKELY
    assert find_stones_amid_doubt(probabilities)[4, 4]
    probabilities[5, 5] = LIKELY
    assert not find_stones_amid_doubt(probabilities).any()


def test_an_empty_point_amid_doubtful_ones_is_believed():
    probabilities = np.full((9, 9, 3), UNLIKELY, np.float32)
    probabilities[4, 4] = (0.99, 0.005, 0.005)
    assert not find_stones_amid_doubt(probabilities)[4, 4]
