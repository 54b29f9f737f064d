"""Where the board and the lids lie in the picture: found, or given by a person, and kept as JSON."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.errors import BadCalibration

MOST_CURVED = 0.5
"""A radial lens term beyond this is a mistake: the picture would fold over."""

Points = npt.NDArray[np.float64]
"""Image points in pixels, shape (..., 2), x to the right and y down."""

UNIT_SQUARE: Points = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
"""Its corners, clockwise from the origin: a board's in board coordinates."""


def clockwise(corners: Points) -> Points:
    """Corners of a quadrangle, shape (4, 2), clockwise from the one with the smallest x + y."""
    if cv2.contourArea(corners.astype(np.float32), oriented=True) < 0:
        corners = corners[::-1]
    return np.roll(corners, -int(np.argmin(corners.sum(axis=1))), axis=0)


def mean_side(corners: Points) -> float:
    """The mean length of a quadrangle's sides; corners: shape (4, 2)."""
    return float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean())


def transformed(points: Points, matrix: Points) -> Points:
    """Points, shape (..., 2), taken through a homography, shape (3, 3)."""
    if not points.size:
        return points
    return np.asarray(cv2.perspectiveTransform(points.reshape(-1, 1, 2), matrix), np.float64).reshape(points.shape)


@dataclass(frozen=True)
class Box:
    """An upright rectangle in image pixels: left, top, width, height."""

    x: float
    y: float
    w: float
    h: float

    @classmethod
    def around(cls, points: Points) -> Box:
        """The smallest that holds all these pixels, shape (n, 2)."""
        low, high = points.min(axis=0), points.max(axis=0)
        return cls(float(low[0]), float(low[1]), float(high[0] - low[0]), float(high[1] - low[1]))

    def middle(self) -> tuple[float, float]:
        """Its middle, in pixels."""
        return self.x + self.w / 2, self.y + self.h / 2


@dataclass(frozen=True)
class Grid:
    """A board in the picture.

    size: lines a side. corners: the outermost intersections (top left, top right, bottom right, bottom left as seen),
    clockwise, in pixels; the first is column A and the highest row. curvature: the radial lens term k1 with radii
    measured in half image diagonals from centre (0 for none); corners are where they are seen, curvature included.
    """

    size: int
    corners: tuple[tuple[float, float], ...]
    curvature: float = 0.0
    centre: tuple[float, float] = (0.0, 0.0)
    half_diagonal: float = 1.0

    def points(self) -> Points:
        """All intersections in pixels, shape (size, size, 2), row 0 the highest."""
        return self.around(0)

    def around(self, beyond: int) -> Points:
        """All intersections and those of `beyond` more lines on every side, in pixels."""
        steps = np.arange(-beyond, self.size + beyond) / (self.size - 1)
        return self.at(np.stack(np.meshgrid(steps, steps), axis=-1))

    def at(self, board: Points) -> Points:
        """Board coordinates (0 to 1 across and down between the outer lines), shape (..., 2), to pixels."""
        return self.seen(transformed(board, self.homography()))

    def board(self, pixels: Points) -> Points:
        """The inverse of `at`."""
        return transformed(self.flat(pixels), np.asarray(np.linalg.inv(self.homography()), np.float64))

    def homography(self) -> npt.NDArray[np.float64]:
        """3x3 matrix from board coordinates to pixels with the lens curvature taken out."""
        flat = self.flat(np.array(self.corners, np.float64)).astype(np.float32)
        return np.asarray(cv2.getPerspectiveTransform(UNIT_SQUARE.astype(np.float32), flat), np.float64)

    def cell(self) -> float:
        """The mean distance between neighbouring intersections, in pixels."""
        return mean_side(np.array(self.corners)) / (self.size - 1)

    def lies_within(self, shape: tuple[int, ...], room: float) -> bool:
        """Whether no corner lies further outside a picture of that shape than so many cells."""
        corners, far = np.array(self.corners), room * self.cell()
        return bool(((corners > -far) & (corners < np.array([shape[1], shape[0]]) + far)).all())

    def moved(self, scale: float, by: Points) -> Grid:
        """The grid in a picture that was shifted by `by` pixels and then scaled (half a pixel's shift is made good)."""

        def there(point: tuple[float, float]) -> tuple[float, float]:
            x, y = (np.array(point) + by + 0.5) * scale - 0.5
            return float(x), float(y)

        corners = tuple(map(there, self.corners))
        return Grid(self.size, corners, self.curvature, there(self.centre), self.half_diagonal * scale)

    def flat(self, seen: Points) -> Points:
        """Pixels, shape (..., 2), with the lens curvature taken out."""
        return unbend((seen - self.centre) / self.half_diagonal, self.curvature) * self.half_diagonal + self.centre

    def seen(self, flat: Points) -> Points:
        """Pixels without curvature to where the lens shows them; the inverse of `flat`."""
        return bend((flat - self.centre) / self.half_diagonal, self.curvature) * self.half_diagonal + self.centre


