"""The cost of a turn late in a game, counted in calls: the same as early, for the box and for the page's process."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from tests.benchmarks.growth import RULES, SEED, Box, drawn_by_lot
from tests.benchmarks.trace import traced
from tests.support.play import started

EARLY, LATE, AROUND = 200, 400, 5


@pytest.mark.slow
def test_a_turn_takes_as_many_calls_late_in_a_game_as_early(tmp_path: Path) -> None:
    box = Box(tmp_path, page=True)
    box.look()
    calls = dict[int, int]()
    for number, after in enumerate(islice(drawn_by_lot(started(RULES, size=(19, 19)), SEED), LATE + AROUND), 1):
        calls[number] = 0
        if min(abs(number - EARLY), abs(number - LATE)) < AROUND:
            calls[number] = len(traced(lambda after=after: box.play(after)))  # type: ignore[misc]
        else:
            box.play(after)
    early, late = (sum(calls[at + k] for k in range(-AROUND + 1, AROUND)) for at in (EARLY, LATE))
    assert late < 1.15 * early, f"{late} calls for {early}: more than more stones on the board explain"
