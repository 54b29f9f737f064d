"""The clock against a slow one that counts every millisecond, and against the worked traces."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.game.board import Colour
from referee.game.penalties import Offence, Penalty
from referee.time.clock import Clock
from referee.time.clock_events import flag_falls
from referee.time.controls import IngPurchase, TimeLeft, read_control
from tests.support.oracle.clock import play
from tests.support.shared import cases
from tests.support.tiers import examples
from tests.support.wording import english

B, W = Colour.BLACK, Colour.WHITE


def clock_with(text: str, players: int = 2) -> Clock:
    return Clock.for_control(read_control(text), players).start(0)


def ing_examples() -> list[dict[str, object]]:
    examples: list[dict[str, object]] = json.loads(cases("ing_cases.json").read_text())["clock_examples"]
    return examples


# Worked traces of Ing's control


@pytest.mark.parametrize("player", [B, W])
def test_ing_example_of_a_clock_that_runs_through(player):
    example = next(e for e in ing_examples() if "penalties" in e)
    control = IngPurchase(example["basic"] * 1000, len(example["penalties"]) - 1, example["period"] * 1000)
    clock = Clock.for_control(control).start(0, player)
    for begins, ends, points in example["penalties"]:
        for t in (begins, begins + 0.001, (begins + ends) / 2, ends - 0.001):
            assert control.points_charged(clock.time_left(player, t)) == points
            assert not clock.time_left(player, t).has_fallen
        fines = (Penalty(player, points, Offence.TIME),) if points else ()
        assert clock.time_penalties(begins) == fines
    assert clock.time_left(player, example["loss_at"]).has_fallen
    assert flag_falls(clock) == example["loss_at"]


@pytest.mark.parametrize("player", [B, W])
def test_ing_example_move_by_move(player):
    """The trace says after each turn what is left and what has been charged; its last turn loses."""
    example = next(e for e in ing_examples() if "moves_used" in e)
    control = IngPurchase(example["basic"] * 1000, 3, example["period"] * 1000)
    other = W if player is B else B
    clock, t, charged = Clock.for_control(control).start(0, player), 0.0, 0
    traces = re.findall(r"#\d[^;]*", example["trace"])
    for used, words in zip(example["moves_used"], traces, strict=True):
        t += used
        clock = clock.press(t, player).press(t, other)
        left = clock.time_left(player, t)
        charged = max([charged, *(int(points) for points in re.findall(r"-(\d)", words))])
        assert control.points_charged(left) == charged, words
        if "lost" in words:
            assert left.has_fallen
            continue
        minutes, seconds = re.findall(r"(\d+):(\d\d)", words)[-1 if "9:00 left" not in words else 2]
        assert left.stretch == (int(minutes) * 60 + int(seconds)) * 1000, words
    assert charged == 6 and clock.time_left(player, t).has_fallen and not clock.time_left(other, t).has_fallen


def test_the_limits_really_played_can_be_set():
    for example in ing_examples():
        if "periods" in example:
            text = f"ing {example['basic']}s {example['periods']}x{example['period']}s"
            control = read_control(text)
            assert (control.main, control.count, control.period) == (
                example["basic"] * 1000,
                example["periods"],
                example["period"] * 1000,
            )
            bought = replace(control.time_at_start(), periods=control.count - 1)
            assert control.points_charged(bought) == example["points_each"]


# Against the slow clock


@examples(60)
@given(seed=st.integers(0, 10**9))
def test_random_schedules_against_a_clock_that_counts_every_millisecond(seed):
    play(seed)


@examples(20)
@given(seed=st.integers(0, 10**9))
def test_ticks_change_nothing(seed):
    assert play(seed, ticks=True) == play(seed, ticks=False)


# One by one


def test_the_clock_changes_over_at_the_press():
    clock = clock_with("10m").press(12.345, B)
    assert clock.running_player is W
    assert [face.main for face in clock.readings_at(20.001)] == [600_000 - 12_345, 600_000 - 7_656]
    assert [face.spent for face in clock.readings_at(20.001)] == [12_345, 7_656]
    assert [face.running for face in clock.readings_at(20.001)] == [False, True]


def test_a_press_out_of_turn_and_one_at_a_standing_clock_change_nothing():
    clock = clock_with("10m")
    assert clock.press(5, W) == clock
    standing = clock.paused(5)
    assert standing.press(6, B) == standing
    assert Clock.for_control(read_control("10m")).press(3, B).running_player is None


def test_handed_back_the_presser_has_the_time_since_the_press():
    clock = clock_with("10m+3x30s").press(10, B).handed_back(11.5)
    assert clock.running_player is B and clock.time_spent(B, 11.5) == 11_500 and clock.time_spent(W, 11.5) == 0
    assert clock.press(20, B).time_spent(B, 30) == 20_000


def test_a_period_runs_on_over_a_press_that_was_handed_back():
    """29 s, an illegal turn judged after 2 s: the first period is used up, as if she had not pressed."""
    clock = clock_with("0s+3x30s").press(29, B)
    assert clock.time_left(B, 29) == TimeLeft(0, 30_000, 3)
    back = clock.handed_back(31)
    assert back.time_left(B, 31) == TimeLeft(0, 29_000, 2)
    assert back.time_left(W, 31) == TimeLeft(0, 30_000, 3)


def test_a_hand_back_while_the_opponent_has_moved_too():
    clock = clock_with("10m").press(10, B).press(13, W).handed_back(14, turns=2)
    assert clock.turn is B and clock.time_spent(B, 14) == 14_000 and clock.time_spent(W, 14) == 0
    assert clock.handed_back(15, turns=9).turn is B


def test_a_hand_back_at_a_standing_clock_leaves_it_standing():
    clock = clock_with("10m").press(10, B).paused(12).handed_back(50)
    assert clock.running_player is None and clock.turn is B and clock.time_spent(B, 60) == 12_000


def test_a_fallen_flag_stands_again_if_the_clock_is_handed_back():
    clock = clock_with("20s").press(1, B).press(2, W).press(3, B)
    assert clock.fallen_players(22.5) == (W,)
    assert clock.handed_back(22.5).fallen_players(22.5) == (B,)


def test_events_told_too_early_happen_when_the_clock_was_last_touched():
    clock = clock_with("10m").press(10, B).press(4, W)
    assert clock.running_player is B and clock.time_spent(B, 12) + clock.time_spent(W, 12) == 12_000


def test_the_director_sets_a_clock_and_the_sum_still_holds():
    clock = clock_with("10m+3x30s").press(10, B).set_to(15, {B: TimeLeft(60_000, 30_000, 2)})
    assert clock.time_left(B, 15).main == 60_000 and clock.time_left(W, 20).main == 590_000
    assert clock.time_spent(B, 20) + clock.time_spent(W, 20) == 20_000
    back = clock.handed_back(20)
    assert back.turn is B and back.time_left(B, 20).main == 55_000
    assert back.time_spent(B, 20) + back.time_spent(W, 20) == 20_000


def test_a_penalty_is_taken_as_if_it_had_been_used_and_is_not_spent():
    clock = clock_with("10m+3x30s").penalise(5, W, 615_000)
    assert clock.time_left(W, 5) == TimeLeft(0, 15_000, 3) and clock.time_spent(W, 5) == 0
    late = clock_with("10m").press(5, B).penalise(6, B, 60_000)
    assert late.time_left(B, 6).main == 535_000 and late.handed_back(7).time_left(B, 7).main == 533_000


def test_time_of_a_player_for_whom_the_game_is_over_is_not_kept():
    clock = clock_with("10m").set_free(5, B)
    assert clock.time_left(B, 100).main == 595_000
    clock = clock.press(100, B)
    assert clock.running_player is W and clock.time_left(W, 110).main == 590_000
    assert clock.press(120, W).set_free(130, B, free=False).time_left(B, 135).main == 590_000


def test_more_than_two_players_play_in_turn_or_as_they_are_told():
    clock = clock_with("10m", players=3).press(1, B).press(3, W)
    assert clock.running_player is Colour.RED
    assert clock.press(6, Colour.RED, following=W).running_player is W
    assert [face.spent for face in clock.readings_at(6)] == [1_000, 2_000, 3_000]


def test_ing_points_enter_the_count():
    clock = clock_with("ing 10s 3x5s").press(16, B)
    assert clock.time_penalties(16) == (Penalty(B, 4, Offence.TIME),)
    assert clock.time_penalties(16 + 10) == (Penalty(B, 4, Offence.TIME), Penalty(W, 2, Offence.TIME))
    assert clock_with("ing 10s 3x5s", players=3).press(16, B).time_penalties(16) == ()


def test_what_a_clock_says():
    assert [english(face.text) for face in clock_with("ing 10s 3x5s").readings_at(12)] == [
        "0:03, 1 period bought: 2 points to the opponent",
        "0:10",
    ]
    assert english(clock_with("0s+3x30s").readings_at(31.5)[0].text) == "0:29, 2 periods left"
    assert english(clock_with("10s+3/30s").readings_at(11)[0].text) == "0:29, 3 more turns to play"
    assert english(clock_with("90m").readings_at(0.001)[0].text) == "1:30:00"
    assert english(clock_with("10s").readings_at(9.999)[0].text) == "0:01"
    assert english(clock_with("10s").readings_at(10)[0].text) == "0:00, out of time"


# What happens by itself


# Kept


def test_a_clock_broken_off_stands_and_goes_on_from_another_time():
    clock = clock_with("10m+3x30s").press(10, B).press(25, W)
    again = clock.broken_off(30.25)
    assert again.running_player is None
    assert [face.main for face in again.readings_at(0)] == [face.main for face in clock.readings_at(30.25)]
    assert [face.spent for face in again.resumed(2).readings_at(3)] == [16_250, 15_000]
    assert again.resumed(2).handed_back(3, 2).time_spent(B, 3) == 31_250


def test_a_clock_that_is_set_leaves_the_other_players_turns_as_they_were():
    control = read_control("20s+3s")
    clock = Clock.for_control(control).start(0.0).press(4.0, B).press(9.0, W)
    clock = clock.set_to(10.0, {B: control.time_at_start()}).taken_back(11.0)
    assert clock.turn is W and clock.time_left(W, 11.0).main == 15_000, "the increment of the turn is taken away again"
    assert clock.time_left(B, 11.0).main == 19_000
