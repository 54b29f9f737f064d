"""Repetition: each ko rule a frozen strategy, `prohibits(record, placement, after) -> Prohibition | None`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from referee.board import Position
from referee.ruling import Prohibition
from referee.turns import Placement

if TYPE_CHECKING:
    from referee.record import GameRecord


class KoRule(Protocol):
    """What a rule set says about repeating a position."""

    @property
    def name(self) -> str:
        """The name by which options exchange it."""

    def prohibits(self, record: GameRecord, placement: Placement, after: Position) -> Prohibition | None:
        """Why this placement, which would leave `after` on the board, may not be made; None when it may."""
