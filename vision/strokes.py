"""Lines, rings and words that can be seen on any picture: every bright stroke lies on a wider dark one."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.calibration import Points
from vision.frame import Image

Rgb = tuple[int, int, int]
"""Blue, green, red."""
DARK: Rgb = (0, 0, 0)
FONT = cv2.FONT_HERSHEY_SIMPLEX
RIM = ((-2, 0), (2, 0), (0, -2), (0, 2), (-1, -1), (1, -1), (-1, 1), (1, 1))
FINE = 4
"""Places are drawn to a sixteenth of a pixel."""


def line(canvas: Image, points: Points, colour: Rgb, width: int = 1, closed: bool = False, rim: int = 2) -> None:
    """A line through pixels, shape (n, 2), with a dark rim of so many pixels in all."""
    path = [_fixed(points).reshape(-1, 1, 2)]
    if rim:
        cv2.polylines(canvas, path, closed, DARK, width + rim, cv2.LINE_AA, FINE)
    cv2.polylines(canvas, path, closed, colour, width, cv2.LINE_AA, FINE)


def ring(canvas: Image, middle: Points, radius: float, colour: Rgb, width: int = 2) -> None:
    """A circle round a pixel."""
    x, y = (int(v) for v in _fixed(middle))
    for stroke, wide in ((DARK, width + 2), (colour, width)):
        cv2.circle(canvas, (x, y), round(radius * 2**FINE), stroke, wide, cv2.LINE_AA, FINE)


def words(canvas: Image, middle: Points, text: str, colour: Rgb, height: float) -> None:
    """Words with their middle at a pixel, moved into the picture where they would stick out; ASCII alone."""
    size = height / 22
    (wide, high), _ = cv2.getTextSize(text, FONT, size, 1)
    x = int(np.clip(middle[0] - wide / 2, 2, max(2, canvas.shape[1] - wide - 2)))
    y = int(np.clip(middle[1] + high / 2, high + 2, max(high + 2, canvas.shape[0] - 3)))
    # Not one wider stroke: OpenCV 5 sets wider letters further apart.
    for dx, dy in RIM:
        cv2.putText(canvas, text, (x + dx, y + dy), FONT, size, DARK, 1, cv2.LINE_AA)
    cv2.putText(canvas, text, (x, y), FONT, size, colour, 1, cv2.LINE_AA)


def _fixed(points: Points) -> npt.NDArray[np.int32]:
    return np.asarray(np.rint(points * 2**FINE), np.int32)
