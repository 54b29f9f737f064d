"""Are the lids found beside a board, and nothing else?

    python -m tests.benchmarks.beside [--first 50000] [--many 150]

Drawn tables of any look, the lids with up to nine prisoners each, bowls, plates and paper beside them; some lids lie
partly or wholly beyond the picture. Lids that the picture holds whole are told apart from those of which it shows
more than half. A lid is found when its box and the true one have two fifths of both together in common. Tables whose
board is not found do not count.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter

import numpy as np

from tests.benchmarks.traced import OVERLAP, shared
from tests.benchmarks.ways import Way, numbers, run
from vision.board.detect import find_board
from vision.calibration.model import Box
from vision.lids.count import find_lids
from vision.render.scene import LidStone, Scene
from vision.render.table import Table
from vision.training.drawn_lids import random_lid
from vision.training.drawn_looks import random_look

WIDTH, HEIGHT = 1280, 720
SIZES = (9, 13, 19)
PRISONERS = (0, 1, 2, 3, 4, 6, 9)
"""In a lid, each number as often."""
WHOLE, HALF = 0.999, 0.5
"""So much of a lid's box lies in the picture."""


def main() -> int:
    """Look for the lids, and print how many were found."""
    return run(__doc__, WAYS, first=50_000)


def find_in_drawn(args: argparse.Namespace) -> int:
    """Draw the tables and look for their lids."""
    counts = Counter[str]()
    for seed in numbers(args):
        counts += _count_beside(seed)
    for kind in ("whole", "cut off"):
        print(f"{kind}: {counts[f'{kind}, found']} of {counts[kind]} found")
    print(f"boxes of something else: {counts['else']}")
    return 0


def _count_beside(seed: int) -> Counter[str]:
    """Count what is found beside the board of one table."""
    size, rng = SIZES[seed % 3], np.random.default_rng([seed, 77])
    look = random_look(rng, size, WIDTH, HEIGHT)
    marks = rng.choice([".", "X", "O"], (size, size), p=[0.6, 0.2, 0.2])
    many = [int(rng.choice(PRISONERS)) for _ in range(2)]
    lids: tuple[tuple[LidStone, ...], ...] = tuple(random_lid(rng, one // 2, one - one // 2) for one in many)
    scene = Scene(tuple("".join(row) for row in marks), (lids[0], lids[1]))
    image = np.asarray(Table(look).draw(scene, seed).pixels, np.uint8)
    grid = find_board(image)
    if grid is None:
        return Counter()
    return _count_boxes(find_lids(image, grid), [Table.lid_box(look, lid) for lid in (0, 1)])


def _count_boxes(boxes: tuple[Box, ...], true: list[Box]) -> Counter[str]:
    counts = Counter({"else": sum(all(shared(box, lid) <= OVERLAP for lid in true) for box in boxes)})
    for lid in true:
        kind = "whole" if _visible_share(lid) > WHOLE else "cut off" if _visible_share(lid) > HALF else None
        if kind is not None:
            counts[kind] += 1
            counts[f"{kind}, found"] += any(shared(box, lid) > OVERLAP for box in boxes)
    return counts


def _visible_share(lid: Box) -> float:
    """The share of a lid's box that lies in the picture."""
    wide = min(lid.x + lid.w, WIDTH) - max(lid.x, 0)
    high = min(lid.y + lid.h, HEIGHT) - max(lid.y, 0)
    return max(wide, 0.0) * max(high, 0.0) / (lid.w * lid.h)


WAYS: dict[str, Way] = {"drawn": (find_in_drawn, 150)}

if __name__ == "__main__":
    sys.exit(main())
