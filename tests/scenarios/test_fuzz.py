"""Random lines, hostile ones among them, into `shinpan judge`: each answer is the slow judge's.

`python -m tests.benchmarks.endurance lines` feeds a million and more.
"""

from __future__ import annotations

from collections import Counter
from itertools import count
from pathlib import Path

import pytest

from referee.game.ruling import Reason
from tests.benchmarks.parts.fuzzing import FuzzCase, as_program, counted, difference, fuzzed, in_process
from tests.support.oracle.sets import NAMES
from tests.support.tiers import is_long_run, sample

pytestmark = pytest.mark.slow

FIRST = 1_000_200_000
"""Games that the benchmark does not come to."""
MEANT_FOR = 16 if is_long_run() else 2
"""So many games of each rule set."""
RARE = {Reason.PATH, Reason.HOT_STONE, Reason.DISTURBING, Reason.CYCLE, Reason.AGREEMENT_NOT_AVAILABLE}
"""Reasons that so few games need not meet; the tests of Kee's and Ing's rules and of agreements do."""


def some(rules: str) -> list[FuzzCase]:
    first = FIRST + (NAMES.index(rules) - FIRST) % len(NAMES)
    return [fuzzed(seed, longest=600) for seed in range(first, first + MEANT_FOR * len(NAMES), len(NAMES))]


def test_every_answer_is_that_of_the_slow_judge(tmp_path: Path) -> None:
    met = Counter[str]()
    for number, case in enumerate(case for rules in NAMES for case in some(rules)):
        assert difference(case, in_process(case, tmp_path, by_stream=number % 2 == 0)) is None, case.pieces
        met.update(counted(case))
    assert met["games"] == MEANT_FOR * len(NAMES) and met["lines"] > 1_250 * MEANT_FOR
    assert min(met[kind] for kind in ("accepted", "unreadable", "asked", "starts refused")) > 1.25 * MEANT_FOR, met
    assert {reason for reason in Reason if not met[reason.value]} <= RARE, met


@pytest.mark.parametrize("seed", sample([FIRST - 1, FIRST - 2, FIRST - 3], 1))
def test_a_process_of_its_own_answers_the_same(seed: int) -> None:
    case = fuzzed(seed, longest=600)
    assert difference(case, as_program(case)) is None


@pytest.mark.parametrize("spoil", ["legal", "captured", "bowls", "turn", "refused"])
def test_a_wrong_answer_is_found(spoil: str, tmp_path: Path) -> None:
    case = next(game for game in map(fuzzed, count(FIRST)) if any(spoil in answer for _, answer in game.answers))
    output = in_process(case, tmp_path, by_stream=False)
    wanted = [answer for _, answer in case.answers if spoil in answer]
    wanted[-1][spoil] = "something else"
    fault = difference(case, output)
    assert fault is not None and "something else" in fault
