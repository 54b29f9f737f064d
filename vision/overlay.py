"""The picture with the grid, stones, doubtful points and lids drawn on it, for a person to check at a glance."""

from __future__ import annotations

import cv2
import numpy as np

from vision.calibration import Grid
from vision.frame import Image
from vision.lids import LidReading
from vision.reading import EMPTY, Reading

GRID = (255, 160, 0)
BLACK_STONE = (40, 220, 40)
WHITE_STONE = (230, 60, 230)
DOUBTFUL = (0, 0, 255)
WIDEST = 1600


def draw_overlay(image: Image, reading: Reading) -> Image:
    """A copy of the picture, at most 1600 px wide, with what was read drawn on it (BGR, uint8)."""
    scale = min(1.0, WIDEST / image.shape[1])
    canvas = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    _draw_grid(canvas, reading.grid, scale)
    _draw_points(canvas, reading, scale)
    for lid in reading.lids:
        _draw_lid(canvas, lid, scale)
    return np.asarray(canvas, np.uint8)


def _draw_grid(canvas: np.ndarray, grid: Grid, scale: float) -> None:
    points = (grid.points() * scale).astype(np.int32)
    for line in (*points, *points.swapaxes(0, 1)):
        cv2.polylines(canvas, [np.ascontiguousarray(line).reshape(-1, 1, 2)], False, GRID, 1, cv2.LINE_AA)
    cv2.putText(canvas, "A", _at(points[0, 0] - 12), cv2.FONT_HERSHEY_SIMPLEX, 0.6, GRID, 2, cv2.LINE_AA)


def _draw_points(canvas: np.ndarray, reading: Reading, scale: float) -> None:
    points = reading.grid.points() * scale
    radius = max(3, int(reading.grid.cell() * scale * 0.32))
    for index, kind in enumerate(reading.kinds().ravel()):
        centre = _at(points.reshape(-1, 2)[index])
        if kind != EMPTY:
            cv2.circle(canvas, centre, radius, BLACK_STONE if kind == 1 else WHITE_STONE, 2, cv2.LINE_AA)
    for doubt in reading.doubtful():
        cv2.circle(canvas, _at(points.reshape(-1, 2)[doubt.point]), radius + 4, DOUBTFUL, 2, cv2.LINE_AA)


def _draw_lid(canvas: np.ndarray, lid: LidReading, scale: float) -> None:
    x, y, w, h = (int(v * scale) for v in (lid.box.x, lid.box.y, lid.box.w, lid.box.h))
    colour = GRID if lid.sure else DOUBTFUL
    cv2.rectangle(canvas, (x, y), (x + w, y + h), colour, 2)
    text = f"black {lid.black} white {lid.white}" + ("" if lid.sure else " ?")
    cv2.putText(canvas, text, (x, max(12, y - 6)), cv2.FONT_HERSHEY_SIMPLEX, 0.5, colour, 1, cv2.LINE_AA)


def _at(point: np.ndarray) -> tuple[int, int]:
    return int(point[0]), int(point[1])
