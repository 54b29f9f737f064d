"""Rehearsals at drawn tables, and ten games after each: is a box certified where they have no fault, and only there?

    python -m tests.benchmarks.rehearsals --kept FILE [--many 100] [--turns 14]

The tables come in good light, in little light, with glare, under a swaying camera and beside a neighbour's board, by
turns, on 9, 13 and 19 lines. After the ten acts of a rehearsal hands play ten games of so many turns at the same table,
with captures and, in every second game, under Ultimate Go (tests/benchmarks/parts/certified.py). A line is printed for
each table; what came of it is kept in FILE, so that a run that was broken off goes on where it was. At the end stands
how often the certificate said what the games showed, and both ways in which it did not. Exit 1 if a box was
certified for more than its games showed.
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from tests.benchmarks.parts.certified import PLACES, TableOutcome, right, sit
from tests.benchmarks.ways import Way, numbers, run


def main() -> int:
    """Sit at the tables that are still to be sat at; 1 where a certificate said too much."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--kept", type=Path, required=True, metavar="FILE", help="what came of each table, a line each")
    parser.add_argument("--turns", type=int, default=14, help="of each game")
    logging.disable()
    return run(__doc__, WAYS, parser, first=30_001)


def tables(args: argparse.Namespace) -> int:
    """All of them, and the table of what came of them; how many certificates said too much."""
    done = _read(args.kept)
    for seed in (seed for seed in numbers(args) if seed not in {sat.seed for sat in done}):
        started = time.process_time()
        with tempfile.TemporaryDirectory(prefix="shinpan-rehearsals-") as folder:
            sat = sit(Path(folder), seed, args.turns)
        with args.kept.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(sat)) + "\n")
        done.append(sat)
        print(f"{sat.line()}; {right(sat)}; {time.process_time() - started:.0f} s", flush=True)
    print("\n".join(summed_up(done)))
    return sum(right(sat) == "too much" for sat in done)


def _read(path: Path) -> list[TableOutcome]:
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    return [TableOutcome(**json.loads(line)) for line in lines]


def summed_up(done: Sequence[TableOutcome]) -> list[str]:
    """Sum up how often certificates were right, in all and place by place."""
    counts = Counter((place, right(sat)) for sat in done for place in ("all", sat.place))
    pairs = Counter((sat.level, sat.fared) for sat in done)
    return [
        *(
            f"{place}: " + ", ".join(f"{counts[place, what]} {what}" for what in ("right", "too much", "too little"))
            for place in ("all", *PLACES)
        ),
        *(f"certified {level}, games like {fared}: {many}" for (level, fared), many in sorted(pairs.items())),
    ]


WAYS: dict[str, Way] = {"tables": (tables, 100)}


if __name__ == "__main__":
    sys.exit(main())
