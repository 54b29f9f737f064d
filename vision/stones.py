"""What lies on every intersection: empty, black or white, with a probability that can be believed.

One net looks at the whole rectified board at once: each point is read with what lies round it and with the light on the
whole board in view, so that a white stone in a blue lamp is told from pale wood.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.calibration import Grid
from vision.frame import Image
from vision.rectify import rectified

SHIPPED = Path(__file__).with_name("models") / "stones.onnx"
CELL = 16
"""Pixels of a cell in the picture that the net sees."""
CELLS = 21
"""Cells that the net sees across and down, the board in the middle; it answers for as many points."""
SIDE = CELL * CELLS
CONTENTS = 3
HIDDEN = CONTENTS
"""What the net answers besides empty, black and white: something that hides the point, such as a hand."""
DOUBTFUL_BELOW = 0.98
"""A point whose likeliest content is less likely than this is to be looked at again, or by a person."""

Floats = npt.NDArray[np.float32]


class StoneReader:
    """Reads stones with one net; keep it, for loading takes longer than reading."""

    def __init__(self, model: Path | None = None) -> None:
        """model: an ONNX file made by vision/training; the shipped net when None."""
        self._net = cv2.dnn.readNetFromONNX(str(model or SHIPPED))

    def read(self, image: Image, grid: Grid) -> Floats:
        """Probabilities of empty, black and white, shape (size, size, 3), row 0 the highest.

        Under a hand each is as likely as another.
        """
        answer = self.answer(image, grid)
        return np.asarray(answer[..., :CONTENTS] + answer[..., HIDDEN:] / CONTENTS, np.float32)

    def answer(self, image: Image, grid: Grid) -> Floats:
        """The net's own answer, shape (size, size, 4): empty, black, white, hidden."""
        self._net.setInput(np.ascontiguousarray(looked_at(image, grid).transpose(2, 0, 1)[None], np.float32))
        points = np.asarray(self._net.forward()[0], np.float32).transpose(1, 2, 0)
        first = (CELLS - grid.size) // 2
        return points[first : first + grid.size, first : first + grid.size]


def looked_at(image: Image, grid: Grid) -> Image:
    """The picture the net sees: the board from above, shape (SIDE, SIDE, 3), its middle in the picture's middle."""
    return rectified(image, grid, CELL, (CELLS - grid.size + 1) / 2)[:SIDE, :SIDE]


@cache
def shipped() -> StoneReader:
    """The reader with the shipped net, loaded once."""
    return StoneReader()


def read_stones(image: Image, grid: Grid) -> Floats:
    """Probabilities of empty, black and white on every point by the shipped net, shape (size, size, 3)."""
    return shipped().read(image, grid)
