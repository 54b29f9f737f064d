"""Some of the real games, with illegal turns and cycles put into them: every 80th, and every fourth in a long run.

`python -m tests.benchmarks.games judged` plays all 400.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest

from tests.benchmarks.parts.real_games import assert_all, games, judged
from tests.support.tiers import is_long_run


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["japanese", "chinese", "positional"])
def test_real_games_are_legal_and_illegal_turns_refused(rules: str) -> None:
    chosen_games = games()[:: 4 if is_long_run() else 80]
    tally = sum((judged(rules, game, random.Random(number)) for number, game in enumerate(chosen_games)), Counter())
    assert_all(rules, tally, len(chosen_games))
