"""The stones that rest on the table: the same in each look for long enough, and no hand above them.

It follows the looks during a pause too, of which no journal is kept: the director's act holds all of what it sets up.
"""

from __future__ import annotations

from referee.game.messages import Message, message
from referee.game.record import Situation
from referee.table.table_position import LyingStones

RESTS_S = 3.0
"""Seconds for which the stones have to lie unchanged. Chosen by hand: longer than a hand is away between two stones."""


class RestingStones:
    """The stones that rest on one table."""

    def __init__(self) -> None:
        self._lying: LyingStones | Message = message("lying.unseen")
        self._unchanged_since = self._t = 0.0
        self._situation: Situation | None = None

    def take_look(self, lying: LyingStones | Message, situation: Situation, t: float) -> None:
        """Take what lies there by a look, or why the game cannot go on from it; held: the game then."""
        if lying != self._lying:
            self._unchanged_since = t
        self._lying, self._situation, self._t = lying, situation, t

    def forget_stones(self) -> None:
        """Forget what lay there: a hand is above the board, or the camera sees it no more."""
        self._lying = message("lying.unseen")

    def find_stones(self, situation: Situation) -> LyingStones | Message:
        """Return the stones that rest there, or why the game cannot go on from them.

        situation: the game now; one that has changed since the newest look needs another
        """
        if isinstance(self._lying, LyingStones) and (
            self._t - self._unchanged_since < RESTS_S or situation != self._situation
        ):
            return message("lying.moves", seconds=int(RESTS_S))
        return self._lying
