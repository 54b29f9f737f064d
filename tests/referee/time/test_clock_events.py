"""The automatic events of a running clock, and their times."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.game.board import Colour
from referee.time.clock import Clock
from referee.time.clock_events import ClockEventKind, events_between, flag_falls, next_moment, seconds_to_count
from referee.time.controls import read_control
from tests.support.tiers import examples

B, W = Colour.BLACK, Colour.WHITE


def clock_with(text: str, players: int = 2) -> Clock:
    return Clock.for_control(read_control(text), players).start(0)


@examples(20)
@given(
    text=st.sampled_from(["45s", "20s+3x7s", "20s+4/9s", "20s+2s", "ing 20s 3x6s"]),
    used=st.lists(st.integers(0, 9_000), max_size=12),
    cuts=st.lists(st.integers(0, 70_000), max_size=40).map(sorted),
)
def test_moments_are_told_once_however_late_one_looks(text, used, cuts):
    clock, now = clock_with(text), 0
    for ms in used:
        now += ms
        clock = clock.press(now / 1000, clock.turn)
    until = now + 70_000
    whole = list(events_between(clock, now / 1000, until / 1000))
    pieces, last = [], now
    for cut in [*(now + cut for cut in cuts), until]:
        pieces += events_between(clock, last / 1000, cut / 1000)
        last = cut
    assert pieces == whole
    before = clock.time_left(clock.turn, now / 1000)
    for moment in whole:
        left = clock.time_left(clock.turn, moment.t)
        just_before = clock.time_left(clock.turn, moment.t - 0.001)
        if moment.what is ClockEventKind.COUNT:
            assert left.stretch == moment.seconds * 1000
        else:
            assert just_before.stretch == 1
            assert left.has_fallen == (moment.what is ClockEventKind.FLAG)
            assert (
                left.is_in_overtime and not just_before.is_in_overtime
            ) or moment.what is not ClockEventKind.OVERTIME
    assert any(moment.what is ClockEventKind.FLAG for moment in whole) == (
        clock.time_left(clock.turn, until / 1000).has_fallen and not before.has_fallen
    )


def test_the_moments_of_byo_yomi():
    events = [(m.t, m.what, m.seconds) for m in events_between(clock_with("60s+2x20s"), 0, 1000)]
    seconds = list(range(10, 0, -1))
    first = [(80.0 - s, ClockEventKind.COUNT, s) for s in seconds]
    second = [(100.0 - s, ClockEventKind.COUNT, s) for s in seconds]
    assert events == [
        (60.0, ClockEventKind.OVERTIME, 0),
        *first,
        (80.0, ClockEventKind.PERIOD, 0),
        *second,
        (100.0, ClockEventKind.FLAG, 0),
    ]


def test_no_count_is_heard_as_a_period_begins():
    clock = clock_with("60s+2x30s")
    assert [seconds_to_count(clock, t) for t in (60, 70, 80, 89, 90, 100)] == [0, 20, 10, 1, 0, 20]
    assert [seconds_to_count(clock_with("0s+2x30s"), t) for t in (0, 0.5, 10)] == [0, 0, 20]


def test_the_moments_of_a_purchase():
    events = [(m.t, m.what) for m in events_between(clock_with("ing 2s 1x1s"), 0, 1000)]
    assert events == [(1.0, ClockEventKind.COUNT), (2.0, ClockEventKind.PURCHASE), (3.0, ClockEventKind.FLAG)]


@pytest.mark.parametrize("text", ["10m", "3m+2s"])
def test_main_time_is_counted_where_nothing_follows(text):
    moment = next_moment(clock_with(text), 5)
    assert moment is not None and moment.what is ClockEventKind.COUNT and moment.seconds == 30


def test_nothing_happens_by_itself_at_a_standing_clock():
    clock = clock_with("10s")
    assert next_moment(clock.paused(3), 3) is None
    assert next_moment(clock, 10) is None
    assert next_moment(clock.set_free(3, B), 3) is None
    assert flag_falls(clock.paused(3)) is None
