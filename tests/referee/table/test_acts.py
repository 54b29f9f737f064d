"""The acts of players between two looks are judged in the order in which they were done, and none is lost."""

from __future__ import annotations

import pytest

from referee.game.actor import Actor
from referee.game.ruling import Reason, Status
from referee.game.turns import Draw, Pass, Placement, Resign, Turn
from referee.table.events import Button, EnterTurn, TakeBack
from referee.time.steps import Act
from tests.support.referee.looks import unsure_lid
from tests.support.referee.table import DRAWN, B, PlayedTable, W, begin_play
from tests.support.wording import english


def turns(table: PlayedTable) -> list[Turn]:
    """Return the turns of the record, the oldest first."""
    return [turn for record in reversed(list(table.referee.record.iterate_back())) if (turn := record.turn) is not None]


def point_of(table: PlayedTable, name: str) -> int:
    return table.board.point(name)


def call(table: PlayedTable, player: object) -> None:
    table.press(player, Button.CALL)  # type: ignore[arg-type]


def done(table: PlayedTable, player: object) -> None:
    table.press(player, Button.DONE)  # type: ignore[arg-type]


# Called passes


def test_an_early_call_counts_once_the_other_player_has_pressed_done():
    table = begin_play()
    table.put(B, "C3")
    call(table, W)
    done(table, B)
    table.look()
    assert turns(table) == [Placement(B, point_of(table, "C3"))]
    done(table, W)
    assert [ruling.status for ruling in table.look()] == [Status.LEGAL]
    assert turns(table) == [Placement(B, point_of(table, "C3")), Pass(W)]


def test_both_players_reach_for_call_at_the_end_of_a_game():
    table = begin_play()
    call(table, B)
    call(table, W)
    done(table, B)
    table.look()
    assert turns(table) == [Pass(B)]
    done(table, W)
    table.look()
    assert turns(table) == [Pass(B), Pass(W)] and table.referee.record.ended


def test_a_call_is_given_up_by_playing_instead():
    table = begin_play()
    call(table, B)
    table.put(B, "B2").put(W, "C3")
    done(table, W)
    given_up, _ = table.look()
    assert turns(table) == [Placement(B, point_of(table, "B2")), Placement(W, point_of(table, "C3"))]
    assert "the call does not count" in english(given_up)
    done(table, B)
    (ruling,) = table.look()
    assert (ruling.status, ruling.reason) == (Status.ILLEGAL, Reason.PASS_NOT_AVAILABLE)


def test_a_pass_and_two_stones_before_one_look_stay_in_their_order():
    table = begin_play()
    call(table, B)
    done(table, B)
    table.put(W, "B2")
    done(table, W)
    table.put(B, "C3")
    done(table, B)
    table.look()
    assert turns(table) == [Pass(B), Placement(W, point_of(table, "B2")), Placement(B, point_of(table, "C3"))]


def test_a_pass_counts_though_the_answer_lies_on_the_board_already():
    table = begin_play()
    call(table, B)
    done(table, B)
    table.put(W, "B2").look()
    assert turns(table) == [Pass(B)]
    done(table, W)
    table.look()
    assert turns(table) == [Pass(B), Placement(W, point_of(table, "B2"))]


def test_a_pass_without_done_counts_once_the_opponent_played():
    table = begin_play()
    call(table, B)
    table.put(W, "B2")
    done(table, W)
    rulings = table.look()
    assert turns(table) == [Pass(B), Placement(W, point_of(table, "B2"))]
    assert "did not press DONE" in english(rulings[0]) or "forgot" in english(rulings[0])


def test_two_passes_by_done_alone_of_one_player_are_not_two_passes():
    table = begin_play()
    call(table, B)
    done(table, B)
    done(table, W)
    table.look()
    assert turns(table) == [Pass(B)]


def test_two_called_passes_before_one_look():
    table = begin_play()
    call(table, B)
    done(table, B)
    call(table, W)
    done(table, W)
    table.look()
    assert turns(table) == [Pass(B), Pass(W)]


# Draws


def test_a_pass_called_twice_and_closed_by_the_next_is_one_turn():
    table = begin_play()
    call(table, B)
    table.put(W, "D2")
    call(table, B)
    done(table, W)
    table.put(B, "E3")
    done(table, B)
    table.look()
    assert turns(table) == [Pass(B), Placement(W, point_of(table, "D2")), Placement(B, point_of(table, "E3"))]


