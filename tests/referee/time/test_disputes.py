"""Clocks that are said to be wrong, and how a result becomes final."""

from __future__ import annotations

import pytest

from referee.time.controls import TimeLeft
from referee.time.steps import Act, Ground, Refusal
from tests.support.referee.time_table import B, Table, W, overstepped_table
from tests.support.wording import english

# Malfunction


def test_a_broken_clock_is_replaced_at_the_times_it_shows():
    table = Table().started()
    answer = table(10, Act.MALFUNCTION, W)
    assert "It is replaced at the times it shows, unless all agree on others" in english(answer)
    assert table.now.called and table.now.clock.running_player is None
    assert table(11, Act.NO_AGREEMENT).is_allowed
    assert table(11, Act.ADJUDICATE, result="B+R").refusal is Refusal.AGREEMENT_FIRST
    table(20, Act.RESUME)
    assert table.now.clock.time_left(B, 20).main == 590_000


def test_or_at_others_that_all_agree_to():
    table = Table().started()
    table(10, Act.MALFUNCTION, W)
    table.agree(11, B=595)
    table(20, Act.RESUME)
    assert table.now.clock.time_left(B, 20).main == 595_000


@pytest.mark.parametrize("claimed", [False, True])
def test_a_loss_shown_on_the_clock_stands_unless_it_is_shown_impossible(claimed):
    table = overstepped_table()
    if claimed:
        table(11, Act.CLAIM, W)
    for ground in (Ground.STICKY, Ground.UNPRESSED):
        assert table(12, Act.MALFUNCTION, B, ground=ground).refusal is Refusal.NO_GROUND
    assert "The loss stands unless" in english(table(13, Act.MALFUNCTION, B))
    assert table(14, Act.ADMIT, B).refusal is Refusal.OTHER_PLAYER
    assert table(14, Act.NO_AGREEMENT).refusal is Refusal.NOT_SHOWN
    for act in (Act.VERIFY, Act.DISPUTE):
        assert table(14, act, W).refusal is (Refusal.OPEN_MATTER if claimed else Refusal.NOTHING_OPEN)
    assert table(15, Act.DISMISS, W).refusal is Refusal.DIRECTOR_ONLY
    assert table(15, Act.DISMISS).lost is B
    assert table.now.result == "W+T" and table.now.matter is None


@pytest.mark.parametrize("by", [W, None], ids=["the opponent agrees", "the director finds it shown"])
@pytest.mark.parametrize("claimed", [False, True])
def test_a_loss_that_the_clock_showed_wrongly_is_undone(by, claimed):
    table = overstepped_table()
    if claimed:
        table(11, Act.CLAIM, W)
    table(13, Act.MALFUNCTION, B)
    assert table(14, Act.ADMIT, by).is_allowed and table.now.result is None
    assert table(14, Act.DISMISS).refusal is Refusal.NOTHING_OPEN
    table.agree(15, B=4, W=10)
    table(16, Act.RESUME)
    assert table(19, Act.CLAIM, W).refusal is Refusal.FLAG_STANDING
    assert table(20, Act.CLAIM, W).result == "W+T"


def test_adjudication_only_where_no_times_can_be_agreed():
    table = overstepped_table()
    table(13, Act.MALFUNCTION, B)
    table(14, Act.ADMIT, W)
    assert table(15, Act.ADJUDICATE, result="B+R").refusal is Refusal.AGREEMENT_FIRST
    assert "strongest player present may adjudicate" in english(table(15, Act.NO_AGREEMENT))
    assert table(16, Act.ADJUDICATE, W, result="W+R").refusal is Refusal.DIRECTOR_ONLY
    assert table(16, Act.ADJUDICATE, result="White").refusal is Refusal.BAD_RESULT
    assert table(16, Act.ADJUDICATE, result="W+0.5").result == "W+0.5"


def test_a_dead_clock():
    table = Table().started()
    table(10, Act.MALFUNCTION, B, ground=Ground.DEAD)
    assert table(11, Act.DISMISS).refusal is Refusal.NOTHING_OPEN
    table(12, Act.NO_AGREEMENT)
    assert table(13, Act.ADJUDICATE, result="0").result == "0"


def test_times_are_not_set_while_the_clock_runs_nor_after_the_game():
    table = Table().started()
    assert table(1, Act.PROPOSE, lefts=((B, TimeLeft(1)),)).refusal is Refusal.RUNNING
    table(2, Act.RESIGN, B)
    assert table(3, Act.PROPOSE, lefts=((B, TimeLeft(1)),)).refusal is Refusal.GAME_OVER
    assert table(3, Act.MALFUNCTION, W).refusal is Refusal.GAME_OVER
    assert table(3, Act.ADMIT, W).refusal is Refusal.NOTHING_OPEN
    assert table(3, Act.NO_AGREEMENT).refusal is Refusal.NOTHING_OPEN


def test_without_the_procedures_the_director_sets_the_clocks_alone():
    table = Table(procedures=False).started()
    table(5, Act.PAUSE)
    assert table(6, Act.PROPOSE, B, lefts=((B, TimeLeft(9)),)).refusal is Refusal.DIRECTOR_ONLY
    assert table(6, Act.PROPOSE, lefts=((B, TimeLeft(9)),)).is_allowed
    assert table.now.clock.time_left(B, 6).main == 9


# The result


def test_a_result_is_final_once_verified_by_both_and_cleared():
    table = Table().started()
    assert table(9, Act.VERIFY, B).refusal is Refusal.NOTHING_OPEN
    assert table(10, Act.REPORT, result="B+banana").refusal is Refusal.BAD_RESULT
    assert table(10, Act.REPORT, B, result="B+3.5").result == "B+3.5"
    assert table(11, Act.CLEAR).refusal is Refusal.NOTHING_OPEN
    assert "has to be confirmed by White too" in english(table(11, Act.VERIFY, B))
    assert table(12, Act.REPORT, result="W+0.5").result == "W+0.5", "before it is final it may be changed"
    assert table(12, Act.CLEAR).refusal is Refusal.NOTHING_OPEN
    table(13, Act.VERIFY, B)
    table(13, Act.VERIFY, W)
    assert table(13, Act.VERIFY).refusal is Refusal.PLAYER_ONLY
    assert table(14, Act.CLEAR).is_allowed and table.now.final
    for act in Act:
        if act is not Act.DUE:
            assert table(15, act, W, result="W+R").refusal is Refusal.FINAL
    assert table.now.result == "W+0.5"


def test_a_resignation():
    table = Table().started()
    assert table(1, Act.RESIGN).refusal is Refusal.PLAYER_ONLY
    assert table(2, Act.RESIGN, W).result == "B+R" and table.now.clock.running_player is None
    assert Table(players=3).started()(2, Act.RESIGN, W).result is None
