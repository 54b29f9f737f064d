"""The stones that rest on the table: the same in each look for long enough, and no hand above them.

It follows the looks during a pause too, of which no journal is kept: the director's act holds all of what it sets up.
"""

from __future__ import annotations

from referee.game.messages import Message, message
from referee.game.record import Situation
from referee.game.turns import SetUp

RESTS_S = 3.0
"""Seconds for which the stones have to lie unchanged. Chosen by hand: longer than a hand is away between two stones."""


class RestingStones:
    """The stones that rest on one table."""

    def __init__(self) -> None:
        self._found: SetUp | Message = message("lying.unseen")
        self._since = self._t = 0.0
        self._held: Situation | None = None

    def see(self, found: SetUp | Message, held: Situation, t: float) -> None:
        """Take what lies there by a look, or why the game cannot go on from it; held: the game then."""
        if found != self._found:
            self._since = t
        self._found, self._held, self._t = found, held, t

    def cover(self) -> None:
        """Forget what lay there: a hand is above the board, or the camera sees it no more."""
        self._found = message("lying.unseen")

    def find(self, held: Situation) -> SetUp | Message:
        """Return the stones that rest there, or why the game cannot go on from them.

        held: the game now; one that has changed since the newest look needs another
        """
        if isinstance(self._found, SetUp) and (self._t - self._since < RESTS_S or held != self._held):
            return message("lying.moves", seconds=int(RESTS_S))
        return self._found
