"""Bounds of the winner without a search: the moves that each player is sure of, and the most that can be made."""

from __future__ import annotations

from referee import board_of
from referee.analysis.bounds import Bounds
from referee.analysis.situation import Stones
from referee.game.board import Board
from tests.support.referee.late import stones_of


def at_once() -> bool:
    """A budget for the first board alone."""
    return False


def read(rows: str) -> tuple[Board, Stones]:
    """A board from its rows, X Black and O White."""
    return board_of(rows.index("|"), rows.count("|") + 1), stones_of(rows.replace("|", ""))


def test_an_eye_more_than_two_can_be_filled():
    board, stones = read(".X.X.|XXXXX|OOOOO|.O.O.")
    needs = [one.second for one in Bounds(board, frozenset(), at_once).find_both(stones)]
    assert needs == [0, 0], "one move of each: of three eyes two are kept"
