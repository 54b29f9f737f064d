"""Stopped clocks: pauses, restarts, clocks turned off, leaving the table in overtime, and late players."""

from referee.time.steps import Act, Refusal
from tests.support.referee.time_table import B, Table, W


def test_with_procedures_a_pause_calls_the_director_who_alone_resumes():
    table = Table().started()
    table(10, Act.PAUSE, B)
    assert table.now.clock.running_player is None and table.now.called
    assert table(11, Act.RESUME, B).refusal is Refusal.DIRECTOR_ONLY
    table(12, Act.RESUME)
    assert table.now.clock.running_player is B and table.now.clock.time_spent(B, 12) == 10_000


def test_a_standing_clock_is_not_paused_and_a_running_one_not_resumed():
    assert Table()(1, Act.PAUSE, B).refusal is Refusal.STANDING
    assert Table().started()(1, Act.RESUME).refusal is Refusal.RUNNING


def test_a_game_starts_once():
    table = Table().started()
    assert table(1, Act.START).refusal is Refusal.RUNNING


def test_a_given_penalty_is_taken_by_the_director_alone():
    table = Table("10m").started()
    assert table(1, Act.PENALISE, B, player=W, ms=60_000).refusal is Refusal.DIRECTOR_ONLY
    table(2, Act.PENALISE, player=W, ms=60_000)
    assert table.now.clock.time_left(W, 2).main == 540_000


def test_a_pause_without_procedures_names_who_pressed():
    keys = [Table(procedures=False).started()(10, Act.PAUSE, by).message.key for by in (B, None)]
    assert keys == ["time.pauses", "time.paused"]
