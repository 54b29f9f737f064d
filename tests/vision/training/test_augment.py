"""Augmentation of boards: other poses, lamps and cameras, so that the net does not memorise a room."""

import cv2
import numpy as np
import pytest

from tests.support.tiers import sample
from vision.calibration.model import Grid
from vision.stones.reader import CELL, SIDE
from vision.training.augment import crop_straight, move_board, relight_board
from vision.training.windows import cut_window

pytestmark = pytest.mark.slow


GRID = Grid(9, ((100.0, 100.0), (420.0, 110.0), (430.0, 430.0), (95.0, 420.0)))


def draw_spot(point, radius=0.3):
    """A grey picture with a white spot on one point (row, column) of GRID, and what lies there."""
    image, kinds = np.full((520, 520, 3), 90, np.uint8), np.zeros(81, np.int64)
    x, y = map(round, GRID.points()[point])
    cv2.circle(image, (x, y), round(GRID.cell() * radius), (255, 255, 255), -1, cv2.LINE_AA)
    kinds[point[0] * 9 + point[1]] = 2
    return image, kinds


def place_of(image):
    """The row and column among the net's answers of the bright spot in what the net sees."""
    down, across = np.argwhere(image[..., 1] > 200).mean(axis=0)
    return int(down // CELL), int(across // CELL)


@pytest.mark.parametrize("seed", sample(range(8), 2))
def test_stones_go_where_the_board_goes(seed):
    chance = np.random.default_rng(seed)
    source = cut_window("here", *_photo((1, 5)))
    image, kinds, _ = move_board(source, chance)
    assert image.shape == (SIDE, SIDE, 3)
    assert place_of(image) == tuple(np.argwhere(kinds == 2)[0])


def _photo(point):
    image, kinds = draw_spot(point)
    return image, GRID, kinds


def test_another_light_keeps_the_places():
    image, kinds = draw_spot((4, 4))
    board = cut_window("here", image, GRID, kinds)
    plain = crop_straight(board)
    pictures = [
        relight_board(plain, board.kinds, board.offsets, np.random.default_rng(seed), 0.3) for seed in range(12)
    ]
    assert all(lit.shape == plain.shape and lit.dtype == np.uint8 for lit in pictures)
    assert np.std([lit.mean() for lit in pictures]) > 10, "the lamps are alike"
    middles = np.array([lit[164:172, 164:172].mean() - lit[100:140, 100:140].mean() for lit in pictures])
    assert np.median(middles) > 20


def test_under_lamps_of_one_colour_the_others_are_hardly_seen():
    image, kinds = draw_spot((4, 4))
    board = cut_window("here", image, GRID, kinds)
    lit = [
        relight_board(crop_straight(board), board.kinds, board.offsets, np.random.default_rng(k), 0.0, 1.0)
        for k in range(24)
    ]
    channels = np.sort([np.median(picture, axis=(0, 1)) for picture in lit], axis=1)
    assert np.mean(channels[:, 0] < 0.4 * channels[:, 2]) > 0.5
