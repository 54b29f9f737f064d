"""Random acts at a table, in any order: does each press get its answer, and is the game the one that was played?

    python -m tests.benchmarks.sequences --count 100000 --seed 1 --processes 2

Four in ten sequences are games of players who know what they do, and a small model says what has to come of every act
(`tests/support/sequences/truth.py`). In one of ten handicap stones are laid in any way (`handicaps.py`). The others are
any acts, or such games disturbed, and laws say what holds whatever was done (`laws.py`). A sequence that fails is
shortened and printed as a list that can be put into a test.
"""

from __future__ import annotations

import argparse
import logging
import sys
import time
from collections import Counter
from collections.abc import Iterable
from multiprocessing import Pool

from tests.support.sequences.check import Failure, check, check_played, failure_of
from tests.support.sequences.drawn import counted, drawn, played
from tests.support.sequences.handicaps import check_laid, laid

KINDS = ((check, drawn), (check_played, played)) * 4 + ((check, drawn), (check_laid, laid))
"""How sequences are checked and made: of ten, five, four and one."""
AT_ONCE = 50
MOST_SHOWN = 3
"""So many failures of a promise are shortened in each share of the sequences."""


def run(seeds: Iterable[int]) -> tuple[Counter[str], Counter[str], list[Failure]]:
    """Run the sequences of these seeds; return acts by kind, failures by promise, and a few failures shortened."""
    logging.disable()
    acts, broken, shown = Counter[str](), Counter[str](), list[Failure]()
    for seed in seeds:
        checks, make = KINDS[seed % len(KINDS)]
        agreed, sequence = make(seed // len(KINDS))
        acts += counted(sequence)
        said = checks(agreed, sequence)
        if said is None:
            continue
        promise = said.partition(":")[0]
        broken[promise] += 1
        if broken[promise] <= MOST_SHOWN:
            shown.append(failure_of(agreed, sequence, checks) or Failure(agreed, sequence, said))
    return acts, broken, shown


def main() -> int:
    """Run them, and print how many acts of each kind there were and what failed; 1 if anything did."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1, help="another one gives other sequences")
    parser.add_argument("--processes", type=int, default=1)
    args = parser.parse_args()
    begun, first = time.monotonic(), args.seed * 1_000_000
    shares = [range(at, min(at + AT_ONCE, first + args.count)) for at in range(first, first + args.count, AT_ONCE)]
    acts, broken, shown = Counter[str](), Counter[str](), set[str]()
    with Pool(args.processes) as pool:
        for some_acts, some_broken, failures in pool.imap_unordered(run, shares):
            acts, broken = acts + some_acts, broken + some_broken
            for failure in map(str, failures):
                print(failure, flush=True) if failure not in shown else None
                shown.add(failure)
    for kind, many in acts.most_common():
        print(f"{many:9,} {kind}")
    took = time.monotonic() - begun
    print(f"{args.count:,} sequences, {sum(acts.values()):,} acts, {sum(broken.values()):,} failures, {took:.0f} s")
    for promise, many in broken.most_common():
        print(f"{many:9,} failures: {promise}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
