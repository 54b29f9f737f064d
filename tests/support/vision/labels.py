"""Positions labelled for this project (tests/labels/boards.json): facts about photographs that lie elsewhere.

Each label is keyed by the SHA-256 of its picture's file, so that a label never meets another picture of the same name.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from tests.support import ROOT
from tests.support.shared import photos
from tests.support.wanting import SHARED, wanting
from vision.calibration.model import Grid

FILE = ROOT / "tests" / "labels" / "boards.json"
STONES = "XO"
HIDDEN, UNKNOWN = "?", "~"
LEFT_OUT = HIDDEN + UNKNOWN
"""Points under a hand or an object, and points that a person cannot tell: not measured."""
LIGHTS = ("white", "tinted", "dim", "glare")


@dataclass(frozen=True, eq=False)
class BoardLabel:
    """One labelled picture. corners: clockwise from the one with the smallest x + y, shape (4, 2), in pixels; rows run
    from there. light: one of LIGHTS. stones: those that can be seen."""

    sha256: str
    source: str
    photo: str
    size: int
    corners: np.ndarray
    rows: tuple[str, ...]
    light: str
    stones: int

    def grid(self) -> Grid:
        """The board where the label says it lies."""
        return Grid(self.size, tuple((float(x), float(y)) for x, y in self.corners))

    def picture(self) -> Path:
        """The picture's file; skips the test where it is not in ../shared/photos."""
        folder = photos(self.source) / "images"
        if self.sha256 not in _hashes(folder):
            wanting(SHARED, f"no picture {self.photo} of {self.source}, or it is another file")
        return _hashes(folder)[self.sha256]


def board_labels(source: str | None = None) -> Iterator[BoardLabel]:
    """Our labels, all or those of one source, in the file's order."""
    for sha256, entry in json.loads(FILE.read_text(encoding="utf-8")).items():
        if source in (None, entry["source"]):
            rows, corners = tuple(entry["rows"]), np.array(entry["corners"], float)
            facts = {key: entry[key] for key in ("source", "photo", "size", "light", "stones")}
            yield BoardLabel(sha256, corners=corners, rows=rows, **facts)


@cache
def corrections() -> dict[str, dict[str, object]]:
    """Corners of ours for photographs whose own label is plainly wrong, by the SHA-256 of the picture's file."""
    corrections: dict[str, dict[str, object]] = json.loads(
        (FILE.parent / "corrections.json").read_text(encoding="utf-8")
    )
    return corrections


@cache
def _hashes(folder: Path) -> dict[str, Path]:
    return {hashlib.sha256(path.read_bytes()).hexdigest(): path for path in sorted(folder.iterdir())}
