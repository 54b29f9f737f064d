"""The watch for a board that no turns explain: when the box pauses a refereed game by itself, and when it goes on.

The board has to lie there unchanged for long, and be looked at all the time: whatever a hand covers, or moves, begins
the wait again, and so does a pause. Nothing of this is in the journal but the pause and its end, which are events of
the box.
"""

from __future__ import annotations

from referee.game.actor import Actor
from referee.game.board import Position
from referee.game.record import Situation
from referee.table.display_state import Paused
from referee.table.events import Pause, Resume
from referee.table.table_position import BoardMatch

# Chosen by hand.
PAUSES_AFTER_S = 20.0
"""Seconds for which a board has to lie there unexplained, as long as in a recording (referee/table/gaps.py)."""
RESUMES_AFTER_S = 3.0
"""Seconds for which a board has to lie there put right."""
MOST_APART_S = 2.0
"""The most seconds between two looks; in a longer time without one a hand may have been above the board."""


class UnexplainedBoard:
    """The watch over the board of one table."""

    def __init__(self) -> None:
        self._newest_look: tuple[BoardMatch, Position | None, Situation] | None = None
        self._paused_for: tuple[BoardMatch, Position | None, Situation] | None = None
        self._since = self._t = 0.0

    def see(self, match: BoardMatch, position: Position | None, situation: Situation, t: float) -> None:
        """Take what lies there by a look, and the game then."""
        look = match, position, situation
        if look != self._newest_look or not 0.0 <= t - self._t <= MOST_APART_S:
            self._since = t
        self._newest_look, self._t = look, t

    def cover(self) -> None:
        """Forget what lay there: a hand is above the board, or the camera sees it no more."""
        self._newest_look = None

    def find_act(self, pause: Paused | None) -> Pause | Resume | None:
        """Return what the box does now, mostly nothing. A board for which it has paused once is let be.

        pause: the present one
        """
        if self._newest_look is None:
            return None
        match, lasts_s = self._newest_look[0], self._t - self._since
        if match is BoardMatch.UNEXPLAINED:
            if pause is not None:
                self.cover()  # What lay there in a pause interrupted nobody's game.
                return None
            if lasts_s < PAUSES_AFTER_S or self._newest_look == self._paused_for:
                return None
            self._paused_for = self._newest_look
            return Pause(self._t, author=Actor.BOX)
        is_put_right = pause is not None and pause.unexplained and match is BoardMatch.EXPLAINED
        return Resume(self._t, Actor.BOX) if is_put_right and lasts_s >= RESUMES_AFTER_S else None
