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
        self._set_up: SetUp | Message = message("lying.unseen")
        self._unchanged_since = self._t = 0.0
        self._situation: Situation | None = None

    def see(self, set_up: SetUp | Message, situation: Situation, t: float) -> None:
        """Take what lies there by a look, or why the game cannot go on from it; held: the game then."""
        if set_up != self._set_up:
            self._unchanged_since = t
        self._set_up, self._situation, self._t = set_up, situation, t

    def cover(self) -> None:
        """Forget what lay there: a hand is above the board, or the camera sees it no more."""
        self._set_up = message("lying.unseen")

    def find(self, situation: Situation) -> SetUp | Message:
        """Return the stones that rest there, or why the game cannot go on from them.

        situation: the game now; one that has changed since the newest look needs another
        """
        if isinstance(self._set_up, SetUp) and (
            self._t - self._unchanged_since < RESTS_S or situation != self._situation
        ):
            return message("lying.moves", seconds=int(RESTS_S))
        return self._set_up
