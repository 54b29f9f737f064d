"""What lies behind a snapshot: the game turn by turn, and the points that repetition bars; worked out when asked."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from referee.board import Point, Position
from referee.bowls import Bowls
from referee.legality import judge, refused
from referee.messages import Message
from referee.record import GameRecord
from referee.ruling import Reason
from referee.texts import why_refused
from referee.turns import Placement, Turn

REPETITIONS = frozenset({Reason.KO, Reason.SUPERKO, Reason.PATH, Reason.HOT_STONE, Reason.DISTURBING, Reason.CYCLE})
"""Reasons that a look at the board alone does not tell."""


@dataclass(frozen=True)
class Barred:
    """An empty point that the player to move may not take, for the game would repeat. message: why."""

    point: Point
    reason: Reason
    repeats: int | None
    message: Message


@dataclass(frozen=True)
class Then:
    """The game after a turn. turn: that turn, None at the start."""

    number: int
    position: Position
    bowls: Bowls
    turn: Turn | None


class Past:
    """A game's past; from any thread, for nothing in it changes."""

    def __init__(self, record: GameRecord) -> None:
        self._record = record

    def __getstate__(self) -> dict[str, object]:
        """For another process: all that can be asked, without the record behind it."""
        return {"thens": self.thens, "barred": self.barred}

    def after(self, number: int) -> Then | None:
        """The game after so many turns (0 the start); None where there have not been so many."""
        return self.thens[number] if 0 <= number < len(self.thens) else None

    @cached_property
    def thens(self) -> tuple[Then, ...]:
        """The game at its start and after each turn."""
        newest_first = [Then(one.number, one.position, one.bowls, one.turn) for one in self._record.back()]
        return tuple(reversed(newest_first))

    @cached_property
    def barred(self) -> tuple[Barred, ...]:
        """The points barred for the player to move, row by row; none once the game has ended."""
        record = self._record
        if record.ended:
            return ()
        points = sorted(point for point, reason in refused(record).items() if reason in REPETITIONS)
        return tuple(_barred(record, point) for point in points)


def _barred(record: GameRecord, point: Point) -> Barred:
    turn = Placement(record.to_play, point)
    prohibition = judge(record, turn).prohibition
    assert prohibition is not None
    return Barred(point, prohibition.reason, prohibition.repeats, why_refused(record, turn, prohibition))
