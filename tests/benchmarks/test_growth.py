"""The cost of a turn late in a game, counted in calls: the same as early, for the box and for the page's process."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from tests.benchmarks.growth import RULES, SEED, Box, drawn_by_lot
from tests.benchmarks.trace import traced
from tests.support.play import started
from tests.support.tiers import LONG

AROUND = 5


@pytest.mark.slow
@pytest.mark.parametrize(("early", "late"), [(100, 200), pytest.param(200, 400, marks=LONG)])
def test_a_turn_takes_as_many_calls_late_in_a_game_as_early(early: int, late: int, tmp_path: Path) -> None:
    box = Box(tmp_path, page=True)
    box.look()
    calls = dict[int, int]()
    for number, after in enumerate(islice(drawn_by_lot(started(RULES, size=(19, 19)), SEED), late + AROUND), 1):
        calls[number] = 0
        if min(abs(number - early), abs(number - late)) < AROUND:
            calls[number] = len(traced(lambda after=after: box.play(after)))  # type: ignore[misc]
        else:
            box.play(after)
    first, last = (sum(calls[at + k] for k in range(-AROUND + 1, AROUND)) for at in (early, late))
    assert last < 1.15 * first, f"{last} calls for {first}: more than more stones on the board explain"
