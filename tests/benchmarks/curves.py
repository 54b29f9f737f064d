"""Where seeing ends: labelled photographs made worse step by step.

    python -m tests.benchmarks.curves [--nets out/loso] [--write docs/seeing-limits.md]

Photographs of every source, drawn by lot with a fixed seed, go through the curves of tests/support/vision/spoiled.py.
What counts is how it ends: it should say that it sees no board, or name the points that it doubts, and never be sure
and wrong. --nets: as in tests/benchmarks/look.py, each photograph is read with a net that never saw its source.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from tests.benchmarks.look import NEAR, SOURCES, Label, labels, net_without
from tests.support.vision.chart import chart
from tests.support.vision.labels import LEFT_OUT
from tests.support.vision.spoiled import CURVES, Curve, Shot, shot
from vision.board.detect import find_board
from vision.calibration import Grid
from vision.frame import read_image
from vision.observer import MOST_DOUBTFUL
from vision.reading import SYMBOLS, Reading
from vision.stones import StoneReader

EACH, SEED = 3, 20
"""Photographs of each source, and the seed that draws them."""
GOOD = 0.9
"""The share of boards up to which it is said to see."""


@dataclass(frozen=True)
class Step:
    """What one step of a curve came to. wrong: points wrong and not doubtful, on boards found. elsewhere: grids that
    are not the board's; sure: those of them whose points are hardly doubtful."""

    boards: int = 0
    found: int = 0
    points: int = 0
    right: int = 0
    whole: int = 0
    doubtful: int = 0
    wrong: int = 0
    elsewhere: int = 0
    sure: int = 0

    def __add__(self, other: Step) -> Step:
        return Step(*(getattr(self, name) + getattr(other, name) for name in self.__dataclass_fields__))


def sample(each: int) -> Iterator[tuple[str, Label]]:
    """So many photographs of every source, with its name; the same ones each time."""
    rng = np.random.default_rng(SEED)
    for source in SOURCES:
        every = list(labels(source))
        for pick in sorted(rng.permutation(len(every))[:each]):
            yield source, every[pick]


def look(taken: Shot, reader: StoneReader) -> Step:
    """One picture, found and read."""
    told = sum(mark not in LEFT_OUT for mark in "".join(taken.rows))
    grid = find_board(taken.pixels)
    if grid is None:
        return Step(boards=1, points=told)
    reading, taken = Reading(grid, reader.read(taken.pixels, grid)), turned_as(taken, grid)
    if not is_board(grid, taken):
        sure = len(reading.doubtful()) <= MOST_DOUBTFUL * grid.size**2
        return Step(boards=1, points=told, elsewhere=1, sure=int(sure))
    return Step(boards=1, found=1, points=told) + _points(taken, reading)


def turned_as(taken: Shot, grid: Grid) -> Shot:
    """The same picture told from the grid's first corner, where that one lies as near the top left as the truth's:
    when two corners do, either is right."""
    near = np.flatnonzero(taken.corners.sum(axis=1) - taken.corners.sum(axis=1).min() < NEAR * grid.cell())
    turns = [(np.roll(taken.corners, -turn, axis=0), turn) for turn in near]
    corners, turn = min(turns, key=lambda pair: float(np.abs(pair[0] - np.array(grid.corners)).max()))
    rows = np.rot90(np.array([list(row) for row in taken.rows]), turn)
    return Shot(taken.pixels, taken.size, corners, tuple("".join(row) for row in rows))


def is_board(grid: Grid, taken: Shot) -> bool:
    """All four corners within half a cell, and the right number of lines."""
    off = np.linalg.norm(np.array(grid.corners) - taken.corners, axis=1)
    return grid.size == taken.size and bool((off < NEAR * grid.cell()).all())


def _points(taken: Shot, reading: Reading) -> Step:
    truth, read = np.array(list("".join(taken.rows))), SYMBOLS[reading.kinds()].ravel()
    told = ~np.isin(truth, list(LEFT_OUT))
    doubted = np.zeros(len(truth), bool)
    doubted[[doubt.point for doubt in reading.doubtful()]] = True
    wrong = told & (truth != read)
    return Step(
        right=int((told & ~wrong).sum()),
        whole=int(not wrong.any()),
        doubtful=int((told & doubted).sum()),
        wrong=int((wrong & ~doubted).sum()),
    )


