"""Boards for training, rectified, with more of their surroundings than the net sees."""

import cv2
import numpy as np
import pytest

from vision.calibration.model import Grid
from vision.stones.reader import CELL, CELLS, rectify_input
from vision.training.augment import crop_straight
from vision.training.photos import UNKNOWN
from vision.training.windows import CELL as WIDE_CELL
from vision.training.windows import ROOM, cut_window, load_or_make

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


def test_a_window_shows_the_board_as_the_reader_sees_it():
    image, kinds = draw_spot((2, 6))
    board = cut_window("here", image, GRID, kinds)
    assert board.pixels.shape == (ROOM * WIDE_CELL, ROOM * WIDE_CELL, 3)
    row, column = (int(n) for n in np.argwhere(board.kinds == 2)[0])
    assert (row, column) == (2 + 6, 6 + 6) and (board.kinds[8] == UNKNOWN).sum() == CELLS - 9
    assert place_of(crop_straight(board)) == place_of(rectify_input(image, GRID)) == (row, column)
    straight, wanted = crop_straight(board).astype(int), rectify_input(image, GRID).astype(int)
    assert np.abs(straight - wanted)[40:-40, 40:-40].mean() < 2


def _photo(point):
    image, kinds = draw_spot(point)
    return image, GRID, kinds


def test_boards_are_made_once(tmp_path):
    board = cut_window("here", *_photo((3, 3)))
    first = load_or_make(tmp_path / "windows.npz", lambda: [board])
    again = load_or_make(tmp_path / "windows.npz", lambda: pytest.fail("made again"))
    for boards in (first, again):
        assert boards[0].source == "here" and (boards[0].pixels == board.pixels).all()
        assert (boards[0].kinds == board.kinds).all()
        assert np.array_equal(boards[0].offsets, board.offsets, equal_nan=True)
