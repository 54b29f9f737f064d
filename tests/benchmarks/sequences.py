"""Random acts at a table, in any order: does each press get its answer, and is the game the one that was played?

    python -m tests.benchmarks.sequences --count 100000 --seed 1 --processes 2
    python -m tests.benchmarks.sequences --count 1000000 --minutes 60

Four in ten sequences are games of players who know what they do, and a small model says what has to come of every act
(`tests/support/sequences/truth.py`). In one of ten handicap stones are laid in any way (`handicaps.py`). The others are
any acts, or such games disturbed, and laws say what holds whatever was done (`laws.py`). A sequence that fails is
shortened and printed as a list that can be put into a test.
"""

from __future__ import annotations

import argparse
import gc
import logging
import os
import sys
import time
from collections import Counter
from collections.abc import Iterable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from functools import cache
from multiprocessing import Pool

from tests.support.sequences.check import Failure, failure_of
from tests.support.sequences.numbered import sequence_of
from tests.support.sequences.random_games import count_acts, features

AT_ONCE = 50
TOLD_EVERY = 1_000
"""So many sequences are run between two lines about how far the run is."""
MOST_SHOWN = 3
"""So many failures of a promise are shortened in each share of the sequences."""


@dataclass(frozen=True)
class SequenceOutcome:
    """The outcome of some sequences.

    many: how many there were. acts: by kind. tried: sequences by feature. broken: failures by promise. shown: some of
    them, shortened
    """

    many: int = 0
    acts: Counter[str] = field(default_factory=Counter)
    tried: Counter[str] = field(default_factory=Counter)
    broken: Counter[str] = field(default_factory=Counter)
    shown: tuple[Failure, ...] = ()

    def plus(self, other: SequenceOutcome) -> SequenceOutcome:
        """Return both together, without what was shown."""
        many, acts, tried = self.many + other.many, self.acts + other.acts, self.tried + other.tried
        return SequenceOutcome(many, acts, tried, self.broken + other.broken)


@cache
def keep_what_is_imported() -> None:
    """Spare the search for garbage what lasts as long as this process."""
    gc.collect()
    gc.freeze()


def run(seeds: Iterable[int]) -> SequenceOutcome:
    """Run the sequences of these seeds."""
    logging.disable()
    keep_what_is_imported()
    outcome, failures = SequenceOutcome(), list[Failure]()
    for seed in seeds:
        checks, agreed, sequence = sequence_of(seed)
        fault = checks(agreed, sequence)
        promise = fault.partition(":")[0] if fault is not None else ""
        broken = Counter({promise: 1}) if promise else Counter[str]()
        outcome = outcome.plus(SequenceOutcome(1, count_acts(sequence), features(agreed, sequence), broken))
        if fault is not None and outcome.broken[promise] <= MOST_SHOWN:
            failures.append(failure_of(agreed, sequence, checks) or Failure(agreed, sequence, fault))
    return replace(outcome, shown=tuple(failures))


def so_far(total: SequenceOutcome, took: float) -> str:
    """Return how many there were, in one line. took: seconds."""
    acts, failures = sum(total.acts.values()), sum(total.broken.values())
    used = sum(os.times()[:4])  # Those of its processes, once these have ended, are counted too.
    return (
        f"{total.many:,} sequences, {acts:,} acts, {failures:,} failures, {took:.0f} s, {used:.0f} s of processor time"
    )


def main() -> int:
    """Run them, and print how many acts of each kind there were and what failed; 1 if anything did."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1, help="another one gives other sequences")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument(
        "--minutes", type=float, default=float("inf"), help="end after so many, however many were run, as Ctrl-C does"
    )
    args = parser.parse_args()
    begun, first = time.monotonic(), args.seed * 1_000_000
    shares = (range(at, min(at + AT_ONCE, first + args.count)) for at in range(first, first + args.count, AT_ONCE))
    total, failures = SequenceOutcome(), set[str]()
    with ExitStack() as stack, suppress(KeyboardInterrupt):
        runs: Iterable[SequenceOutcome] = map(run, shares)
        if args.processes > 1:
            runs = stack.enter_context(Pool(args.processes)).imap_unordered(run, shares)
        for outcome in runs:
            before, total = total.many, total.plus(outcome)
            for failure in map(str, outcome.shown):
                print(failure, flush=True) if failure not in failures else None
                failures.add(failure)
            if before // TOLD_EVERY != total.many // TOLD_EVERY:
                print(so_far(total, time.monotonic() - begun), flush=True)
            if time.monotonic() - begun > args.minutes * 60:
                break
    for kind, many in (*total.acts.most_common(), ("", 0), *total.tried.most_common()):
        print(f"{many:9,} {kind}" if kind else "sequences with")
    print(so_far(total, time.monotonic() - begun))
    for promise, many in total.broken.most_common():
        print(f"{many:9,} failures: {promise}")
    return 1 if total.broken else 0


if __name__ == "__main__":
    sys.exit(main())
