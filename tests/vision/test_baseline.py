"""The baseline that ours is measured against works: else the comparison would be worth nothing."""

import numpy as np
import pytest

from tests.benchmarks.parts import baseline
from tests.benchmarks.parts.baseline import Figures, count
from tests.support.vision.photographs import Label
from tests.support.vision.pictures import drawn_board, turn_truth


@pytest.mark.parametrize("size", [9, 13, 19])
def test_an_easy_board_is_found_and_read_by_lines_and_clusters(size):
    picture = drawn_board(size, 3, stones=0.2)
    corners, rows = turn_truth(picture.truth.grid, picture.truth.rows)
    grid = baseline.find(picture.pixels)
    assert grid is not None and grid.size == size
    assert np.linalg.norm(np.array(grid.corners) - corners, axis=1).max() < 0.5 * grid.cell()
    read = np.array(list(".XO"))[baseline.read(picture.pixels, grid)].ravel()
    assert np.mean(read == np.array(list("".join(rows)))) > 0.97


def test_no_board_is_found_where_there_are_no_lines():
    assert baseline.find(np.full((300, 400, 3), 120, np.uint8)) is None


def test_points_are_counted_where_the_label_tells_them():
    figures = Figures()
    label = Label(None, 2, np.zeros((4, 2)), ("X.", "?O"))  # type: ignore[arg-type]
    count(figures, label, np.array([[1, 0], [2, 0]]))
    assert (figures.right, figures.whole) == (2, 0)
    count(figures, label, np.array([[1, 0], [0, 2]]))
    assert (figures.right, figures.whole) == (5, 1)
