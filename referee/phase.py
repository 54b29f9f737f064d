"""How a game begins and ends: handicap stones before White's first turn, and the passes that end play."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING, Protocol

from referee.board import Colour, Position
from referee.ruling import Reason
from referee.turns import Pass

if TYPE_CHECKING:
    from referee.record import GameRecord


class HandicapRule(Protocol):
    """What a handicap changes in the first turns."""

    @property
    def name(self) -> str:
        """What a description of the rule set calls it."""

    def demands(self, record: GameRecord) -> Reason | None:
        """Why the player to move may not do what she otherwise might (`must-delay`, `must-pass`), or None."""

    def stones_to_place(self, record: GameRecord) -> int:
        """How many placements in a row, the coming one included, the player to move has before the others."""

    def first(self, handicap: int, position: Position) -> Colour:
        """Who begins from this position where a start does not say."""


@dataclass(frozen=True)
class FreePlacement:
    """Black puts the handicap stones where she likes, one a turn, before White's first turn.

    A start with stones on the board, or with White to play, has them already.
    """

    name: str = "free placement"

    def demands(self, record: GameRecord) -> Reason | None:
        """Nothing that the other rules do not demand."""
        return None

    def stones_to_place(self, record: GameRecord) -> int:
        """The handicap stones still to come; a handicap of 1 is only the first turn."""
        fresh = record.start.to_play is Colour.BLACK and not record.start.position.occupied
        return max(record.handicap - record.number, 0) if fresh and record.handicap > 1 else 0

    def first(self, handicap: int, position: Position) -> Colour:
        """White, where the handicap stones are on the board."""
        return Colour.WHITE if handicap > 1 and position.occupied else Colour.BLACK


class Ending(Protocol):
    """Passing, and how it ends the game."""

    @property
    def name(self) -> str:
        """The name by which options exchange it."""

    def may_pass(self, record: GameRecord) -> bool:
        """Whether the player to move may pass."""

    def ends(self, record: GameRecord) -> bool:
        """Whether a pass now, which the record does not have yet, ends the game."""


@dataclass(frozen=True)
class NoPasses:
    """There is no pass; the game ends by resignation or a draw."""

    name: str = "none"

    def may_pass(self, record: GameRecord) -> bool:
        """Never."""
        return False

    def ends(self, record: GameRecord) -> bool:
        """Never."""
        return False


@dataclass(frozen=True)
class TwoPasses:
    """Two passes in a row end the game, which is then counted."""

    name: str = "two-passes"

    def may_pass(self, record: GameRecord) -> bool:
        """Always."""
        return True

    def ends(self, record: GameRecord) -> bool:
        """The second."""
        return passes_in_a_row(record) >= 1


@dataclass(frozen=True)
class PassesOfAll:
    """One pass more in a row than there are players ends the game, which is then counted (Kee rules, part E)."""

    name: str = "n+1-passes"

    def may_pass(self, record: GameRecord) -> bool:
        """Always."""
        return True

    def ends(self, record: GameRecord) -> bool:
        """The one after all players have passed; who has resigned does not count."""
        return passes_in_a_row(record) >= len(record.playing)


def passes_in_a_row(record: GameRecord) -> int:
    """How many of the newest turns are passes."""
    return sum(1 for _ in takewhile(lambda earlier: isinstance(earlier.turn, Pass), record.back()))
