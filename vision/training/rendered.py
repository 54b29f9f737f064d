"""Drawn tables with exact truth: woods, stones, lamps, cameras and hands that no photograph here shows."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from vision.render.crops import random_board
from vision.stones import HIDDEN
from vision.training.photos import SYMBOLS
from vision.training.windows import Window, window

RENDERED = "rendered"
TABLES = 700


def rendered_windows(seed: int) -> Iterator[Window]:
    """TABLES drawn boards; the same seed draws the same ones."""
    for number in range(TABLES):
        picture = random_board(np.random.default_rng([seed, number]))
        kinds = np.array([SYMBOLS.index(symbol) for symbol in "".join(picture.truth.rows)])
        kinds[picture.truth.hidden.ravel()] = HIDDEN
        yield window(RENDERED, np.asarray(picture.pixels, np.uint8), picture.truth.grid, kinds)
