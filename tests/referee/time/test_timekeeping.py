"""Procedures of players and director about time at a table, step by step, and what the referee answers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.game.board import Colour
from referee.time.controls import TimeLeft
from referee.time.steps import Act, Refusal
from referee.time.timekeeping import go_on, halt_clock, restore_after_cut
from tests.support.referee.time_table import B, Table, W, about_a_flag, overstepped_table
from tests.support.wording import english

# The beginning


def test_an_absent_players_clock_is_started_by_the_director_alone():
    table = Table()
    table(0, Act.ANNOUNCE)
    table(1, Act.MISSING, W, player=B)
    assert table(2, Act.START, W).refusal is Refusal.ABSENT
    assert table.now.clock.running_player is None
    assert table(60, Act.START).is_allowed
    assert table.now.clock.running_player is B


def test_who_comes_late_may_be_given_twice_the_elapsed_time():
    table = Table("60m")
    table(100, Act.ANNOUNCE)
    table(101, Act.MISSING, W, player=B)
    answer = table(100 + 360, Act.ARRIVE, B)
    assert "6 minutes late" in english(answer) and "12 minutes" in english(answer)
    assert table(470, Act.PENALISE, W, player=B).refusal is Refusal.DIRECTOR_ONLY
    assert table(470, Act.PENALISE, player=W).refusal is Refusal.NOTHING_OPEN
    assert english(table(470, Act.PENALISE, player=B)) == "Black loses 12 minutes as a penalty."
    assert table(471, Act.START, W).is_allowed
    assert table.now.clock.time_left(B, 471).main == 48 * 60_000
    assert table(472, Act.PENALISE, player=B, ms=60_000).is_allowed
    assert table.now.clock.time_left(B, 472).main == 47 * 60_000 - 1_000


def test_a_player_may_press_before_the_opponent_comes():
    table = Table()
    table(0, Act.MISSING, player=W)
    table(0, Act.START, B)
    assert "White is absent. The clock stands until they arrive" in english(table(30, Act.PRESS, B))
    assert table.now.clock.running_player is None and table.now.clock.turn is W
    assert table(31, Act.PRESS, W).refusal is Refusal.STANDING
    assert table(31, Act.RESUME).refusal is Refusal.ABSENT
    table(32, Act.ACCEPT)
    table(90, Act.ARRIVE, W)
    assert table.now.clock.running_player is W and table.now.clock.time_spent(W, 100) == 10_000


def test_an_illegal_move_against_an_absentee_goes_on_at_once():
    table = Table()
    table(0, Act.MISSING, player=W)
    table(0, Act.START, B)
    table(30, Act.PRESS, B)
    table(32, Act.HAND_BACK)
    assert table.now.clock.running_player is B and table.now.clock.time_spent(B, 40) == 38_000


def test_but_not_while_the_director_is_called():
    table = Table()
    table(0, Act.MISSING, player=W)
    table(0, Act.START, B)
    table(30, Act.PRESS, B)
    table(31, Act.MALFUNCTION, B)
    table(32, Act.HAND_BACK)
    assert table.now.clock.running_player is None and table.now.clock.turn is B


def test_nor_after_a_power_cut_until_all_are_ready():
    table = Table()
    table(0, Act.MISSING, player=W)
    table(0, Act.START, B)
    table(30, Act.PRESS, B)
    table.now = restore_after_cut(table.now, 31)
    table(2, Act.HAND_BACK)
    assert table.now.clock.running_player is None and table.now.clock.turn is B


def test_who_arrives_after_a_power_cut_has_to_be_ready_first():
    table = Table()
    table(0, Act.MISSING, player=W)
    table(0, Act.START, B)
    table(30, Act.PRESS, B)
    table.now = restore_after_cut(table.now, 31)
    table(2, Act.ARRIVE, W)
    assert table.now.clock.running_player is None and table.now.clock.turn is W
    table(3, Act.READY, B)
    table(4, Act.READY, W)
    assert table.now.clock.running_player is W


def test_during_the_game_an_absent_opponent_changes_nothing():
    table = Table().started()
    assert "may play and press" in english(table(5, Act.MISSING, B, player=W))
    table.turn(6, B)
    assert table.now.clock.running_player is W
    assert table(7, Act.START, B).refusal is Refusal.RUNNING
    assert table(8, Act.ARRIVE, W).refusal is Refusal.NOTHING_OPEN


# A turn and its ruling


def test_the_clock_goes_back_with_the_time_since_the_press():
    table = Table().started()
    table(10, Act.PRESS, B)
    assert english(table(12, Act.HAND_BACK)) == "Black's clock resumes and is charged for the time since the press."
    assert table.now.clock.time_spent(B, 12) == 12_000
    assert table(13, Act.HAND_BACK).refusal is Refusal.NOTHING_OPEN
    assert table(13, Act.ACCEPT).refusal is Refusal.NOTHING_OPEN
    assert table(14, Act.PRESS).refusal is Refusal.PLAYER_ONLY


@pytest.mark.parametrize("both", [True, False])
def test_a_press_on_the_opponents_clock_closes_both_turns(both):
    table = Table("0s+3x30s").started()
    assert "If Black moved and forgot to press, both turns count" in english(table(20, Act.PRESS, W))
    assert table.now.clock.running_player is B and len(table.now.unjudged) == 2
    table(21, Act.ACCEPT if both else Act.HAND_BACK, turns=2)
    assert table.now.clock.running_player is B and not table.now.unjudged
    assert table.now.clock.time_left(B, 22) == TimeLeft(0, 28_000 if both else 8_000, 3)
    assert table.now.clock.time_spent(B, 22) == 22_000 and table.now.clock.time_spent(W, 22) == 0


def test_among_three_only_the_next_player_can_say_that_another_forgot():
    table = Table(players=3).started()
    assert table(5, Act.PRESS, Colour.RED).refusal is Refusal.NOT_YOUR_TURN
    assert table(6, Act.PRESS, W).is_allowed and table.now.clock.running_player is Colour.RED


def test_no_flag_is_told_while_a_press_waits_for_its_ruling():
    table = overstepped_table()
    table(5, Act.PRESS, B)
    table(5 + 11, Act.DUE)
    assert not table.now.reported_flags
    table(16, Act.HAND_BACK)
    assert table.now.reported_flags == {B}
    assert "Black has run out of time" in english(table.said[-1])


def test_halted_for_a_count_the_clock_goes_on_without_the_director():
    table = Table().started()
    still = halt_clock(table.now, 10)
    assert still.clock.running_player is None and not still.called
    assert go_on(still, 50).clock.time_spent(B, 60) == 20_000
    assert go_on(replace(still, called=True), 50).clock.running_player is None


# Pauses


def test_whoever_pauses_calls_the_director_who_alone_resumes():
    table = Table().started()
    answer = table(10, Act.PAUSE, W)
    assert (
        english(answer) == "White pauses the clock, informs Black and calls the director without looking at the board."
    )
    assert set(answer.changed) == {"clock", "called"}
    assert table(11, Act.PAUSE, B).refusal is Refusal.STANDING
    assert table(12, Act.RESUME, W).refusal is Refusal.DIRECTOR_ONLY
    assert table(12, Act.PRESS, B).refusal is Refusal.STANDING
    assert table(100, Act.RESUME).is_allowed
    assert table.now.clock.time_spent(B, 105) == 15_000 and not table.now.called
    assert table(106, Act.RESUME).refusal is Refusal.RUNNING
    assert Table()(1, Act.RESUME).refusal is Refusal.STANDING
    assert english(table(107, Act.PAUSE)).startswith("The clock is paused. Please wait for the director")


def test_without_the_procedures_whoever_plays_may_resume():
    table = Table(procedures=False).started()
    table(10, Act.PAUSE, W)
    assert not table.now.called
    assert table(20, Act.RESUME, B).is_allowed


def test_after_a_power_cut_the_clocks_stand_until_both_are_ready():
    table = Table().started()
    table.now = restore_after_cut(table.now, 30)
    assert table(2, Act.PRESS, B).refusal is Refusal.STANDING
    assert english(table(3, Act.READY, B)) == "Black is ready. The clock is stopped, waiting for White."
    assert table(3, Act.READY).refusal is Refusal.PLAYER_ONLY
    assert table.now.clock.running_player is None
    assert table(5, Act.READY, W).is_allowed
    assert table.now.clock.running_player is B and table.now.clock.time_spent(B, 6) == 31_000
    assert table(7, Act.READY, W).refusal is Refusal.NOTHING_OPEN


def test_turning_the_clock_off_forfeits():
    table = Table().started()
    table(10, Act.TURN_OFF, B)
    assert table(11, Act.RESUME).refusal is Refusal.OPEN_MATTER
    assert table(11, Act.CLAIM, W).refusal is Refusal.OPEN_MATTER
    assert table(11, Act.NO_AGREEMENT, W).refusal is Refusal.DIRECTOR_ONLY
    answer = table(12, Act.NO_AGREEMENT)
    assert answer.result == "W+F" and answer.lost is B and table.now.result == "W+F"
    assert Table().started()(1, Act.TURN_OFF).refusal is Refusal.PLAYER_ONLY


def test_turning_the_clock_off_forfeits_nothing_if_all_agree():
    table = Table().started()
    table(10, Act.TURN_OFF, B)
    different = ((B, TimeLeft(1000)), (W, TimeLeft(2000)))
    assert "proposes these times: Black 0:01 and White 0:02" in english(table(11, Act.PROPOSE, B, lefts=different))
    assert "Both players and the director agree" in english(table.agree(12, B=500, W=600))
    assert table.now.matter is None and table.now.clock.running_player is None
    assert table(20, Act.RESUME).is_allowed
    assert table.now.clock.time_left(B, 21).main == 499_000 and table.now.clock.time_left(W, 21).main == 600_000


def test_two_of_three_are_no_agreement():
    table = Table().started()
    table(10, Act.TURN_OFF, B)
    for by in (B, W, W):
        table(11, Act.PROPOSE, by, lefts=((B, TimeLeft(1000)),))
    assert table(11, Act.PROPOSE, lefts=((B, TimeLeft(1001)),)).is_allowed
    assert table.now.matter is not None
    assert table(12, Act.PROPOSE).refusal is Refusal.OTHER_PLAYER


# Wins on time


def test_a_win_on_time_is_claimed_before_the_next_move():
    table = overstepped_table()
    assert table(9, Act.CLAIM, W).refusal is Refusal.FLAG_STANDING
    table(10, Act.DUE)
    assert english(table.said[-1]) == "Black has run out of time. White may claim the win now, before the next move."
    table(11, Act.DUE)
    assert len([a for a in table.said if about_a_flag(a)]) == 1
    answer = table(12, Act.CLAIM, W)
    assert answer.result == "W+T" and answer.lost is B and table.now.clock.running_player is None


def test_a_claim_may_still_be_made_after_the_late_player_has_pressed():
    table = overstepped_table()
    table.turn(12, B)
    assert table(13, Act.CLAIM, W).result == "W+T"


def test_a_claim_is_lost_with_the_claimers_legal_move():
    table = overstepped_table()
    table.turn(12, B)
    table(13, Act.PRESS, W)
    assert table(13.5, Act.CLAIM, W).refusal is Refusal.UNJUDGED
    assert "a win on Black's time can no longer be claimed" in english(table(14, Act.ACCEPT))
    assert table(15, Act.CLAIM, W).refusal is Refusal.NEXT_MOVE_MADE
    assert table.now.called, "nothing is left to go on with: the director is called"


def test_an_illegal_move_is_no_next_move():
    table = overstepped_table()
    table.turn(12, B)
    table(13, Act.PRESS, W)
    table(14, Act.HAND_BACK)
    assert table(15, Act.CLAIM, W).result == "W+T"


def test_who_is_let_pass_goes_on_with_what_the_control_gives_anew():
    table = overstepped_table("10s+2x5s")
    table.turn(25, B)
    table.turn(26, W)
    assert table(27, Act.CLAIM, W).refusal is Refusal.FLAG_STANDING
    assert table.now.clock.time_left(B, 26) == TimeLeft(0, 5_000, 1) and not table.now.called
    assert table(31, Act.CLAIM, W).result == "W+T"


def test_a_fall_between_press_and_ruling_is_not_let_pass():
    table = overstepped_table()
    table.turn(5, B)
    table(6, Act.PRESS, W)
    table(12, Act.ACCEPT)
    assert table.now.clock.fallen_players(12) == (B,)
    assert table(13, Act.CLAIM, W).result == "W+T"


@pytest.mark.parametrize("end", ["resign", "report"])
def test_no_win_on_time_after_the_game_is_over(end):
    table = overstepped_table()
    table(9, Act.RESIGN, B) if end == "resign" else table(9, Act.REPORT, result="B+3")
    assert table(12, Act.CLAIM, W).refusal is Refusal.GAME_OVER


def test_saying_that_the_last_point_was_taken_cedes_nothing():
    table = overstepped_table()
    answer = table(9, Act.LAST_POINT, B)
    assert "clock is stopped, and nothing is ceded" in english(answer)
    assert table(100, Act.CLAIM, W).refusal is Refusal.PLAY_WAS_OVER
    assert table.now.clock.time_left(B, 100).main == 1_000 and not table.now.ceded
    table.turn(101, B)
    table.turn(104, W)
    assert table.now.clock.time_left(W, 200).main == 7_000
    assert table(201, Act.LAST_POINT, B).refusal is Refusal.NOTHING_OPEN


def test_a_flag_after_the_last_point_cedes_and_does_not_lose():
    table = overstepped_table(monitored=False)
    table(9, Act.LAST_POINT, B)
    table(12, Act.DUE)
    assert table.now.ceded == {B} and table.now.result is None
    assert "cedes only open points and protective moves" in english(table.said[-1])
    assert "Show groups now" in english(table.said[-1])
    assert table(13, Act.CLAIM, W).refusal is Refusal.PLAY_WAS_OVER


def test_after_the_flag_only_the_director_rules_on_the_last_point():
    table = overstepped_table()
    assert table(12, Act.LAST_POINT, B).refusal is Refusal.FLAG_FALLEN
    assert table(13, Act.LAST_POINT, player=B).is_allowed
    assert table(14, Act.CLAIM, W).refusal is Refusal.PLAY_WAS_OVER


def test_the_director_may_find_that_there_was_no_cause():
    table = overstepped_table()
    table(5, Act.LAST_POINT, B)
    assert table(6, Act.DENY_LAST_POINT, W, player=B).refusal is Refusal.DIRECTOR_ONLY
    assert table(6, Act.DENY_LAST_POINT, player=W).refusal is Refusal.NOTHING_OPEN
    assert table(20, Act.DENY_LAST_POINT, player=B).is_allowed
    assert table(24, Act.CLAIM, W).refusal is Refusal.FLAG_STANDING
    assert table(25, Act.CLAIM, W).result == "W+T"


def test_who_has_no_time_either_wins_nothing():
    table = overstepped_table(monitored=False)
    table.turn(12, B)
    assert table(23, Act.CLAIM, W).refusal is Refusal.BOTH_FALLEN
    assert table.now.called and table.now.matter is not None
    assert table(24, Act.NO_AGREEMENT).is_allowed
    assert table(25, Act.ADJUDICATE, result="B+2").result == "B+2"


def test_nobody_wins_by_her_own_time_and_the_director_claims_nothing():
    table = overstepped_table()
    assert table(12, Act.CLAIM, B, player=B).refusal is Refusal.OTHER_PLAYER
    assert table(12, Act.CLAIM).refusal is Refusal.PLAYER_ONLY


def test_without_procedures_a_flag_loses_when_it_falls():
    late, soon = overstepped_table(procedures=False), overstepped_table(procedures=False)
    soon(10, Act.DUE)
    assert soon.said[-1].result == "W+T" and soon.said[-1].lost is B
    late(17, Act.PRESS, B)
    assert late.refusals[-1] is Refusal.GAME_OVER
    assert late.now == soon.now and late.now.clock.time_spent(B, 99) == 10_000


def test_without_procedures_a_penalty_of_all_time_loses_at_once():
    table = Table("10s", procedures=False).started()
    table(4, Act.PENALISE, player=W, ms=10_000)
    assert table.now.result == "B+T" and table.now.clock.time_spent(B, 50) == 4_000


def test_more_than_two_players_play_on_without_the_one_who_lost():
    table = Table("10s", players=3).started()
    table(12, Act.DUE)
    answer = table(12, Act.CLAIM, Colour.RED)
    assert answer.lost is B and answer.result is None and table.now.out == {B}
    table(13, Act.PRESS, B, player=W)
    assert table.now.clock.running_player is W


# Leaving in overtime


def test_running_out_while_away_with_leave_is_no_loss():
    table = Table("10s+1x30s").started()
    assert table(5, Act.ASK_LEAVE, B).refusal is Refusal.NOT_IN_OVERTIME
    assert table(12, Act.ASK_LEAVE, B).is_allowed
    assert table(13, Act.ASK_LEAVE, W).refusal is Refusal.OPEN_MATTER
    table(41, Act.DUE)
    assert "That is not a loss" in english(table.said[-1])
    assert table(42, Act.CLAIM, W).refusal is Refusal.AWAY
    assert table(43, Act.REFUSE_LEAVE, W).refusal is Refusal.FLAG_FALLEN
    assert "has the time they left with" in english(table(60, Act.RETURN, B))
    assert table.now.clock.time_left(B, 61) == TimeLeft(0, 27_000, 1)
    assert table.now.clock.time_spent(B, 61) == 61_000
    assert table(62, Act.RETURN, B).refusal is Refusal.NOTHING_OPEN


def test_leave_that_is_openly_refused_protects_from_nothing():
    table = Table("10s+1x30s").started()
    table(12, Act.ASK_LEAVE, B)
    assert table(13, Act.REFUSE_LEAVE, B).refusal is Refusal.OTHER_PLAYER
    assert table(13, Act.REFUSE_LEAVE).refusal is Refusal.PLAYER_ONLY
    assert table(13, Act.REFUSE_LEAVE, W).is_allowed
    assert table(14, Act.GRANT_LEAVE, W).refusal is Refusal.NOTHING_OPEN
    assert table(42, Act.CLAIM, W).result == "W+T"


def test_leave_that_is_granted_stands_the_clock():
    table = Table("10s+1x30s").started()
    table(12, Act.ASK_LEAVE, B)
    table(13, Act.GRANT_LEAVE, W)
    assert table.now.clock.running_player is None
    table(100, Act.RETURN, B)
    assert table.now.clock.running_player is B and table.now.clock.time_left(B, 100) == TimeLeft(0, 27_000, 1)


def test_a_returning_player_does_not_start_a_called_clock():
    table = Table("10s+1x30s").started()
    table(12, Act.ASK_LEAVE, B)
    table(13, Act.GRANT_LEAVE, W)
    table(14, Act.MALFUNCTION, W)
    table(15, Act.RETURN, B)
    assert table.now.clock.running_player is None


def test_who_has_no_time_left_cannot_ask_for_leave():
    table = Table("10s+1x30s").started()
    assert table(41, Act.ASK_LEAVE, B).refusal is Refusal.FLAG_FALLEN
    assert table(41, Act.REFUSE_LEAVE, W).refusal is Refusal.NOTHING_OPEN


def test_a_doubled_press_after_a_flag_does_not_delay_the_claim():
    table = Table("10s")
    table(0, Act.START, W)
    table(11, Act.DUE)
    table(12, Act.PRESS, B)
    table(13, Act.PRESS, B)
    answer = table(14, Act.CLAIM, W)
    assert answer.refusal is None and answer.result == "W+T", english(answer)
