"""The simulated day in short: games one after the other before one box, every ruling as scripted."""

from __future__ import annotations

import pytest

from tests.benchmarks.parts.day import Day
from tests.support.tiers import LONG

pytestmark = pytest.mark.slow


@LONG
def test_two_games_and_the_hours_between_are_ruled_as_scripted(tmp_path, monkeypatch):
    monkeypatch.setattr("tests.benchmarks.parts.day.IDLE", 600.0)
    day = Day(tmp_path)
    day.play(0)
    day.play(1)
    day.close()
    assert day.wrong == [] and len(list(tmp_path.glob("*.journal"))) >= 2
    assert day.handles[0] == day.handles[1]


@LONG
def test_a_game_that_is_ruled_otherwise_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr("tests.benchmarks.parts.day.wanted_of", lambda expected: ())
    day = Day(tmp_path)
    day.play(0)
    assert len(day.wrong) == 1
    day.close()
