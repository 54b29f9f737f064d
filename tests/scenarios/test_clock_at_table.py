"""Whatever happens about time at the table has its lamps, its sound and a line for the page."""

from __future__ import annotations

from pathlib import Path

import pytest

from device.journal.replay import replay_journal
from device.panel.signals import Sound, sound_of
from referee.game.actor import Actor
from referee.game.messages import message
from referee.table.display_state import Phase, State, TableSnapshot
from referee.table.events import Button, Pause, Remark
from referee.table.table import FORGOTTEN_AFTER
from referee.time.steps import Act, Refusal, Step
from tests.support.device.player import Player
from tests.support.panel.tables import state_of
from tests.support.table import B, W
from tests.support.wording import english
from web.page.headline import headline_of
from web.page.status import status_of


def begin_timed(folder: Path, control: str = "10s", **how: object) -> Player:
    """A Chinese game with clocks, Black's running."""
    player = Player(folder, rules="chinese", control=control, **how).look().press(2)
    assert player.clocks.running_player is B
    return player


def list_signals(player: Player, since: int = 0) -> list[tuple[Sound | None, State, str | None]]:
    """Sound, state and notice of all that was shown since."""
    snapshots = player.snapshots[since:]
    return [
        (sound_of(before, after), state_of(after)[0], english(after.notice))
        for before, after in zip([*player.snapshots[since - 1 : since], *snapshots], snapshots, strict=False)
    ]


def do(player: Player, act: Act, by: object = None, **how: object) -> TableSnapshot:
    player.t += 1
    player.box.say(Step(player.t, act, by, **how))  # type: ignore[arg-type]
    return player.now


def test_a_press_changes_the_clock_over_with_a_beep(tmp_path):
    player = begin_timed(tmp_path, "10m").put(B, "C3")
    since = len(player.snapshots)
    player.press(1)
    assert list_signals(player, since)[0][:2] == (Sound.HEARD, State.WAITING) and player.clocks.running_player is W
    player.look()
    assert state_of(player.now) == (State.TURN, (2,))