def test_a_called_pass_after_a_forgotten_press_is_its_own_turn():
    """The first player's last press comes late, when the passes have ended play."""
    table = begin_play("simple")
    table.put(B, "E3").put(W, "C5")
    done(table, W)
    for player in (B, W):
        call(table, player)
        done(table, player)
    done(table, B)
    table.look()
    assert turns(table) == [Placement(B, point_of(table, "E3")), Placement(W, point_of(table, "C5")), Pass(B), Pass(W)]


def test_a_call_out_of_turn_after_a_late_press_is_nobodys_pass():
    table = begin_play()
    table.put(B, "D2").put(W, "B4")
    done(table, W)
    done(table, B)
    call(table, W)
    done(table, W)
    table.look()
    assert turns(table) == [Placement(B, point_of(table, "D2")), Placement(W, point_of(table, "B4"))]
    assert table.referee.record.to_play is B


def test_a_pass_closed_by_a_press_counts_though_it_is_doubled():
    table = begin_play()
    call(table, B)
    table.put(W, "D4")
    done(table, W)
    table.put(B, "D2")
    done(table, B)
    done(table, B)
    table.look()
    assert turns(table) == [Pass(B), Placement(W, point_of(table, "D4")), Placement(B, point_of(table, "D2"))]


@pytest.mark.parametrize("ends", ["call", "call done", "other call", "other call done"])
def test_a_draw_is_declared_by_call_with_or_without_done(ends: str):
    table = PlayedTable((".....", "..X..", ".XO..", "..X..", "....O"), refereed=True, **DRAWN)  # type: ignore[arg-type]
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
    table = begin_play()
    table.put(B, "C3")
    table.press(B, Button.CALL, is_held=True)
    table.look()
    done(table, B)
    table.look()
    assert turns(table)[-1:] == [Resign(B)] and table.referee.record.result == "W+R"


def test_nobody_else_confirms_a_resignation_by_claiming_black():
    table = begin_play(black_side=None)
    table.press(B, Button.CALL, is_held=True)
    table.press(W, Button.DONE, is_held=True)
    table.look()
    assert table.referee.record.result is None
    assert table.referee.players_resigning(table.t) and not table.referee.record.ended


# Presses that change nothing


def test_a_doubled_done_of_the_original_rules_waits_for_nobody():
    table = begin_play("ultimate-original")
    table.put(B, "C3")
    done(table, B)
    done(table, B)
    table.look()
    assert table.referee.players_waiting == ()
    assert turns(table) == [Placement(B, point_of(table, "C3"))]


def test_under_original_rules_a_wrong_done_waits_for_nobody():
    table = begin_play("ultimate-original")
    table.put(B, "C3")
    done(table, W)
    table.look()
    assert table.referee.players_waiting == ()


# The clock follows the record


def begin_timed(control: str, **how: object) -> PlayedTable:
    """Return a table whose clock runs for Black."""
    table = begin_play(control=control, procedures=False, **how)
    done(table, W)
    return table


def play(table: PlayedTable, player: object, point: str) -> None:
    table.put(player, point)  # type: ignore[arg-type]
    done(table, player)
    table.look()


def left(table: PlayedTable, player: object) -> float:
    clocks = table.referee.snapshot.clocks
    assert clocks is not None
    return next(face.main for face in clocks.faces if face.player is player) / 1000


def test_taking_back_a_turn_takes_back_what_its_press_added():
    table = begin_timed("10m+20s")
    play(table, B, "C3")
    before = left(table, W)
    play(table, W, "D3")
    spent = before + 20 - left(table, W)
    table.t += 1
    table.referee.receive(TakeBack(table.t, author=Actor.DIRECTOR))
    assert left(table, W) == before - spent
    assert table.running is W
    table.referee.receive(EnterTurn(table.t, Placement(W, point_of(table, "D3")), author=Actor.DIRECTOR))
    assert left(table, W) == before - spent + 20 and table.running is B


def test_a_turn_taken_back_in_a_pause_moves_the_clock():
    table = begin_timed("10m+20s")
    play(table, B, "C3")
    table.act(Act.PAUSE, None)
    table.t += 1
    table.referee.receive(TakeBack(table.t, author=Actor.DIRECTOR))
    table.act(Act.RESUME, None, author=Actor.DIRECTOR)
    assert table.referee.record.to_play is B and table.running is B


def test_a_turn_entered_in_a_pause_moves_the_clock():
    table = begin_timed("10m")
    table.act(Act.PAUSE, None)
    table.t += 1
    table.referee.receive(EnterTurn(table.t, Placement(B, point_of(table, "C3")), author=Actor.DIRECTOR))
    table.act(Act.RESUME, None, author=Actor.DIRECTOR)
    assert table.referee.record.to_play is W and table.running is W


