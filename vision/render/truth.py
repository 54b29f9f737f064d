"""A picture and its ground truth."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.calibration.model import Box, Grid
from vision.render.view import Pixels


@dataclass(frozen=True)
class LidTruth:
    """The ground truth of one lid.

    box: its bounding box, in pixels.
    black, white: number of prisoners of each colour in it.
    overlap: True if some lie upon others.
    """

    box: Box
    black: int
    white: int
    overlap: bool


@dataclass(frozen=True)
class Truth:
    """The ground truth of a picture.

    grid: the board's grid, in pixels.
    rows: the stones, rows of X, O and '.'.
    lids: both lids.
    hidden: the points that a hand covers, (size, size).
    offsets: each stone's offset to the right of its point and down from it, in cells, (size, size, 2), NaN for none.
    """

    grid: Grid
    rows: tuple[str, ...]
    lids: tuple[LidTruth, LidTruth]
    hidden: npt.NDArray[np.bool_]
    offsets: npt.NDArray[np.float64]


@dataclass(frozen=True)
class Picture:
    """A picture with its ground truth; pixels: (height, width, 3), blue, green, red."""

    pixels: Pixels
    truth: Truth
