"""Figures on stones that lie between points: drawn ones at every offset, as a page for docs/.

    python -m tests.benchmarks.between [--boards 40] [--write docs/evidence/seeing-between.md]
    python -m tests.benchmarks.between --among 60 [--first 64000]

Each board has a look of its own, of those that training draws by lot, from seeds that are used for nothing else; two of
its stones lie so far off their points, towards a neighbouring point or aslant. The corners are given. --write: writes
the page, and the chart beside it. --among: boards of 9, 13 and 19 lines with any number of stones, up to four of which
lie 0.35 to 0.5 cell off; only the sums are printed.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

import cv2

from tests.benchmarks.parts.between import STEPS, StoneVerdict, Way, among, count_verdicts, strewn
from tests.benchmarks.parts.charts import stacked

FIRST, FIRST_AMONG = 50_000, 64_000
"""The first board's seed, and that of the first board with other stones: nothing was chosen on these."""

Counts = dict[Way, list[Counter[StoneVerdict]]]


def measure(boards: int) -> Counts:
    """Count the answers at every offset of STEPS."""
    return {way: [_step(way, far, boards) for far in STEPS] for way in Way}


def _step(way: Way, far: float, boards: int) -> Counter[StoneVerdict]:
    counts: Counter[StoneVerdict] = Counter()
    for seed in range(FIRST, FIRST + boards):
        counts += count_verdicts(strewn(seed, way, far))
    return counts


PAGE = """# Stones between points

Made by `python -m tests.benchmarks.between --boards {boards} --write docs/evidence/seeing-between.md` with OpenCV {cv}:
{boards} drawn boards of 9 lines, each with a look of its own, from straight above to 55 degrees off. Two stones of each
lie so far off their points, in cells, the others about on theirs; {stones} stones a row. Corners given.

A stone farther than 0.35 cell from its point lies between points. `look` lists its point as doubtful; during a game it
is an unfinished turn, "The stone between D4 and D5: please set it on a point.", unless the game already has that
stone on that point. "Wrong and not listed" is what must not be: surely read on another point, or not at all.

![What is said of stones, by how far they lie from their points](seeing-between.svg)
{tables}
"""
TABLE = """
## {way}

| cells off | {names} |
|---|{rules}|
{rows}
"""


def page(counts: Counts, boards: int) -> str:
    """The page for docs/."""
    tables = "".join(
        TABLE.format(
            way=way[0].upper() + way[1:],
            names=" | ".join(StoneVerdict),
            rules="|".join("--:" for _ in StoneVerdict),
            rows="\n".join(_row(far, step) for far, step in zip(STEPS, steps, strict=True)),
        )
        for way, steps in counts.items()
    )
    stones = counts[Way.BESIDE][0].total()
    return PAGE.format(boards=boards, cv=cv2.__version__, stones=stones, tables=tables.rstrip())


def _row(far: float, step: Counter[StoneVerdict]) -> str:
    return (
        f"| {far:.2f} | "
        + " | ".join(f"{step[answer]} ({step[answer] / step.total():.1%})" for answer in StoneVerdict)
        + " |"
    )


def _sums(counts: Counter[StoneVerdict]) -> str:
    return f"of {counts.total()} stones: " + ", ".join(f"{counts[answer]} {answer}" for answer in StoneVerdict)


def drawing(counts: Counts) -> str:
    """The chart: a panel for each way, from 0 to half a cell."""
    panels = {
        str(way): [[step[answer] / step.total() for answer in StoneVerdict] for step in steps]
        for way, steps in counts.items()
    }
    return stacked(panels, tuple(StoneVerdict), ("0", "half a cell"))


def main() -> None:
    """Measure, and print the page or write it with its chart."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.between")
    parser.add_argument("--boards", type=int, default=40)
    parser.add_argument("--write", type=Path)
    parser.add_argument("--among", type=int, default=0)
    parser.add_argument("--first", type=int, default=FIRST_AMONG)
    args = parser.parse_args()
    if args.among:
        print(_sums(sum((count_verdicts(among(args.first + number)) for number in range(args.among)), Counter())))
        return
    counts = measure(args.boards)
    if args.write is None:
        print(page(counts, args.boards))
        return
    args.write.write_text(page(counts, args.boards), encoding="utf-8")
    args.write.with_suffix(".svg").write_text(drawing(counts), encoding="utf-8")


if __name__ == "__main__":
    main()
