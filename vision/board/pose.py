"""The camera's pose over a board, as far as the board's grid determines it, and planes above the board's lines.

Lines lie in the board's plane, stones stand on it: from low angles a stone is seen well behind the crossing that it
stands on.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.calibration.model import UNIT_SQUARE, Grid, transform_points

Floats = npt.NDArray[np.float64]

# Chosen by hand unless said otherwise (docs/vision.md).
FOCALS = np.geomspace(0.5, 3.0, 60)
"""The focal lengths tried, as shares of the picture's longer side."""
USUAL, SPREAD = 0.9, 0.35
"""The likeliest of them, and the spread (a factor e^SPREAD) of the prior around it: phones' and webcams'."""
ASPECTS = np.log([22.0 / 23.7, 1.0, 23.7 / 22.0])
"""The logarithms of a cell's width over its height: the standard board's, lying either way, and a square one (mm)."""
_INTO_CAMERAS = np.stack([1 / FOCALS, 1 / FOCALS, np.ones(len(FOCALS))], axis=-1)
EXACT = 0.02
"""The usual deviation of grids from right angles (as a cosine) and from these aspects (as a logarithm)."""


@dataclass(frozen=True, eq=False)
class Pose:
    """A camera over a board.

    `grid`: the board.
    `tilt`: the angle of its ray to the board's middle from straight down, in radians.
    `up`: the change per cell of height of the last column of the homography from board coordinates to flat pixels.
    `height`: the camera's over the board's plane, in cells.
    """

    grid: Grid
    tilt: float
    up: Floats
    height: float

    def raise_grid(self, height: float) -> Grid:
        """Return the board's grid raised by so many cells, as the camera sees it."""
        matrix = self.grid.homography()
        matrix[:, 2] += height * self.up
        corners = self.grid.apply_curvature(transform_points(UNIT_SQUARE, matrix))
        return replace(self.grid, corners=tuple((float(x), float(y)) for x, y in corners))

    def lift_by_share(self, share: float) -> Grid:
        """Return the grid raised, or lowered, by a share of the camera's height; the focal length then matters
        little.
        """
        return self.raise_grid(share * self.height)


def estimate_pose(grid: Grid, shape: tuple[int, ...]) -> Pose:
    """Return the likeliest pose of a camera whose axis goes through the middle of the picture, of that shape.

    A homography's first two columns are the board's axes, at right angles and of known lengths, seen through the lens:
    that fixes the focal length (Hartley and Zisserman, chapter 8), and their cross product is the way up.
    """
    to_middle = np.eye(3)
    to_middle[:2, 2] = -shape[1] / 2, -shape[0] / 2
    matrix = to_middle @ grid.homography() @ np.diag([1 / (grid.size - 1)] * 2 + [1.0])
    focal = float(FOCALS[int(np.argmin(_measure_misfits(matrix, max(shape[:2]))))] * max(shape[:2]))
    across, down, first = (np.diag([1.0, 1.0, focal]) @ matrix).T / focal
    pitch = (np.linalg.norm(across) + np.linalg.norm(down)) / 2
    up = -np.cross(across, down)
    up /= np.linalg.norm(up)
    middle = first + (across + down) * (grid.size - 1) / 2
    height = abs(float(up @ middle))
    tilt = float(np.arccos(np.clip(height / np.linalg.norm(middle), 0.0, 1.0)))
    up_column = np.linalg.inv(to_middle) @ np.diag([focal, focal, 1.0]) @ (up * pitch)
    return Pose(grid, tilt, np.asarray(up_column, np.float64), height / float(pitch))


def measure_strain(corners: Floats, shape: tuple[int, ...]) -> float:
    """Return the deviation of a quadrangle of pixels, shape (4, 2), from any view of a board.

    The camera's axis is taken to go through the middle of a picture of that shape. The strain is 0 for a board, 0.1 at
    most for the labelled photographs' with their lenses, and up to log 2 if every other row is none.
    """
    longer = max(shape[:2])
    flat = (corners - np.array(shape[1::-1]) / 2) / longer
    matrix = cv2.getPerspectiveTransform(UNIT_SQUARE.astype(np.float32), flat.astype(np.float32))
    across, down = (matrix[:, k] * _INTO_CAMERAS for k in (0, 1))
    wide, high = np.linalg.norm(across, axis=1), np.linalg.norm(down, axis=1)
    askew = np.abs((across * down).sum(axis=1) / (wide * high))
    uneven = np.abs(np.log(wide / high)[:, None] - ASPECTS).min(axis=1)
    return float(np.maximum(askew, uneven).min())


def _measure_misfits(matrix: Floats, longer: int) -> Floats:
    """Return the unlikelihood of each of FOCALS: by the angle and lengths of the board's axes, and by its prior."""
    across, down = (np.array([1.0, 1.0, longer]) * matrix[:, k] * _INTO_CAMERAS for k in (0, 1))
    wide, high = np.linalg.norm(across, axis=1), np.linalg.norm(down, axis=1)
    askew = (across * down).sum(axis=1) / (wide * high)
    uneven = np.abs(np.log(wide / high)[:, None] - ASPECTS).min(axis=1)
    return np.asarray((askew / EXACT) ** 2 + (uneven / EXACT) ** 2 + (np.log(FOCALS / USUAL) / SPREAD) ** 2)
