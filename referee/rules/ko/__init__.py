"""Repetition: each ko rule a frozen strategy, `prohibits(record, placement, after) -> Prohibition | None`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

from referee.board import Mask, Position
from referee.ruling import Prohibition
from referee.survey import repeating_points
from referee.turns import Placement, Turn

if TYPE_CHECKING:
    from referee.record import GameRecord, Situation


class KoRule(Protocol):
    """What a rule set says about repeating a position."""

    @property
    def name(self) -> str:
        """The name by which options exchange it."""

    def begins(self, start: Situation) -> object:
        """What the rule remembers of a game at its start; None for a rule that needs nothing but the positions."""

    def follows(self, record: GameRecord, turn: Turn, situation: Situation) -> object:
        """What it remembers after this turn, made in this record, which led to the situation: immutable, and small
        beside what it remembered before."""

    def prohibits(self, record: GameRecord, placement: Placement, after: Position) -> Prohibition | None:
        """Why this placement, which would leave `after` on the board, may not be made; None when it may."""

    def may_refuse(self, record: GameRecord, quiet: Mask) -> Mask:
        """Those of the quiet points (a stone there captures nothing and has a liberty) that it may refuse."""


@runtime_checkable
class Remarking(Protocol):
    """A ko rule that has something to tell the players after some accepted turns."""

    def remark(self, record: GameRecord) -> str | None:
        """A sentence on the newest turn, None where there is nothing to tell."""


class OnlyRepetition:
    """A ko rule that refuses no placement but one that brings back a position of the game."""

    def may_refuse(self, record: GameRecord, quiet: Mask) -> Mask:
        """Where a stone would bring one back."""
        return repeating_points(record, quiet)


class Memoryless:
    """A ko rule that needs nothing but the positions that stood."""

    def begins(self, start: Situation) -> object:
        """Nothing."""
        return None

    def follows(self, record: GameRecord, turn: Turn, situation: Situation) -> object:
        """Nothing."""
        return None
