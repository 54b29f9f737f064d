"""Penalty points of a player, which the opponent receives when the game is counted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from referee.game.board import Colour, opponent_of
from referee.game.messages import Message, message


class Offence(StrEnum):
    """The offences that are fined: captured stones missing from the lid; time bought."""

    PRISONERS = "prisoners"
    TIME = "time"


MESSAGE_KEYS = tuple(f"penalty.{offence}" for offence in Offence)


@dataclass(frozen=True)
class Penalty:
    """A penalty. player: the one who is fined."""

    player: Colour
    points: int
    offence: Offence

    @property
    def to_white(self) -> int:
        """Return the points as White's, negative if Black receives them."""
        return self.points if self.player is Colour.BLACK else -self.points

    @property
    def message(self) -> Message:
        """Return a message that says who receives the points, and why."""
        other = opponent_of(self.player)
        return message(f"penalty.{self.offence}", player=other, other=self.player, n=self.points)


def points_to_white(penalties: Iterable[Penalty]) -> int:
    """Return the sum of the penalties as White's points."""
    return sum(penalty.to_white for penalty in penalties)


def fine_players(points: Iterable[tuple[Colour, int]], offence: Offence) -> tuple[Penalty, ...]:
    """Return a penalty for each player who is fined any points for the offence."""
    return tuple(Penalty(player, many, offence) for player, many in points if many)
