"""The baseline that ours is measured against works: else the comparison would be worth nothing."""

import numpy as np
import pytest

from tests.support.vision import baseline
from tests.support.vision.photographs import Label
from tests.support.vision.pictures import drawn_board, turned
from tests.support.vision.sight_figures import Figures, count, table, timed


@pytest.mark.parametrize("size", [9, 13, 19])
def test_an_easy_board_is_found_and_read_by_lines_and_clusters(size):
    picture = drawn_board(size, 3, stones=0.2)
    corners, rows = turned(picture.truth.grid, picture.truth.rows)
    found = baseline.find(picture.pixels)
    assert found is not None and found.size == size
    assert np.linalg.norm(np.array(found.corners) - corners, axis=1).max() < 0.5 * found.cell()
    read = np.array(list(".XO"))[baseline.read(picture.pixels, found)].ravel()
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


def test_the_table_divides_ours_by_theirs():
    looks = {"large": [(40.0, 120.0)], "lids": [(10.0, 50.0)]}
    ours = Figures(10, 10, 9, 100, 99, [100.0] * 10, [10.0] * 10, [5.0], 20.0, 30.0, looks, 200.0)
    theirs = Figures(10, 5, 1, 100, 50, [50.0] * 10, [0.0] * 10, [], memory=100.0)
    lines = table(ours, theirs)
    assert [line.split()[-1] for line in lines[5:12]] == ["2.00", "2.00", "2.00", "1.98", "0.02", "9.00", "2.00"]
    assert "share of a photograph: 10%" in lines[13]
    assert ["3.0 times" in lines[0], "5.0 times" in lines[1], "0.50 times" in lines[2]] == [True] * 3


def test_time_is_the_processors():
    answer, ms = timed(lambda: sum(range(100_000)))
    assert answer == sum(range(100_000)) and 0 < ms < 1000
