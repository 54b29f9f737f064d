"""Pictures without a board, as tests/benchmarks/no_board.py draws and counts them."""

import numpy as np
import pytest

from tests.benchmarks.parts.no_board import Answer, beside, cut_off, drawn, look, photographed
from tests.support.negatives import KINDS
from tests.support.tiers import sample
from tests.support.vision.pictures import board_picture, drawn_board
from tests.support.vision.spoiled import turn_shot


@pytest.mark.parametrize("kind", sample(KINDS, 9))
def test_every_kind_depends_on_its_seed_alone(kind):
    one, again, other = (KINDS[kind](np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert one.dtype == np.uint8 and one.ndim == 3 and min(one.shape[:2]) > 100
    assert np.array_equal(one, again)
    assert one.shape != other.shape or not np.array_equal(one, other)


def test_a_drawing_is_photographed_whole_and_in_its_colours():
    red = np.full((400, 600, 3), (0, 0, 255), np.uint8)
    photo = photographed(red, np.random.default_rng(5)).astype(int)
    reddish = (photo[..., 2] > 2 * photo[..., 1]) & (photo[..., 2] > 2 * photo[..., 0])
    assert 0.1 < reddish.mean() < 1.0


@pytest.mark.slow
@pytest.mark.parametrize("kind", sample(["chess", "bricks", "text", "gradient"], 1))
def test_what_is_no_board_is_not_taken_for_one(kind):
    assert look(drawn(kind, 1)) == Answer(1, 0, 0)


@pytest.mark.slow
def test_a_board_would_be_counted_as_taken_and_sure():
    assert look(board_picture(9)) == Answer(1, 1, 1)


def test_parts_beside_a_board_or_across_it_hold_no_whole_board():
    picture = drawn_board(9, 2)
    photo = turn_shot(picture.pixels, 9, np.array(picture.truth.grid.corners), picture.truth.rows)
    low, high = photo.corners.min(axis=0), photo.corners.max(axis=0)
    height, width = photo.pixels.shape[:2]
    assert max(beside(photo).shape[1] / width, beside(photo).shape[0] / height) <= 1
    assert beside(photo).shape[1] <= max(low[0], width - high[0]) or beside(photo).shape[0] <= max(
        low[1], height - high[1]
    )
    for side in range(4):
        part = cut_off(photo, side, 0.6)
        left = 0.6 * (high - low) + (low if side < 2 else np.array([width, height]) - high)
        assert part.shape[1] <= left[0] + 2 if side % 2 == 0 else part.shape[0] <= left[1] + 2
