"""The accuracy of a net on photographs with known positions and corners."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.calibration.model import Grid
from vision.camera.frame import Image
from vision.stones.reader import CONTENTS, DOUBTFUL_BELOW, StoneReader
from vision.training.photos import Photo, labelled_photos

JITTER = 0.1
"""Distance by which each corner is moved in the second measurement, in cells."""
LAMPS = {
    "yellow": (0.15, 0.75, 1.0),
    "blue": (1.0, 0.35, 0.2),
    "red": (0.15, 0.2, 1.0),
    "green": (0.25, 1.0, 0.3),
    "dim": (0.15, 0.15, 0.15),
    "too bright": (2.0, 2.0, 2.0),
}
"""Lamps simulated over photographs taken in white light: the remaining shares of blue, green and red."""
GAMMA = 2.2
"""Exponent of the tone curve that pictures are assumed to have."""


@dataclass(frozen=True)
class Score:
    """Counts over photographs.

    points: points read.
    wrong: points read wrong.
    unlisted: points read wrong and not doubtful, the worst kind of error.
    doubtful: points listed as doubtful.
    boards: boards read.
    whole: boards without a wrong point.
    """

    points: int
    wrong: int
    unlisted: int
    doubtful: int
    boards: int
    whole: int

    def __add__(self, other: Score) -> Score:
        return Score(*(getattr(self, name) + getattr(other, name) for name in self.__dataclass_fields__))

    def __str__(self) -> str:
        right = 100 * (1 - self.wrong / self.points)
        return (
            f"{right:6.2f}% of {self.points} points right, {self.wrong} wrong ({self.unlisted} not listed), "
            f"{100 * self.doubtful / self.points:.1f}% doubtful, {self.whole} of {self.boards} boards whole"
        )


def score_board(
    probabilities: npt.NDArray[np.float32], kinds: npt.NDArray[np.int64], below: float = DOUBTFUL_BELOW
) -> Score:
    """Compare one board's reading (n, 3) with its labels (n,)."""
    wrong = probabilities.argmax(axis=1) != kinds
    doubtful = probabilities.max(axis=1) < below
    counts = (len(kinds), wrong.sum(), (wrong & ~doubtful).sum(), doubtful.sum(), 1, not wrong.any())
    return Score(*map(int, counts))


def score_photos(
    reader: StoneReader, photos: Iterable[Photo], jitter: float = 0.0, lamps: Sequence[str | None] = (None,)
) -> Score:
    """Score all photographs of one source.

    reader: the reader to measure.
    photos: the photographs.
    jitter: distance by which each corner is moved, in cells, in a seeded direction.
    lamps: lamps of LAMPS under which each is read, None for its own light.
    """
    chance = np.random.default_rng(0)
    total = Score(0, 0, 0, 0, 0, 0)
    for photo in photos:
        pixels, grid = photo.read_pixels(), jitter_corners(photo.grid, jitter, chance)
        for lamp in lamps:
            read = reader.read(pixels if lamp is None else relight_pixels(pixels, lamp), grid).reshape(-1, CONTENTS)
            total += score_board(read[photo.labelled_points], photo.kinds[photo.labelled_points])
    return total


def relight_pixels(pixels: Image, lamp: str) -> Image:
    """Return pixels as they might look under one of LAMPS."""
    steps = (np.arange(256) / 255) ** GAMMA
    curves = np.stack([np.clip(steps * share, 0, 1) ** (1 / GAMMA) * 255 for share in LAMPS[lamp]], axis=-1)
    return np.asarray(cv2.LUT(pixels, curves.astype(np.uint8)[None]), np.uint8)


def jitter_corners(grid: Grid, cells: float, chance: np.random.Generator) -> Grid:
    """Return the grid with every corner moved by `cells` cells, each in its own direction."""
    angles = chance.uniform(0, 2 * np.pi, 4)
    moves = grid.cell() * cells * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    corners = tuple((x + dx, y + dy) for (x, y), (dx, dy) in zip(grid.corners, moves.tolist(), strict=True))
    return Grid(grid.size, corners, grid.curvature, grid.centre, grid.half_diagonal)


def report_accuracy(folder: Path, model: Path | None, sources: Sequence[str]) -> None:
    """Print three lines a source: corners as labelled, corners moved, and half as far under every lamp."""
    reader = StoneReader(model)
    for source in sources:
        photos = list(labelled_photos(folder, source))
        print(f"{source:18} corners as labelled: {score_photos(reader, photos)}")
        print(f"{source:18} corners off by {JITTER}: {score_photos(reader, photos, JITTER)}")
        print(f"{source:18} in coloured light:   {score_photos(reader, photos, JITTER / 2, tuple(LAMPS))}", flush=True)
