"""Stones beside their points: the labels of such points, and augmentation that copies real stones there."""

import cv2
import numpy as np
import pytest

from vision.calibration.model import Grid
from vision.stones.reader import BLACK, CELLS, EMPTY, WHITE
from vision.training.off_grid_aug import ON, add_stones_beside, compute_shares, locate_nearest_stones
from vision.training.windows import CELL as WIDE_CELL
from vision.training.windows import ROOM, cut_window

pytestmark = pytest.mark.slow


GRID = Grid(9, ((100.0, 100.0), (420.0, 110.0), (430.0, 430.0), (95.0, 420.0)))


def draw_spot(point, radius=0.3):
    """A grey picture with a white spot on one point (row, column) of GRID, and what lies there."""
    image, kinds = np.full((520, 520, 3), 90, np.uint8), np.zeros(81, np.int64)
    x, y = map(round, GRID.points()[point])
    cv2.circle(image, (x, y), round(GRID.cell() * radius), (255, 255, 255), -1, cv2.LINE_AA)
    kinds[point[0] * 9 + point[1]] = 2
    return image, kinds


def lone(right, down, kind=BLACK):
    """A board with one stone, at row 10 and column 10, so far off its point: kinds and offsets."""
    kinds, offsets = np.zeros((CELLS, CELLS), np.int64), np.full((CELLS, CELLS, 2), np.nan, np.float32)
    kinds[10, 10], offsets[10, 10] = kind, (right, down)
    return kinds, offsets


@pytest.mark.parametrize(
    ("right", "down", "own", "next_one"), [(0, 0, 1, 0), (ON, 0, 1, 0), (0.5, 0, 0.5, 0.5), (0.4, 0, 5 / 6, 1 / 6)]
)
def test_a_stone_between_two_points_is_as_much_the_ones_as_it_is_near(right, down, own, next_one):
    kinds, offsets = lone(right, down)
    share_map = compute_shares(kinds, offsets, kinds)
    assert share_map[BLACK, 10, 10] == pytest.approx(own, abs=1e-5)
    assert share_map[BLACK, 10, 11] == pytest.approx(next_one, abs=1e-5)
    assert share_map.sum(axis=0) == pytest.approx(1)


def test_a_stone_between_four_points_is_a_quarter_of_each():
    kinds, offsets = lone(0.5, -0.5, WHITE)
    assert compute_shares(kinds, offsets, kinds)[WHITE, 9:11, 10:12] == pytest.approx(0.25)


def test_every_point_near_a_stone_says_where_it_lies():
    kinds, offsets = lone(0.4, -0.3)
    where = locate_nearest_stones(kinds, offsets, kinds)
    assert where[:, 10, 10] == pytest.approx((0.4, -0.3)) and where[:, 10, 11] == pytest.approx((-0.6, -0.3))
    assert where[:, 9, 11] == pytest.approx((-0.6, 0.7)) and np.isnan(where[:, 10, 9]).all()


def test_stones_put_beside_points_are_seen_where_they_are_said_to_lie():
    image, kinds = draw_spot((4, 4), 0.45)
    board, count = cut_window("here", image, GRID, kinds), 0
    for seed in range(10):
        more = add_stones_beside(board, np.random.default_rng(seed))
        for row, column in np.argwhere((more.kinds == WHITE) & (board.kinds == EMPTY)):
            right, down = more.offsets[row, column]
            y, x = (np.array([row + down, column + right]) - 10) * WIDE_CELL + ROOM * WIDE_CELL / 2 - 0.5
            part = more.pixels[round(y) - 4 : round(y) + 5, round(x) - 4 : round(x) + 5]
            assert part.min() > 150, (seed, row, column)
            count += 1
    assert count > 20
