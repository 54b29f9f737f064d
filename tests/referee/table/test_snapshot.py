"""A snapshot of everything that can be shown of a game: immutable values, swapped in after each change."""

from dataclasses import replace

from referee.game.board import Colour
from tests.support.web.snapshots import running, take_snapshot

B, W = Colour.BLACK, Colour.WHITE


def test_sides_and_players_answer_one_another():
    game = replace(take_snapshot(running("5m").play("B A3")).game, black_side=2)
    assert game.sides == (1, 2) and game.side_of(B) == 2 and game.at_side(1) is W
    unknown = replace(game, black_side=None)
    assert unknown.side_of(B) is None and unknown.at_side(1) is None


def test_the_newest_ruling_is_the_last():
    game = take_snapshot(running("5m").play("B A3", "W E3")).game
    assert game.newest_ruling is game.rulings[-1] and replace(game, rulings=()).newest_ruling is None


def test_a_clock_that_runs_is_not_paused():
    clocks = take_snapshot(running("5m").play("B A3")).game.clocks
    assert clocks is not None and clocks.running_player is not None and not clocks.is_paused
    still = replace(clocks, faces=tuple(replace(face, running=False) for face in clocks.faces))
    assert still.is_paused and not replace(still, restored=True).is_paused and replace(still, called=True).is_paused


def test_who_still_has_time_may_claim_the_win():
    clocks = take_snapshot(running("5m").play("B A3")).game.clocks
    assert clocks is not None and clocks.may_claim == ()
    assert replace(clocks, fallen=(B,)).may_claim == (W,) and replace(clocks, fallen=(B, W)).may_claim == ()
