"""Clock presses, the rulings on them, and fallen flags."""

from referee.time.steps import Act, Refusal
from tests.support.referee.time_table import B, Table, W


def test_a_press_changes_the_clock_over_and_waits_for_its_ruling():
    table = Table().started()
    table(10, Act.PRESS, B)
    assert table.now.clock.running_player is W and [press.player for press in table.now.unjudged] == [B]
    table(11, Act.ACCEPT)
    assert table.now.unjudged == () and table.now.clock.time_spent(B, 11) == 10_000


def test_an_illegal_turn_hands_the_clock_back_with_the_time_since():
    table = Table().started()
    table(10, Act.PRESS, B)
    table(15, Act.HAND_BACK)
    assert table.now.clock.running_player is B and table.now.clock.time_spent(B, 15) == 15_000


def test_who_presses_for_a_forgetful_opponent_closes_both_turns():
    table = Table().started()
    table(10, Act.PRESS, W)
    assert [press.player for press in table.now.unjudged] == [B, W] and table.now.clock.running_player is B


def test_nobody_presses_on_a_standing_clock():
    assert Table()(1, Act.PRESS, B).refusal is Refusal.STANDING


def test_a_flag_is_told_once_and_not_while_a_press_waits():
    table = Table("1m").started()
    table(59, Act.PRESS, B)
    table(130, Act.DUE)
    assert table.now.reported_flags == frozenset()
    table(131, Act.ACCEPT)
    table(132, Act.DUE)
    assert table.now.reported_flags == {W}


def test_without_procedures_a_fallen_flag_loses_by_itself():
    table = Table("1m", procedures=False).started()
    table(61, Act.DUE)
    assert table.now.result == "W+T"
