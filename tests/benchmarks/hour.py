"""An hour at a table in a hall, drawn and composited, with thirteen kinds of trouble.

    python -m tests.benchmarks.hour each [--many 3] [--turns 20]
    python -m tests.benchmarks.hour hour [--many 3] [--turns 20] [--jpeg]

each: short games with each kind of trouble alone, and with none. hour: games with all kinds at once, as long as may be:
500 turns on 19 lines, 220 on 13 and 80 on 9, together more than an hour of the table's time. Hands play on a drawn
table, the troubles are laid over its pictures (tests/support/vision/troubles.py), and the eyes' own thread tells a box
what it sees. Of each is printed how many turns were ruled on and after how long a stillness, which were late and
whether the players were told why, and what may never be: another board taken for the own one, a point read wrongly and
surely, a turn written that was not played, unless its order is marked as uncertain. Exit 1 if one of these
happened, or a turn was late without a word.
"""

from __future__ import annotations

import argparse
import logging
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.benchmarks.parts.hour import KINDS, HourOutcome, Sitting
from tests.benchmarks.ways import Way, numbers, run

LONGEST = {19: 500, 13: 220, 9: 80}
"""So many placements fit into a game by lot on a board of so many lines, before a player has none left."""
SIZES = tuple(LONGEST)


def main() -> int:
    """Sit at the tables that are asked for; 1 when one of them fared badly."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--turns", type=int, default=0, help="of each game")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, metavar="KIND", help=f"of: {', '.join(KINDS)}")
    parser.add_argument("--jpeg", action="store_true", help="with pictures as a network camera sends them")
    logging.disable()
    return run(__doc__, WAYS, parser, first=1)


def each(args: argparse.Namespace) -> int:
    """Each kind of trouble by itself."""
    kinds = args.kinds or ("", *KINDS)
    return sum(print_hours(kind or "none", args, (kind,) if kind else (), args.turns or 20) for kind in kinds)


def hour(args: argparse.Namespace) -> int:
    """All kinds at once."""
    return print_hours("all at once", args, args.kinds or KINDS, args.turns)


def print_hours(name: str, args: argparse.Namespace, kinds: Sequence[str], turns: int) -> int:
    """Print how the games with these kinds fared, and what went wrong in them; how many times. turns: 0 for as many as
    may be."""
    started, whole = time.process_time(), HourOutcome()
    for seed in numbers(args):
        size = SIZES[seed % len(SIZES)]
        with tempfile.TemporaryDirectory(prefix="shinpan-hour-") as folder:
            whole += Sitting(Path(folder), seed, kinds, turns or LONGEST[size], size, args.jpeg).play()
    print(f"{name}: {whole.line()}; {time.process_time() - started:.0f} s", flush=True)
    for wrong in whole.wrongs:
        print(f"   {wrong}", flush=True)
    return len(whole.wrongs)


WAYS: dict[str, Way] = {"each": (each, 3), "hour": (hour, 3)}


if __name__ == "__main__":
    sys.exit(main())
