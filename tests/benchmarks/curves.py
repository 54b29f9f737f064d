"""The limits of seeing: labelled photographs made worse step by step.

    python -m tests.benchmarks.curves [--nets out/loso] [--write docs/evidence/seeing-limits.md]

Photographs of every source, drawn by lot with a fixed seed, go through the curves of tests/support/vision/spoiled.py.
What counts is how it ends: it should say that it sees no board, or name the points that it doubts, and never be sure
and wrong. --nets: as in tests/benchmarks/look.py, each photograph is read with a net that never saw its source.
"""

from __future__ import annotations

import argparse
import sys
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from tests.benchmarks.parts.charts import chart
from tests.support.vision.photographs import SAMPLED, net_without, sample
from tests.support.vision.spoiled import CURVES, Curve, Step, look, shot, table
from vision.camera.frame import read_image
from vision.stones.reader import StoneReader
from vision.tracking.reading import MAX_DOUBTFUL_SHARE

EACH = 3
"""Photographs of each source."""


def measure(curve: Curve, nets: Path | None, each: int) -> list[Step]:
    """All steps of a curve."""
    steps = [Step() for _ in curve.steps]
    for number, (source, label) in enumerate(sample(each)):
        photo, reader = shot(read_image(label.image), label), _reader(net_without(source, nets))
        for k, amount in enumerate(curve.steps):
            rng = np.random.default_rng([SAMPLED, number])
            steps[k] += look(curve.spoil(photo, amount, rng), reader)
    return steps


@cache
def _reader(net: Path | None) -> StoneReader:
    return StoneReader(net)


PAGE = """# Where seeing ends

Made by `python -m tests.benchmarks.curves --nets out/loso --write docs/evidence/seeing-limits.md` with OpenCV {cv} on
one core: {photos} labelled photographs, {each} of every source (all of it where it has no more), drawn by lot with a
fixed seed and made no larger than 1280 pixels. Each is spoiled in one way, step by step, from nothing to hopeless, and
read with a net that never saw its source.

Points of a board not found count as not right. "Doubtful" and "wrong and sure" are points of boards found: listed as
doubtful, or wrong and not listed. A "wrong board" is a grid a line off, of another size, or elsewhere; it is "sure"
if no more than {most:.0%} of its points are doubtful.

What this means for you: when the camera sees too little, shinpan says that it sees no board, or names the points that
it doubts. Then give it more light, a sharper picture or a view from higher up.

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
        args.write.write_text(PAGE.format(**facts, most=MAX_DOUBTFUL_SHARE, chart=drawing.name, tables=tables))
    return 0


if __name__ == "__main__":
    sys.exit(main())
