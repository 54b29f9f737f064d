"""Where a board lies in a view, by the net's map of boards: its outline tells how it is turned, when its crossings are
too small or too slanted to be counted yet."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.crossing_net import Crossings
from vision.calibration import clockwise

Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.uint8]

# Chosen by hand (docs/vision.md).
FAINTEST, SHARE = 0.2, 0.5
"""A board may lie where the map is at least this high, and at least this share of what it is at its plainest."""
SMALLEST = 0.03
"""The share of the map that the outline of a board covers at least."""
BLUNT = (0.02, 0.03, 0.045, 0.06, 0.08, 0.1)
"""Four corners are looked for in the outline by leaving out ever larger bends, as shares of its length."""


def outline_of(seen: Crossings) -> Floats | None:
    """The corners of what looks most like a board, in pixels of the picture, shape (4, 2); None where nothing does."""
    smooth = cv2.GaussianBlur(seen.board, (0, 0), 2.0)
    plainest = float(smooth.max())
    if plainest < FAINTEST:
        return None
    blob = _largest(np.asarray(smooth > max(FAINTEST, SHARE * plainest), np.uint8))
    if int(blob.sum()) < SMALLEST * blob.size:
        return None
    return clockwise(seen.pixels(_four_corners(blob)))


def _largest(mask: Mask) -> Mask:
    """Of a mask's connected parts the largest."""
    _, parts, sizes, _ = cv2.connectedComponentsWithStats(mask)
    return np.asarray(parts == 1 + int(np.argmax(sizes[1:, cv2.CC_STAT_AREA])), np.uint8)


def _four_corners(blob: Mask) -> Floats:
    """The quadrangle that a blob's hull comes nearest to, in places, shape (4, 2)."""
    outlines, _ = cv2.findContours(blob, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    hull = cv2.convexHull(max(outlines, key=cv2.contourArea))
    length = cv2.arcLength(hull, closed=True)
    for share in BLUNT:
        corners = cv2.approxPolyDP(hull, share * length, closed=True)
        if len(corners) == 4:
            return np.asarray(corners.reshape(4, 2), np.float64)
    return np.asarray(cv2.boxPoints(cv2.minAreaRect(hull)), np.float64)
