"""Bare wood amid four points that the net takes for a stone: a patch of grain, or of the sun.

Black and white stones are greyer than the wood they lie on, in the light of any lamp, because wood absorbs blue. And
they have a round edge, all the way round, where they are much darker or brighter than the wood.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.camera.frame import Image

Floats = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]

# Chosen by hand on 564 drawn stones amid four points, none of which is taken for wood, and the six places of 188
# photographs where none lies (docs/vision.md).
MORE_COLOURFUL = 0.07
"""The difference of the natural logs of blue over red by which a patch is more colourful than the wood: of stones
without a round edge none is by more than 0.05, of those patches of grain and light all by 0.096 and more.
"""
ROUND_EDGE = 0.1
"""The contrast of a round edge, as a share of the wood's brightness: of those patches none has more than 0.056."""
ALL_ROUND = 0.7
"""The share of the circle on which an edge has at least its contrast."""
MIDDLE_CELLS = 0.4
"""The width of the middle of a stone, and of that of a cell, whose colours are compared."""
RADII_CELLS, SHIFTS_CELLS = (0.41, 0.47, 0.53), (-0.125, 0.0, 0.125)
"""The radii of circles around which an edge is sought, and the shifts of their middles across and down."""
INSIDE_CELLS, OUTSIDE_CELLS = (0.19, 0.13), (0.09, 0.16)
"""The distances within a circle, and beyond it, between which the contrast is measured."""
ANGLES = np.linspace(0, 2 * np.pi, 24, endpoint=False)
FEWEST = 4
"""The number of cells between empty points from which the wood's colour is known."""
DARK = 4.0
"""The levels of 255 added to every colour, so that noise in the dark is no colour."""


def is_bare_wood(board: Image, place: Floats, stones: Mask, first: int, cell: int) -> bool:
    """Return True if a place amid four points shows wood and no stone.

    Args:
        board: the board from above.
        place: the place, column and row.
        stones: the points that may have a stone, shape (size, size).
        first: the pixel of the first line, across and down.
        cell: pixels of a cell.
    """
    wood = _wood_colours(board, place, stones, first, cell)
    if len(wood) < FEWEST:
        return False
    side = round(MIDDLE_CELLS * cell)
    middle = cv2.getRectSubPix(board, (side, side), (first + cell * place).tolist()).mean(axis=(0, 1))
    is_colourful = _blueness(middle) < np.median(_blueness(wood)) - MORE_COLOURFUL
    return bool(is_colourful and _measure_round_edge(board, first + cell * place, cell) < ROUND_EDGE * wood.mean())


def _wood_colours(board: Image, place: Floats, stones: Mask, first: int, cell: int) -> Floats:
    """Return the mean colours in the middles of the cells between four empty points, without the place's own."""
    side = round(MIDDLE_CELLS * cell)
    middles = first + cell // 2 + cell * np.arange(len(stones) - 1)
    colours = cv2.blur(board, (side, side))[np.ix_(middles, middles)]
    is_free = ~(stones[:-1, :-1] | stones[1:, :-1] | stones[:-1, 1:] | stones[1:, 1:])
    column, row = np.floor(place).astype(int)
    is_free[row, column] = False
    return np.asarray(colours[is_free], np.float32)


def _blueness(colours: Floats) -> Floats:
    """Return the natural logs of blue over red."""
    levels = np.log(colours + DARK)
    return np.asarray(levels[..., 0] - levels[..., 2], np.float32)


def _measure_round_edge(board: Image, middle: Floats, cell: int) -> float:
    """Return the highest contrast of an edge around the middle, in levels, that it has nearly all the way round."""
    right, down, radii = (
        axis.reshape(-1, 1) * cell for axis in np.meshgrid(SHIFTS_CELLS, SHIFTS_CELLS, RADII_CELLS, indexing="ij")
    )

    def sample_rings(offset_cells: float) -> Floats:
        reach = radii + offset_cells * cell
        x, y = middle[0] + right + reach * np.cos(ANGLES), middle[1] + down + reach * np.sin(ANGLES)
        colours = cv2.remap(board, x.astype(np.float32), y.astype(np.float32), cv2.INTER_LINEAR)
        return np.asarray(colours.mean(axis=-1), np.float32)

    inside, outside = (
        np.mean([sample_rings(offset) for offset in offsets], axis=0)
        for offsets in (tuple(-distance for distance in INSIDE_CELLS), OUTSIDE_CELLS)
    )
    steps = inside - outside
    rising, falling = (np.quantile(sign * steps, 1 - ALL_ROUND, axis=1) for sign in (1, -1))
    return float(max(rising.max(), falling.max()))
