"""The search for a larger board of which a found one may be a part: it finds the whole, and gives up early if none."""

import pytest

from tests.support.vision.pictures import drawn_board
from vision.board import detect_by_crossings
from vision.board.detect_by_crossings import BEYOND, SQUARE, board_in_quad, find_board_by_crossings
from vision.board.window import SIZES
from vision.calibration.model import UNIT_SQUARE, Grid


def part_of(whole: Grid, size: int, column: int, row: int) -> Grid:
    """Return the grid of `size` lines that begins at a column and row of a larger one."""
    corners = whole.at((UNIT_SQUARE * (size - 1) + [column, row]) / (whole.size - 1))
    return Grid(size, tuple((float(x), float(y)) for x, y in corners))


@pytest.mark.parametrize(("size", "column", "row"), [(13, 0, 0), (9, 5, 5)])
def test_a_part_of_a_board_leads_to_the_whole(size, column, row):
    picture = drawn_board(19, 2, stones=0.3)
    part = part_of(picture.truth.grid, size, column, row)
    larger = tuple(lines for lines in SIZES if lines > size)
    found = board_in_quad(
        picture.pixels, part.at(SQUARE * BEYOND + 0.5), larger, again=detect_by_crossings.MIN_BOARD_LATER
    )
    assert found is not None and found.size == 19


@pytest.mark.parametrize("size", [9, 13])
def test_the_search_for_a_larger_board_ends_at_the_second_view(size, monkeypatch):
    picture = drawn_board(size, 2, stones=0.3)
    views, crossings = [], detect_by_crossings.crossings
    monkeypatch.setattr(
        detect_by_crossings, "crossings", lambda image, view: views.append(view) or crossings(image, view)
    )
    found = find_board_by_crossings(picture.pixels, SIZES)
    assert found is not None and found.size == size
    assert len(views) <= 5  # ten, if the search for a larger board uses up all its looks
