"""Random lines into `shinpan judge`, each answer compared with the slow judge's: `python -m tests.benchmarks.fuzz`.

A game is made from its number alone, so a run can be taken up where it stopped (`--first`) and a game that was judged
otherwise looked at by itself (`--first N --games 1`). Its file is kept, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from tests.support.device.fuzzing import Fuzzed, as_program, counted, difference, fuzzed, in_process

A_PROGRAM = 200
"""Every so many games a process of its own judges; every third of the others is read from standard input."""


def main() -> None:
    args = arguments()
    totals: dict[str, Counter[str]] = {}
    pieces: Counter[str] = Counter()
    before, wrong, lines = perf_counter(), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for number, made in games(args):
            wrong += tried(number, made, Path(folder), args.keep)
            totals.setdefault(made.rules, Counter()).update(counted(made))
            pieces[made.pieces] += len(made.lines)
            lines += len(made.lines)
            if number % 500 == 499:
                print(f"games to {number}: {lines} lines, {wrong} wrong", file=sys.stderr, flush=True)
    tell(totals, pieces, perf_counter() - before)
    print(f"last game {number}; {wrong} games judged otherwise")
    sys.exit(bool(wrong))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=1_000_000, help="stop after the game that brings so many lines")
    parser.add_argument("--games", type=int, help="stop after so many games")
    parser.add_argument("--first", type=int, default=0, help="the number of the first game")
    parser.add_argument("--keep", type=Path, default=Path(tempfile.gettempdir()), help="where games go that differ")
    return parser.parse_args()


def games(args: argparse.Namespace) -> Iterator[tuple[int, Fuzzed]]:
    """The games of the run, each with its number."""
    number, lines = args.first, 0
    while lines < args.lines and (args.games is None or number < args.first + args.games):
        made = fuzzed(number)
        lines += len(made.lines)
        yield number, made
        number += 1


def tried(number: int, made: Fuzzed, folder: Path, keep: Path) -> bool:
    """Whether a game was judged otherwise; says how."""
    try:
        program = number % A_PROGRAM == 0
        found = difference(made, as_program(made) if program else in_process(made, folder, number % 3 == 0))
    except Exception:
        found = traceback.format_exc()
    if found is None:
        return False
    path = keep / f"fuzz-{number}.jsonl"
    path.write_bytes(made.data)
    print(
        f"game {number} ({made.rules} {made.pieces} {' '.join(made.options)}), kept as {path}:\n  {found}", flush=True
    )
    return True


def tell(totals: dict[str, Counter[str]], pieces: Counter[str], seconds: float) -> None:
    """The table of the run."""
    kinds = ("games", "lines", "accepted", "refused", "unreadable", "asked", "blank or start", "starts refused")
    print(f"{'':18}" + "".join(f"{kind:>15}" for kind in kinds))
    whole: Counter[str] = Counter()
    for rules, found in [*totals.items(), ("all", whole)]:
        known = {kind: found[kind] for kind in kinds if kind != "refused"}
        reasons = {kind: n for kind, n in found.items() if kind not in kinds}
        print(f"{rules:18}" + "".join(f"{known.get(kind, sum(reasons.values())):15}" for kind in kinds))
        if found is not whole:
            whole.update(found)
    print("refused: " + ", ".join(f"{kind} {n}" for kind, n in whole.most_common() if kind not in kinds))
    print(f"{len(pieces)} combinations of ko, suicide and ending; {whole['lines'] / seconds:.0f} lines a second")


if __name__ == "__main__":
    main()
