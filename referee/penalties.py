"""Points that a player is fined, which the opponent receives when the game is counted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from referee.board import Colour, opponent_of
from referee.messages import Message, message


class Offence(StrEnum):
    """What a player is fined for: captured stones were not in the lid; time was bought."""

    PRISONERS = "prisoners"
    TIME = "time"


MESSAGE_KEYS = tuple(f"penalty.{offence}" for offence in Offence)


@dataclass(frozen=True)
class Penalty:
    """player: who is fined."""

    player: Colour
    points: int
    offence: Offence

    @property
    def to_white(self) -> int:
        """The points as White's, negative where Black receives them."""
        return self.points if self.player is Colour.BLACK else -self.points

    @property
    def message(self) -> Message:
        """Who receives them, and why."""
        other = opponent_of(self.player)
        return message(f"penalty.{self.offence}", player=other, other=self.player, n=self.points)


def points_to_white(penalties: Iterable[Penalty]) -> int:
    """All of them as White's."""
    return sum(penalty.to_white for penalty in penalties)


def fined(points: Iterable[tuple[Colour, int]], offence: Offence) -> tuple[Penalty, ...]:
    """The penalties of those who are fined any points for it."""
    return tuple(Penalty(player, many, offence) for player, many in points if many)
