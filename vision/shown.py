"""Stones of any colour, known by being shown: whose stone lies on a point, by its colour beside the wood's.

The net says where something lies (`vision.stones`); it knows dark and bright stones and no others. Whose it is, the
colours say that were shown before the game (`vision.palette`).
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.calibration import Grid
from vision.frame import Image
from vision.palette import Floats, Palette, Ratios
from vision.stones import CELL, CELLS, CONTENTS, EMPTY, HIDDEN, MAYBE, looked_at, outside, shipped

# Chosen by hand (docs/vision.md).
PATCH = 5
"""Pixels of `looked_at` across of each of the five patches in which a stone's colour is measured."""
ASIDE = 3
"""Pixels from a point's middle to those of the four outer patches, both ways: all lie on a stone set a little aside."""
GAP = 3
"""Pixels across of the wood that is looked at between four points, which no stone covers."""
DARKEST = 0.003
"""Added to what a channel gives back (1 is white), so that noise in the dark counts for little."""


@dataclass(frozen=True, eq=False)
class Sighted:
    """What the net and the colours of one picture say. answer: the net's, shape (size, size, 4). ratios: of every
    point's five patches to the wood beside it, shape (size, size, 5, 3). outside: points beyond the picture's edge."""

    answer: Floats
    ratios: Ratios
    outside: npt.NDArray[np.bool_]

    @property
    def stone(self) -> Floats:
        """How likely something lies on each point, shape (size, size)."""
        return np.asarray(1 - self.answer[..., EMPTY] - self.answer[..., HIDDEN] / CONTENTS)


def sighted(image: Image, grid: Grid) -> Sighted:
    """Look at all points of a board."""
    board = looked_at(image, grid)
    return Sighted(shipped().answer(board, grid.size)[0], _ratios(board, grid.size), outside(grid, image.shape))


def _ratios(board: Image, size: int) -> Ratios:
    light = np.log((board.astype(np.float32) / 255) ** 2 + DARKEST)
    patches = cv2.blur(light, (PATCH, PATCH))
    first = (CELLS - size) // 2 * CELL + CELL // 2
    middles = first + CELL * np.arange(size)
    steps = ((0, 0), (-ASIDE, -ASIDE), (-ASIDE, ASIDE), (ASIDE, -ASIDE), (ASIDE, ASIDE))
    seen = np.stack([patches[np.ix_(middles + down, middles + across)] for down, across in steps], axis=2)
    return np.asarray(seen - _wood(light, middles)[:, :, None], np.float64)


def _wood(light: Floats, middles: npt.NDArray[np.int64]) -> Floats:
    """The wood's light around each point, shape (size, size, 3): between the points, where no stone lies."""
    gaps = middles[:-1] + CELL // 2
    between = cv2.blur(light, (GAP, GAP))[np.ix_(gaps, gaps)]
    around = cv2.copyMakeBorder(between, 1, 1, 1, 1, cv2.BORDER_REPLICATE)
    evened = cv2.merge([cv2.medianBlur(np.ascontiguousarray(around[..., k]), 5) for k in range(3)])
    return np.asarray((evened[:-1, :-1] + evened[1:, :-1] + evened[:-1, 1:] + evened[1:, 1:]) / 4, np.float32)


class ShownReader:
    """Reads stones whose colours were shown. seen: what it read last."""

    def __init__(self, palette: Palette) -> None:
        self.palette = palette
        self.seen: Sighted | None = None

    def read(self, image: Image, grid: Grid) -> Floats:
        """Probabilities of empty and of each player's stones, shape (size, size, 1 + players).

        Where something may hide a point, or it lies outside the picture, each is as likely as another.
        """
        self.seen = seen = sighted(image, grid)
        chances = self.palette.chances(seen.ratios, seen.stone)
        hidden = seen.answer[..., HIDDEN, None]
        chances = np.where(hidden > MAYBE, chances * (1 - hidden) + hidden / chances.shape[-1], chances)
        chances[seen.outside] = 1 / chances.shape[-1]
        return np.asarray(chances, np.float32)
