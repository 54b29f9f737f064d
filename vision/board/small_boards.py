"""Search for small boards: squares all over the picture are looked at by the crossings' net, as if each showed a board
from above. Only squares of a fine pattern are; of them only those on a board are looked at again.
"""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.detect_by_crossings import SQUARE, board_from_square
from vision.calibration.model import Grid, Points
from vision.camera.frame import Image, grey_of

# Chosen by hand (docs/vision.md).
SEARCHED_PX = 1600
"""The longer side of the picture that is searched, in pixels."""
SHARES = (0.54, 0.37, 0.26, 0.18, 0.125)
"""The squares' sides, as shares of the picture's shorter side: a board of 19 lines is found in a square of 0.8 to 1.2
of its own side.
"""
STRIDE = 0.5
"""The distance between two squares, as a share of their side: such a board may lie a third of it off the middle."""
LEAST_PX = 80
"""The minimum side of a square, in pixels: a smaller one hardly shows the lines of a board."""
KNOWN = 1.5
"""The side of a square, in known boards' sides, below which the square shows the known board if it lies on it."""
PATTERN_PX, BLOCK_PX = 128, 8
"""The side of a square in the picture in which a pattern is sought, and of the blocks of which it consists."""
CONTRAST, DARK = 0.02, 10.0
"""The minimum mean difference of neighbouring pixels in a block of a pattern, both across and down, as a share of the
brightness; and the grey levels added to that brightness, so that noise in the dark is none.
"""
PATTERNED = 0.6
"""The minimum share of blocks with a pattern in the middle of a square, half as wide."""


def find_small_boards(image: Image, known_grid: Grid | None, sizes: tuple[int, ...]) -> Iterator[Grid]:
    """Yield the boards in the picture that are small in it and do not lie on the known one, some more than once."""
    scale = min(1.0, SEARCHED_PX / max(image.shape[:2]))
    small = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    known = None if known_grid is None else known_grid.move_grid(scale, np.zeros(2))
    for corners in _find_squares(small, known):
        grid = board_from_square(small, corners, sizes)
        if grid is not None:
            yield grid.move_grid(1 / scale, np.zeros(2))


def _find_squares(image: Image, known_grid: Grid | None) -> Iterator[Points]:
    """Yield the squares with a fine pattern that do not show the known board, the largest first, shape (4, 2)."""
    shape = np.array(image.shape[1::-1], np.float64)
    for side in (share * shape.min() for share in SHARES):
        if side < LEAST_PX:
            continue
        pattern_share, scale = _measure_pattern(image, side)
        middles = np.stack(np.meshgrid(*(_spread_middles(side, end) for end in shape)), axis=-1).reshape(-1, 2)
        for middle in middles:
            x, y = (middle * scale).astype(int)
            is_known = known_grid is not None and _is_known_board(known_grid, middle, side)
            if pattern_share[y, x] >= PATTERNED and not is_known:
                yield SQUARE * side + middle


def _spread_middles(side: float, end: float) -> Points:
    """Return the middles of squares that cover a line of pixels up to `end`."""
    return np.linspace(side / 2, end - side / 2, int(np.ceil((end - side) / (STRIDE * side))) + 1)


def _is_known_board(known_grid: Grid, middle: Points, side: float) -> bool:
    """Return True if a square shows the known board."""
    is_on = (np.abs(known_grid.to_board(middle) - 0.5) < 0.5).all()
    return bool(is_on) and side < KNOWN * known_grid.cell() * (known_grid.size - 1)


def _measure_pattern(image: Image, side: float) -> tuple[npt.NDArray[np.float32], float]:
    """Return the share of blocks with a pattern around each pixel of the scaled picture, and its scale."""
    scale = PATTERN_PX / side
    method = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    grey = np.asarray(cv2.resize(grey_of(image), None, fx=scale, fy=scale, interpolation=method), np.uint8)
    least = _block_means(grey)
    least += DARK
    least *= CONTRAST
    has_pattern = np.ones(grey.shape, np.bool_)
    for steps in _neighbour_steps(grey):
        has_pattern &= _block_means(steps) > least
    half = (PATTERN_PX // 2, PATTERN_PX // 2)
    return np.asarray(cv2.boxFilter(has_pattern.view(np.uint8), cv2.CV_32F, half), np.float32), scale


def _block_means(levels: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
    """Return the mean of the block around each pixel."""
    return np.asarray(cv2.boxFilter(levels, cv2.CV_32F, (BLOCK_PX, BLOCK_PX)), np.float32)


def _neighbour_steps(grey: npt.NDArray[np.uint8]) -> Iterator[npt.NDArray[np.uint8]]:
    """Yield each pixel's difference from the one below it, then from the one to its right; 0 at the picture's end."""
    for ahead, own in ((np.s_[1:], np.s_[:-1]), (np.s_[:, 1:], np.s_[:, :-1])):
        steps = np.zeros_like(grey)
        steps[own] = cv2.absdiff(grey[ahead], grey[own])
        yield steps
