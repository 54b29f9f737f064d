"""The acts of players between two looks are judged in the order in which they were done, and none is lost."""

from __future__ import annotations

import pytest

from referee.authors import Author
from referee.events import Button, Enter, TakeBack
from referee.ruling import Reason, Status
from referee.time.steps import Act
from referee.turns import Draw, Pass, Placement, Resign, Turn
from tests.support.referee.table import DRAWN, B, Table, W
from tests.support.wording import english

EMPTY = (".....",) * 5


def begun(rules: str = "chinese", rows: tuple[str, ...] = EMPTY, **how: object) -> Table:
    table = Table(rows, rules=rules, refereed=True, **{"black_side": 1, **how})  # type: ignore[arg-type]
    table.look()
    return table


def turns(table: Table) -> list[Turn]:
    """Return the turns of the record, the oldest first."""
    return [turn for record in reversed(list(table.referee.record.back())) if (turn := record.turn) is not None]


def at(table: Table, name: str) -> int:
    return table.board.point(name)


def call(table: Table, player: object) -> None:
    table.press(player, Button.CALL)  # type: ignore[arg-type]


def done(table: Table, player: object) -> None:
    table.press(player, Button.DONE)  # type: ignore[arg-type]


# Called passes


def test_an_early_call_counts_once_the_other_player_has_pressed_done():
    table = begun()
    table.put(B, "C3")
    call(table, W)
    done(table, B)
    table.look()
    assert turns(table) == [Placement(B, at(table, "C3"))]
    done(table, W)
    assert [ruling.status for ruling in table.look()] == [Status.LEGAL]
    assert turns(table) == [Placement(B, at(table, "C3")), Pass(W)]


def test_both_players_reach_for_call_at_the_end_of_a_game():
    table = begun()
    call(table, B)
    call(table, W)
    done(table, B)
    table.look()
    assert turns(table) == [Pass(B)]
    done(table, W)
    table.look()
    assert turns(table) == [Pass(B), Pass(W)] and table.referee.record.ended


def test_a_call_is_given_up_by_playing_instead():
    table = begun()
    call(table, B)
    table.put(B, "B2").put(W, "C3")
    done(table, W)
    given_up, _ = table.look()
    assert turns(table) == [Placement(B, at(table, "B2")), Placement(W, at(table, "C3"))]
    assert "the call does not count" in english(given_up)
    done(table, B)
    (ruling,) = table.look()
    assert (ruling.status, ruling.reason) == (Status.ILLEGAL, Reason.PASS_NOT_AVAILABLE)


def test_a_pass_and_two_stones_before_one_look_stay_in_their_order():
    table = begun()
    call(table, B)
    done(table, B)
    table.put(W, "B2")
    done(table, W)
    table.put(B, "C3")
    done(table, B)
    table.look()
    assert turns(table) == [Pass(B), Placement(W, at(table, "B2")), Placement(B, at(table, "C3"))]


def test_a_pass_counts_though_the_answer_lies_on_the_board_already():
    table = begun()
    call(table, B)
    done(table, B)
    table.put(W, "B2").look()
    assert turns(table) == [Pass(B)]
    done(table, W)
    table.look()
    assert turns(table) == [Pass(B), Placement(W, at(table, "B2"))]


def test_a_pass_whose_done_was_forgotten_counts_once_the_opponent_has_played():
    table = begun()
    call(table, B)
    table.put(W, "B2")
    done(table, W)
    rulings = table.look()
    assert turns(table) == [Pass(B), Placement(W, at(table, "B2"))]
    assert "did not press done" in english(rulings[0]) or "forgot" in english(rulings[0])


def test_two_passes_by_done_alone_of_one_player_are_not_two_passes():
    table = begun()
    call(table, B)
    done(table, B)
    done(table, W)
    table.look()
    assert turns(table) == [Pass(B)]


def test_two_called_passes_before_one_look():
    table = begun()
    call(table, B)
    done(table, B)
    call(table, W)
    done(table, W)
    table.look()
    assert turns(table) == [Pass(B), Pass(W)]


# Draws


@pytest.mark.parametrize("ends", ["call", "call done", "other call", "other call done"])
def test_a_draw_is_declared_by_call_with_or_without_done(ends: str):
    table = Table((".....", "..X..", ".XO..", "..X..", "....O"), refereed=True, **DRAWN)  # type: ignore[arg-type]
    table.look()
    if "other" in ends:
        call(table, W)
    call(table, B)
    if "done" in ends:
        done(table, B)
    table.look()
    assert turns(table)[-1:] == [Draw(B)] and table.referee.record.ended


