"""Under a lamp of one colour most of a picture's grey is noise: the board is looked for in the light that there is."""

import numpy as np
import pytest

from tests.benchmarks.low import relight_photograph, shrunk
from tests.support.shared import photos
from tests.support.tiers import LONG
from tests.support.vision.photographs import is_found, labels
from tests.support.vision.pictures import off
from tests.support.vision.tables import club_table, shot
from vision.board import detect
from vision.board.detect import find_board, in_one_grey, refine_board
from vision.render.scene import Scene
from vision.training.drawn_boards import random_rows

LAMPS = {"blue": (1.0, 0.03, 0.02), "red": (0.02, 0.03, 1.0), "magenta": (0.8, 0.01, 0.9)}
"""The shares of blue, green and red light that are left."""


def table(seed):
    """A club table from above with a random position."""
    rows = random_rows(np.random.default_rng(seed), 19)
    return shot(club_table(seed, 19, 960, 720), Scene(rows), seed)


def light_with(picture, lamp, noise=34.0):
    """The picture under one of LAMPS, with so much noise (levels of 255) in every channel as dim light has."""
    rng = np.random.default_rng(len(lamp))
    linear = (picture.pixels / 255) ** 2.2 * np.array(LAMPS[lamp])
    image = 255 * linear ** (1 / 2.2) + rng.normal(0, noise, linear.shape)
    return np.clip(image, 0, 255).astype(np.uint8)


@pytest.mark.slow
@pytest.mark.parametrize("lamp", [pytest.param(lamp, marks=LONG) if lamp == "blue" else lamp for lamp in LAMPS])
def test_a_board_under_a_saturated_lamp_is_found_and_followed(lamp):
    picture = table(4)
    lit = light_with(picture, lamp)
    grid = find_board(lit)
    assert grid is not None and off(grid, np.array(picture.truth.grid.corners)) < 0.3
    again = refine_board(lit, grid)
    assert again is not None and off(again, np.array(picture.truth.grid.corners)) < 0.3


@pytest.mark.slow
def test_a_photographed_board_from_aside_is_found_under_a_cyan_lamp():
    photos("tagged-board")
    image, label = shrunk(next(label for label in labels("tagged-board") if label.image.stem == "empty_angled"))
    grid = find_board(relight_photograph(image, "cyan", np.random.default_rng(0)))
    assert grid is not None and is_found(grid, label)


def test_what_one_lamp_leaves_is_one_grey_and_white_light_stays_as_it_is():
    picture = table(2)
    assert in_one_grey(picture.pixels) is None
    for lamp in LAMPS:
        grey = in_one_grey(light_with(picture, lamp, noise=8.0))
        assert grey is not None and grey.shape == picture.pixels.shape and (grey == grey[..., :1]).all()
        bright = picture.pixels.mean(axis=-1)
        assert np.corrcoef(grey[..., 0].ravel(), bright.ravel())[0, 1] > 0.8


def test_a_picture_of_one_colour_shows_no_board():
    assert find_board(np.full((300, 400, 3), (200, 0, 0), np.uint8)) is None


def test_where_the_lamps_grey_shows_no_board_the_usual_one_is_looked_at(monkeypatch):
    monkeypatch.setattr(detect, "in_one_grey", lambda small: np.zeros_like(small))
    picture = table(3)
    grid = find_board(picture.pixels)
    assert grid is not None and off(grid, np.array(picture.truth.grid.corners)) < 0.3
