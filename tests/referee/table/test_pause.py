"""The pause and the call of a table, with and without clocks."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.game.actor import Actor
from referee.game.board import Colour
from referee.game.messages import Message
from referee.table.buttons import Meaning
from referee.table.events import Button, Pause, Pressed, Resume
from referee.table.pause import PauseState
from referee.table.snapshot import Clocks
from referee.time.clock import Clock
from referee.time.controls import read_control
from referee.time.state import SETTLE_FIRST
from referee.time.steps import Act, Step

CLOCK = Clock.for_control(read_control("1m"), 2, Colour.BLACK)
RUNNING = Clocks("1m", 5.0, CLOCK.start(0.0).readings_at(5.0), begun=True)
STOPPED = replace(RUNNING, faces=CLOCK.readings_at(5.0))
PRESS, HOLD = Pressed(6.0, 0, Button.PAUSE), Pressed(6.0, 0, Button.PAUSE, is_held=True)
DIRECTORS = PauseState().with_directors_pause(Pause(3.0, why="lunch", author=Actor.DIRECTOR))


def expect_change(result: PauseState | Message) -> PauseState:
    assert isinstance(result, PauseState)
    return result


def test_a_table_without_clocks_is_paused_by_itself_and_goes_on():
    paused = expect_change(PauseState().press_pause(PRESS, Meaning.PAUSE))
    assert (paused.is_paused, paused.is_called, paused.needs_director) == (True, False, False)
    assert PauseState().step_of(PRESS, Meaning.PAUSE) is None
    assert not expect_change(paused.press_pause(PRESS, Meaning.GO_ON)).is_paused


def test_a_pause_stops_a_clock_that_runs_and_leaves_the_rest_to_it():
    running = PauseState(RUNNING)
    assert running.step_of(PRESS, Meaning.PAUSE) == Step(6.0, Act.PAUSE, author=Actor.TABLE)
    paused = expect_change(running.press_pause(PRESS, Meaning.PAUSE)).follow_clocks(STOPPED, False, goes_on=False)
    assert paused.is_paused and not paused.is_table_paused
    assert paused.step_of(PRESS, Meaning.GO_ON) == Step(6.0, Act.RESUME, author=Actor.TABLE)
    assert not paused.follow_clocks(RUNNING, False, goes_on=True).is_paused


def test_the_director_is_called_once():
    called = expect_change(PauseState(STOPPED).press_pause(HOLD, Meaning.CALL_DIRECTOR))
    assert called.is_called and called.is_players_call and called.message.key == "notice.paused"
    result = called.press_pause(HOLD, Meaning.CALL_DIRECTOR)
    assert isinstance(result, Message) and result.key == "notice.called-already"


def test_the_directors_pause_has_its_reason_and_only_they_end_it():
    assert DIRECTORS.is_paused and DIRECTORS.is_directors and DIRECTORS.needs_director
    assert DIRECTORS.cause is not None and (DIRECTORS.cause.why, DIRECTORS.cause.since) == ("lunch", 3.0)
    assert DIRECTORS.message.key == "notice.paused-by-director"
    again, adjourned = Pause(9.0, author=Actor.DIRECTOR), Pause(9.0, author=Actor.DIRECTOR, adjourned=True)
    assert isinstance(DIRECTORS.pause_clock(again), Message) and DIRECTORS.pause_clock(adjourned) is None
    assert DIRECTORS.with_directors_pause(adjourned).cause == replace(DIRECTORS.cause, why="", adjourned=True)
    result = DIRECTORS.press_pause(PRESS, Meaning.DIRECTORS)
    assert isinstance(result, Message) and result.key == "notice.only-director"


def test_a_call_gives_way_to_the_directors_pause():
    called = expect_change(PauseState().press_pause(HOLD, Meaning.CALL_DIRECTOR))
    assert called.pause_clock(Pause(8.0, author=Actor.DIRECTOR)) is None
    halted = called.with_directors_pause(Pause(8.0, author=Actor.DIRECTOR))
    assert halted.is_paused and not halted.is_called


RESUME = Resume(9.0, Actor.DIRECTOR)


@pytest.mark.parametrize(
    ("state", "is_checking", "found"),
    [
        (replace(DIRECTORS, is_doubted=True), False, SETTLE_FIRST),
        (replace(DIRECTORS, clocks=STOPPED), True, Step(9.0, Act.RESUME, author=Actor.DIRECTOR)),
        (PauseState(replace(RUNNING, restored=True)), False, Step(9.0, Act.RESUME, author=Actor.DIRECTOR)),
        (PauseState(), True, RESUME),
        (DIRECTORS, False, None),
    ],
)
def test_the_director_lets_the_game_go_on(state: PauseState, is_checking: bool, found: object):
    assert state.go_on(RESUME, is_checking) == found


def test_a_game_that_is_not_paused_does_not_go_on():
    result = PauseState(RUNNING).go_on(RESUME, False)
    assert isinstance(result, Message) and result.key == "director.not-paused"


def test_a_pause_has_a_cause_as_long_as_it_lasts():
    paused = PauseState(STOPPED).with_cause(Colour.BLACK, 5.0)
    assert paused.cause is not None and (paused.cause.by, paused.cause.since) == (Colour.BLACK, 5.0)
    assert paused.with_cause(Colour.WHITE, 9.0) is paused
    assert paused.follow_clocks(RUNNING, False, goes_on=True).with_cause(Colour.WHITE, 9.0).cause is None


def test_a_doubted_result_and_a_dispute_call_the_director():
    assert PauseState(is_doubted=True).is_called
    assert PauseState().with_dispute().is_called and not PauseState().with_dispute().without_pause().is_paused


@pytest.mark.parametrize("clocks", [STOPPED, replace(STOPPED, called=True)], ids=["paused", "called"])
def test_a_pause_outlives_a_clock_that_is_not_begun_again(clocks):
    before = PauseState(clocks)
    after = before.follow_clocks(replace(clocks, begun=False, called=False), False, goes_on=False)
    assert (after.is_paused, after.is_called) == (True, before.is_called)
    assert after.go_on(Resume(9.0, Actor.DIRECTOR), False) is None
    assert not after.without_pause().is_paused
