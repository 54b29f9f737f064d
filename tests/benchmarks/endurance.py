"""Many random runs: is anything ever ruled, kept or shown otherwise than it has to be?

    python -m tests.benchmarks.endurance clocks --many 10000
    python -m tests.benchmarks.endurance lines --many 4000
    python -m tests.benchmarks.endurance disk --many 100
    mount -t tmpfs -o size=2m none /mnt/small; python -m tests.benchmarks.endurance disk --folder /mnt/small
    python -m tests.benchmarks.endurance day --many 200
    python -m tests.benchmarks.endurance blinded --many 200

clocks: schedules of turns (presses, pauses, hand-backs, power cuts) beside a clock that counts every millisecond, and
of all steps of the procedures, which have to be answered and to be the same whenever one looks. lines: games of random
lines into `shinpan judge`, each answer compared with the slow judge's. disk: games before a box whose disk is full at
times, by the largest size that a file may have or, with --folder, a small file system filled up; at random instants the
plug is pulled, and journals are torn. day: games one after the other in one process with idle hours between, which has
to rule as scripted and may neither grow nor keep files open. blinded: short games one after the other, five before a
table, whose every frame is drawn and goes through the eyes of a camera that fails in every way at random instants.

A run is made from its number alone, so it can be looked at by itself (`--first N --many 1`). Exit 1 if one broke a
promise.
"""

from __future__ import annotations

import argparse
import logging
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from tests.benchmarks.parts.blinded import BlindedDay, CameraFault
from tests.benchmarks.parts.day import WARM, Day
from tests.benchmarks.parts.disk import Game
from tests.benchmarks.parts.fuzzing import FuzzCase, as_program, counted, difference, fuzzed, in_process
from tests.benchmarks.ways import Way, numbers, run
from tests.support.oracle.clock import play
from tests.support.referee.time_schedules import check_looks, check_schedule

CLOCKS: dict[str, Callable[[int], object]] = {
    "against the slow clock": play,
    "steps of the procedures": check_schedule,
    "whenever one looks": check_looks,
}
A_PROGRAM = 200
"""Every so many games of lines a process of its own judges; every third of the others is read from standard input."""
GROWTH = 1.05
BEFORE_A_TABLE = 5
"""Games that are played before one table."""


