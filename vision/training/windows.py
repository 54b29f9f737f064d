"""Boards to learn from, each from above with what lies round it, and more of that than the net sees."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from vision.calibration import Grid
from vision.frame import Image
from vision.stones import CELLS, rectified
from vision.training.photos import UNKNOWN, Kinds, photos_of

CELL = 20
"""Pixels of a cell."""
ROOM = 24
"""Cells across and down: three more than the net sees, so that shifts and turns stay inside."""


@dataclass(frozen=True, eq=False)
class BoardWindow:
    """A board seen from above, its middle in the picture's middle.

    pixels: shape (ROOM * CELL, ROOM * CELL, 3). kinds: shape (CELLS, CELLS), UNKNOWN beside the board.
    """

    source: str
    pixels: Image
    kinds: Kinds


def window(source: str, image: Image, grid: Grid, kinds: Kinds) -> BoardWindow:
    """The board of a picture; kinds: what lies on its points, shape (size * size,). Sizes are odd."""
    side = ROOM * CELL
    pixels = rectified(image, grid, CELL, (ROOM - grid.size + 1) / 2)[:side, :side]
    padded, first = np.full((CELLS, CELLS), UNKNOWN), (CELLS - grid.size) // 2
    padded[first : first + grid.size, first : first + grid.size] = kinds.reshape(grid.size, grid.size)
    return BoardWindow(source, np.ascontiguousarray(pixels), padded)


def kept(path: Path, make: Callable[[], Iterable[BoardWindow]]) -> list[BoardWindow]:
    """The boards of a file; where there is none they are made, and kept in it."""
    if not path.exists():
        made = list(make())
        path.parent.mkdir(parents=True, exist_ok=True)
        parts = {name: np.stack([getattr(window, name) for window in made]) for name in ("source", "pixels", "kinds")}
        np.savez(path, allow_pickle=False, **parts)
    with np.load(path) as parts:
        rows = zip(parts["source"], parts["pixels"], parts["kinds"], strict=True)
        return [BoardWindow(str(source), pixels, kinds) for source, pixels, kinds in rows]


def windows_of(folder: Path, source: str) -> Iterator[BoardWindow]:
    """Every labelled photograph of one source."""
    for photo in photos_of(folder, source):
        yield window(source, photo.pixels(), photo.grid, photo.kinds)
