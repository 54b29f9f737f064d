"""The timekeeping of a game as a value, and helpers that the procedures share."""

from dataclasses import replace

from referee.game.board import Colour
from referee.game.messages import message
from referee.time.clock import Clock
from referee.time.controls import read_control
from referee.time.state import Timekeeping, refuse_step, who_acts
from referee.time.steps import Act, Refusal, Step

B, W, R = Colour.BLACK, Colour.WHITE, Colour.RED


def timekeeping(players: int = 2) -> Timekeeping:
    return Timekeeping(Clock.for_control(read_control("10m"), players))


def test_the_next_player_is_the_next_who_still_plays():
    three = replace(timekeeping(3), out=frozenset({W}))
    assert (three.player_after(B), three.player_after(R)) == (R, B)
    assert three.opponents_of(B) == (W, R)


def test_a_win_is_claimed_where_a_flag_fell_and_nobody_let_it_pass():
    now = replace(timekeeping(), reported_flags=frozenset({B, W}), passed_over=frozenset({W}))
    assert now.claimable_players == {B}


def test_who_loses_on_time_gives_the_other_the_game():
    assert timekeeping().lost_by(B, 5, "T").result == "W+T"
    three = timekeeping(3).lost_by(B, 5, "F")
    assert three.result is None and three.out == {B}


def test_a_refused_step_changes_nothing():
    now = timekeeping()
    result = refuse_step(now, Refusal.STANDING, message("time.running"))
    assert result.after is now and result.refusal is Refusal.STANDING


def test_a_step_of_nobody_is_the_directors():
    assert who_acts(Step(1, Act.PAUSE, B)) is B and who_acts(Step(1, Act.PAUSE)) == message("director")
