"""Pictures without a whole board, drawn and cut from photographs, and what is made of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tests.support.negatives import KINDS
from tests.support.negatives.camera import photographed
from tests.support.vision.photographs import wilson
from tests.support.vision.spoiled import Shot
from vision.board.detect import find_board
from vision.camera.frame import Image
from vision.stones.reader import default_reader
from vision.tracking.reading import MAX_DOUBTFUL_SHARE, Reading

FIRST = 20_000
"""The first seed: training uses small ones."""


@dataclass(frozen=True)
class Answer:
    """The answers on pictures: how many, those taken for a board, and those of them that were sure."""

    pictures: int = 0
    taken: int = 0
    sure: int = 0

    def __add__(self, other: Answer) -> Answer:
        return Answer(self.pictures + other.pictures, self.taken + other.taken, self.sure + other.sure)


def look(pixels: Image) -> Answer:
    """One picture."""
    grid = find_board(pixels)
    if grid is None:
        return Answer(1)
    doubtful = len(Reading(grid, default_reader().read(pixels, grid)).doubtful())
    return Answer(1, 1, int(doubtful <= MAX_DOUBTFUL_SHARE * grid.size**2))


def drawn(kind: str, number: int) -> Image:
    """The picture of that kind with that number."""
    rng = np.random.default_rng([FIRST + number, list(KINDS).index(kind)])
    return photographed(KINDS[kind](rng), rng)


def beside(taken: Shot) -> Image:
    """The largest upright part of the picture that holds none of the board's lines."""
    low = np.clip(np.floor(taken.corners.min(axis=0)).astype(int) - 2, 0, None)
    high = np.ceil(taken.corners.max(axis=0)).astype(int) + 2
    pixels = taken.pixels
    parts = (pixels[:, : low[0]], pixels[:, high[0] :], pixels[: low[1]], pixels[high[1] :])
    return max(parts, key=lambda part: min(part.shape[:2]))


def cut_off(taken: Shot, side: int, share: float) -> Image:
    """The picture with no more than that share of the board, cut off at one of its four sides."""
    low, high = taken.corners.min(axis=0), taken.corners.max(axis=0)
    x, y = (np.clip(low + share * (high - low), 0, None)).astype(int)
    u, v = (np.clip(high - share * (high - low), 0, None)).astype(int)
    pixels = taken.pixels
    return (pixels[:, :x], pixels[:y], pixels[:, u:], pixels[v:])[side]


def told(name: str, answer: Answer) -> str:
    """A line of the answer."""
    high = wilson(answer.taken, answer.pictures)[1]
    return f"{name:24} {answer.pictures:5} {answer.taken:6} taken {answer.sure:4} sure   (at most {high:.1%} taken)"
