"""Detection of line crossings on a board seen roughly from above, by a small net that also sees them under stones and
in glare.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.calibration.model import UNIT_SQUARE, mean_side, transform_points
from vision.camera.frame import Image
from vision.network import Network, load_network

# The net's training settings (vision/training/crossings.py, views.py).
SIDE = 256
"""The side of the net's square input, in pixels."""
FROM, TO = 32, 224
"""The range of that square taken up by the supposed board."""
STEP = 2
"""Input pixels per place of the output map."""
SPREAD = 0.5
"""The standard deviation of a box's values, as a share of its width."""
GREY = (128, 128, 128)
"""The fill colour outside the picture."""
MODEL = Path(__file__).parents[1] / "models" / "crossings.onnx"
"""The shipped net; vision/models/crossings.md describes its training."""
MIDDLE = (0.4, 0.6)
"""The range of the map's middle, as shares of its side."""
LEAST_HEAT = 0.3
"""The map value from which a crossing is detected (chosen by hand)."""

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Crossings:
    """The net's output for one view.

    `heat`, `board`: the maps of crossings and of a board, 0 to 1.
    `peaks`: the maxima of `heat`, in places (x, y), shape (n, 2).
    `matrix`: the homography from pixels of the picture to places, 3x3.
    """

    heat: npt.NDArray[np.float32]
    board: npt.NDArray[np.float32]
    peaks: Floats
    matrix: Floats

    def to_pixels(self, places: Floats) -> Floats:
        """Return places of the map, shape (..., 2), in pixels of the picture."""
        return transform_points(places, np.asarray(np.linalg.inv(self.matrix), np.float64))

    def to_places(self, pixels: Floats) -> Floats:
        """Return pixels of the picture, shape (..., 2), in places of the map."""
        return transform_points(pixels, self.matrix)

    def probabilities_near(self, places: Floats) -> Floats:
        """Return the highest probability of a crossing near each place, shape (..., 2); nan beyond the map."""
        return _look_up(np.asarray(cv2.dilate(self.heat, np.ones((3, 3), np.uint8)), np.float32), places)

    def board_probabilities(self, places: Floats) -> Floats:
        """Return the probability of a board at each place, shape (..., 2); nan beyond the map."""
        return _look_up(self.board, places)

    def board_in_middle(self) -> float:
        """Return the mean probability of a board in the middle fifth of the view."""
        low, high = (int(share * len(self.board)) for share in MIDDLE)
        return float(self.board[low:high, low:high].mean())


def find_crossings(image: Image, corners: Floats) -> Crossings:
    """Return the crossings near a quadrangle, shape (4, 2), in pixels: the supposed outermost lines of a board."""
    reduced, to_reduced = _reduce_picture(image, corners)
    square = np.array([[FROM, FROM], [TO, FROM], [TO, TO], [FROM, TO]], np.float32)
    matrix = np.asarray(cv2.getPerspectiveTransform(corners.astype(np.float32), square), np.float64)
    view = cv2.warpPerspective(
        reduced, matrix @ np.linalg.inv(to_reduced), (SIDE, SIDE), flags=cv2.INTER_LINEAR, borderValue=GREY
    )
    blob = cv2.dnn.blobFromImage(view, 1 / 127.5, (SIDE, SIDE), (127.5, 127.5, 127.5))
    (maps,) = _load_net().compute_outputs(np.asarray(blob, np.float32), ("maps",))
    heat, board = maps[0]
    to_places = np.diag([1 / STEP, 1 / STEP, 1.0])
    to_places[:2, 2] = 0.5 / STEP - 0.5
    return Crossings(heat, board, _find_peaks(heat), to_places @ matrix)


