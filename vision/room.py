"""How much of the table has to be in the picture, and how much of it is: mm round the wood of the board."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.board.mat import LID_CARD, WOOD, reach
from vision.calibration import Grid, Points

PITCH = (22.0, 23.7)
"""From line to line of the standard board, mm: the longer way leads from player to player."""
BESIDE = 160.0
"""Without the mat: at the left and at the right of the board a lid of up to 13 cm with room round it, mm."""
STEP = 2.0
"""So finely is measured how much is in view, mm ..."""
FAR = 1500.0
"""... and so far."""


def board_size(size: int) -> tuple[float, float]:
    """The wood of a board of so many lines, mm: from side to side for the players, and from player to player."""
    across, along = ((size - 1) * pitch + 2 * WOOD for pitch in PITCH)
    return across, along


def beside() -> tuple[float, float]:
    """What must be seen round the wood, mm to each side, and towards each player: the mat's corner markers, and at each
    side of the board a lid, on its card, whose longer side lies along the board, or without one."""
    across, along = reach()
    return max(across, LID_CARD[1], BESIDE), max(along, 0.0)


@dataclass(frozen=True)
class Room:
    """What of the table is in a picture, at the height of the board. left, right, top, bottom: mm from the wood to the
    picture's edge, negative where the wood is cut off. board: the wood's width and height in the picture, mm. cell:
    pixels from line to line. size: the picture's width and height in pixels."""

    left: float
    right: float
    top: float
    bottom: float
    board: tuple[float, float]
    cell: float
    size: tuple[int, int]

    @property
    def wide(self) -> float:
        """How much is seen from left to right, mm."""
        return self.left + self.board[0] + self.right

    @property
    def high(self) -> float:
        """How much is seen from top to bottom, mm."""
        return self.top + self.board[1] + self.bottom


def room_round(grid: Grid, shape: tuple[int, ...]) -> Room:
    """What of the table a picture of that shape shows round a standard board."""
    ways = {way: _way(grid, way) for way in ((1, 0), (-1, 0), (0, 1), (0, -1))}
    right, bottom = max(ways, key=lambda way: ways[way][0]), max(ways, key=lambda way: ways[way][1])
    left, top = (-right[0], -right[1]), (-bottom[0], -bottom[1])
    lengths = _lengths(grid)
    # The longer pitch is that along which the lines lie farther apart in the picture.
    pitch = PITCH if lengths[0] <= lengths[1] else PITCH[::-1]
    sides = [(grid.size - 1) * way + 2 * WOOD for way in pitch]
    lies_along = right[0] == 0
    beside = [_seen(grid, way, pitch, shape) for way in (left, right, top, bottom)]
    return Room(
        beside[0],
        beside[1],
        beside[2],
        beside[3],
        (sides[lies_along], sides[not lies_along]),
        grid.cell(),
        (shape[1], shape[0]),
    )


def _way(grid: Grid, way: tuple[int, int]) -> Points:
    """Where in the picture a side of the board lies, from its middle."""
    return np.asarray(grid.at(np.array([0.5, 0.5]) + np.array(way) / 2) - grid.middle())


def _lengths(grid: Grid) -> tuple[float, float]:
    """Pixels between the outer lines, along the rows and along the columns."""
    across, along = (np.linalg.norm(_way(grid, way) - _way(grid, (-way[0], -way[1]))) for way in ((1, 0), (0, 1)))
    return float(across), float(along)


def _seen(grid: Grid, way: tuple[int, int], pitch: tuple[float, float], shape: tuple[int, ...]) -> float:
    """Mm from the wood to the picture's edge."""
    per_mm = 1 / ((grid.size - 1) * (pitch[0] if way[0] else pitch[1]))
    out = np.arange(-WOOD, FAR, STEP)
    places = np.array([0.5, 0.5]) + np.array(way) * (0.5 + (out[:, None] + WOOD) * per_mm)
    pixels = grid.at(places)
    outside = ((pixels < 0) | (pixels > np.array([shape[1], shape[0]]) - 1)).any(axis=-1)
    return float(out[int(outside.argmax())]) if outside.any() else FAR
