"""Spoken sentences and their times; the time is passed in, the tables and their clocks are the referee's."""

from dataclasses import replace

from device.voice.agenda import COUNTS_FOR, MOST, Agenda
from referee.game.messages import plain
from tests.support.referee.table import B, W
from tests.support.web.showings import begun, running, showing, unfinished
from web.language import ENGLISH
from web.voice.speech import LAST, Kind


def agenda(*tables, moves=True):
    made = Agenda(ENGLISH, moves)
    for shown in tables:
        made.handle(shown)
    return made


def all_at(made, t):
    """All that would be said at this time."""
    said = []
    while (one := made.next(t)) is not None:
        said.append(one.text)
    return said


def timed(control, seconds):
    """Black's clock has run; then so many seconds more."""
    table = running(control)
    shown = [showing(table)]
    for _ in range(seconds):
        table.due()
        shown.append(showing(table))
    return shown


def test_what_is_new_is_said_in_order_and_once():
    table = begun(to_play=W)
    made = agenda(showing(table), showing(table.play("W G5", "B E4")))
    assert all_at(made, table.t)[-3:-1] == ["White played G5.", "Black played E4."]
    assert all_at(made, table.t) == []


def test_what_is_outdated_is_left_out():
    table = unfinished()
    made = agenda(showing(begun()), showing(table))
    table.lift("C7", "D7").lid(B, W, +2).look()
    made.handle(showing(table))
    assert not [text for text in all_at(made, table.t) if text.startswith("Black: take")]


def test_no_more_than_so_many_sentences_wait():
    before = showing(begun())
    made = agenda(before)
    for number in range(3 * MOST):
        made.handle(replace(before, notice=plain(f"Notice {number}."), number=number + 2))
    assert len(all_at(made, before.t)) <= MOST


def test_over_the_last_ten_seconds_only_the_count_is_said():
    shown = timed("1m+3x30s", 78)
    made, said = Agenda(ENGLISH, True), []
    for now in shown:
        now = replace(now, notice=plain(f"At {now.t}."))
        made.handle(now)
        face = next(face for face in now.game.clocks.faces if face.running)
        while (one := made.next(now.t)) is not None:
            said.append((face.stretch / 1000, face.in_overtime, one.kind))
    assert [left for left, overtime, kind in said if left < LAST and overtime and kind is not Kind.COUNT] == []
    assert [left for left, overtime, _ in said if left < LAST and overtime]
    assert [left for left, _, _ in said if left > LAST]


def test_in_the_last_seconds_of_main_time_that_nobody_counts_a_refusal_is_said():
    """Only a loss of something is counted, and overtime follows."""
    now = next(now for now in timed("1m+3x30s", 58) if now.game.clocks.faces[0].stretch < 5000)
    made = agenda(now)
    all_at(made, now.t)
    made.handle(replace(now, notice=plain("Wait.")))
    assert made.next(now.t).text == "Wait."


def test_what_would_reach_into_the_last_ten_seconds_waits():
    shown = timed("1m", 1)
    made = agenda(*shown)
    now = shown[-1]
    all_at(made, now.t)
    ends = now.t + next(face for face in now.game.clocks.faces if face.running).stretch / 1000
    assert not made.silent(ends - LAST - 3, 2.9) and made.silent(ends - LAST - 3, 3.1)
    made.handle(replace(now, notice=plain("Wait.")))
    one = made.next(now.t)
    made.back(one, now.t)
    assert made.next(ends - LAST + 0.1) is None, "the last ten seconds run"
    made.handle(replace(now, notice=plain("Wait."), game=replace(now.game, clocks=None)))
    assert made.next(ends).text == "Wait.", "the clock stands"


def test_a_second_is_counted_at_once_or_never():
    now = timed("12s+3x30s", 24)
    counted = next(one for one in now if one.game.clocks.counted)
    before = now[now.index(counted) - 1]
    for late, heard in ((COUNTS_FOR / 2, [Kind.COUNT]), (COUNTS_FOR * 2, [])):
        made = agenda(before)
        all_at(made, before.t)
        made.handle(counted)
        said = iter(lambda made=made, late=late: made.next(counted.t + late), None)
        assert [one.kind for one in said if one.kind is Kind.COUNT] == heard
