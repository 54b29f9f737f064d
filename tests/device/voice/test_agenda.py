"""Spoken sentences and their times; the time is passed in, the tables and their clocks are the referee's."""

from dataclasses import replace

from device.voice.agenda import COUNTS_FOR, MOST, Agenda
from referee.game.messages import plain_message
from tests.support.referee.table import B, W
from tests.support.web.snapshots import begun_table, running, take_snapshot, unfinished_table
from web.language import ENGLISH
from web.voice.speech import LAST, Kind


def agenda(*tables, moves=True):
    agenda = Agenda(ENGLISH, moves)
    for snapshot in tables:
        agenda.handle(snapshot)
    return agenda


def all_at(agenda, t):
    """All that would be said at this time."""
    texts = []
    while (one := agenda.next(t)) is not None:
        texts.append(one.text)
    return texts


def timed_snapshots(control, seconds):
    """Black's clock has run; then so many seconds more."""
    table = running(control)
    snapshots = [take_snapshot(table)]
    for _ in range(seconds):
        table.due()
        snapshots.append(take_snapshot(table))
    return snapshots


def test_what_is_new_is_said_in_order_and_once():
    table = begun_table(to_play=W)
    queue = agenda(take_snapshot(table), take_snapshot(table.play("W G5", "B E4")))
    assert all_at(queue, table.t)[-3:-1] == ["White played G5.", "Black played E4."]
    assert all_at(queue, table.t) == []


def test_what_is_outdated_is_left_out():
    table = unfinished_table()
    queue = agenda(take_snapshot(begun_table()), take_snapshot(table))
    table.lift("C7", "D7").lid(B, W, +2).look()
    queue.handle(take_snapshot(table))
    assert not [text for text in all_at(queue, table.t) if text.startswith("Black: take")]


def test_no_more_than_so_many_sentences_wait():
    before = take_snapshot(begun_table())
    queue = agenda(before)
    for number in range(3 * MOST):
        queue.handle(replace(before, notice=plain_message(f"Notice {number}."), number=number + 2))
    assert len(all_at(queue, before.t)) <= MOST


def test_over_the_last_ten_seconds_only_the_count_is_said():
    snapshots = timed_snapshots("1m+3x30s", 78)
    agenda, kinds = Agenda(ENGLISH, True), []
    for now in snapshots:
        now = replace(now, notice=plain_message(f"At {now.t}."))
        agenda.handle(now)
        face = next(face for face in now.game.clocks.faces if face.running)
        while (one := agenda.next(now.t)) is not None:
            kinds.append((face.stretch / 1000, face.in_overtime, one.kind))
    assert [left for left, overtime, kind in kinds if left < LAST and overtime and kind is not Kind.COUNT] == []
    assert [left for left, overtime, _ in kinds if left < LAST and overtime]
    assert [left for left, _, _ in kinds if left > LAST]


def test_a_refusal_is_said_in_last_seconds_that_nobody_counts():
    """Only a loss of something is counted, and overtime follows."""
    now = next(now for now in timed_snapshots("1m+3x30s", 58) if now.game.clocks.faces[0].stretch < 5000)
    queue = agenda(now)
    all_at(queue, now.t)
    queue.handle(replace(now, notice=plain_message("Wait.")))
    assert queue.next(now.t).text == "Wait."


def test_what_would_reach_into_the_last_ten_seconds_waits():
    snapshots = timed_snapshots("1m", 1)
    queue = agenda(*snapshots)
    now = snapshots[-1]
    all_at(queue, now.t)
    ends = now.t + next(face for face in now.game.clocks.faces if face.running).stretch / 1000
    assert not queue.is_silent_time(ends - LAST - 3, 2.9) and queue.is_silent_time(ends - LAST - 3, 3.1)
    queue.handle(replace(now, notice=plain_message("Wait.")))
    one = queue.next(now.t)
    queue.back(one, now.t)
    assert queue.next(ends - LAST + 0.1) is None, "the last ten seconds run"
    queue.handle(replace(now, notice=plain_message("Wait."), game=replace(now.game, clocks=None)))
    assert queue.next(ends).text == "Wait.", "the clock stands"


def test_a_second_is_counted_at_once_or_never():
    now = timed_snapshots("12s+3x30s", 24)
    counted_second = next(one for one in now if one.game.clocks.counted)
    before = now[now.index(counted_second) - 1]
    for late, kinds in ((COUNTS_FOR / 2, [Kind.COUNT]), (COUNTS_FOR * 2, [])):
        queue = agenda(before)
        all_at(queue, before.t)
        queue.handle(counted_second)
        sentences = iter(lambda queue=queue, late=late: queue.next(counted_second.t + late), None)
        assert [one.kind for one in sentences if one.kind is Kind.COUNT] == kinds
