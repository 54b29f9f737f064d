"""Record, clock and count of a game, in one state after each event."""

from __future__ import annotations

from referee.game.actor import Actor
from referee.game.turns import Placement
from referee.table.events import Button, EnterTurn, TakeBack
from tests.support.referee.table import B, W, begin_play


def test_a_result_that_came_of_time_is_in_the_record():
    table = begin_play(control="1m").play("B C3")
    table.wait(70).due()
    table.press(B, Button.CALL)
    assert table.referee.record.result == "B+T" and table.referee.snapshot.result == "B+T"


def test_the_clock_follows_turns_that_the_director_decides():
    table = begin_play(control="1m").play("B C3")
    table.referee.receive(EnterTurn(table.t, Placement(W, table.board.point("D4")), author=Actor.DIRECTOR))
    assert table.running is B
    table.referee.receive(TakeBack(table.t, 1, Actor.DIRECTOR))
    assert table.running is W


def test_without_buttons_a_look_ends_the_turn_on_the_clock():
    table = begin_play(control="1m", refereed=False)
    table.put(B, "C3").look()
    assert table.running is W
    table.wait(5).put(W, "D4").look()
    assert table.running is B and table.spent[1] > 5


def test_presses_that_wait_are_dropped_once_the_game_has_ended():
    table = begin_play(control="1m")
    table.put(B, "C3").press(B, Button.DONE)
    assert table.referee.players_waiting == (B,)
    table.end()
    assert table.referee.players_waiting == ()
