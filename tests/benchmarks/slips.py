"""Games of Ultimate Go with every kind of slip, filmed and watched: `python -m tests.benchmarks.slips`."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from itertools import zip_longest
from pathlib import Path

from tests.support.virtual.watched import film_and_watch

SIZES = (9, 13, 19)


def main() -> int:
    """Play so many games; print each one's outcome, and where a ruling differs from the script."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    args = parser.parse_args()
    right = 0
    for seed in range(args.first, args.first + args.games):
        size, started = SIZES[seed % len(SIZES)], time.perf_counter()
        with tempfile.TemporaryDirectory() as folder:
            watched = film_and_watch(size, seed, Path(folder))
        right += watched.right
        spent = time.perf_counter() - started
        verdict = "as scripted" if watched.right else "NOT as scripted"
        print(f"{size}x{size}, seed {seed}: {len(watched.lines)} rulings, {verdict}, {spent:.0f} s", flush=True)
        for said, wanted in zip_longest(watched.ruled, watched.wanted):
            if said != wanted:
                print(f"   said {said}\n   not  {wanted}", flush=True)
                break
    print(f"{right} of {args.games} games ruled as scripted")
    return 0 if right == args.games else 1


if __name__ == "__main__":
    sys.exit(main())
