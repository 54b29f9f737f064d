"""Captured stones put into the lid, beside it, kept in the hand, put back into the bowl: is it told, and only then?

    python -m tests.benchmarks.prisoners [--many 500] [--first 40001]

So many turns, each with a capture, at drawn tables of 20 turns each, before a box whose event minds captured stones
(tests/benchmarks/parts/minded.py). Of each way in which a stone can go is printed how often it was told. Exit 1
where it was told of a stone that was in the lid, or on its way there as `done` was pressed, where anything but a
lamp was other than at a box that minds nothing, the clocks among it, or where no lamp was lit. A stone that is
missing and not told is no fault of that kind: the lid could not be counted surely; how many those are is printed.
"""

from __future__ import annotations

import argparse
import logging
import sys
import tempfile
import time
from pathlib import Path

from tests.benchmarks.parts.minded import WAYS as STONES
from tests.benchmarks.parts.minded import Minding, TurnTally
from tests.benchmarks.ways import Way, run

A_TABLE = 20
"""Turns."""


def main() -> int:
    """Play them all; 1 where one was told wrongly."""
    logging.disable()
    return run(__doc__, WAYS, argparse.ArgumentParser(), first=40_001)


def turns(args: argparse.Namespace) -> int:
    """At as many tables as it takes."""
    whole, tables, started = TurnTally(), -(-args.many // A_TABLE), time.process_time()
    for seed in range(args.first, args.first + tables):
        with tempfile.TemporaryDirectory(prefix="shinpan-prisoners-") as folder:
            whole.add(Minding(Path(folder), seed, A_TABLE).play())
        print(f"table {seed}: {sum(whole.turns.values())} turns so far", file=sys.stderr, flush=True)
    for way in STONES:
        print(f"{way}: {whole.turns[way]} turns, {whole.ruled[way]} ruled on, {whole.reminders[way]} told")
    for wrong in whole.wrong:
        print(f"   {wrong}")
    print(f"{tables} tables; {len(whole.wrong)} wrong; {time.process_time() - started:.0f} s")
    return len(whole.wrong)


WAYS: dict[str, Way] = {"turns": (turns, 500)}


if __name__ == "__main__":
    sys.exit(main())
