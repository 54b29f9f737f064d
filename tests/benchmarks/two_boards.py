"""Two boards in one picture: is the one that is meant taken, and is it said that there are two?

    python -m tests.benchmarks.two_boards [--first 84000] [--many 12]

Labelled photographs of permissive licences, two of them in one picture: side by side, as large (equal) or the second 40
to 70% as large (smaller); in a wide picture the second 20 to 38% as large near the middle (small); as small and laid
over a corner of the first board's wood (inset). The first is meant but where both are equal. Each is looked for as
`look`, `calibrate` and the box do at their first look, and as the box does in play.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from tests.benchmarks.ways import Way, numbers, run
from tests.support.vision.photographs import OURS, Label, is_found, labels
from vision.board.markers import BoardDetection
from vision.board.select_board import find_again, find_first
from vision.camera.frame import Image, read_image

SOURCES = ("club-games", "phone-photos", "phone-photos-2", "tagged-board", OURS + "board-corners")
RATIOS = {"equal": (0.9, 1.1), "smaller": (0.4, 0.7), "small": (0.2, 0.38), "inset": (0.2, 0.32)}
"""The second board's side as a share of the first's."""
SIDES = (420, 640)
"""Pixels of the first board's side."""
FINDERS: dict[str, Callable[[Image], BoardDetection | None]] = {"first look": find_first, "in play": find_again}

Floats = npt.NDArray[np.float64]


class Part:
    """A photographed board, its side of so many pixels, with so much around it (in sides)."""

    def __init__(self, label: Label, side: float, around: float) -> None:
        image, corners = read_image(label.image), np.asarray(label.corners, np.float64)
        scale = side / float(np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1).mean())
        method = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        image = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=method), np.uint8)
        corners = (corners + 0.5) * scale - 0.5
        low = np.maximum(corners.min(axis=0) - around * side, 0).astype(int)
        high = np.minimum(corners.max(axis=0) + around * side, image.shape[1::-1]).astype(int)
        self.label, self.corners = label, corners - low
        self.pixels = image[low[1] : high[1], low[0] : high[0]]

    def lay(self, picture: Image, x: int, y: int) -> Label:
        """Lay the part into a picture, and return the board's label there."""
        high, wide = self.pixels.shape[:2]
        picture[y : y + high, x : x + wide] = self.pixels
        corners = self.corners + np.array([x, y])
        first = int(corners.sum(axis=1).argmin())
        return Label(self.label.image, self.label.size, np.roll(corners, -first, axis=0), self.label.rows)


@cache
def _labels(source: str) -> tuple[Label, ...]:
    return tuple(labels(source))


def composed(kind: str, seed: int) -> tuple[Image, tuple[Label, Label]]:
    """A picture of two boards, the first of which is meant."""
    rng = np.random.default_rng([seed, list(RATIOS).index(kind)])
    pools = [_labels(SOURCES[rng.integers(len(SOURCES))]) for _ in range(2)]
    side = rng.uniform(*SIDES)
    first, second = (pool[rng.integers(len(pool))] for pool in pools)
    one = Part(first, side, rng.uniform(0.12, 0.3))
    two = Part(second, side * rng.uniform(*RATIOS[kind]), rng.uniform(0.08, 0.15))
    (high, wide), (small_high, small_wide) = one.pixels.shape[:2], two.pixels.shape[:2]
    if kind == "inset":
        picture = np.full((high + 2 * small_high, wide + 2 * small_wide, 3), 110, np.uint8)
        own = one.lay(picture, small_wide, small_high)
        corner = np.array(own.corners[rng.integers(4)])
        x, y = np.where(
            corner < own.corners.mean(axis=0), corner - 0.8 * np.array([small_wide, small_high]), corner - 8
        )
        return picture, (own, two.lay(picture, int(x), int(y)))
    room = 0 if kind != "small" else int(side * rng.uniform(0.8, 1.4))
    picture = np.full((max(high, small_high), wide + small_wide + room + 40, 3), rng.integers(40, 160), np.uint8)
    at = [0, wide + 20 + int(rng.uniform(0, 0.5) * room)]
    tops = [int(rng.integers(0, picture.shape[0] - part.pixels.shape[0] + 1)) for part in (one, two)]
    both = (one.lay(picture, at[0], tops[0]), two.lay(picture, at[1], tops[1]))
    return picture, both


def said_of(place: BoardDetection | None, boards: tuple[Label, Label]) -> str:
    """Describe which board was taken, and what was said of two."""
    if place is None:
        return "none"
    named = zip(("first", "second"), boards, strict=True)
    board_name = next((name for name, board in named if is_found(place.grid, board)), "neither")
    return f"{board_name}, {'asked' if not place.meant else 'told' if place.notes else 'nothing said'}"


def composed_pictures(args: argparse.Namespace) -> int:
    """Look at all of them, and print what was taken and said."""
    for kind in RATIOS:
        counts = {name: Counter[str]() for name in FINDERS}
        for seed in numbers(args):
            picture, boards = composed(kind, seed)
            for name, find in FINDERS.items():
                counts[name][said_of(find(picture), boards)] += 1
        for name, became in counts.items():
            print(f"{kind}, {name}: {dict(became.most_common())}", flush=True)
    return 0


WAYS: dict[str, Way] = {"composed": (composed_pictures, 12)}

if __name__ == "__main__":
    cv2.setNumThreads(1)
    sys.exit(run(__doc__, WAYS, first=84_000))
