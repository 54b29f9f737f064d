"""How surely drawn lids are counted: `python -m tests.benchmarks.lids [--lids N]`."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter

import cv2
import numpy as np

from vision.frame import Image
from vision.lids import read_lid
from vision.render.lids import draw_lid, random_lid
from vision.render.scene import LID_STONE, Look
from vision.render.truth import LidTruth

FIRST = 500_000
"""Seeds from here on: training uses small ones."""


def drawn_lid(seed: int) -> tuple[Image, LidTruth, float]:
    """A random lid of 0 to 12 stones of both colours, its truth, and a stone's width in pixels."""
    rng = np.random.default_rng(FIRST + seed)
    total = int(rng.integers(0, 13))
    black = int(rng.integers(0, total + 1))
    stones = random_lid(rng, black, total - black, 2 if seed % 4 == 3 else 1)
    pixels, truth = draw_lid(stones, Look.random(rng, 19, 1280, 720), 220, rng)
    return pixels, truth, LID_STONE * max(truth.box.w, truth.box.h)


def main() -> int:
    """Count a good many lids and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lids", type=int, default=200)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    came, spent = Counter[str](), 0.0
    for seed in range(args.lids):
        pixels, truth, stone = drawn_lid(seed)
        started = time.perf_counter()
        reading = read_lid(pixels, truth.box, stone)
        spent += time.perf_counter() - started
        right = (reading.black, reading.white) == (truth.black, truth.white)
        kind = "overlapping" if truth.overlap else "apart"
        came[f"{kind}, {'sure' if reading.sure else 'unsure'} and {'right' if right else 'wrong'}"] += 1
        inside = reading.black_range[0] <= truth.black <= reading.black_range[1]
        inside = inside and reading.white_range[0] <= truth.white <= reading.white_range[1]
        came["range holds the truth"] += inside
    for name, count in sorted(came.items()):
        print(f"{name}: {count}")
    print(f"{spent / args.lids * 1000:.1f} ms a lid")
    return 0


if __name__ == "__main__":
    sys.exit(main())
