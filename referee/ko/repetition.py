"""Ko rules that look only at which positions stood before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from referee.board import Position
from referee.ko import Memoryless
from referee.ruling import Prohibition, Reason
from referee.turns import Placement

if TYPE_CHECKING:
    from referee.record import GameRecord


@dataclass(frozen=True)
class PositionalSuperko(Memoryless):
    """No placement may leave a position that stood before in the game, whoever was to move, the start included."""

    name: str = "positional"

    def prohibits(self, record: GameRecord, placement: Placement, after: Position) -> Prohibition | None:
        """`superko`, with the turn after which the position first stood."""
        stood = record.first_stood(after)
        return None if stood is None else Prohibition(Reason.SUPERKO, stood)


@dataclass(frozen=True)
class SimpleKo(Memoryless):
    """No placement may leave the position that stood before the turn just made; longer cycles are free."""

    name: str = "simple"

    def prohibits(self, record: GameRecord, placement: Placement, after: Position) -> Prohibition | None:
        """`ko`, with the number of the turn before the one just made."""
        before = record.before
        if before is None or before.position != after:
            return None
        return Prohibition(Reason.KO, before.number)
