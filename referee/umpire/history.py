"""The history of a game behind its snapshot, computed on demand.

It has each turn with the turns refused after it, and the points barred by repetition.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from referee.game.board import COLOURS, Point, Position
from referee.game.messages import Message
from referee.game.prisoners import Bowls
from referee.game.record import GameRecord
from referee.game.ruling import Reason, Ruling, Status
from referee.game.turns import Placement, Turn
from referee.rules.legality import illegal_points, judge
from referee.time.clock import ClockReading, face_of
from referee.time.records import Times
from referee.umpire.ruling_messages import why_refused

REPETITIONS = frozenset({Reason.KO, Reason.SUPERKO, Reason.PATH, Reason.HOT_STONE, Reason.DISTURBING, Reason.CYCLE})
"""Reasons that cannot be seen from the board alone."""


@dataclass(frozen=True)
class ForbiddenPoint:
    """An empty point that the player to move may not take because the game would repeat.

    Attributes:
        point: the point.
        reason: the rule that bars it.
        repeats: the turn whose position would come back.
        message: why, for the players.
    """

    point: Point
    reason: Reason
    repeats: int | None
    message: Message


@dataclass(frozen=True)
class HistoryEntry:
    """The game after a turn.

    Attributes:
        number: the turn's number, 0 at the start.
        position: the board.
        bowls: the prisoners.
        turn: the turn, None at the start.
        ruling: the last ruling about it.
        faces: the clocks when the turn was closed, in the order of play; empty without clocks.
        tried: turns that were refused after it, before the next one was accepted.
        spent: the milliseconds that the turn took; None if unknown.
    """

    number: int
    position: Position
    bowls: Bowls
    turn: Turn | None
    ruling: Ruling | None = None
    faces: tuple[ClockReading, ...] = ()
    tried: tuple[Ruling, ...] = ()
    spent: int | None = None


class GameHistory:
    """A game's history; immutable, so safe to use from any thread. rulings: all of the game, the newest last."""

    def __init__(self, record: GameRecord, rulings: tuple[Ruling, ...] = (), times: Times | None = None) -> None:
        self._record, self._rulings, self._times = record, rulings, times

    @classmethod
    def of(cls, thens: tuple[HistoryEntry, ...], forbidden_points: tuple[ForbiddenPoint, ...]) -> GameHistory:
        """Return the history that was computed in another process."""
        history = cls.__new__(cls)
        history.__dict__.update(thens=thens, forbidden_points=forbidden_points)
        return history

    def __getstate__(self) -> dict[str, object]:
        """Return the computed history for another process, without the record behind it."""
        return {"thens": self.thens, "forbidden_points": self.forbidden_points}

    def after(self, number: int) -> HistoryEntry | None:
        """Return the game after this many turns (0 is the start), or None if there have not been so many."""
        return self.thens[number] if 0 <= number < len(self.thens) else None

    @cached_property
    def thens(self) -> tuple[HistoryEntry, ...]:
        """Return the game at its start and after each turn."""
        stood, tried = _rulings_by_turn(self._rulings)
        faces = _faces_after(self._times, self._record)
        newest_first = [
            HistoryEntry(
                one.number,
                one.position,
                one.bowls,
                one.turn,
                stood.get(one.number),
                faces[one.number] if faces else (),
                tuple(tried.get(one.number, ())),
                self._times.spent.get(one.number) if self._times is not None else None,
            )
            for one in self._record.back()
        ]
        return tuple(reversed(newest_first))

    @cached_property
    def forbidden_points(self) -> tuple[ForbiddenPoint, ...]:
        """Return the points barred for the player to move, row by row; none once the game has ended."""
        record = self._record
        if record.ended:
            return ()
        points = sorted(point for point, reason in illegal_points(record).items() if reason in REPETITIONS)
        return tuple(_forbidden_points(record, point) for point in points)


def _forbidden_points(record: GameRecord, point: Point) -> ForbiddenPoint:
    turn = Placement(record.to_play, point)
    prohibition = judge(record, turn).prohibition
    assert prohibition is not None
    return ForbiddenPoint(point, prohibition.reason, prohibition.repeats, why_refused(record, turn, prohibition))


def _rulings_by_turn(rulings: Sequence[Ruling]) -> tuple[dict[int, Ruling], dict[int, list[Ruling]]]:
    """Return, by turn number, the ruling on each turn that was kept and the refused turns after each.

    Turns that were taken back, or replaced, take with them the refused turns after them.
    """
    stood, tried = dict[int, Ruling](), dict[int, list[Ruling]]()
    for ruling in rulings:
        number = ruling.turn
        if ruling.status is Status.ILLEGAL and ruling.move is not None:
            tried.setdefault(number - 1, []).append(ruling)
        elif ruling.status is Status.LEGAL:
            again = number in stood and stood[number].move == ruling.move
            while stood and next(reversed(stood)) > number:
                stood.popitem()
            _forget(tried, number + (0 if again or ruling.move is None else -1) + 1)
            if ruling.move is not None:
                stood[number] = ruling  # In ascending order: all later ones are gone.
    return stood, tried


def _forget(tried: dict[int, list[Ruling]], since: int) -> None:
    for number in [number for number in tried if number >= since]:
        del tried[number]


def _faces_after(times: Times | None, record: GameRecord) -> list[tuple[ClockReading, ...]]:
    """Return all players' clocks at the start and after each turn, as each player last closed them.

    Turns before an adjourned game was resumed have none.
    """
    if times is None:
        return []
    opening = times.opening or (times.control.start(),) * record.players
    faces = {player: face_of(times.control, player, left) for player, left in zip(COLOURS, opening, strict=False)}
    after: list[tuple[ClockReading, ...]] = [() if times.since else tuple(faces.values())]
    for number, turn in enumerate(record.turns, 1):
        if number in times.lefts:
            faces[turn.player] = face_of(times.control, turn.player, times.lefts[number])
        after.append(tuple(faces.values()) if number >= times.since else ())
    return after
