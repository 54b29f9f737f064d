"""Reading of stones of any colour: whose stone lies on a point, by its enrolled colour relative to the wood.

The net detects stones (`vision.stones.reader`); it knows only dark and bright ones. The colours enrolled before the
game decide whose they are (`vision.calibration.palette`).
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.calibration.model import Grid
from vision.calibration.palette import Floats, Palette, Ratios
from vision.camera.frame import Image
from vision.stones.reader import CELL, CELLS, CONTENTS, EMPTY, HIDDEN, MAYBE, looked_at, outside, shipped

# Chosen by hand (docs/vision.md).
PATCH = 5
"""The width of each of the five patches in which a stone's colour is measured, in pixels of `looked_at`."""
ASIDE = 3
"""The offset of the four outer patches from a point's middle, in pixels both ways: all lie on a stone slightly
aside.
"""
GAP = 3
"""The width of the wood patch between four points, which no stone covers, in pixels."""
DARKEST = 0.003
"""Added to a channel's reflectance (1 is white), so that noise in the dark counts for little."""


@dataclass(frozen=True, eq=False)
class ColourSamples:
    """The net's answer and the colour samples of one picture.

    `answer`: the net's probabilities, shape (size, size, 4).
    `ratios`: of every point's five patches to the wood beside it, shape (size, size, 5, 3).
    `outside`: points beyond the picture's edge.
    """

    answer: Floats
    ratios: Ratios
    outside: npt.NDArray[np.bool_]

    @property
    def stone(self) -> Floats:
        """Return the probability of a stone on each point, shape (size, size)."""
        return np.asarray(1 - self.answer[..., EMPTY] - self.answer[..., HIDDEN] / CONTENTS)


def sighted(image: Image, grid: Grid) -> ColourSamples:
    """Return the net's answer and the colour samples for all points of a board."""
    board = looked_at(image, grid)
    return ColourSamples(shipped().answer(board, grid.size)[0], _ratios(board, grid.size), outside(grid, image.shape))


def _ratios(board: Image, size: int) -> Ratios:
    light = np.log((board.astype(np.float32) / 255) ** 2 + DARKEST)
    patches = cv2.blur(light, (PATCH, PATCH))
    first = (CELLS - size) // 2 * CELL + CELL // 2
    middles = first + CELL * np.arange(size)
    steps = ((0, 0), (-ASIDE, -ASIDE), (-ASIDE, ASIDE), (ASIDE, -ASIDE), (ASIDE, ASIDE))
    seen = np.stack([patches[np.ix_(middles + down, middles + across)] for down, across in steps], axis=2)
    return np.asarray(seen - _wood(light, middles)[:, :, None], np.float64)


def _wood(light: Floats, middles: npt.NDArray[np.int64]) -> Floats:
    """Return the wood's light around each point, shape (size, size, 3): between the points, where no stone lies."""
    gaps = middles[:-1] + CELL // 2
    between = cv2.blur(light, (GAP, GAP))[np.ix_(gaps, gaps)]
    around = cv2.copyMakeBorder(between, 1, 1, 1, 1, cv2.BORDER_REPLICATE)
    evened = cv2.merge([cv2.medianBlur(np.ascontiguousarray(around[..., k]), 5) for k in range(3)])
    return np.asarray((evened[:-1, :-1] + evened[1:, :-1] + evened[:-1, 1:] + evened[1:, 1:]) / 4, np.float32)


class ColourReader:
    """A reader of stones by their enrolled colours. `seen`: the samples of its last reading."""

    def __init__(self, palette: Palette) -> None:
        self.palette = palette
        self.seen: ColourSamples | None = None

    def read(self, image: Image, grid: Grid) -> Floats:
        """Return the probabilities of empty and of each player's stones, shape (size, size, 1 + players).

        If something may hide a point, or it lies outside the picture, all contents are equally likely.
        """
        self.seen = seen = sighted(image, grid)
        chances = self.palette.chances(seen.ratios, seen.stone)
        hidden = seen.answer[..., HIDDEN, None]
        chances = np.where(hidden > MAYBE, chances * (1 - hidden) + hidden / chances.shape[-1], chances)
        chances[seen.outside] = 1 / chances.shape[-1]
        return np.asarray(chances, np.float32)
