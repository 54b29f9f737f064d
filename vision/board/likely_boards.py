"""The boards that the passes of a search show, with the evidence of all of them: a posterior over place and size."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from vision.board.crossing_lattice import CrossingWindow
from vision.calibration.model import mean_side

Floats = npt.NDArray[np.float64]

# Chosen by hand (docs/vision.md).
LEAST_MEAN, LEAST_MARGIN, LEAST_BOARD = 0.5, 1.0, 0.45
"""The minima of a window, as in CrossingWindow, that is a board's likely sight."""
ALIKE_CELLS = 0.7
"""The distance of two windows' corners, in cells, below which both are one board."""


@dataclass
class LikelyBoard:
    """A board that was seen.

    `corners`: at its surest sight, in pixels, shape (4, 2).
    `size`: lines a side.
    `margin`: the margin of that sight.
    `evidence`: the log-odds against its best rivals, summed over all sights.
    `is_examined`: True if it was handed out.
    """

    corners: Floats
    size: int
    margin: float
    evidence: float = 0.0
    is_examined: bool = False

    def is_at(self, corners: Floats, size: int) -> bool:
        """Return True if a window shows this board."""
        distance = float(np.abs(self.corners - corners).max())
        return self.size == size and distance < ALIKE_CELLS * mean_side(corners) / (size - 1)


@dataclass
class LikelyBoards:
    """All that were seen in one search.

    `is_outline_examined`: True once a board in an outline was looked at from all sides, which is dear.
    """

    boards: list[LikelyBoard] = field(default_factory=list)
    is_outline_examined: bool = False

    def add_window(self, corners: Floats, window: CrossingWindow) -> None:
        """Add a pass's likeliest window, whose corners lie there in pixels, if it is a likely sight at all."""
        if window.mean < LEAST_MEAN or window.margin < LEAST_MARGIN or window.board < LEAST_BOARD:
            return
        board = next((board for board in self.boards if board.is_at(corners, window.size)), None)
        if board is None:
            board = LikelyBoard(corners, window.size, window.margin)
            self.boards.append(board)
        if window.margin > board.margin:
            board.corners, board.margin = corners, window.margin
        board.evidence += window.margin * window.size

    def take_likeliest(self) -> Floats | None:
        """Return the corners of the board for which most speaks, if it was not handed out before."""
        board = max(self.boards, key=lambda board: board.evidence, default=None)
        if board is None or board.is_examined:
            return None
        board.is_examined = True
        return board.corners