def measure(curve: Curve, nets: Path | None, each: int) -> list[Step]:
    """All steps of a curve."""
    steps = [Step() for _ in curve.steps]
    for number, (source, label) in enumerate(sample(each)):
        taken, reader = shot(read_image(label.image), label), _reader(net_without(source, nets))
        for k, amount in enumerate(curve.steps):
            rng = np.random.default_rng([SEED, number])
            steps[k] += look(curve.spoil(taken, amount, rng), reader)
    return steps


@cache
def _reader(net: Path | None) -> StoneReader:
    return StoneReader(net)


def table(curve: Curve, steps: list[Step]) -> str:
    """One curve as a table, and in a sentence."""
    lines = [f"## {curve.name}", "", ending(curve, steps), "", *HEAD]
    for amount, step in zip(curve.steps, steps, strict=True):
        cells = [curve.what.format(amount), f"{step.found}/{step.boards}", f"{step.right / step.points:.1%}"]
        cells += [str(n) for n in (step.whole, step.doubtful, step.wrong, step.elsewhere, step.sure)]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def ending(curve: Curve, steps: list[Step]) -> str:
    """How far it sees, and how it ends."""
    seen = 0
    while seen < len(steps) and steps[seen].found >= GOOD * steps[seen].boards:
        seen += 1
    far = f"as far as {curve.what.format(curve.steps[seen - 1])}" if seen else "at no step"
    total = sum(steps, Step())
    return (
        f"At least {GOOD:.0%} of the boards are found {far}. Over all steps: {total.wrong} of "
        f"{total.points} points wrong and sure, {total.elsewhere} wrong boards, {total.sure} of them sure."
    )


HEAD = (
    "| step | boards found | points right | whole boards | doubtful points | points wrong and sure | wrong boards | "
    "of them sure |",
    "|---|--:|--:|--:|--:|--:|--:|--:|",
)

PAGE = """# Where seeing ends

Made by `python -m tests.benchmarks.curves --nets out/loso --write docs/seeing-limits.md` with OpenCV {cv} on one core:
{photos} labelled photographs, {each} of every source (all of it where it has no more), drawn by lot with a fixed seed
and made no larger than 1280 pixels. Each is spoiled in one way, step by step, from nothing to hopeless, and read with a
net that never saw its source.

Points of a board not found count as not right. "Doubtful" and "wrong and sure" are points of boards found: listed as
doubtful, or wrong and not listed. A "wrong board" is a grid a line off, of another size, or elsewhere; it is "sure"
when no more than {most:.0%} of its points are doubtful.

What to take from it: when the camera sees too little, shinpan says that it sees no board, or names the points that it
doubts. Give it more light, a sharper picture or a view from higher up when that happens.

![Boards found and points right, step by step]({chart})

{tables}
"""


def main() -> int:
    """Measure all curves; print the page, or write it and its chart."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nets", type=Path)
    parser.add_argument("--each", type=int, default=EACH, help="photographs of each source")
    parser.add_argument("--only", help="one curve alone")
    parser.add_argument("--write", type=Path)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    measured = {}
    for curve in CURVES:
        if args.only in (None, curve.name):
            measured[curve] = measure(curve, args.nets, args.each)
            print(table(curve, measured[curve]) + "\n", flush=True)
    if args.write:
        drawing = args.write.with_suffix(".svg")
        drawing.write_text(chart({c.name: [(s.found / s.boards, s.right / s.points) for s in steps]
                                  for c, steps in measured.items()}))  # fmt: skip
        facts = {"cv": cv2.__version__, "photos": len(list(sample(args.each))), "each": args.each}
        tables = "\n\n".join(table(curve, steps) for curve, steps in measured.items())
        args.write.write_text(PAGE.format(**facts, most=MOST_DOUBTFUL, chart=drawing.name, tables=tables))
    return 0


if __name__ == "__main__":
    sys.exit(main())
