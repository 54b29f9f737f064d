"""Where lines cross on a board seen roughly from above: a small net sees them under stones and in glare too."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.calibration import UNIT_SQUARE, mean_side, transformed
from vision.frame import Image

# What the net was trained with (vision/training/crossings.py, views.py).
SIDE = 256
"""The net sees a square of that many pixels, the supposed board in its middle ..."""
FROM, TO = 32, 224
"""... between these."""
STEP = 2
"""Pixels of the square to a place of the answer's map."""
SPREAD = 0.5
"""The standard deviation of a box's values, as a share of its width."""
GREY = (128, 128, 128)
"""What lies outside the picture."""
MODEL = Path(__file__).parents[1] / "models" / "crossings.onnx"
"""The shipped net; vision/models/crossings.md tells how it was made."""
SEEN = 0.3
"""A crossing is seen where the map is at least this high (chosen by hand)."""

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Crossings:
    """What the net saw. heat, board: the maps of crossings and of a board, 0 to 1. peaks: where the crossings' is
    highest, in places (x, y), shape (n, 2). matrix: pixels of the picture to places, 3x3."""

    heat: npt.NDArray[np.float32]
    board: npt.NDArray[np.float32]
    peaks: Floats
    matrix: Floats

    def pixels(self, places: Floats) -> Floats:
        """Places of the map, shape (..., 2), in pixels of the picture."""
        return transformed(places, np.asarray(np.linalg.inv(self.matrix), np.float64))

    def places(self, pixels: Floats) -> Floats:
        """Pixels of the picture, shape (..., 2), in places of the map."""
        return transformed(pixels, self.matrix)

    def probabilities(self, places: Floats) -> Floats:
        """The highest probability of a crossing within a place of each, shape (..., 2); nan beyond the map."""
        return _read(np.asarray(cv2.dilate(self.heat, np.ones((3, 3), np.uint8)), np.float32), places)

    def boards(self, places: Floats) -> Floats:
        """The probability that a board lies at each place, shape (..., 2); nan beyond the map."""
        return _read(self.board, places)


def crossings(image: Image, corners: Floats) -> Crossings:
    """The crossings near a quadrangle, shape (4, 2), in pixels: the supposed outermost lines of a board."""
    near, to_near = _near(image, corners)
    square = np.array([[FROM, FROM], [TO, FROM], [TO, TO], [FROM, TO]], np.float32)
    matrix = np.asarray(cv2.getPerspectiveTransform(corners.astype(np.float32), square), np.float64)
    seen = cv2.warpPerspective(
        near, matrix @ np.linalg.inv(to_near), (SIDE, SIDE), flags=cv2.INTER_LINEAR, borderValue=GREY
    )
    net = _net()
    net.setInput(cv2.dnn.blobFromImage(seen, 1 / 127.5, (SIDE, SIDE), (127.5, 127.5, 127.5)))
    heat, board = np.asarray(net.forward()[0], np.float32)
    to_places = np.diag([1 / STEP, 1 / STEP, 1.0])
    to_places[:2, 2] = 0.5 / STEP - 0.5
    return Crossings(heat, board, _peaks(heat), to_places @ matrix)


def _read(values: npt.NDArray[np.float32], places: Floats) -> Floats:
    maps = np.clip(places, -9.0, 9999.0).astype(np.float32)
    found = cv2.remap(values, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderValue=0.0)
    on = ((places > -0.5) & (places < np.array(values.shape[::-1]) - 0.5)).all(axis=-1)
    return np.where(on, np.asarray(found, np.float64), np.nan)


def _near(image: Image, corners: Floats) -> tuple[Image, Floats]:
    """The picture hardly finer than the square, averaged rather than sampled, for thin lines must not be lost; and the
    matrix from the picture's pixels to its own, 3x3."""
    times = mean_side(corners) / (TO - FROM) / 1.25
    if times < 1.1:
        return image, np.eye(3)
    whole = int(times)
    wide, high = _reach(corners, 3 * times)
    part = image[:high, :wide]
    if whole > 1:
        part = np.asarray(cv2.resize(part, None, fx=1 / whole, fy=1 / whole, interpolation=cv2.INTER_AREA), np.uint8)
    spread = float(np.sqrt((SPREAD * times) ** 2 - whole**2 / 12)) / whole
    softened = cv2.GaussianBlur(part, (3, 3), spread)
    off = 0.5 / whole - 0.5
    return np.asarray(softened, np.uint8), np.array([[1 / whole, 0, off], [0, 1 / whole, off], [0, 0, 1]])


def _reach(corners: Floats, room: float) -> tuple[int | None, int | None]:
    """How far to the right and down in the picture the square shows it, in pixels, and so much room; None where it
    shows the horizon. What lies before is no less for it, for pixels are averaged from the picture's first on."""
    matrix = cv2.getPerspectiveTransform(UNIT_SQUARE.astype(np.float32), corners.astype(np.float32))
    ends = transformed((UNIT_SQUARE * SIDE - FROM) / (TO - FROM), np.asarray(matrix, np.float64))
    if not cv2.isContourConvex(ends.astype(np.float32).reshape(-1, 1, 2)):
        return None, None
    right, down = np.maximum(ends.max(axis=0), 0.0) + room
    return int(right) + 1, int(down) + 1


def _peaks(heat: npt.NDArray[np.float32]) -> Floats:
    highest = cv2.dilate(heat, np.ones((3, 3), np.uint8))
    y, x = np.nonzero((heat >= highest) & (heat > SEEN))
    inner = (x > 0) & (y > 0) & (x < heat.shape[1] - 1) & (y < heat.shape[0] - 1)
    x, y = x[inner], y[inner]
    steps = np.arange(-1, 2)
    around = heat[y[:, None, None] + steps[:, None], x[:, None, None] + steps].astype(np.float64)
    total = around.sum(axis=(1, 2))
    across, down = (around * steps).sum(axis=(1, 2)) / total, (around * steps[:, None]).sum(axis=(1, 2)) / total
    return np.column_stack([x + across, y + down])


@cache
def _net() -> cv2.dnn.Net:
    return cv2.dnn.readNetFromONNX(str(MODEL))
