"""Labelled photographs for training or measurement."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from vision.calibration.model import Grid
from vision.camera.frame import Image, read_image
from vision.stones.reader import CONTENTS, HIDDEN

LABELLED = ("club-games", "tagged-board", "phone-photos", "phone-photos-2")
"""Sources with positions whose licences allow training."""
CORNERED = "board-corners"
"""A source that came with corners alone; its positions are ours (tests/labels)."""
MEASURED = ("fixed-camera-13x13", "angles-13x13", "dense-endgames")
"""Sources for measurement only: their licences do not allow training."""
OURS = Path("tests/labels/boards.json")
"""Our labels, by the SHA-256 of the picture's file."""
UNKNOWN = -1
"""Kind of a point without a label."""
SYMBOLS = ".XO?"
"""Symbols of empty, black, white and hidden in a label's rows."""

Kinds = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Photo:
    """A labelled photograph.

    source: name of its source.
    name: its name within the source.
    path: its file.
    grid: the board's grid, in pixels.
    kinds: shape (size * size,), 0 empty, 1 black, 2 white, HIDDEN, or UNKNOWN if not labelled.
    """

    source: str
    name: str
    path: Path
    grid: Grid
    kinds: Kinds

    def read_pixels(self) -> Image:
        """Read the picture."""
        return read_image(self.path)

    @property
    def labelled_points(self) -> npt.NDArray[np.bool_]:
        """Return a mask of the points that are visible and labelled."""
        return (self.kinds >= 0) & (self.kinds < CONTENTS)


def labelled_photos(folder: Path, source: str) -> Iterator[Photo]:
    """Yield the labelled photographs of one source: with its own positions, else with our labels."""
    for path in sorted((folder / source / "labels").glob("*.json")):
        label = json.loads(path.read_text(encoding="utf-8"))
        if label["rows"] is not None:
            yield _parse_photo(source, path.stem, folder / source / label["image"], label)
    yield from _find_own_photos(folder, source)


def _find_own_photos(folder: Path, source: str) -> Iterator[Photo]:
    """Yield the photographs that we labelled, found by the hash of their file."""
    labels = {key: label for key, label in json.loads(OURS.read_text("utf-8")).items() if label["source"] == source}
    for path in sorted((folder / source / "images").iterdir()) if labels else ():
        label = labels.get(hashlib.sha256(path.read_bytes()).hexdigest())
        if label is not None:
            yield _parse_photo(source, label["photo"], path, label)


def _parse_photo(source: str, name: str, path: Path, label: dict[str, Any]) -> Photo:
    kinds = np.array([SYMBOLS.find(symbol) for symbol in "".join(label["rows"])])
    corners = tuple((float(x), float(y)) for x, y in label["corners"])
    assert SYMBOLS[HIDDEN] == "?"
    return Photo(source, name, path, Grid(label["size"], corners), kinds)
