"""The legal placements on a board, superko left out, each board's computed once."""

from __future__ import annotations

from typing import NamedTuple

from referee.analysis.situation import Stones
from referee.game.board import Board, Mask, Point, points_of


class Placed(NamedTuple):
    """A placement: its point, the stones after it, and the number of captured stones."""

    point: Point
    after: Stones
    captured: int


class Moves:
    """The placements on the boards of one size."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self._placements: tuple[dict[Stones, tuple[Placed, ...]], ...] = ({}, {})

    def placements_of(self, stones: Stones, turn: int) -> tuple[Placed, ...]:
        """Return the placements of the player with this index, in an order worth trying.

        First come captures, then the rest, and last those that fill an eye of the player's own.
        """
        placements = self._placements[turn].get(stones)
        if placements is None:
            placements = self._placements[turn][stones] = tuple(self._list_placements(stones, turn))
        return placements

    def _list_placements(self, stones: Stones, turn: int) -> list[Placed]:
        board, placements = self.board, []
        for point in points_of(board.full & ~(stones[0] | stones[1])):
            after, captured, surrounded = board.place(stones, turn, point)
            if not surrounded:
                placements.append(Placed(point, (after[0], after[1]), captured.bit_count()))
        own = stones[turn]
        return sorted(placements, key=lambda move: (-move.captured, self._is_filling_eye(own, move.point)))

    def _is_filling_eye(self, own: Mask, point: Point) -> bool:
        return not self.board.adjacent_to(1 << point) & ~own
