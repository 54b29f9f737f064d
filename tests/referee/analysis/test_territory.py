"""The number of moves that a player, "we", is sure of in parts of the board enclosed by living chains (`safety`)."""

from __future__ import annotations

import pytest

from referee import board_of
from referee.analysis.territory import is_closable


@pytest.mark.parametrize(
    ("cols", "rows", "closed"), [(2, 2, True), (2, 3, True), (2, 5, True), (3, 3, False), (3, 4, False)]
)
def test_a_corner_is_closed_once_each_point_meets_a_wall(cols, rows, closed):
    board = board_of(7, 7)
    corner = sum(1 << (7 * row + col) for row in range(rows) for col in range(cols))
    walls = board.full & ~corner
    assert is_closable(board, corner, walls, (walls, 0)) is closed
    assert not is_closable(board, corner, walls, (walls | 1, 0)), "a loose stone of ours"


def test_what_was_full_of_the_others_stones_is_not_closed():
    """They may be captured on the way: their points count as the other's even so."""
    board = board_of(7, 7)
    corner = sum(1 << (7 * row + col) for row in range(3) for col in range(3))
    walls = board.full & ~corner
    assert not is_closable(board, corner, walls, (walls, corner))
