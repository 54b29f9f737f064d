"""Ultimate Go, original rules, at a refereed table: no camera sees the ultimate prisoner, so it is asked for."""

from __future__ import annotations

from dataclasses import replace

from referee.game.ruling import Reason, Status
from referee.game.turns import Delay
from referee.table.events import Button, EnterTurn
from tests.support.referee.looks import lids_of
from tests.support.referee.table import PlayedTable
from tests.support.table import B, W
from tests.support.wording import english

ROWS = ("..X.O..", "XXX.OOO", "..X.O..", ".......", ".......", ".......", ".......")


def original(**how: object) -> PlayedTable:
    table = PlayedTable(ROWS, rules="ultimate-original", refereed=True, black_side=1, **how)  # type: ignore[arg-type]
    table.look()
    return table


def delays(table: PlayedTable) -> list[Delay]:
    return [turn for turn in table.referee.record.turns if isinstance(turn, Delay)]


def test_a_press_on_no_change_asks_for_the_ultimate_prisoner():
    table = original()
    (question,) = table.done(B)
    assert (question.status, question.player, table.referee.record.number) == (Status.UNFINISHED, B, 0)
    assert english(question) == (
        "Nothing has changed. Black: if the ultimate prisoner by the bowl went back, press DONE again; else play."
    )
    (ruled,) = table.done(B)
    assert ruled.status is Status.LEGAL and delays(table) == [Delay(B, ultimate=True)]
    assert table.referee.record.to_play is W


def test_who_plays_instead_has_played():
    table = original()
    table.done(B)
    (ruled,) = table.put(B, "D1").done(B)
    assert ruled.status is Status.LEGAL and not delays(table) and table.referee.record.number == 1


def test_two_presses_before_the_question_are_no_answer_to_it():
    table = original()
    table.press(B, Button.DONE)
    table.press(B, Button.DONE)
    table.look()
    assert table.referee.record.number == 0 and not delays(table)


def test_the_question_is_put_each_turn_if_there_is_a_prisoner():
    table = original()
    table.done(B)
    table.done(B)
    (question,) = table.done(W)
    assert question.status is Status.UNFINISHED and question.player is W and len(delays(table)) == 1
    table.put(W, "D2").done(W)
    (refused,) = table.done(B)
    assert (refused.status, refused.reason) == (Status.ILLEGAL, Reason.PASS_NOT_AVAILABLE), "given already"
    assert len(delays(table)) == 1


def test_a_prisoner_that_is_seen_to_go_back_is_no_ultimate_delay():
    table = original(bowls={"B": {"W": 2}, "W": {}})
    table.lid(B, W, -1)
    (ruled,) = table.done(B)
    assert ruled.status is Status.LEGAL and delays(table) == [Delay(B)]


def test_where_the_lid_cannot_be_counted_both_are_asked_for():
    table = original(bowls={"B": {"W": 2}, "W": {}})
    one, two = lids_of(table.lids)
    table.seen_lids = (replace(one, white_range=(1, 3), sure=False), two)
    (question,) = table.done(B)
    assert question.status is Status.UNFINISHED
    assert english(question).endswith("If it was a prisoner from Black's lid, please spread the stones there first.")


def test_the_director_may_enter_it():
    table = original()
    table.done(B)
    table.t += 1
    (ruled,) = table.referee.receive(EnterTurn(table.t, Delay(B, ultimate=True))).rulings
    assert ruled.status is Status.LEGAL and delays(table) == [Delay(B, ultimate=True)]


def test_the_question_does_not_come_up_under_rules_without_such_a_stone():
    table = PlayedTable(ROWS, refereed=True, black_side=1)
    table.look()
    (refused,) = table.done(B)
    assert (refused.status, refused.reason) == (Status.ILLEGAL, Reason.PASS_NOT_AVAILABLE)
