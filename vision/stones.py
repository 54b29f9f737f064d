"""What lies on every intersection: empty, black or white, with a probability that can be believed."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.calibration import Grid
from vision.frame import Image
from vision.rectify import crops

SHIPPED = Path(__file__).with_name("models") / "stones.onnx"
SIDE = 32
"""Pixels of a crop, across and down."""
SPAN = 1.5
"""Cells that a crop shows."""
BATCH = 91
"""Crops the net reads at once: four batches for a board of 19 lines, two for 13, one for 9."""
DOUBTFUL_BELOW = 0.98
"""A point whose likeliest content is less likely than this is to be looked at again, or by a person.

Of the wrong points on left-out photographs one in forty is above; 1.2 points in a hundred are below."""
QUANTILES = (0.1, 0.5, 0.9)
CENTRE = slice(SIDE // 2 - 4, SIDE // 2 + 4)


class StoneReader:
    """Reads stones with one net; keep it, for loading takes longer than reading."""

    def __init__(self, model: Path | None = None) -> None:
        """model: an ONNX file made by vision/training; the shipped net when None."""
        self._net = cv2.dnn.readNetFromONNX(str(model or SHIPPED))

    def read(self, image: Image, grid: Grid) -> npt.NDArray[np.float32]:
        """Probabilities of empty, black and white, shape (size, size, 3), row 0 the highest."""
        return self.read_crops(crops(image, grid, SIDE, SPAN)).reshape(grid.size, grid.size, 3)

    def read_crops(self, board: Image) -> npt.NDArray[np.float32]:
        """Probabilities for the crops of one whole board, shape (n, 3); the board's colours are taken from them."""
        light = light_of(board)
        starts = range(0, len(board), BATCH)
        return np.concatenate([self._forward(board[start : start + BATCH], light) for start in starts])

    def _forward(self, batch: Image, light: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        padded = np.zeros((BATCH, 3, SIDE, SIDE), np.float32)
        padded[: len(batch)] = batch.transpose(0, 3, 1, 2)
        self._net.setInput(padded, "crops")
        self._net.setInput(np.tile(light, (BATCH, 1)), "light")
        return np.asarray(self._net.forward()[: len(batch)], np.float32)


def light_of(board: Image) -> npt.NDArray[np.float32]:
    """The colours of one board: dark, middling and light of what lies at the intersections, each B, G, R, 0 to 255."""
    middles = board[:, CENTRE, CENTRE].mean(axis=(1, 2))
    return np.asarray(np.quantile(middles, QUANTILES, axis=0), np.float32).ravel()


@cache
def shipped() -> StoneReader:
    """The reader with the shipped net, loaded once."""
    return StoneReader()


def read_stones(image: Image, grid: Grid) -> npt.NDArray[np.float32]:
    """Probabilities of empty, black and white on every point by the shipped net, shape (size, size, 3)."""
    return shipped().read(image, grid)