def test_taking_back_the_last_pass_moves_the_clock():
    table = begin_timed("10m")
    for player in (B, W):
        call(table, player)
        done(table, player)
        table.look()
    assert table.referee.record.ended and table.running is None
    table.t += 1
    table.referee.receive(TakeBack(table.t, author=Actor.DIRECTOR))
    assert table.referee.record.to_play is W and table.running is W


def test_a_draw_that_was_called_and_given_up_for_a_stone_is_no_draw():
    table = PlayedTable((".....", "..X..", ".XO..", "..X..", "....O"), refereed=True, **DRAWN)  # type: ignore[arg-type]
    table.look()
    call(table, B)
    table.put(B, "A1")
    done(table, B)
    (ruling,) = table.look()
    assert turns(table) == [Placement(B, point_of(table, "A1"))] and ruling.status is Status.LEGAL
    assert "the call does not count" in english(ruling)


# Resignations among other acts


def resign(table: PlayedTable, player: object) -> None:
    table.press(player, Button.CALL, is_held=True)  # type: ignore[arg-type]
    done(table, player)


def test_a_resignation_is_judged_after_the_waiting_press():
    table = begin_play()
    table.put(B, "C3")
    done(table, B)
    resign(table, W)
    assert table.referee.players_waiting == (B, W)
    assert [ruling.status for ruling in table.look()] == [Status.LEGAL, Status.LEGAL]
    assert turns(table) == [Placement(B, point_of(table, "C3")), Resign(W)] and table.referee.record.result == "B+R"


def test_a_resignation_closes_a_turn_whose_player_forgot_to_press():
    table = begin_play()
    table.put(B, "C3").look()
    resign(table, W)
    (first, second) = table.look()
    assert "Black did not press DONE" in english(first) and second.move == Resign(W)
    assert turns(table) == [Placement(B, point_of(table, "C3")), Resign(W)]


def test_a_resignation_after_a_turn_that_does_not_stand_is_refused():
    table = begin_play(rows=(".XO..", "X.X..", ".X...", ".....", "....."))
    done(table, W)
    table.look()
    table.put(W, "B4")
    done(table, B)
    resign(table, W)
    table.look()
    assert table.referee.record.result is None


def test_nobody_is_asked_to_confirm_a_resignation_out_of_turn():
    table = begin_play()
    table.press(W, Button.CALL, is_held=True)
    assert table.referee.players_resigning(table.t) == ()
    done(table, W)
    table.look()
    assert table.referee.record.result is None


@pytest.mark.parametrize("first", [B, W])
@pytest.mark.parametrize("mover", [B, W])
def test_both_turns_of_an_exchange_count_whoever_presses_first(mover, first):
    table = PlayedTable(
        (".X.O.",) + (".....",) * 4,
        refereed=True,
        black_side=1,
        bowls={"B": {"W": 2}, "W": {"B": 3}},
        ultimate=W,
        to_play=mover,
    )
    table.look()
    table.lid(B, W, -1).lid(W, B, -1)
    done(table, first)
    done(table, W if first is B else B)
    table.look()
    assert [turn.player for turn in turns(table)] == [mover, W if mover is B else B]
    assert not any("did not press" in english(ruling) for ruling in table.referee.snapshot.rulings)


# Who sits where


def test_an_ultimate_stone_at_the_start_moves_nobody():
    table = PlayedTable((".X.O.",) + (".....",) * 4, refereed=True, bowls={"B": {}, "W": {}}, ultimate=W, black_side=1)
    table.look()
    assert table.referee.snapshot.black_side == 1


def test_under_original_rules_a_stray_stone_seats_nobody():
    table = PlayedTable((".....",) * 5, rules="ultimate-original", refereed=True, black_side=1)
    table.lid(W, W, +1)
    (question,) = table.look()
    assert table.referee.snapshot.black_side == 1 and question.status is Status.UNFINISHED


def test_an_uncounted_lid_moves_nobody_from_their_side():
    table = PlayedTable((".....",) * 5, rules="ultimate", refereed=True, black_side=1)
    table.seen_lids = (unsure_lid((1, 2), (0, 0)), unsure_lid((0, 1), (0, 2)))
    table.look()
    assert table.referee.snapshot.black_side == 1


@pytest.mark.parametrize("rules", ["fundamental", "ultimate-original"])
def test_with_empty_lids_the_first_press_says_who_sits_where(rules):
    table = PlayedTable((".....",) * 5, rules=rules, refereed=True)
    assert table.look() == ()
    table.put(B, "C3")
    table.press(W, Button.DONE)
    table.look()
    assert turns(table) == [Placement(B, point_of(table, "C3"))] and table.referee.snapshot.black_side == 2


