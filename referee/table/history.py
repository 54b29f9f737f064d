"""The history of a game behind its snapshot, computed on demand.

It has each turn with the turns refused after it, and the points barred by repetition.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from referee.game.board import COLOURS, Point, Position, mask_of
from referee.game.differences import first_difference
from referee.game.messages import Message
from referee.game.prisoners import Bowls
from referee.game.record import GameRecord
from referee.game.ruling import Reason, Ruling, Status
from referee.game.turns import Placement, Turn
from referee.rules import ruling_messages
from referee.rules.legality import illegal_points, judge
from referee.time.clock import ClockReading, face_of
from referee.time.records import Times

REPETITIONS = frozenset({Reason.KO, Reason.SUPERKO, Reason.PATH, Reason.HOT_STONE, Reason.DISTURBING, Reason.CYCLE})
"""Reasons that cannot be seen from the board alone."""
_MOST_BUILT = 4
"""Histories kept of a game: record and page do not ask for them in the order of play."""


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


@dataclass(frozen=True)
class _ComputedHistory:
    """A history that was computed, to be extended.

    records, thens: the record and the entry after each turn, the start included.
    rulings, stood, tried: all rulings, and, by turn number, the one on each turn and the refused turns after each.
    times: the clocks' times.
    """

    records: tuple[GameRecord, ...] = ()
    thens: tuple[HistoryEntry, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    stood: Mapping[int, Ruling] = field(default_factory=dict)
    tried: Mapping[int, tuple[Ruling, ...]] = field(default_factory=dict)
    times: Times | None = None


class HistoryCache:
    """The newest histories of a game that were computed: the next one takes over their turns as far as they are the
    same, and the forbidden points of the same record. Any thread may use it."""

    def __init__(self) -> None:
        self._histories: tuple[_ComputedHistory, ...] = ()
        self._forbidden: tuple[GameRecord, tuple[ForbiddenPoint, ...]] | None = None

    def extend_history(self, record: GameRecord, rulings: tuple[Ruling, ...], times: Times | None) -> _ComputedHistory:
        """Return the history of this game."""
        earlier = [one for one in self._histories if rulings[: len(one.rulings)] == one.rulings]
        longest = max(earlier, key=lambda one: len(one.rulings), default=_ComputedHistory())
        history = _extend_history(longest, record, rulings, times)
        self._histories = (history, *self._histories)[:_MOST_BUILT]
        return history

    def forbidden_points(self, record: GameRecord) -> tuple[ForbiddenPoint, ...]:
        """Return the points barred for the player to move, row by row."""
        cached = self._forbidden
        if cached is None or cached[0] is not record:
            points = sorted(point for point, reason in illegal_points(record).items() if reason in REPETITIONS)
            cached = self._forbidden = record, tuple(_build_forbidden_point(record, point) for point in points)
        return cached[1]


class GameHistory:
    """A game's history; immutable, so safe to use from any thread.

    rulings: all of the game, the newest last.
    cache: of the same game's histories; None for a history by itself.
    """

    def __init__(
        self,
        record: GameRecord,
        rulings: tuple[Ruling, ...] = (),
        times: Times | None = None,
        cache: HistoryCache | None = None,
    ) -> None:
        self._record, self._rulings, self._times = record, rulings, times
        self._cache = cache or HistoryCache()

    @classmethod
    def from_entries(cls, thens: tuple[HistoryEntry, ...], forbidden_points: tuple[ForbiddenPoint, ...]) -> GameHistory:
        """Return the history that was computed in another process."""
        history = cls.__new__(cls)
        history.__dict__.update(thens=thens, forbidden_points=forbidden_points)
        return history

    def __getstate__(self) -> dict[str, object]:
        """Return the computed history for another process, without the record behind it."""
        return {"thens": self.thens, "forbidden_points": self.forbidden_points}

    def entry_after(self, number: int) -> HistoryEntry | None:
        """Return the game after this many turns (0 is the start), or None if there have not been so many."""
        return self.thens[number] if 0 <= number < len(self.thens) else None

    @cached_property
    def thens(self) -> tuple[HistoryEntry, ...]:
        """Return the game at its start and after each turn."""
        return self._cache.extend_history(self._record, self._rulings, self._times).thens

    @cached_property
    def forbidden_points(self) -> tuple[ForbiddenPoint, ...]:
        """Return the points barred for the player to move, row by row; none once the game has ended."""
        return () if self._record.ended else self._cache.forbidden_points(self._record)


def _build_forbidden_point(record: GameRecord, point: Point) -> ForbiddenPoint:
    turn = Placement(record.to_play, point)
    prohibition = judge(record, turn).prohibition
    assert prohibition is not None
    why = ruling_messages.why_refused(record, turn, prohibition)
    return ForbiddenPoint(point, prohibition.reason, prohibition.repeats, why)


def _extend_history(
    base: _ComputedHistory, record: GameRecord, rulings: tuple[Ruling, ...], times: Times | None
) -> _ComputedHistory:
    """Return the history of this game after one with its first rulings; entries that are still true are taken over."""
    known_count = len(base.rulings)
    records, same = record.list_records(base.records)
    accepted, tried = _group_by_turn(rulings[known_count:], base.stood, base.tried)
    first_ruled = min((ruling.turn - 1 for ruling in rulings[known_count:]), default=same)
    kept_count = max(0, min(same, first_ruled, _find_first_changed_time(base.times, times)))
    rest, before = records[kept_count:], base.thens[kept_count - 1].faces if kept_count else ()
    spent = times.spent if times is not None else {}
    new = (
        HistoryEntry(
            one.number,
            one.position,
            one.bowls,
            one.turn,
            _find_ruling(one, accepted),
            faces,
            tried.get(one.number, ()),
            spent.get(one.number),
        )
        for one, faces in zip(rest, _yield_faces(times, rest, record.players, before), strict=True)
    )
    return _ComputedHistory(records, (*base.thens[:kept_count], *new), rulings, accepted, tried, times)


def _find_ruling(record: GameRecord, accepted: Mapping[int, Ruling]) -> Ruling | None:
    """Return the ruling on the newest turn; if it names handicap stones that were moved since, it names where they are.

    Stones that were laid at once are all named by the ruling on the last of them.
    """
    ruling = accepted.get(record.number)
    if ruling is None or record.before is None or not record.before.rules.handicap.may_lay(record.before):
        return ruling
    laid_count = ruling_messages.laid_count(ruling.message)
    turns = record.turns[-max(laid_count, 1) :]
    first = record.number - len(turns) + 1
    if all(number in accepted and accepted[number].move == turn for number, turn in enumerate(turns, first)):
        return ruling
    laid = mask_of(turn.point for turn in turns if isinstance(turn, Placement)) if laid_count else 0
    doubt = ruling_messages.order_unseen() if ruling.order is not None else None
    text = ruling_messages.accepted_turn_message(record, 0, doubt, laid)
    return replace(ruling, move=record.turn, message=text)


def _group_by_turn(
    rulings: Sequence[Ruling], accepted: Mapping[int, Ruling], tried: Mapping[int, tuple[Ruling, ...]]
) -> tuple[dict[int, Ruling], dict[int, tuple[Ruling, ...]]]:
    """Add rulings to those on each turn that was kept, and to the refused turns after each, by turn number.

    Turns that were taken back, or replaced, take with them the refused turns after them.
    """
    accepted, tried = dict(accepted), dict(tried)
    for ruling in rulings:
        number = ruling.turn
        if ruling.status is Status.ILLEGAL and ruling.move is not None:
            tried[number - 1] = (*tried.get(number - 1, ()), ruling)
        elif ruling.status is Status.LEGAL:
            again = number in accepted and accepted[number].move == ruling.move
            while accepted and next(reversed(accepted)) > number:
                accepted.popitem()
            _forget_tried(tried, number + (0 if again or ruling.move is None else -1) + 1)
            if ruling.move is not None:
                accepted[number] = ruling  # In ascending order: all later ones are gone.
    return accepted, tried


def _forget_tried(tried: dict[int, tuple[Ruling, ...]], since: int) -> None:
    for number in [number for number in tried if number >= since]:
        del tried[number]


def _find_first_changed_time(then: Times | None, now: Times | None) -> int:
    """Return the number of the first turn whose time, or that of one before it, may have changed."""
    if then is None or now is None:
        return sys.maxsize if then is now else 0
    if (then.control, then.since, then.opening) != (now.control, now.since, now.opening):
        return 0
    first = min(first_difference(then.lefts, now.lefts), first_difference(then.spent, now.spent))
    return first if first > now.since else 0


def _yield_faces(
    times: Times | None, records: Sequence[GameRecord], players: int, before: tuple[ClockReading, ...]
) -> Iterator[tuple[ClockReading, ...]]:
    """Yield all players' clocks in each of these records, as each player last closed them.

    before: those in the record before. Turns before an adjourned game was resumed have none.
    """
    if times is None:
        yield from ((),) * len(records)
        return
    opening = times.opening or (times.control.time_at_start(),) * players
    faces = {face.player: face for face in before} or {
        player: face_of(times.control, player, left) for player, left in zip(COLOURS, opening, strict=False)
    }
    for record in records:
        if record.turn is not None and record.number in times.lefts:
            faces[record.turn.player] = face_of(times.control, record.turn.player, times.lefts[record.number])
        yield tuple(faces.values()) if record.number >= times.since else ()
