"""A hall follows tables at which much happens, and everything comes to its wall: the short form of what
`python -m tests.benchmarks.hall tables` measures."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from tests.benchmarks.parts.hall.measured import keep_games, latencies, measured
from tests.support.tiers import LONG


@LONG
def test_all_that_boxes_tell_comes_to_the_wall_in_order(tmp_path):
    games = keep_games(tmp_path / "games", seed=11, games=2, turns=24)
    span = measured(games, tables=8, seconds=6.0, viewers=2, pace=20.0, seed=12)
    assert len(latencies(span)) > 2 * 50 and not np.isinf(latencies(span)).any()
    last = {table: max(number for number, _ in numbers) for table, numbers in span.seen[0].items()}
    assert {f"{table} {number}" for table, number in last.items()} <= span.published.keys()
    assert all(f"{table} {number + 1}" not in span.published for table, number in last.items()) and len(last) == 8
    for viewer in span.seen:
        assert all(one <= two for numbers in viewer.values() for (one, _), (two, _) in pairwise(numbers))
