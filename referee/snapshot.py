"""All that can be shown of a game at one moment: one immutable value, swapped in after each ruling."""

from __future__ import annotations

from dataclasses import dataclass

from referee.board import Colour, Position
from referee.bowls import Bowls
from referee.ruling import Ruling
from referee.turns import Turn


@dataclass(frozen=True)
class Snapshot:
    """The game as it stands. turn: accepted turns so far. rulings: all so far, the newest last."""

    rules: str
    position: Position
    bowls: Bowls
    to_play: Colour
    turn: int
    turns: tuple[Turn, ...]
    black_side: int | None
    ended: bool
    result: str | None
    rulings: tuple[Ruling, ...] = ()

    @property
    def newest(self) -> Ruling | None:
        """The newest ruling, None before the first."""
        return self.rulings[-1] if self.rulings else None
