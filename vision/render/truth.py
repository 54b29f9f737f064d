"""A picture and what is truly in it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.calibration import Box, Grid
from vision.render.view import Pixels


@dataclass(frozen=True)
class LidTruth:
    """One lid: its box in pixels, the prisoners of each colour in it, and whether some lie upon others."""

    box: Box
    black: int
    white: int
    overlap: bool


@dataclass(frozen=True)
class Truth:
    """The board's grid in pixels, its stones (X, O, '.'), both lids and the points a hand covers, (size, size).

    offsets: how far each stone lies to the right of its point and down from it, in cells, (size, size, 2), NaN where
    none lies.
    """

    grid: Grid
    rows: tuple[str, ...]
    lids: tuple[LidTruth, LidTruth]
    hidden: npt.NDArray[np.bool_]
    offsets: npt.NDArray[np.float64]


@dataclass(frozen=True)
class Picture:
    """pixels: (height, width, 3), blue, green, red; truth: what they show."""

    pixels: Pixels
    truth: Truth
