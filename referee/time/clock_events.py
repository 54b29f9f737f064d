"""The automatic events of a running clock, and their times.

An owner sleeps until the next event, or catches up with those that it has slept through.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from referee.game.board import Colour
from referee.time.clock import Clock
from referee.time.controls import SECOND, TimeLeft, ms_of, seconds_of

COUNTED = (30, 20, *range(10, 0, -1))
"""The remaining seconds that are counted aloud, as a time keeper does."""


class ClockEventKind(StrEnum):
    """The kind of a clock event.

    COUNT: a counted number of seconds is left
    OVERTIME: main time is used up
    PERIOD: a period is used up, the next one runs
    PURCHASE: a period is bought and charged (Ing)
    FLAG: all time is used up
    """

    COUNT = "count"
    OVERTIME = "overtime"
    PERIOD = "period"
    PURCHASE = "purchase"
    FLAG = "flag"


@dataclass(frozen=True)
class ClockEvent:
    """An automatic clock event.

    t: its time, in seconds
    seconds: the seconds left, if they are counted
    """

    t: float
    what: ClockEventKind
    player: Colour
    seconds: int = 0


def next_moment(clock: Clock, t: float) -> ClockEvent | None:
    """Return the first event after t if nobody acts; None while the clock is stopped or after the flag has fallen."""
    player = clock.running_player
    if player is None or player in clock.free or (left := clock.time_left(player, t)).has_fallen:
        return None
    time_ms = max(ms_of(t), clock.latest or 0)
    seconds_to_count = (
        [seconds for seconds in COUNTED if seconds * SECOND < left.stretch]
        if clock.control.is_counted_down(left)
        else []
    )
    if seconds_to_count:
        ends = time_ms + left.stretch - seconds_to_count[0] * SECOND
        return ClockEvent(seconds_of(ends), ClockEventKind.COUNT, player, seconds_to_count[0])
    return ClockEvent(seconds_of(time_ms + left.stretch), _event_at_end(clock, left), player)


def seconds_to_count(clock: Clock, t: float) -> int:
    """Return the seconds that are left at t exactly and are counted aloud; 0 if none are, as at a period's start."""
    moment = next_moment(clock, t - 1 / SECOND)
    return moment.seconds if moment is not None and ms_of(moment.t) == ms_of(t) else 0


def events_between(clock: Clock, after: float, until: float) -> Iterator[ClockEvent]:
    """Yield all events after one time and up to another, in order: each once, however late or often one looks."""
    moment = next_moment(clock, after)
    while moment is not None and ms_of(moment.t) <= ms_of(until):
        yield moment
        moment = next_moment(clock, moment.t)


def flag_falls(clock: Clock) -> float | None:
    """Return when the running clock's flag falls, or fell, if nobody acts; None if it is stopped."""
    if clock.running_player is None or clock.latest is None:
        return None
    t = seconds_of(clock.latest)
    while (moment := next_moment(clock, t)) is not None:
        t = moment.t
    return t


def _event_at_end(clock: Clock, left: TimeLeft) -> ClockEventKind:
    """Return the kind of event at the end of the running stretch."""
    after = clock.control.spend(left, left.stretch)
    if after.has_fallen:
        return ClockEventKind.FLAG
    if clock.control.points_charged(after) > clock.control.points_charged(left):
        return ClockEventKind.PURCHASE
    return ClockEventKind.OVERTIME if left.main else ClockEventKind.PERIOD
