"""Looks at a game, judged by what is due."""

from __future__ import annotations

from referee.game.ruling import Reason
from referee.table.events import Propose
from referee.time.steps import Act, Step
from tests.support.referee.looks import look_at
from tests.support.referee.table import B, PlayedTable, W

EMPTY = (".....",) * 5


def passed_out() -> PlayedTable:
    table = PlayedTable(EMPTY, rules="chinese", refereed=True, black_side=1)
    table.look()
    return table.play("B C3", "W pass", "B pass")


def test_a_stone_after_the_end_is_refused_once():
    table = passed_out()
    (ruling,) = table.put(W, "D4").look()
    assert ruling.reason is Reason.GAME_OVER
    assert table.put(B, "E5").look() == () and table.referee.record.number == 3


def test_a_stone_that_nobody_saw_before_the_end_is_not_refused():
    table = PlayedTable(EMPTY, rules="chinese", refereed=True, black_side=1)
    table.look()
    table.play("B C3")
    table.referee.receive(Step(table.t + 1, Act.REPORT, result="B+R"))
    table.t += 1
    assert table.put(W, "D4").look() == (), "it may lie there since before the end"
    (ruling,) = table.put(B, "E5").look()
    assert ruling.reason is Reason.GAME_OVER


def test_a_board_that_is_cleared_after_the_end_is_no_turn():
    table = passed_out()
    assert table.lift("C3").look() == ()


def test_nothing_is_judged_while_a_count_waits_for_its_answer():
    table = PlayedTable(EMPTY, rules="ultimate", refereed=True, black_side=1)
    table.look()
    table.play("B C3")
    table.say(Propose, W)
    assert table.put(W, "D4").look() == ()


def test_a_look_at_another_board_shows_nothing():
    table = passed_out()
    assert table.referee.receive(look_at(("...",) * 3, table.t + 1)).rulings == ()
