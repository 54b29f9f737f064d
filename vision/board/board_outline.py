"""A board's outline in a view, from the net's board map.

It gives the board's orientation when its crossings are still too small or too slanted to be counted.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.crossing_net import Crossings
from vision.calibration.model import order_clockwise

Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.uint8]

# Chosen by hand (docs/vision.md).
FAINTEST, SHARE = 0.2, 0.5
"""Thresholds of the board map: the minimum value, and the minimum share of its maximum."""
SMALLEST = 0.03
"""The minimum share of the map that a board's outline covers."""
BLUNT = (0.02, 0.03, 0.045, 0.06, 0.08, 0.1)
"""The tolerances tried, in order, to approximate the outline by four corners, as shares of its length."""


def find_outline(crossings: Crossings) -> Floats | None:
    """Return the corners of the most board-like area, in pixels of the picture, shape (4, 2), or None."""
    smooth = cv2.GaussianBlur(crossings.board, (0, 0), 2.0)
    plainest = float(smooth.max())
    if plainest < FAINTEST:
        return None
    blob = _find_largest_part(np.asarray(smooth > max(FAINTEST, SHARE * plainest), np.uint8))
    if int(blob.sum()) < SMALLEST * blob.size:
        return None
    return order_clockwise(crossings.to_pixels(_four_corners(blob)))


def _find_largest_part(mask: Mask) -> Mask:
    """Return the largest connected part of a mask."""
    _, parts, sizes, _ = cv2.connectedComponentsWithStats(mask)
    return np.asarray(parts == 1 + int(np.argmax(sizes[1:, cv2.CC_STAT_AREA])), np.uint8)


def _four_corners(blob: Mask) -> Floats:
    """Return the quadrangle nearest to a blob's hull, in places of the map, shape (4, 2)."""
    outlines, _ = cv2.findContours(blob, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    hull = cv2.convexHull(max(outlines, key=cv2.contourArea))
    length = cv2.arcLength(hull, closed=True)
    for share in BLUNT:
        corners = cv2.approxPolyDP(hull, share * length, closed=True)
        if len(corners) == 4:
            return np.asarray(corners.reshape(4, 2), np.float64)
    return np.asarray(cv2.boxPoints(cv2.minAreaRect(hull)), np.float64)
