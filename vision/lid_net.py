"""The net that looks into a lid: how a picture is cut for it, and what it answers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.calibration import Box
from vision.frame import Image

SIDE = 128
"""The net sees a square of that many pixels."""
ROOM = 1.4
"""That square is so many times as wide as the lid."""
STEP = 2
"""Pixels of the square to a place of the answer's map."""
MODEL = Path(__file__).parent / "models" / "lids.onnx"

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Answer:
    """What the net says of one lid. middles: shape (3, SIDE / STEP, SIDE / STEP), probabilities that no stone's middle,
    a black's or a white's lies there. counts: black and white stones by their density. open: the probability that every
    stone is seen whole: no pile, no hand."""

    middles: Floats
    counts: tuple[float, float]
    open: float


def ask(square: Image) -> Answer:
    """Ask the net about the lid in a square that `cut` gave."""
    blob = cv2.dnn.blobFromImage(np.ascontiguousarray(square), 1 / 128.0, (SIDE, SIDE), (128, 128, 128))
    net = _net()
    net.setInput(blob)
    middles, counts, clear = net.forward(["middles", "counts", "open"])
    black, white = (float(count) for count in np.ravel(counts))
    return Answer(np.asarray(middles[0], np.float32), (black, white), float(np.ravel(clear)[0]))


def cut(image: Image, box: Box, pixels: int = SIDE) -> Image:
    """The square round a lid, shape (pixels, pixels, 3), SIDE for the net; what lies outside the picture is grey."""
    side = ROOM * max(box.w, box.h)
    left, top = box.x + box.w / 2 - side / 2, box.y + box.h / 2 - side / 2
    shrink = max(1, int(side / pixels))
    if shrink > 1:
        smaller = cv2.resize(image, None, fx=1 / shrink, fy=1 / shrink, interpolation=cv2.INTER_AREA)
        image = np.asarray(smaller, np.uint8)
    scale = pixels / side * shrink
    matrix = np.array([[scale, 0, -left / shrink * scale], [0, scale, -top / shrink * scale]])
    square = cv2.warpAffine(
        image,
        matrix,
        (pixels, pixels),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=(128, 128, 128),
    )
    return np.asarray(square, np.uint8)


@cache
def _net() -> cv2.dnn.Net:
    return cv2.dnn.readNetFromONNX(str(MODEL))
