"""A board found by its crossings alone, where stones hide most of its lines: the view is drawn in on them, from
squares in the middle of the picture, until it shows the board as if from above."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.crossing_lattice import CrossingLattice, CrossingWindow, lattice_of, likeliest_window, window_of
from vision.board.crossing_net import Crossings, crossings
from vision.board.refine import Marks, fitted
from vision.board.window import OUTSIDE, block_sums
from vision.calibration import UNIT_SQUARE, Grid, clockwise, mean_side
from vision.frame import Image

Floats = npt.NDArray[np.float64]

# Chosen by hand unless said otherwise (docs/vision.md).
SQUARES = (0.75, 0.5, 1.0)
"""Where to begin: squares in the middle, as shares of the picture's shorter side."""
LEANING = 0.6
"""Then one that is so much lower than wide, as a board seen from a low angle."""
LOOKS = 8
"""How often the view is drawn in before it has to stay."""
STAYS = 0.02
"""The view stays when its corners move by less than this share of its side."""
LEAST_MEAN, LEAST_MARGIN = 0.64, 0.9
"""A board is sure when its crossings are this probable, and this much more so than those of any other window ..."""
LEAST_BOARD = 0.86
"""... and when a board is seen there this surely: none of the labelled photographs in vision/models/crossings.md is
below that where the finder puts the board."""
SMALL, LEAST_SMALL = 9, 0.9
"""A board of nine lines must be seen more surely, for other games have nine, too: see tests/benchmarks/no_board.py."""
FEWEST = 0.5
"""At least this share of its crossings must be seen."""
STRAY = 0.1
"""Cells; crossings lie further off a lattice that is none."""


def board_by_crossings(image: Image, sizes: tuple[int, ...]) -> Grid | None:
    """The board that the crossings show, or None when they show none surely."""
    for share, high in (*((share, 1.0) for share in SQUARES), (1.0, LEANING)):
        grid = drawn_in(image, _oblong(image, share, high), sizes)
        if grid is not None:
            return grid
    return None


def stands(image: Image, grid: Grid) -> CrossingWindow:
    """What the crossings say of a grid found by its lines."""
    return window_of(crossings(image, np.array(grid.corners)), grid)


def left_of(image: Image, whole: Grid, size: int) -> Grid | None:
    """The board of `size` lines that is left of a larger one where something, such as paper, covers the others; None
    where none is surely."""
    seen = crossings(image, np.array(whole.corners))
    shown = block_sums(np.nan_to_num(seen.probabilities(seen.places(whole.points()))), size, size)
    row, column = np.unravel_index(int(np.argmax(shown)), shown.shape)
    corners = (UNIT_SQUARE * (size - 1) + [column, row]) / (whole.size - 1)
    return drawn_in(image, whole.at(corners), (size,))


def _oblong(image: Image, share: float, high: float) -> Floats:
    """In the picture's middle; share: its width, of the picture's shorter side. high: its height, of its width."""
    height, width = image.shape[:2]
    wide = share * min(height, width)
    return np.asarray((UNIT_SQUARE - 0.5) * [wide, high * wide] + np.array([width / 2, height / 2]))


def drawn_in(image: Image, corners: Floats, sizes: tuple[int, ...]) -> Grid | None:
    """The board that the crossings in and round a quadrangle of pixels, shape (4, 2), show; None when none surely."""
    for _ in range(LOOKS):
        seen = crossings(image, corners)
        lattice = lattice_of(seen.peaks)
        best = likeliest_window(seen, lattice, sizes) if lattice else None
        if lattice is None or best is None:
            return None
        before, corners = corners, clockwise(seen.pixels(_ends(lattice, best)))
        if not _is_board_shaped(corners, image.shape):
            return None
        if np.abs(corners - before).max() < STAYS * mean_side(corners):
            return _fitted(image, seen, lattice, best) if _is_sure(best) else None
    return None


def _is_sure(window: CrossingWindow) -> bool:
    least = LEAST_SMALL if window.size == SMALL else LEAST_BOARD
    return window.mean > LEAST_MEAN and window.margin > LEAST_MARGIN and window.board > least


def _ends(lattice: CrossingLattice, window: CrossingWindow) -> Floats:
    """The window's outermost crossings, in places, shape (4, 2)."""
    ends = np.array([0, window.size - 1])
    places = lattice.places(window.column + ends, window.row + ends)
    return np.array([places[0, 0], places[0, 1], places[1, 1], places[1, 0]])


def _is_board_shaped(corners: Floats, shape: tuple[int, ...]) -> bool:
    """A convex quadrangle that is no speck and not far larger than the picture."""
    return bool(
        np.isfinite(corners).all()
        and cv2.isContourConvex(corners.astype(np.float32).reshape(-1, 1, 2))
        and 0.1 * min(shape[:2]) < mean_side(corners) < 2 * max(shape[:2])
    )


def _fitted(image: Image, seen: Crossings, lattice: CrossingLattice, window: CrossingWindow) -> Grid | None:
    """The grid that the crossings in the window fix, the lens's curvature included."""
    at = lattice.at - np.array([window.column, window.row])
    within = ((at >= 0) & (at < window.size)).all(axis=1)
    if within.sum() < FEWEST * window.size**2:
        return None
    pixels = seen.pixels(lattice.peaks[within])
    value = at[within].T.ravel() / (window.size - 1)
    marks = Marks(np.concatenate([pixels, pixels]), np.repeat([0, 1], len(pixels)), value)
    grid, misfit = fitted(marks, window.size, image.shape)
    return grid if misfit < STRAY and grid.lies_within(image.shape, OUTSIDE) else None
