"""The choice of the lattice window that is the board: its edges are lines while the edges beyond it are not."""

import numpy as np
import pytest

from tests.support.vision.pictures import drawn_board, turn_truth
from vision.board.detect_by_crossings import score_grid
from vision.board.window import SIZES
from vision.calibration.model import Grid


def grid_of(picture) -> Grid:
    corners = turn_truth(picture.truth.grid, picture.truth.rows)[0]
    return Grid(picture.truth.grid.size, tuple((float(x), float(y)) for x, y in corners))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("way", [(1, 0), (0, 1), (-1, 0), (0, -1)])
def test_crossings_speak_against_a_grid_one_line_off(size, way):
    picture = drawn_board(size, 3)
    grid = grid_of(picture)
    assert score_grid(picture.pixels, grid).margin > 1
    board = np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]]) + np.array(way) / (size - 1)
    beside = Grid(size, tuple((float(x), float(y)) for x, y in grid.to_pixels(board)))
    assert score_grid(picture.pixels, beside).margin < -0.5
