"""The cost of a turn late in a game, counted in calls: the same as early, for the box and for the page's process.

After 60 turns on 9 lines, and 200 on 19, hardly more stones lie there later.
"""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from tests.benchmarks.growth import RULES, SEED, GrowingBox, drawn_by_lot
from tests.benchmarks.trace import traced
from tests.support.play import start_game
from tests.support.tiers import LONG

AROUND = 3


@pytest.mark.long
@pytest.mark.parametrize(("size", "early", "late"), [(9, 60, 120), pytest.param(19, 200, 400, marks=LONG)])
def test_a_turn_takes_as_many_calls_late_in_a_game_as_early(size: int, early: int, late: int, tmp_path: Path) -> None:
    box = GrowingBox(tmp_path, page=True, size=size)
    box.look()
    calls = dict[int, int]()
    for number, after in enumerate(islice(drawn_by_lot(start_game(RULES, size=(size, size)), SEED), late + AROUND), 1):
        calls[number] = 0
        if min(abs(number - early), abs(number - late)) < AROUND:
            calls[number] = len(traced(lambda after=after: box.play(after)))  # type: ignore[misc]
        else:
            box.play(after)
    first, last = (sum(calls[at + k] for k in range(-AROUND + 1, AROUND)) for at in (early, late))
    assert last < 1.15 * first, f"{last} calls for {first}: more than more stones on the board explain"