def test_without_done_presses_the_look_changes_it_over(tmp_path):
    player = Player(tmp_path, refereed=False, rules="chinese", control="10m").look().put(B, "C3").look()
    assert (player.now.game.turn, player.clocks.running_player) == (1, W)
    player.wait(5).put(W, "D3").look()
    assert (player.clocks.running_player, player.clocks.faces[1].spent // 1000) == (B, 6)


def test_seconds_are_counted_by_the_buzzer(tmp_path):
    player = begin_timed(tmp_path, "12s")
    since = len(player.snapshots)
    player.wait(11.9)
    ticks = [sound for sound, _, _ in list_signals(player, since) if sound is Sound.COUNTED]
    assert len(ticks) == 10, "at 10, 9 and so on to 1"


def test_bought_time_is_announced_and_charged(tmp_path):
    player = begin_timed(tmp_path, "ing 10s 2x5s")
    since = len(player.snapshots)
    player.wait(11)
    notices = [(sound, notice) for sound, _, notice in list_signals(player, since) if sound is Sound.OVERTIME]
    assert notices == [
        (Sound.OVERTIME, "Black has bought time and is charged 2 points at the count. 1 more period can be bought.")
    ]
    player.wait(5)
    assert "charged 4 points at the count. No more can be bought" in english(player.now.notice)
    assert status_of(player.now)["clocks"]["players"]["B"]["points"] == 4


def test_overtime_and_its_periods_are_announced(tmp_path):
    player = begin_timed(tmp_path, "10s+3x20s").wait(10.5)
    assert "main time is used up and overtime begins" in english(player.now.notice)
    player.wait(20)
    assert "Black has used up a period" in english(player.now.notice)


def test_a_fallen_flag_is_claimed_by_call(tmp_path):
    player = begin_timed(tmp_path)
    since = len(player.snapshots)
    player.wait(11)
    assert list_signals(player, since)[-1][:2] == (Sound.FALLEN, State.CLAIM)
    assert "press CALL" in headline_of(player.now).text
    player.press(2, Button.CALL)
    assert (player.now.game.result, player.now.phase) == ("W+T", Phase.RESULT)


def test_a_claim_after_the_next_move_comes_too_late(tmp_path):
    player = begin_timed(tmp_path, "10s+2x10s", procedures=True).wait(40)
    player.put(B, "C3").press(1).look().put(W, "D3").press(2).look().press(2, Button.CALL)
    assert player.now.game.result is None


def test_a_pause_and_the_directors_call_have_their_lamps(tmp_path):
    player = begin_timed(tmp_path, "10m").press(0, Button.PAUSE)
    assert state_of(player.now)[0] is State.CALLED and "wait for the director" in english(player.now.notice)
    assert "wait" in headline_of(player.now).text
    player.press(0, Button.PAUSE, 2.5)
    assert state_of(player.now) == (State.TURN, (1,)) and player.clocks.running_player is B


def test_an_absent_players_clock_is_not_started_and_starts_when_she_comes(tmp_path):
    player = Player(tmp_path, rules="chinese", control="10m").look()
    assert "Their clock is not started" in english(do(player, Act.MISSING, B).notice)
    player.press(2)
    assert not player.clocks.begun and player.clocks.absent == (B,)
    do(player, Act.START)
    assert player.clocks.running_player is B
    assert replay_journal(player.journal).differs is None


def test_a_player_may_play_and_press_in_the_others_absence(tmp_path):
    player = Player(tmp_path, rules="chinese", control="10m").look()
    do(player, Act.MISSING, W)
    player.put(B, "C3").press(1).look()
    assert player.now.game.turn == 1 and player.clocks.running_player is None and not player.now.paused
    do(player, Act.ARRIVE, W)
    assert player.clocks.running_player is W


def test_leaving_in_overtime_is_asked_granted_and_ended(tmp_path):
    player = begin_timed(tmp_path, "5s+2x30s").wait(6)
    assert "asks White for leave" in english(do(player, Act.ASK_LEAVE, B).notice)
    assert "stands until Black is back" in english(do(player, Act.GRANT_LEAVE, W).notice)
    assert player.clocks.running_player is None
    do(player, Act.RETURN, B)
    assert player.clocks.running_player is B


@pytest.mark.parametrize("act", [Act.GRANT_LEAVE, Act.CLAIM, Act.READY])
def test_what_is_refused_is_told_with_two_beeps(tmp_path, act):
    player = begin_timed(tmp_path, "10m")
    since = len(player.snapshots)
    do(player, act, W)
    assert list_signals(player, since)[-1][0] is Sound.PUT_RIGHT and english(player.now.notice)


def test_a_forgotten_press_is_noticed_and_told_once(tmp_path):
    player = begin_timed(tmp_path, "10m").put(B, "C3").look()
    since = len(player.snapshots)
    for _ in range(int(FORGOTTEN_AFTER) + 5):
        player.look()
    reminders = [
        sound for sound, _, notice in list_signals(player, since) if sound and "has not pressed DONE" in str(notice)
    ]
    assert reminders == [Sound.PUT_RIGHT] and player.clocks.running_player is B
    sentence = english(player.now.notice)
    assert sentence == "Black has played C3 but has not pressed DONE, so Black's clock is still running."
    player.press(1).look()
    assert player.now.game.turn == 1 and player.now.notice is None


def test_nobody_who_has_pressed_is_reminded(tmp_path):
    timely = begin_timed(tmp_path / "a", "10m").put(B, "C3").press(1).look()
    wrong = begin_timed(tmp_path / "b", "10m").put(W, "C3").look()
    for player in (timely, wrong):
        for _ in range(15):
            player.look()
        assert "has not pressed" not in english(player.now.notice)


def test_where_both_have_lost_on_time_a_player_may_still_resign(tmp_path):
    player = both_lost(tmp_path)
    player.press(0, Button.PAUSE, 2.6)
    assert (state_of(player.now)[0], player.now.game.answers[-1].refusal) == (State.CALLED, Refusal.OPEN_MATTER)
    player.press(2, Button.CALL, 2.6)
    assert state_of(player.now) == (State.RESIGNING, (2,))
    player.press(2)
    assert (player.now.game.result, player.now.phase) == ("B+R", Phase.RESULT)
    player.press(1).press(2)
    assert player.now.phase is Phase.FINAL


def test_giving_up_to_resign_in_a_pause_leaves_the_pause(tmp_path):
    player = both_lost(tmp_path)
    player.press(2, Button.CALL, 2.6).press(2, Button.SCORE).press(2)
    assert (state_of(player.now)[0], player.now.game.result) == (State.CALLED, None)


def both_lost(folder: Path) -> Player:
    """Black overstepped and White did not claim before she had overstepped too: the clock says that both have lost."""
    player = begin_timed(folder, "10s").wait(11).put(B, "C3").press(1).look().wait(11).press(1, Button.CALL)
    assert "both players have lost on time" in english(player.now.notice)
    return player


def test_score_takes_a_resignation_back(tmp_path):
    player = begin_timed(tmp_path, "10m").press(1, Button.CALL, 2.6).press(1, Button.SCORE).press(1).look()
    assert player.now.game.result is None


def test_without_time_left_only_the_director_resumes(tmp_path):
    player = begin_timed(tmp_path, "10s").wait(11).put(B, "C3").press(1).look().put(W, "D3").press(2).look()
    assert (state_of(player.now)[0], player.clocks.running_player) == (State.CALLED, None)
    assert "no time left for Black to play on. The clock is stopped" in english(player.now.game.answers[-1])
    player.press(0, Button.PAUSE, 2.6)
    assert (state_of(player.now)[0], player.clocks.running_player) == (State.TURN, B)


def test_the_game_goes_on_for_an_untimed_player(tmp_path):
    player = begin_timed(tmp_path, "10m")
    do(player, Act.LAST_POINT, B)
    assert (state_of(player.now), player.clocks.running_player) == ((State.TURN, (1,)), None)
    player.put(B, "C3").press(1).look()
    assert (player.now.game.turn, player.clocks.running_player) == (1, W)


@pytest.mark.parametrize("act", [Act.MALFUNCTION, Act.TURN_OFF, Act.LAST_POINT])
def test_nothing_can_be_wrong_with_a_clock_that_was_never_started(tmp_path, act):
    player = Player(tmp_path, rules="chinese", control="10m").look()
    assert english(do(player, act, W).notice) == "The game has not begun. Please start the clock."
    assert player.press(2).clocks.running_player is B


def test_time_that_ran_out_before_a_forgotten_press_is_a_loss(tmp_path):
    player = Player(tmp_path, control="10s", procedures=False).look().press(2)
    player.put(B, "C3").press(2, Button.CALL).wait(11).look()
    assert (player.now.game.result, player.now.phase) == ("W+T", Phase.RESULT)


def test_a_clock_that_the_director_starts_ends_a_pause_of_before(tmp_path):
    player = Player(tmp_path, rules="chinese", control="10m", procedures=False).look().press(0, Button.PAUSE)
    assert state_of(player.now)[0] is State.PAUSED
    do(player, Act.START)
    assert (state_of(player.now)[0], player.clocks.running_player) == (State.TURN, B)
    player.press(0, Button.PAUSE)
    assert (state_of(player.now)[0], player.clocks.running_player) == (State.PAUSED, None)
    player.press(0, Button.PAUSE)
    assert player.clocks.running_player is B


def test_after_a_power_cut_nothing_is_told_of_what_came_before_it(tmp_path):
    player = Player(tmp_path, rules="chinese", control="10m").look().press(2)
    player.box.carry_out([Pause(player.t)], Remark(player.t, message("director.pause"), Actor.DIRECTOR))
    player.press(0, Button.PAUSE, lasting=2.5)
    assert "resumed" in english(player.now.notice)
    player.restarted()
    assert (player.now.display_state.state, player.now.notice) == (State.RESTORED, None)
    reasons = [why.text for why in headline_of(player.now).reasons]
    assert reasons == ["The camera is looking for the board."]


def test_the_first_stone_of_a_casual_game_starts_the_clock_itself(tmp_path):
    player = Player(tmp_path, False, "chinese", control="10m")
    player.look().put(B, "C3").look()
    sentences = [english(answer.message) for answer in player.now.game.answers]
    assert sentences[:2] == [
        "The clock starts with the first turn. It is Black's turn.",
        "Black's turn is over. White's clock is running.",
    ]
