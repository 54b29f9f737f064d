"""The contents of what boxes report, checked where it arrives."""

import pytest

from web.hall.contents import LONGEST_TEXT, MOST_VALUES, check_board, check_names, check_plain

ROWS = ("..X", "O..", "...")


@pytest.mark.parametrize("last", [None, "A1", "C3"])
def test_a_board_that_can_be_drawn_passes(last):
    check_board(ROWS, last)


@pytest.mark.parametrize(
    ("rows", "last"),
    [((), None), ((".",), None), (("..", "."), None), (("..", ".?"), None), (("." * 26,) * 26, None), (ROWS, "D1"),
     (ROWS, "A4"), (ROWS, ""), (ROWS, "A１"), (ROWS, "A0")],
)  # fmt: skip
def test_a_board_that_cannot_be_drawn_is_refused(rows, last):
    with pytest.raises(ValueError, match=r"board|colour|point"):
        check_board(rows, last)


@pytest.mark.parametrize("names", [(), ("a",), ("a",) * 7, ("a", "b" * 501)])
def test_players_that_no_table_has_are_refused(names):
    with pytest.raises(ValueError, match="no players"):
        check_names(names)
    with pytest.raises(ValueError, match="no player of that colour"):
        check_names(("a", "b"), ["X"])


@pytest.mark.parametrize(
    "value", ["x" * (LONGEST_TEXT + 1), 2**60, [0] * MOST_VALUES, {"x" * 5000: 1}, {"a": {"b": 1e300}}]
)
def test_what_is_far_larger_than_any_box_sends_is_refused(value):
    with pytest.raises(ValueError, match="too"):
        check_plain(value)


def test_deep_nesting_needs_no_deep_recursion():
    deep: list[object] = []
    for _ in range(10_000):
        deep = [deep]
    check_plain(deep)
