"""The moment that a law is asked about: an act, and what was shown before and after it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tests.support.sequences.table import Agreement, AtTable, View

ORDER = "BWRGYV"
"""The players' letters in the order of play."""


class CompletedAct(NamedTuple):
    """An act that was done. refused: what the director was told whose act had no effect."""

    act: str
    view: View
    refused: str = ""


class Moment(NamedTuple):
    """The moment that a law is asked about: the game, the acts so far, the newest last, and the table."""

    agreed: Agreement
    past: Sequence[CompletedAct]
    table: AtTable

    @property
    def act(self) -> str:
        """Return the newest act."""
        return self.past[-1].act

    @property
    def before(self) -> View:
        """Return what was shown before it."""
        return self.past[-2].view

    @property
    def now(self) -> View:
        """Return what is shown now."""
        return self.past[-1].view

    @property
    def press(self) -> tuple[int, str] | None:
        """Return side and button ("done", "hold call") of the newest act, if it is a press."""
        return press_of(self.act)


def press_of(act: str) -> tuple[int, str] | None:
    """Return side and button ("done", "hold call") of a press."""
    side, _, button = act.partition(" ")
    return (int(side), button) if side.isdigit() else None


def presser_of(act: str) -> int | None:
    """Return the side that pressed, also on a phone whose press came late."""
    words = act.split()
    side = words[2] if words[0] == "late" else words[0]
    return int(side) if side.isdigit() else None


def side_of(moment: Moment, player: str) -> int | None:
    """Return the side at which a player sits; None as long as nobody knows."""
    black = moment.now.snapshot.game.black_side
    return None if black is None else (black - 1 + ORDER.index(player)) % moment.agreed.players + 1


def player_at(moment: Moment, view: View, side: int) -> str | None:
    """Return who sits at a side; None as long as nobody knows."""
    black = view.snapshot.game.black_side
    return None if black is None else ORDER[(side - black) % moment.agreed.players]
