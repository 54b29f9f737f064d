"""Drawn tables with exact truth: woods, stones, lamps and cameras that no photograph here shows."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
import numpy.typing as npt

from vision.rectify import crops
from vision.render.scene import Look, Scene
from vision.render.table import Table
from vision.stones import SPAN
from vision.training.crops import SYMBOLS, WIDE_SIDE, WIDER, Board

RENDERED = "rendered"
TABLES = 240
SIZES = (9, 13, 19, 19, 19)
PIXELS = ((1000, 750), (1600, 1200))
"""Widths and heights of the pictures."""
ALIKE = 0.85
"""The share of stones in the territory of their own colour."""


def rendered_boards(seed: int) -> Iterator[Board]:
    """TABLES drawn boards, cut into wide crops; the same seed draws the same ones."""
    for number in range(TABLES):
        chance = np.random.default_rng([seed, number])
        size = SIZES[number % len(SIZES)]
        table = Table(Look.random(chance, size, *PIXELS[number % len(PIXELS)]))
        kinds = position(chance, size)
        rows = tuple("".join(SYMBOLS[kind] for kind in row) for row in kinds)
        picture = table.draw(Scene(rows))
        pixels = np.asarray(picture.pixels, np.uint8)
        yield Board(RENDERED, crops(pixels, picture.truth.grid, WIDE_SIDE, SPAN * WIDER), kinds.ravel())


def position(chance: np.random.Generator, size: int) -> npt.NDArray[np.int64]:
    """Contents of a board (size, size) anywhere from empty to full, the colours mostly in groups."""
    land = cv2.GaussianBlur(chance.standard_normal((size, size)), (0, 0), 1.2) > 0
    own = chance.random((size, size)) < ALIKE
    stones = np.where(land == own, 1, 2)
    return np.where(chance.random((size, size)) < chance.uniform(0, 0.85), stones, 0)
