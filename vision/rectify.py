"""The board seen from straight above, and one small picture of every intersection."""

from __future__ import annotations

import cv2
import numpy as np

from vision.calibration import Grid, Points
from vision.frame import Image

BLOCK = 8
SHRINK_FROM = 1.6
"""A picture with more than this many pixels for one of the rectified board is first made smaller, by averaging."""


def crops(image: Image, grid: Grid, side: int = 32, span: float = 1.5) -> Image:
    """A square picture round each intersection, shape (size * size, side, side, 3), row by row from the highest.

    side: pixels a crop. span: how many cells a crop shows, across and down.
    """
    cell = side / span
    board = rectified(image, grid, cell, span / 2)
    starts = np.rint(np.arange(grid.size) * cell).astype(int)
    rows, columns = np.meshgrid(starts, starts, indexing="ij")
    windows = np.lib.stride_tricks.sliding_window_view(board, (side, side), axis=(0, 1))
    return np.ascontiguousarray(windows[rows.ravel(), columns.ravel()].transpose(0, 2, 3, 1))


def rectified(image: Image, grid: Grid, cell: float, margin: float) -> Image:
    """The board from above, `cell` pixels a cell, with `margin` cells round the outer lines."""
    image, grid = _near(image, grid, margin)
    image, grid = _shrunk(image, grid, cell)
    side = round((grid.size - 1 + 2 * margin) * cell) + 1
    if grid.curvature:
        return _remapped(image, grid, cell, margin, side)
    to_board = np.array([[1, 0, -margin * cell + 0.5], [0, 1, -margin * cell + 0.5], [0, 0, 1]])
    to_board[:2] /= (grid.size - 1) * cell
    to_image = grid.homography() @ to_board
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return _image(cv2.warpPerspective(image, to_image, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE))


def _remapped(image: Image, grid: Grid, cell: float, margin: float, side: int) -> Image:
    """Through a curved lens: worked out for a pixel in every BLOCK by BLOCK, and between them straight."""
    middles = np.arange(-1, -(-side // BLOCK) + 1) * BLOCK + (BLOCK - 1) / 2
    steps = (middles + 0.5 - margin * cell) / ((grid.size - 1) * cell)
    few = grid.at(np.stack(np.meshgrid(steps, steps), axis=-1)).astype(np.float32)
    at = cv2.resize(few, None, fx=BLOCK, fy=BLOCK, interpolation=cv2.INTER_LINEAR)[BLOCK:, BLOCK:][:side, :side]
    return _image(cv2.remap(image, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))


def _near(image: Image, grid: Grid, margin: float) -> tuple[Image, Grid]:
    """The part of the picture that shows the board, so that only that is made smaller."""
    rim = np.array([-margin, grid.size - 1 + margin]) / (grid.size - 1)
    seen = grid.at(np.stack(np.meshgrid(rim, rim), axis=-1)).reshape(-1, 2)
    height, width = image.shape[:2]
    low = np.clip(np.floor(seen.min(axis=0)).astype(int) - 2, 0, [width - 2, height - 2])
    high = np.clip(np.ceil(seen.max(axis=0)).astype(int) + 3, low + 2, [width, height])
    part = image[low[1] : high[1], low[0] : high[0]]
    return part, moved(grid, 1.0, -low.astype(np.float64))


def _shrunk(image: Image, grid: Grid, cell: float) -> tuple[Image, Grid]:
    scale = cell / grid.cell()
    if scale * SHRINK_FROM > 1:
        return image, grid
    width, height = (max(2, round(length * scale)) for length in image.shape[1::-1])
    small = cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA)
    return _image(small), moved(grid, scale, np.zeros(2))


def moved(grid: Grid, scale: float, by: Points) -> Grid:
    """The grid in a picture that was shifted by `by` pixels and then scaled (half a pixel's shift is made good)."""

    def there(point: tuple[float, float]) -> tuple[float, float]:
        x, y = (np.array(point) + by + 0.5) * scale - 0.5
        return float(x), float(y)

    corners = tuple(map(there, grid.corners))
    return Grid(grid.size, corners, grid.curvature, there(grid.centre), grid.half_diagonal * scale)


def _image(pixels: object) -> Image:
    return np.asarray(pixels, dtype=np.uint8)
