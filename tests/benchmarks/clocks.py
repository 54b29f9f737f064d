"""Random schedules on the clock: presses, pauses, hand-backs, power cuts, and all steps of the procedures.

    python -m tests.benchmarks.clocks --schedules 10000

Each schedule of turns is compared, after every step, with a clock that counts every millisecond; each schedule of steps
is checked for answers, sums, and for being the same whenever one looks.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable

from tests.support.referee.time_schedules import check_looks, check_schedule
from tests.support.slow.clock import play

CHECKS: dict[str, Callable[[int], object]] = {
    "against the slow clock": play,
    "steps of the procedures": check_schedule,
    "whenever one looks": check_looks,
}


def main() -> int:
    """Run the schedules; 1 when one of them failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--schedules", type=int, default=10_000)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    args = parser.parse_args()
    failed = 0
    for name, check in CHECKS.items():
        begun, broken = time.perf_counter(), 0
        for seed in range(args.first, args.first + args.schedules):
            try:
                check(seed)
            except AssertionError as error:
                broken += 1
                print(f"{name}, seed {seed}: {error}", flush=True)
        print(f"{name}: {args.schedules} schedules, {broken} broken, {time.perf_counter() - begun:.1f} s", flush=True)
        failed += broken
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
