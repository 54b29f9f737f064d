"""The search for a larger board of which a found one may be a part: it finds the whole, and is not made for none."""

import numpy as np
import pytest

from tests.support.tiers import sample
from tests.support.vision.pictures import drawn_board
from vision.board import detect_by_crossings
from vision.board.crossing_net import find_crossings
from vision.board.detect_by_crossings import BoardView, find_board_by_crossings
from vision.board.window import SIZES
from vision.calibration.model import UNIT_SQUARE, Grid


def part_of(whole: Grid, size: int, column: int, row: int) -> Grid:
    """Return the grid of `size` lines that begins at a column and row of a larger one."""
    corners = whole.to_pixels((UNIT_SQUARE * (size - 1) + [column, row]) / (whole.size - 1))
    return Grid(size, tuple((float(x), float(y)) for x, y in corners))


@pytest.mark.parametrize(("size", "column", "row"), [(13, 0, 0), (13, 6, 3), (9, 5, 5), (9, 10, 0)])
def test_a_part_of_a_board_leads_to_the_whole(size, column, row):
    picture = drawn_board(19, 2, stones=0.3)
    part = part_of(picture.truth.grid, size, column, row)
    view = BoardView(part, find_crossings(picture.pixels, np.array(part.corners)))
    whole_grid = detect_by_crossings.find_whole_board(picture.pixels, view, SIZES)
    assert whole_grid is not None and whole_grid.size == 19


def test_a_part_of_a_board_that_is_cut_off_is_no_board():
    picture = drawn_board(19, 2, stones=0.3)
    whole = part_of(picture.truth.grid, 13, 6, 3)
    left = int(np.array(whole.corners)[:, 0].min() - 1.5 * whole.cell())
    pixels, part = np.ascontiguousarray(picture.pixels[:, left:]), whole.move_grid(1.0, np.array([-left, 0.0]))
    view = BoardView(part, find_crossings(pixels, np.array(part.corners)))
    assert detect_by_crossings.find_whole_board(pixels, view, SIZES) is None


@pytest.mark.parametrize("size", [9, 13])
@pytest.mark.parametrize("seed", sample(range(2, 6), 1))
def test_no_view_is_spent_on_a_larger_board_where_no_line_leads_on(size, seed, monkeypatch):
    picture = drawn_board(size, seed, stones=0.3)
    grid = picture.truth.grid
    view = BoardView(grid, find_crossings(picture.pixels, np.array(grid.corners)))
    monkeypatch.setattr(detect_by_crossings, "find_crossings", lambda *_: pytest.fail("another view was looked at"))
    assert detect_by_crossings.find_whole_board(picture.pixels, view, SIZES) is grid


def test_a_board_of_fewer_lines_is_found_in_three_views(monkeypatch):
    picture, views = drawn_board(13, 2, stones=0.3), []
    monkeypatch.setattr(
        detect_by_crossings, "find_crossings", lambda image, view: views.append(view) or find_crossings(image, view)
    )
    grid = find_board_by_crossings(picture.pixels, SIZES)
    assert grid is not None and grid.size == 13
    assert len(views) <= 3
