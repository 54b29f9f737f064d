"""Boards for training, rectified, with more of their surroundings than the net sees."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from vision.calibration.model import Grid
from vision.camera.frame import Image
from vision.stones.reader import CELLS, rectify_board
from vision.training.photos import UNKNOWN, Kinds, labelled_photos

CELL = 20
"""Width of a cell in pixels."""
ROOM = 24
"""Cells across and down: three more than the net sees, so that shifts and turns stay inside."""
PARTS = ("source", "pixels", "kinds", "offsets")
"""Fields of a board in the file."""

Offsets = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class BoardWindow:
    """A board seen from above, its middle in the picture's middle.

    source: name of its source.
    pixels: shape (ROOM * CELL, ROOM * CELL, 3).
    kinds: shape (CELLS, CELLS), UNKNOWN beside the board.
    offsets: each stone's offset to the right of its point and down from it, in cells, shape (CELLS, CELLS, 2), NaN if
        there is no stone or its offset is not labelled.
    """

    source: str
    pixels: Image
    kinds: Kinds
    offsets: Offsets


def cut_window(source: str, image: Image, grid: Grid, kinds: Kinds, offsets: npt.ArrayLike = np.nan) -> BoardWindow:
    """Cut the board out of a picture.

    source: name of the source.
    image: the picture.
    grid: the board's grid; its size is odd.
    kinds: contents of its points, shape (size * size,).
    offsets: offsets of its stones, shape (size, size, 2).
    """
    side, first = ROOM * CELL, (CELLS - grid.size) // 2
    pixels = rectify_board(image, grid, CELL, (ROOM - grid.size + 1) / 2)[:side, :side]
    padded_kinds, padded_offsets = np.full((CELLS, CELLS), UNKNOWN), np.full((CELLS, CELLS, 2), np.nan, np.float32)
    board = slice(first, first + grid.size)
    padded_kinds[board, board] = kinds.reshape(grid.size, grid.size)
    padded_offsets[board, board] = offsets
    return BoardWindow(source, np.ascontiguousarray(pixels), padded_kinds, padded_offsets)


def load_or_make(path: Path, make: Callable[[], Iterable[BoardWindow]]) -> list[BoardWindow]:
    """Return the boards of a file; make and save them if there is none."""
    if not path.exists():
        windows = list(make())
        path.parent.mkdir(parents=True, exist_ok=True)
        parts = {name: np.stack([getattr(window, name) for window in windows]) for name in PARTS}
        np.savez(path, allow_pickle=False, **parts)
    with np.load(path) as parts:
        rows = zip(*(parts[name] for name in PARTS), strict=True)
        return [BoardWindow(str(source), pixels, kinds, offsets) for source, pixels, kinds, offsets in rows]


def photo_windows(folder: Path, source: str) -> Iterator[BoardWindow]:
    """Yield every labelled photograph of one source."""
    for photo in labelled_photos(folder, source):
        yield cut_window(source, photo.read_pixels(), photo.grid, photo.kinds)
