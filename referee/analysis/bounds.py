"""Bounds of who wins that need no search: how many moves a player can still make if the other only delays.

T is the largest D (Black's prisoners less White's) at which White wins. A player who returns prisoners only, one a
turn, outlasts whoever can make no more moves than that. Those are at most one for each empty point a stone can come to
stand on, and two for each stone that can be captured (the prisoner, and the point that becomes empty); and where every
stone around is the mover's own or can be captured, one point stays empty, for the last stone needs a liberty.
"""

from __future__ import annotations

from referee.analysis.situation import Stones
from referee.board import Board


class Bounds:
    """The bounds of T on the boards of one size, each board's worked out once."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self._known: dict[Stones, tuple[int, int]] = {}

    def of(self, stones: Stones, turn: int) -> tuple[int, int]:
        """The least and the greatest that T can be with the player of this index to move."""
        known = self._known.get(stones)
        if known is None:
            known = self._known[stones] = self._alone(stones, 0), self._alone(stones, 1)
        black, white = known
        # Black moves first: each of at most `black` moves is answered by a delay; White first: one delay more.
        return (-black, white) if turn == 0 else (-black - 1, white - 1)

    def _alone(self, stones: Stones, player: int) -> int:
        """At most so many moves can this player make while the other only delays."""
        empty = self.board.points - (stones[0] | stones[1]).bit_count()
        return max(empty + 2 * stones[1 - player].bit_count() - 1, 0)
