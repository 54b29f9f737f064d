"""The game turn by turn, and what repetition bars."""

from __future__ import annotations

from referee.game.ruling import Reason
from referee.table.events import TakeBack
from referee.table.history import GameHistory
from tests.support.referee.table import PlayedTable
from tests.support.web.snapshots import B, W, begun_table, resigned_table, running, superko, ultimate_game
from tests.support.wording import english


def test_every_turn_of_the_game():
    table = ultimate_game()
    record = table.referee.record
    past = GameHistory(record)
    records = [past.entry_after(number) for number in range(record.number + 1)]
    assert [then.number for then in records if then] == list(range(9))
    assert records[0].position == record.start.position and records[0].turn is None
    assert records[-1].position == record.position and records[-1].bowls == record.bowls
    assert past.entry_after(9) is None and past.entry_after(-1) is None


def test_a_point_that_repetition_bars_and_why():
    table = begun_table(to_play=W).play("W B8")
    (barred,) = GameHistory(table.referee.record).forbidden_points
    assert (table.board.name(barred.point), barred.reason, barred.repeats) == ("C8", Reason.SUPERKO, 0)
    assert english(barred) == "Black may not play C8. This would repeat the starting position."


def test_points_without_a_liberty_are_not_among_them():
    table = begun_table((".X.......", "X........", *(".........",) * 7), to_play=W)
    assert GameHistory(table.referee.record).forbidden_points == ()


def test_nothing_is_barred_once_the_game_has_ended():
    assert GameHistory(resigned_table().referee.record).forbidden_points == ()


def _tried(table: PlayedTable) -> list[tuple[int, list[str]]]:
    thens = table.referee.snapshot.past.thens
    return [(then.number, [table.board.name(one.points[0]) for one in then.tried]) for then in thens if then.tried]


def test_a_refused_turn_is_kept_after_the_turn_it_followed():
    table = superko()
    assert _tried(table) == [(1, ["C8"])]
    table.lift("C8").put(W, "B8").lid(B, W, -1).look()
    table.play("B G3", "W C8")
    assert _tried(table) == [(1, ["C8"])]


def test_what_was_tried_after_a_turn_goes_with_it_when_it_is_taken_back():
    table = superko()
    table.lift("C8").put(W, "B8").lid(B, W, -1).look()
    table.referee.receive(TakeBack(table.t + 1))
    assert _tried(table) == []
    table.t += 1
    table.play("W G5")
    assert _tried(table) == [], "it was tried after another turn 1"


def test_each_turn_has_its_ruling():
    table = ultimate_game()
    thens = table.referee.snapshot.past.thens
    assert thens[0].ruling is None
    assert [then.ruling.turn for then in thens[1:] if then.ruling] == list(range(1, 9))
    assert [then.ruling.move for then in thens[1:] if then.ruling] == [then.turn for then in thens[1:]]


def test_the_clocks_of_each_turn():
    table = running("1m+3x10s").wait(5)
    table.play("B A3")
    table.wait(20).play("W E3")
    thens = table.referee.snapshot.past.thens
    times = [[face.time for face in then.faces] for then in thens]
    assert times[0] == ["1:00", "1:00"]
    assert times[1][1] == "1:00" and times[1][0] != "1:00"
    assert times[2][0] == times[1][0] and times[2][1] != "1:00"
    assert not any(face.running for then in thens for face in then.faces)


def test_without_clocks_no_turn_has_any():
    assert {then.faces for then in ultimate_game().referee.snapshot.past.thens} == {()}


def test_a_turn_takes_over_the_entries_of_the_turns_before():
    table = begun_table(to_play=W).play("W B8", "B G3")
    before = table.referee.snapshot.past.thens
    after = table.play("W G7").referee.snapshot.past.thens
    assert len(after) == len(before) + 1 and all(one is now for one, now in zip(before[:-1], after, strict=False))
