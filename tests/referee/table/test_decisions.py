"""Turns that the director takes back and enters, at tables with buttons and without."""

from __future__ import annotations

import pytest

from referee.game.messages import plain_message
from referee.game.ruling import Status
from referee.game.turns import Delay, Exchange, Pass, Placement, Removal, Resign
from referee.table.events import Button, EnterAgreement, EnterTurn, Remark, TakeBack
from tests.support.referee.table import ATARI, MANNERS, B, PlayedTable, W
from tests.support.web.snapshots import running
from tests.support.wording import english

EMPTY = (".....",) * 5


def direct(table, kind, *args):
    table.t += 1
    return table.referee.receive(kind(table.t, *args)).rulings


@MANNERS
def test_a_misread_turn_is_taken_back_and_the_true_one_entered(refereed):
    table = PlayedTable(EMPTY, refereed=refereed)
    table.look()
    table.put(B, "C3")
    table.done(B) if refereed else table.look()
    assert table.referee.record.number == 1
    (ruling,) = direct(table, TakeBack)
    assert (ruling.status, english(ruling)) == (Status.LEGAL, "The director takes turn 1 back. It is Black's turn.")
    (ruling,) = direct(table, EnterTurn, Placement(B, table.board.point("D3")))
    assert english(ruling) == "Entered by the director: Black played D3."
    table.lift("C3").put(B, "D3")
    assert table.look() == ()
    assert table.referee.record.to_play is W and table.referee.record.number == 1


def test_a_table_that_no_turn_explains_is_ruled_on_by_entering_its_turns():
    table = PlayedTable(EMPTY, refereed=True)
    table.look()
    table.put(B, "A1", "E5").put(W, "C3")
    (ruling,) = table.done(B)
    assert ruling.status is Status.UNEXPLAINED
    for turn in (Placement(B, table.board.point("A1")), Placement(W, table.board.point("C3"))):
        direct(table, EnterTurn, turn)
    (last,) = direct(table, EnterTurn, Placement(B, table.board.point("E5")))
    assert (last.turn, table.referee.record.position) == (3, table.position)
    assert table.look() == ()


def test_an_entered_capture_takes_stones_and_prisoners():
    table = PlayedTable(ATARI)
    (ruling,) = direct(table, EnterTurn, Placement(B, table.board.point("D3")))
    assert table.board.names(1 << ruling.captured[0]) == ["C3"]
    assert table.referee.record.bowls.count_prisoners(B, W) == 2


def test_what_the_rules_refuse_is_entered_only_where_it_is_to_stand():
    table = PlayedTable((".O...", "O....", *EMPTY[2:]))
    turn = Placement(B, table.board.point("A5"))
    assert direct(table, EnterTurn, turn) == ()
    refused = table.referee.answers[-1]
    assert (refused.refused, english(refused)) == (True, "Black may not play A5. The stone would have no liberties.")
    (ruling,) = direct(table, EnterTurn, turn, True)
    assert english(ruling).endswith("It is against the rules and stands.")
    assert table.referee.record.turn == Placement(B, turn.point, stood=True)


@pytest.mark.parametrize("turn", [Placement(W, 3), Pass(B), Placement(B, 99), Delay(W)])
def test_other_turns_that_cannot_be_entered(turn):
    table = PlayedTable(EMPTY)
    assert direct(table, EnterTurn, turn, True) == () and table.referee.answers[-1].refused
    assert table.referee.record.number == 0


@pytest.mark.parametrize("turns", [0, 2, -1, 10**9])
def test_no_more_is_taken_back_than_was_played(turns):
    table = PlayedTable(EMPTY, refereed=True)
    table.look()
    table.play("B C3")
    assert direct(table, TakeBack, turns) == ()
    assert table.referee.answers[-1].refused and table.referee.record.number == 1


def test_a_press_that_waits_is_overruled():
    table = PlayedTable(EMPTY, refereed=True)
    table.look()
    table.play("B C3")
    table.put(W, "D4").press(W, Button.DONE)
    assert table.referee.players_waiting == (W,)
    direct(table, EnterTurn, Placement(W, table.board.point("D4")))
    assert table.referee.players_waiting == () and table.look() == ()


def test_the_clock_follows_whose_turn_it_is():
    table = running().play("B A5")
    assert table.referee.snapshot.clocks.running_player is W
    direct(table, TakeBack)
    assert table.referee.snapshot.clocks.running_player is B
    direct(table, EnterTurn, Placement(B, table.board.point("A4")))
    assert table.referee.snapshot.clocks.running_player is W


def test_a_game_with_a_result_keeps_its_turns():
    table = PlayedTable(EMPTY)
    direct(table, EnterTurn, Resign(B))
    assert table.referee.record.result == "W+R"
    assert direct(table, TakeBack) == () and table.referee.answers[-1].refused


def test_a_remark_is_told_and_changes_nothing():
    table = PlayedTable(EMPTY)
    assert direct(table, Remark, plain_message("The director speaks to both players.")) == ()
    answer = table.referee.answers[-1]
    assert (english(answer), answer.refused, table.referee.record.number) == (
        "The director speaks to both players.",
        False,
        0,
    )


@MANNERS
def test_what_both_players_agreed_on_is_entered(refereed):
    table = PlayedTable(("..XO.", "O.XO.", "..XO.", "..XO.", "..XO."), refereed=refereed, black_side=1)
    table.look()
    (ruling,) = direct(table, EnterAgreement, Removal(1 << table.board.point("A4")))
    assert (ruling.status, ruling.turn) == (Status.LEGAL, 0)
    assert english(ruling) == "By agreement A4 left the board as dead. Nobody has used a turn."
    table.lift("A4").lid(B, W, +1)
    assert table.look() == ()
    assert table.referee.record.bowls == table.lids and table.referee.record.to_play is B
    (ruling,) = direct(table, EnterAgreement, Exchange(1))
    assert english(ruling) == "The players exchanged one stone each. Nobody has used a turn."
    assert table.referee.snapshot.turn == 0 and table.referee.snapshot.bowls.as_dict() == {"B": {"W": 1}, "W": {}}


def test_what_cannot_be_agreed_on_is_answered_and_changes_nothing():
    table = PlayedTable(EMPTY, refereed=True)
    before = table.referee.record
    assert direct(table, EnterAgreement, Exchange(9)) == ()
    answer = table.referee.answers[-1]
    assert english(answer) == "That agreement has no effect. Black has only one white stone to exchange."
    assert table.referee.record is before


def test_a_turn_that_is_taken_back_takes_what_was_agreed_after_it():
    table = PlayedTable(EMPTY, refereed=True)
    table.look()
    table.put(B, "C3").done(B)
    direct(table, EnterAgreement, Removal(1 << table.board.point("C3")))
    direct(table, TakeBack)
    record = table.referee.record
    assert (record.number, record.settlement, record.position.occupied) == (0, None, 0)
