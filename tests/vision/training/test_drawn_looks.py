"""Random looks for training and tests, within the range of real boards, stones, tables, lamps and cameras."""

import numpy as np
import pytest

from vision.render.texture import PATTERNS
from vision.render.view import View
from vision.training.drawn_looks import any_ground, any_stones, random_look


@pytest.mark.parametrize("seed", range(6))
def test_every_look_shows_the_whole_board(seed):
    look = random_look(np.random.default_rng(seed), 13, 640, 480)
    corners = np.array(View(look).grid.corners)
    assert (corners > 0).all() and (corners < (640, 480)).all()
    assert 0.42 <= look.radius <= 0.495 and look.lid_side in ("left", "right", "both")


def test_a_seed_is_a_look_and_another_seed_another():
    one, same, other = (random_look(np.random.default_rng(seed), 9, 320, 240) for seed in (3, 3, 4))
    assert one == same != other


def test_black_stones_are_darker_than_white_ones():
    for seed in range(20):
        black, white = any_stones(np.random.default_rng(seed))
        assert max(black.colour) < min(white.colour)


def test_grounds_are_those_that_can_be_drawn():
    assert {any_ground(np.random.default_rng(seed)).kind for seed in range(60)} <= set(PATTERNS)