def main() -> int:
    """Make the runs; 1 when one of them failed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", type=Path, help="disk: on a small file system; lines: where games go that differ")
    logging.disable()
    return run(__doc__, WAYS, parser)


def failed(args: argparse.Namespace, check: Callable[[int], object], name: str = "") -> int:
    """Return how many of the runs raise AssertionError or another exception; each is printed."""
    broken, begun = 0, time.monotonic()
    for number in numbers(args):
        try:
            check(number)
        except Exception as error:
            broken += 1
            message = error if isinstance(error, AssertionError) else traceback.format_exc()
            print(f"{name}number {number}: {message}", flush=True)
    print(
        f"{name}{args.many} from number {args.first} on, {broken} broken, {time.monotonic() - begun:.0f} s", flush=True
    )
    return broken


def clocks(args: argparse.Namespace) -> int:
    """Every check of the clock on every schedule."""
    return sum(failed(args, check, f"{name}, ") for name, check in CLOCKS.items())


def lines(args: argparse.Namespace) -> int:
    """Games of random lines, and a table of what they held."""
    totals, begun = dict[str, Counter[str]](), time.perf_counter()
    with tempfile.TemporaryDirectory() as scratch:

        def judged(number: int) -> None:
            case = fuzzed(number)
            totals.setdefault(case.rules, Counter()).update(counted(case))
            _compare_judges(case, number, Path(scratch), args.folder or Path(tempfile.gettempdir()))

        broken = failed(args, judged)
    _tell_lines(totals, time.perf_counter() - begun)
    return broken


def _compare_judges(case: FuzzCase, number: int, scratch: Path, keep: Path) -> None:
    """Judge a game; where it is judged otherwise, its file is kept."""
    program = number % A_PROGRAM == 0
    fault = difference(case, as_program(case) if program else in_process(case, scratch, number % 3 == 0))
    if fault is not None:
        path = keep / f"fuzz-{number}.jsonl"
        path.write_bytes(case.data)
        raise AssertionError(f"{case.rules} {case.pieces} {' '.join(case.options)}, kept as {path}:\n  {fault}")


def _tell_lines(totals: dict[str, Counter[str]], seconds: float) -> None:
    kinds = ("games", "lines", "accepted", "refused", "unreadable", "asked", "blank or start", "starts refused")
    whole = sum(totals.values(), Counter[str]())
    print(f"{'':18}" + "".join(f"{kind:>15}" for kind in kinds))
    for rules, counts in [*totals.items(), ("all", whole)]:
        values = {**counts, "refused": sum(n for kind, n in counts.items() if kind not in kinds)}
        print(f"{rules:18}" + "".join(f"{values.get(kind, 0):15}" for kind in kinds))
    print("refused: " + ", ".join(f"{kind} {n}" for kind, n in whole.most_common() if kind not in kinds))
    print(f"{whole['lines'] / seconds:.0f} lines a second")


def disk(args: argparse.Namespace) -> int:
    """Games before a box whose disk comes and goes."""
    tally = Counter[str]()

    def played(number: int) -> None:
        with tempfile.TemporaryDirectory(prefix="shinpan-", dir=args.folder) as scratch:
            game = Game(Path(scratch) / "games", number, args.folder is not None)
            try:
                game.play()
            finally:
                game.room.give()
                tally.update(game.tally)

    broken = failed(args, played)
    print(dict(tally))
    return broken


def day(args: argparse.Namespace) -> int:
    """One long day before one box."""
    with tempfile.TemporaryDirectory(prefix="shinpan-day-") as scratch:
        one = Day(Path(scratch))
        for number in numbers(args):
            one.play(number)
            if number % 20 == 19:
                print(f"{number + 1} games, {len(one.wrong)} wrong, {one.sizes[-1] >> 10} KiB resident", flush=True)
        one.close()
        size = sum(path.stat().st_size for path in Path(scratch).rglob("*") if path.is_file())
    print(f"{one.t / 3600:.0f} hours, {len(one.wrong)} wrong {one.wrong[:5]}; {size >> 20} MiB on disk")
    print(f"resident {one.sizes[0] >> 20} MiB after the first game, {one.sizes[-1] >> 20} MiB after the last,", end=" ")
    print(f"{100 * (one.growth - 1):+.1f}% since it was warm; {one.handles[0]} to {one.handles[-1]} files open")
    return len(one.wrong) + (one.growth > GROWTH) + (max(one.handles[-5:]) > max(one.handles[:WARM]))


def blinded(args: argparse.Namespace) -> int:
    """Days of BEFORE_A_TABLE games before a camera that fails."""
    faults, wrong, hours, begun = list[CameraFault](), list[str](), 0.0, time.monotonic()
    for first in numbers(args)[::BEFORE_A_TABLE]:
        with tempfile.TemporaryDirectory(prefix="shinpan-blinded-") as scratch:
            one = BlindedDay(Path(scratch), first, min(BEFORE_A_TABLE, numbers(args).stop - first))
            one.play()
        faults, wrong, hours = [*faults, *one.faults], [*wrong, *one.wrong], hours + one.t / 3600
        games = first - args.first + one.played
        print(f"{games} games, {len(faults)} faults, {len(wrong)} wrong {one.wrong}", flush=True)
    late = [struck.reported_at - struck.begin for struck in faults if struck.reported_at is not None]
    print(
        f"{hours:.1f} hours at the table in {time.monotonic() - begun:.0f} s; {len(late)} of {len(faults)} faults told,"
    )
    print(f"after {sorted(late)[len(late) // 2]:.1f} s in the median and {max(late):.1f} s at most")
    print(dict(Counter(struck.way.message_key or "none to be told" for struck in faults)))
    return len(wrong)


WAYS: dict[str, Way] = {
    "clocks": (clocks, 10_000),
    "lines": (lines, 4_000),
    "disk": (disk, 100),
    "day": (day, 200),
    "blinded": (blinded, 200),
}


if __name__ == "__main__":
    sys.exit(main())
