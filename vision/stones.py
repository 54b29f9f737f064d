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
from vision.caution import cautious
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
MIDDLE = 6
"""Pixels across of a point's middle, whose brightness is its own."""
EDGE = 0.1
"""A point nearer than this to the picture's edge, in cells, is not seen."""
MAYBE = 0.1
"""A point may be hidden when the net says so with this probability."""

Floats = npt.NDArray[np.float32]


class StoneReader:
    """Reads stones with one net; keep it, for loading takes longer than reading."""

    def __init__(self, model: Path | None = None) -> None:
        """model: an ONNX file made by vision/training; the shipped net when None."""
        self._net = cv2.dnn.readNetFromONNX(str(model or SHIPPED))

    def read(self, image: Image, grid: Grid) -> Floats:
        """Probabilities of empty, black and white, shape (size, size, 3), row 0 the highest.

        Under a hand and beyond the picture's edge each is as likely as another.
        """
        board = looked_at(image, grid)
        answer = self._answer(board, grid.size)
        told = np.asarray(answer[..., :CONTENTS] + answer[..., HIDDEN:] / CONTENTS, np.float32)
        outside = _outside(grid, image.shape)
        told[outside] = 1 / CONTENTS
        return cautious(told, outside | _beside_hands(answer), _brightness(board, grid.size))

    def answer(self, image: Image, grid: Grid) -> Floats:
        """The net's own answer, shape (size, size, 4): empty, black, white, hidden."""
        return self._answer(looked_at(image, grid), grid.size)

    def _answer(self, board: Image, size: int) -> Floats:
        self._net.setInput(np.ascontiguousarray(board.transpose(2, 0, 1)[None], np.float32))
        points = np.asarray(self._net.forward()[0], np.float32).transpose(1, 2, 0)
        first = (CELLS - size) // 2
        return points[first : first + size, first : first + size]


def looked_at(image: Image, grid: Grid) -> Image:
    """The picture the net sees: the board from above, shape (SIDE, SIDE, 3), its middle in the picture's middle."""
    return rectified(image, grid, CELL, (CELLS - grid.size + 1) / 2)[:SIDE, :SIDE]


def _outside(grid: Grid, shape: tuple[int, ...]) -> npt.NDArray[np.bool_]:
    """The points that lie beyond the picture's edge or on it, shape (size, size)."""
    points, room = grid.points(), EDGE * grid.cell()
    return np.asarray(((points < room) | (points > np.array([shape[1], shape[0]]) - 1 - room)).any(axis=-1))


def _beside_hands(answer: Floats) -> npt.NDArray[np.bool_]:
    """The points that something may hide and their neighbours, shape (size, size)."""
    return cv2.dilate((answer[..., HIDDEN] > MAYBE).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0


def _brightness(board: Image, size: int) -> Floats:
    """The mean brightness of every point's middle, 0 to 255, shape (size, size)."""
    mean = cv2.blur(cv2.transform(board.astype(np.float32), np.full((1, 3), 1 / 3)), (MIDDLE, MIDDLE))
    middles = (np.arange(size) + (CELLS - size) // 2) * CELL + CELL // 2
    return np.asarray(mean[np.ix_(middles, middles)], np.float32)


@cache
def shipped() -> StoneReader:
    """The reader with the shipped net, loaded once."""
    return StoneReader()


def read_stones(image: Image, grid: Grid) -> Floats:
    """Probabilities of empty, black and white on every point by the shipped net, shape (size, size, 3)."""
    return shipped().read(image, grid)