# Resignations


def test_a_held_resignation_stays_though_a_stone_lies_on_the_board():
    table = begun()
    table.put(B, "C3")
    table.press(B, Button.CALL, held=True)
    table.look()
    done(table, B)
    table.look()
    assert turns(table)[-1:] == [Resign(B)] and table.referee.record.result == "W+R"


def test_nobody_else_confirms_a_resignation_by_claiming_black():
    table = begun(black_side=None)
    table.press(B, Button.CALL, held=True)
    table.press(W, Button.DONE, held=True)
    table.look()
    assert table.referee.record.result is None
    assert table.referee.resigning(table.t) and not table.referee.record.ended


# Presses that change nothing


def test_a_doubled_done_of_the_original_rules_waits_for_nobody():
    table = begun("ultimate-original")
    table.put(B, "C3")
    done(table, B)
    done(table, B)
    table.look()
    assert table.referee.waiting == ()
    assert turns(table) == [Placement(B, at(table, "C3"))]


def test_a_done_of_the_wrong_side_under_the_original_rules_waits_for_nobody():
    table = begun("ultimate-original")
    table.put(B, "C3")
    done(table, W)
    table.look()
    assert table.referee.waiting == ()


# The clock follows the record


def timed(control: str, **how: object) -> Table:
    """Return a table whose clock runs for Black."""
    table = begun(control=control, procedures=False, **how)
    done(table, W)
    return table


def play(table: Table, player: object, point: str) -> None:
    table.put(player, point)  # type: ignore[arg-type]
    done(table, player)
    table.look()


def left(table: Table, player: object) -> float:
    clocks = table.referee.snapshot.clocks
    assert clocks is not None
    return next(face.main for face in clocks.faces if face.player is player) / 1000


def test_taking_back_a_turn_takes_back_what_its_press_added():
    table = timed("10m+20s")
    play(table, B, "C3")
    before = left(table, W)
    play(table, W, "D3")
    spent = before + 20 - left(table, W)
    table.t += 1
    table.referee.receive(TakeBack(table.t, author=Author.DIRECTOR))
    assert left(table, W) == before - spent
    assert table.running is W
    table.referee.receive(Enter(table.t, Placement(W, at(table, "D3")), author=Author.DIRECTOR))
    assert left(table, W) == before - spent + 20 and table.running is B


def test_after_a_turn_is_taken_back_in_a_pause_the_clock_of_the_player_to_move_goes_on():
    table = timed("10m+20s")
    play(table, B, "C3")
    table.act(Act.PAUSE, None)
    table.t += 1
    table.referee.receive(TakeBack(table.t, author=Author.DIRECTOR))
    table.act(Act.RESUME, None, author=Author.DIRECTOR)
    assert table.referee.record.to_play is B and table.running is B


def test_after_a_turn_is_entered_in_a_pause_the_clock_of_the_player_to_move_goes_on():
    table = timed("10m")
    table.act(Act.PAUSE, None)
    table.t += 1
    table.referee.receive(Enter(table.t, Placement(B, at(table, "C3")), author=Author.DIRECTOR))
    table.act(Act.RESUME, None, author=Author.DIRECTOR)
    assert table.referee.record.to_play is W and table.running is W


def test_after_the_last_pass_is_taken_back_the_clock_of_the_player_to_move_goes_on():
    table = timed("10m")
    for player in (B, W):
        call(table, player)
        done(table, player)
        table.look()
    assert table.referee.record.ended and table.running is None
    table.t += 1
    table.referee.receive(TakeBack(table.t, author=Author.DIRECTOR))
    assert table.referee.record.to_play is W and table.running is W


def test_a_draw_that_was_called_and_given_up_for_a_stone_is_no_draw():
    table = Table((".....", "..X..", ".XO..", "..X..", "....O"), refereed=True, **DRAWN)  # type: ignore[arg-type]
    table.look()
    call(table, B)
    table.put(B, "A1")
    done(table, B)
    (ruling,) = table.look()
    assert turns(table) == [Placement(B, at(table, "A1"))] and ruling.status is Status.LEGAL
    assert "the call does not count" in english(ruling)
