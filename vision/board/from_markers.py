"""A board's position by the corner cards alone: their markers fit boards of one width and height, of any thickness."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.board import marker_layout
from vision.board.markers import FEWEST, HEIGHTS, Markers
from vision.board.pose import estimate_pose
from vision.calibration.model import UNIT_SQUARE, Grid, Points, transform_points

# Chosen by hand (docs/vision.md).
PITCH_MM = 22.9
"""The usual distance between lines: the mean of the standard board's 22.0 and 23.7."""
SQUARE_MM = 400.0
"""The side of a square on the table from which the camera's pose is estimated."""
STEPS, NUDGE = 8, 0.01
"""The number of Gauss-Newton steps to a board's size, and the share of the size used for numerical derivatives."""


@dataclass(frozen=True, eq=False)
class MarkerFit:
    """The board between the cards.

    `matrix`: the homography from mm on the table to pixels.
    `size`: the width and height between the outer lines, in mm.
    `shape`: the picture's.
    """

    matrix: Points
    size: tuple[float, float]
    shape: tuple[int, ...]

    def corners_at(self, high: float = 0.0) -> Points:
        """Return the outer lines' corners, shape (4, 2), column A and the highest row first, in pixels.

        `high`: the height of the lines over the table, as a share of the camera's height over it.
        """
        square = transform_points(UNIT_SQUARE * SQUARE_MM, self.matrix)
        lifted_grid = estimate_pose(_make_grid(2, square), self.shape).lift_by_share(high)
        return lifted_grid.to_pixels(UNIT_SQUARE * self.size / SQUARE_MM)

    def grids_at_heights(self, size: int | None, sizes: tuple[int, ...]) -> list[Grid]:
        """Return the grid by the cards alone, at each of HEIGHTS.

        Without a size, the one is used whose lines would lie nearest to the usual distance apart.
        """
        lines = size or min(sizes, key=lambda n: abs(sum(self.size) / 2 / (n - 1) - PITCH_MM))
        return [_make_grid(lines, self.corners_at(high)) for high in HEIGHTS]


def board_between(markers: Markers, shape: tuple[int, ...]) -> MarkerFit | None:
    """Return the board's position by the corner markers; None if fewer than three are seen. `shape`: the picture's."""
    marker_ids = [marker for marker in marker_layout.CORNER_IDS if marker in markers]
    if len({marker_layout.corner_index(marker) for marker in marker_ids}) < FEWEST:
        return None
    pixels = np.concatenate([markers[marker] for marker in marker_ids])
    size = np.array([400.0, 400.0])
    for _ in range(STEPS):
        matrix, residuals = _fit_homography(marker_ids, pixels, size)
        slopes = [
            (_fit_homography(marker_ids, pixels, size * (1 + NUDGE * np.eye(2)[k]))[1] - residuals) / NUDGE
            for k in (0, 1)
        ]
        step = np.linalg.lstsq(np.stack(slopes, axis=1), -residuals, rcond=None)[0]
        size = np.clip(size * (1 + np.clip(step, -0.4, 0.4)), 50.0, 900.0)
    return MarkerFit(matrix, (float(size[0]), float(size[1])), shape)


def _fit_homography(marker_ids: list[int], pixels: Points, size: Points) -> tuple[Points, Points]:
    """Return the homography from mm to pixels for a board of that size, and its residuals at the markers."""
    mat_points = np.concatenate([marker_layout.corner_marker(marker, size[0], size[1]) for marker in marker_ids])
    matrix = np.asarray(cv2.findHomography(mat_points, pixels)[0], np.float64)
    return matrix, (transform_points(mat_points, matrix) - pixels).ravel()


def _make_grid(size: int, corners: Points) -> Grid:
    return Grid(size, tuple((float(x), float(y)) for x, y in corners))
