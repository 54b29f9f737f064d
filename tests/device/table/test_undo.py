"""The undoing of the director's newest one-tap act: what reverses it, and until when."""

from dataclasses import replace

from device.table.undo import undo_of
from referee.game.messages import message
from referee.table.events import EnterTurn, Pause, Resume, TakeBack
from referee.time.steps import Act, Step
from tests.support.play import turn_of
from tests.support.web.snapshots import running, take_snapshot
from web.backend import UNDO_S

DONE = message("director.entered")
BEFORE = take_snapshot(running("5m").play("B A3"))


def test_a_started_clock_is_paused_again():
    undo = undo_of((Step(10.0, Act.START),), DONE, BEFORE, 10.0)
    assert undo is not None and undo.until == 10.0 + UNDO_S
    assert undo.events(11.0) == (Pause(11.0),)


def test_an_entered_turn_is_taken_back():
    turn = turn_of("W E3", BEFORE.game.position.board)
    undo = undo_of((EnterTurn(10.0, turn),), DONE, BEFORE, 10.0)
    assert undo is not None and undo.turn == BEFORE.game.turn + 1
    (event,) = undo.events(11.0)
    assert isinstance(event, TakeBack) and event.turns == 1


def test_a_turn_that_was_taken_back_is_entered_again():
    undo = undo_of((TakeBack(10.0, 1),), DONE, BEFORE, 10.0)
    assert undo is not None
    (event,) = undo.events(11.0)
    assert isinstance(event, EnterTurn) and event.turn == BEFORE.game.turns[-1]


def test_a_resignation_and_a_pause_at_rest_cannot_be_undone():
    resigned = turn_of("W resign", BEFORE.game.position.board)
    assert undo_of((EnterTurn(10.0, resigned),), DONE, BEFORE, 10.0) is None
    assert undo_of((Resume(10.0),), DONE, BEFORE, 10.0) is None
    assert undo_of((Pause(10.0),), DONE, replace(BEFORE, called=True), 10.0) is None


def test_it_is_open_until_its_time_or_the_next_turn():
    undo = undo_of((Step(10.0, Act.START),), DONE, BEFORE, 10.0)
    assert undo is not None
    assert undo.is_open(BEFORE, 10.0 + UNDO_S) and not undo.is_open(BEFORE, 10.1 + UNDO_S)
    assert not undo.is_open(replace(BEFORE, game=replace(BEFORE.game, turn=BEFORE.game.turn + 1)), 11.0)