def turned_crossings(image: Image, corners: Floats) -> Crossings:
    """Return the crossings as `find_crossings` does, seen in all four quarter turns: the mean of what those views show.

    The net was not made to see alike whichever way the light falls; where stones hide the lines that matters.
    """
    views = [find_crossings(image, np.roll(corners, turn, axis=0)) for turn in range(4)]
    first = views[0]
    pixels = first.to_pixels(np.stack(np.meshgrid(*map(np.arange, first.heat.shape[::-1])), axis=-1).astype(np.float64))
    view_places = [view.to_places(pixels) for view in views]
    heat, board = (
        np.mean(
            [_sample_map(getattr(view, plane), places) for view, places in zip(views, view_places, strict=True)], axis=0
        )
        for plane in ("heat", "board")
    )
    return Crossings(heat, board, _find_peaks(heat), first.matrix)


def _sample_map(values: npt.NDArray[np.float32], places: Floats) -> npt.NDArray[np.float32]:
    maps = places.astype(np.float32)
    return np.asarray(cv2.remap(values, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))


def _look_up(values: npt.NDArray[np.float32], places: Floats) -> Floats:
    maps = np.clip(places, -9.0, 9999.0).astype(np.float32)
    samples = cv2.remap(values, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderValue=0.0)
    is_inside = ((places > -0.5) & (places < np.array(values.shape[::-1]) - 0.5)).all(axis=-1)
    return np.where(is_inside, np.asarray(samples, np.float64), np.nan)


def _reduce_picture(image: Image, corners: Floats) -> tuple[Image, Floats]:
    """Return the picture reduced to about the square's resolution, and the 3x3 matrix from the original's pixels.

    It is averaged rather than sampled, because thin lines must not be lost.
    """
    times = mean_side(corners) / (TO - FROM) / 1.25
    if times < 1.1:
        return image, np.eye(3)
    factor = int(times)
    wide, high = _visible_extent(corners, 3 * times)
    part = image[:high, :wide]
    if factor > 1:
        part = np.asarray(cv2.resize(part, None, fx=1 / factor, fy=1 / factor, interpolation=cv2.INTER_AREA), np.uint8)
    spread = float(np.sqrt((SPREAD * times) ** 2 - factor**2 / 12)) / factor
    softened = cv2.GaussianBlur(part, (3, 3), spread)
    offset = 0.5 / factor - 0.5
    return np.asarray(softened, np.uint8), np.array([[1 / factor, 0, offset], [0, 1 / factor, offset], [0, 0, 1]])


def _visible_extent(corners: Floats, room: float) -> tuple[int | None, int | None]:
    """Return the right and lower end, in pixels, of the picture area that the square shows, with `room`.

    Returns None for both if the square shows the horizon. The area always starts at the picture's first pixel, because
    pixels are averaged from there on.
    """
    matrix = cv2.getPerspectiveTransform(UNIT_SQUARE.astype(np.float32), corners.astype(np.float32))
    ends = transform_points((UNIT_SQUARE * SIDE - FROM) / (TO - FROM), np.asarray(matrix, np.float64))
    if not cv2.isContourConvex(ends.astype(np.float32).reshape(-1, 1, 2)):
        return None, None
    right, down = np.maximum(ends.max(axis=0), 0.0) + room
    return int(right) + 1, int(down) + 1


def _find_peaks(heat: npt.NDArray[np.float32]) -> Floats:
    highest = cv2.dilate(heat, np.ones((3, 3), np.uint8))
    y, x = np.nonzero((heat >= highest) & (heat > LEAST_HEAT))
    inner = (x > 0) & (y > 0) & (x < heat.shape[1] - 1) & (y < heat.shape[0] - 1)
    x, y = x[inner], y[inner]
    steps = np.arange(-1, 2)
    patches = heat[y[:, None, None] + steps[:, None], x[:, None, None] + steps].astype(np.float64)
    total = patches.sum(axis=(1, 2))
    across, down = (patches * steps).sum(axis=(1, 2)) / total, (patches * steps[:, None]).sum(axis=(1, 2)) / total
    return np.column_stack([x + across, y + down])


@cache
def _load_net() -> Network:
    return load_network(MODEL)
