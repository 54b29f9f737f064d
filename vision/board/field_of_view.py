"""The field of view: the table area that must be in the picture, and that which is, in mm around the board's wood."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.board.marker_layout import LID_CARD, WOOD, markers_reach
from vision.calibration.model import Grid, Points

PITCH_MM = (22.0, 23.7)
"""The standard board's line pitch; the longer one leads from player to player."""
BESIDE_MM = 160.0
"""The width needed on either side of a board without the mat: a lid of up to 13 cm, with room around it."""
STEP_MM = 2.0
"""The resolution of the measurement of the visible area."""
MAX_VISIBLE_MM = 1500.0
"""The limit of that measurement."""
FINE_PX = 14.0
"""Pixels between two lines below which more points are doubtful (docs/evidence/seeing-limits.md)."""


def board_size(size: int) -> tuple[float, float]:
    """Return the wood's size in mm for a board of `size` lines: from side to side for the players, and between
    players.
    """
    across, along = ((size - 1) * pitch + 2 * WOOD for pitch in PITCH_MM)
    return across, along


def visible_margin_mm() -> tuple[float, float]:
    """Return the margin around the wood that must be visible, in mm: to each side, and towards each player.

    It holds the mat's corner markers, and on each side a lid, on its card, whose longer side lies along the board, or
    without one.
    """
    across, along = markers_reach()
    return max(across, LID_CARD[1], BESIDE_MM), max(along, 0.0)


@dataclass(frozen=True)
class TableCoverage:
    """The table area visible in a picture, at the height of the board.

    `left`, `right`, `top`, `bottom`: mm from the wood to the picture's edge, negative if the wood is cut off.
    `board`: the wood's width and height in the picture, in mm.
    `cell`: pixels from line to line.
    `size`: the picture's width and height, in pixels.
    """

    left: float
    right: float
    top: float
    bottom: float
    board: tuple[float, float]
    cell: float
    size: tuple[int, int]

    @property
    def wide(self) -> float:
        """Return the visible extent from left to right, in mm."""
        return self.left + self.board[0] + self.right

    @property
    def high(self) -> float:
        """Return the visible extent from top to bottom, in mm."""
        return self.top + self.board[1] + self.bottom


def measure_coverage(grid: Grid, shape: tuple[int, ...]) -> TableCoverage:
    """Return the table area that a picture of that shape shows around a standard board."""
    ways = {way: _side_direction(grid, way) for way in ((1, 0), (-1, 0), (0, 1), (0, -1))}
    right, bottom = max(ways, key=lambda way: ways[way][0]), max(ways, key=lambda way: ways[way][1])
    left, top = (-right[0], -right[1]), (-bottom[0], -bottom[1])
    lengths = _side_lengths(grid)
    # The longer pitch is the one along which the lines are farther apart in the picture.
    pitch = PITCH_MM if lengths[0] <= lengths[1] else PITCH_MM[::-1]
    sides = [(grid.size - 1) * way + 2 * WOOD for way in pitch]
    lies_along = right[0] == 0
    margins = [_visible_margin(grid, way, pitch, shape) for way in (left, right, top, bottom)]
    return TableCoverage(
        margins[0],
        margins[1],
        margins[2],
        margins[3],
        (sides[lies_along], sides[not lies_along]),
        grid.cell(),
        (shape[1], shape[0]),
    )


def _side_direction(grid: Grid, way: tuple[int, int]) -> Points:
    """Return the vector in the picture from the board's middle to one of its sides."""
    return np.asarray(grid.to_pixels(np.array([0.5, 0.5]) + np.array(way) / 2) - grid.middle())


def _side_lengths(grid: Grid) -> tuple[float, float]:
    """Return the distance in pixels between the outer lines, along the rows and along the columns."""
    across, along = (
        np.linalg.norm(_side_direction(grid, way) - _side_direction(grid, (-way[0], -way[1])))
        for way in ((1, 0), (0, 1))
    )
    return float(across), float(along)


def _visible_margin(grid: Grid, way: tuple[int, int], pitch: tuple[float, float], shape: tuple[int, ...]) -> float:
    """Return the distance from the wood to the picture's edge, in mm."""
    per_mm = 1 / ((grid.size - 1) * (pitch[0] if way[0] else pitch[1]))
    distances = np.arange(-WOOD, MAX_VISIBLE_MM, STEP_MM)
    places = np.array([0.5, 0.5]) + np.array(way) * (0.5 + (distances[:, None] + WOOD) * per_mm)
    pixels = grid.to_pixels(places)
    outside = ((pixels < 0) | (pixels > np.array([shape[1], shape[0]]) - 1)).any(axis=-1)
    return float(distances[int(outside.argmax())]) if outside.any() else MAX_VISIBLE_MM