def bend(flat: Points, curvature: float) -> Points:
    """Points in half diagonals from the picture's centre, shape (..., 2), moved outward by 1 + curvature * radius^2."""
    return np.asarray(flat * (1 + curvature * (flat**2).sum(axis=-1, keepdims=True)))


def unbend(seen: Points, curvature: float) -> Points:
    """The inverse of `bend`."""
    flat = seen
    for _ in range(8 if curvature else 0):
        flat = seen / (1 + curvature * (flat**2).sum(axis=-1, keepdims=True))
    return flat


@dataclass(frozen=True)
class Calibration:
    """The board's grid and the lids of sides 1 and 2 (none, or both), in pixels of the frames it was made for."""

    grid: Grid
    lids: tuple[Box, ...] = ()

    def to_json(self) -> str:
        """The calibration as kept on disk (docs/vision.md, "A calibration's file")."""
        grid = self.grid
        kept: dict[str, object] = {
            "size": grid.size,
            "corners": [[round(x, 1), round(y, 1)] for x, y in grid.corners],
            "lids": [[round(v, 1) for v in (lid.x, lid.y, lid.w, lid.h)] for lid in self.lids],
        }
        if grid.curvature:
            kept["lens"] = {"k1": round(grid.curvature, 4), "centre": list(grid.centre), "radius": grid.half_diagonal}
        return json.dumps(kept)


def read_calibration(path: Path) -> Calibration:
    """The calibration in a JSON file; raises BadCalibration with a sentence saying what is wrong in it."""
    try:
        return parse_calibration(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadCalibration(f"{path}: cannot be opened ({error.strerror}); check the path.") from error
    except (ValueError, TypeError, KeyError) as error:
        raise BadCalibration(
            f'{path}: not a calibration ({error}); it should read {{"size":19,"corners":[[x,y] four times],"lids":[]}}.'
        ) from error


def parse_calibration(text: str) -> Calibration:
    """The calibration in a JSON text; raises ValueError, TypeError or KeyError when it is none."""
    data = json.loads(text)
    size = data["size"]
    corners = tuple((float(x), float(y)) for x, y in data["corners"])
    lids = tuple(Box(*map(float, lid)) for lid in data.get("lids", []))
    if not isinstance(size, int) or not 2 <= size <= 25:
        raise ValueError("size must be a whole number from 2 to 25")
    if len(corners) != 4 or not cv2.isContourConvex(np.array(corners, np.float32).reshape(-1, 1, 2)):
        raise ValueError("corners must be four points around the board in order")
    if len(lids) not in (0, 2) or any(lid.w <= 0 or lid.h <= 0 for lid in lids):
        raise ValueError("lids must be none or two boxes [x, y, width, height]")
    return Calibration(Grid(size, corners, *_lens(data.get("lens"))), lids)


def _lens(data: dict[str, Any] | None) -> tuple[float, tuple[float, float], float]:
    """The lens's curvature, its centre and the radius that it is measured in, none where nothing is said of it."""
    if data is None:
        return 0.0, (0.0, 0.0), 1.0
    k1, radius = float(data["k1"]), float(data["radius"])
    x, y = map(float, data["centre"])
    if not (abs(k1) <= MOST_CURVED and radius > 0 and math.isfinite(x + y + radius)):
        raise ValueError(f"lens must have k1 from -{MOST_CURVED} to {MOST_CURVED}, a centre and a radius in pixels")
    return k1, (x, y), radius
