"""Photographs with labels, cut into crops to learn from or to measure on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from vision.calibration import Grid
from vision.frame import Image, read_image
from vision.rectify import crops
from vision.stones import SIDE, SPAN

LABELLED = ("club-games", "tagged-board", "phone-photos", "phone-photos-2")
"""Sources with positions whose licences allow training."""
UNLABELLED = "board-corners"
"""A source with corners alone, three augmented versions a photo; a net trained on the others reads its positions."""
MEASURED = ("fixed-camera-13x13", "angles-13x13", "dense-endgames")
"""Sources that only measure: their licences do not allow training."""
WIDER = 1.5
"""Crops to learn from show this many times more, so that shifts and turns stay inside."""
WIDE_SIDE = round(SIDE * WIDER)
UNKNOWN = -1
SYMBOLS = ".XO"


@dataclass(frozen=True, eq=False)
class Photo:
    """A labelled photograph. kinds: shape (size * size,), 0 empty, 1 black, 2 white, UNKNOWN where nobody said."""

    source: str
    name: str
    path: Path
    grid: Grid
    kinds: npt.NDArray[np.int64]

    def pixels(self) -> Image:
        """The picture itself."""
        return read_image(self.path)


@dataclass(frozen=True, eq=False)
class Board:
    """The crops of one board, wider than the net's own: shape (size * size, WIDE_SIDE, WIDE_SIDE, 3)."""

    source: str
    wide: Image
    kinds: npt.NDArray[np.int64]


def photos_of(folder: Path, source: str) -> Iterator[Photo]:
    """The labelled photographs of one source, in order of name; those without positions only for UNLABELLED."""
    for path in sorted((folder / source / "labels").glob("*.json")):
        label = json.loads(path.read_text(encoding="utf-8"))
        if label["rows"] is not None or source == UNLABELLED:
            yield _photo(folder / source, source, path.stem, label)


def _photo(folder: Path, source: str, name: str, label: dict[str, Any]) -> Photo:
    size = label["size"]
    corners = tuple((float(x), float(y)) for x, y in label["corners"])
    kinds = np.full(size * size, UNKNOWN)
    if label["rows"] is not None:
        kinds = np.array([SYMBOLS.index(symbol) for symbol in "".join(label["rows"])])
    return Photo(source, name, folder / label["image"], Grid(size, corners), kinds)


def boards_of(folder: Path, source: str) -> list[Board]:
    """Every photograph of one source, cut into wide crops."""
    return [
        Board(source, crops(photo.pixels(), photo.grid, WIDE_SIDE, SPAN * WIDER), photo.kinds)
        for photo in photos_of(folder, source)
    ]