# After the end


def test_a_stone_from_before_the_end_is_not_refused_after_it():
    table = begin_play()
    table.put(B, "C3").look()
    resign(table, B)
    assert table.look() == () and table.referee.record.result == "W+R"
    table.put(W, "D4")
    (ruling,) = table.look()
    assert ruling.reason is Reason.GAME_OVER


def test_time_stays_spent_when_two_turns_are_taken_back():
    table = begin_timed("10m")
    play(table, B, "C3")
    play(table, W, "D3")
    table.t += 7
    table.referee.receive(TakeBack(table.t, 2, author=Actor.DIRECTOR))
    for player, spent in zip((B, W), table.spent, strict=True):
        assert left(table, player) + spent == 600


def test_a_pass_that_the_director_enters_moves_the_clock():
    table = begin_timed("10m+20s")
    call(table, B)
    done(table, B)
    table.look()
    before = left(table, W)
    table.t += 1
    table.referee.receive(EnterTurn(table.t, Pass(W), author=Actor.DIRECTOR))
    assert table.referee.record.ended and table.running is None
    assert before < left(table, W) <= before + 20


# Doubled presses


@pytest.mark.parametrize("forgotten", [True, False])
def test_a_doubled_done_voids_no_turn_and_is_answered(forgotten):
    table = begin_play()
    table.put(B, "A5")
    if not forgotten:
        done(table, B)
    table.put(W, "D2")
    done(table, W)
    done(table, W)
    table.look()
    assert turns(table) == [Placement(B, point_of(table, "A5")), Placement(W, point_of(table, "D2"))]
    assert english(table.referee.answers[-1].message) == "White's other press of DONE has no effect."


def test_a_doubled_done_after_a_called_pass_voids_nothing():
    table = begin_play()
    call(table, B)
    table.put(W, "E3")
    done(table, W)
    done(table, W)
    table.look()
    assert turns(table) == [Pass(B), Placement(W, point_of(table, "E3"))]


def test_either_player_resigns_once_passes_have_adjourned_play():
    table = begin_play("ing")
    for player in (B, W):
        call(table, player)
        done(table, player)
        table.look()
    resign(table, W)
    assert table.referee.record.result == "B+R"


def test_a_resignation_comes_before_passes_that_wait():
    table = begin_play()
    for player in (B, W):
        call(table, player)
        done(table, player)
    resign(table, B)
    table.look()
    assert turns(table) == [Pass(B), Pass(W)] and table.referee.record.result == "W+R"


def test_time_stays_spent_when_two_turns_are_taken_back_one_by_one():
    table = begin_timed("10m")
    play(table, B, "C3")
    play(table, W, "D3")
    table.t += 7
    table.referee.receive(TakeBack(table.t, author=Actor.DIRECTOR))
    table.t += 2
    table.referee.receive(TakeBack(table.t, author=Actor.DIRECTOR))
    for player, spent in zip((B, W), table.spent, strict=True):
        assert left(table, player) + spent == 600


def test_a_stone_pressed_before_a_result_is_not_refused():
    table = begin_play(control="10m")
    done(table, W)
    table.put(B, "D2")
    done(table, B)
    table.act(Act.REPORT, None, result="B+R")
    assert table.look() == () and table.referee.record.result == "B+R"


def test_no_flag_that_falls_before_the_look_undoes_a_resignation():
    table = begin_timed("9s")
    call(table, B)
    done(table, B)
    resign(table, W)
    table.t += 60
    table.act(Act.PAUSE, None)
    table.act(Act.RESUME, None)
    table.look()
    assert table.referee.record.result == "B+R" and table.referee.record.number == 2


def test_black_is_not_claimed_while_a_turn_waits_for_a_look() -> None:
    table = PlayedTable(refereed=True, rules="spight", black_side=1)
    table.look()
    table.put(B, "A1").press(B, Button.DONE)
    table.press(W, Button.DONE, is_held=True)
    assert [ruling.status for ruling in table.look()] == [Status.LEGAL, Status.ILLEGAL]
    assert table.referee.snapshot.black_side == 1


def test_a_call_stays_its_players_if_the_other_claims_black() -> None:
    table = PlayedTable(refereed=True, rules="spight", black_side=1)
    table.look()
    for button in (Button.CALL, Button.DONE, Button.DONE):
        table.press(B, button)
    table.press(W, Button.DONE, is_held=True)
    table.look()
    assert table.referee.record.turns == (Pass(B),) and table.referee.snapshot.black_side == 1
