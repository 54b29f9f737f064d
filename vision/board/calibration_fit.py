"""Calibrations: made from a picture, corrected by hand, and checked against a picture."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from referee import Message, message
from vision.board.detect import find_place, refine_board
from vision.board.detect_by_crossings import score_grid
from vision.board.edge_contrast import CLEAREST, measure_edges
from vision.board.lid_positions import place_lids
from vision.board.markers import align_corner_order
from vision.board.select_board import find_first, find_only_small
from vision.calibration.model import UNIT_SQUARE, Box, Calibration, Grid, read_calibration
from vision.camera.frame import Image
from vision.errors import BadCalibration

# Chosen by hand unless said otherwise (docs/vision.md).
MIN_CELL_PX = 9.0
"""The minimum distance between lines, in pixels, for reliable reading; docs/evidence/seeing-limits.md finds nine
boards of ten down to 8.
"""
MAX_OUTSIDE_CELLS = 0.5
"""The distance by which a corner may lie outside the picture."""
MAX_STRAY_CELLS = 0.15
"""The tolerated distance between the board's lines and the given ones."""
SNAP_CELLS = 0.35
"""The maximum distance at which corners given by hand are snapped to the board's lines."""
LID_WIDTH_CELLS = (3.2, 8.0)
"""The plausible range of a lid's width."""
CANDIDATE_CURVATURES = np.arange(-0.32, 0.13, 0.04)
"""The candidate curvatures (vision.calibration.model.Grid): from a strong barrel to a weak pincushion."""
MIN_LENS_GAIN = 1.02
"""The factor by which a curved lens must show more line than a flat one."""
UP = {"top": (0, -1), "right": (1, 0), "bottom": (0, 1), "left": (-1, 0)}
"""Direction vectors in the picture, by the side that the board's highest row is nearest to."""


@dataclass(frozen=True)
class CalibrationResult:
    """A calibration, with one sentence for each problem that a person should check."""

    calibration: Calibration
    notes: tuple[Message, ...] = ()


def calibrate(image: Image, size: int | None = None) -> CalibrationResult | None:
    """Return the calibration found in a picture, or None if no board is certain."""
    place = find_first(image, size) or find_only_small(image, size)
    if place is None:
        return None
    lids = place_lids(image, place.grid)
    missing = () if lids else (message("boards.no-lids"),)
    return CalibrationResult(Calibration(place.grid, lids), place.notes + missing)


def fitting_calibration(path: Path | None, size: int | None) -> Calibration | None:
    """Return the calibration in a file, None without one; raise BadCalibration if it is for another size."""
    if path is None:
        return None
    calibration = read_calibration(path)
    if size is not None and calibration.grid.size != size:
        raise BadCalibration(f"{path}: is for {calibration.grid.size} lines, not {size}; leave one of the two out.")
    return calibration


def snap_to_lines(image: Image, grid: Grid) -> Grid:
    """Return corners given by hand snapped to nearby board lines, with the lens's curvature estimated."""
    grid = estimate_lens(image, grid)
    fit = refine_board(image, grid)
    return fit if fit is not None and _max_distance(fit, grid) < SNAP_CELLS else grid


def estimate_lens(image: Image, grid: Grid) -> Grid:
    """Return the grid with the curvature at which most of its lines are visible, its corners unchanged.

    A grid that already has a curvature is returned as it is.
    """
    if grid.curvature:
        return grid
    height, width = image.shape[:2]
    scale = min(1.0, 1000 / max(height, width))
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32)
    lens = ((width / 2, height / 2), float(np.hypot(width, height)) / 2)
    candidates = [Grid(grid.size, grid.corners, float(k), *lens) for k in CANDIDATE_CURVATURES]
    scores = [_measure_lines(grey, candidate, scale) for candidate in (grid, *candidates)]
    best = int(np.argmax(scores))
    return (
        candidates[best - 1]
        if best and scores[best] > MIN_LENS_GAIN * scores[0] and abs(candidates[best - 1].curvature) > 0.01
        else grid
    )


def _measure_lines(grey: np.ndarray, grid: Grid, scale: float) -> float:
    """Return the amount of line visible exactly on a grid."""
    edges = measure_edges(grey, (grid.points() + 0.5) * scale - 0.5)
    across = edges.across * (np.abs(edges.shift_across) < 0.05)
    down = edges.down * (np.abs(edges.shift_down) < 0.05)
    return float(np.clip(across, 0, CLEAREST).sum() + np.clip(down, 0, CLEAREST).sum())


def orient_grid(grid: Grid, up: str) -> Grid:
    """Return the grid turned so that its highest row is nearest to that side of the picture (see UP)."""
    corners = np.array(grid.corners)
    middles = (corners + np.roll(corners, -1, axis=0)) / 2 @ np.array(UP[up])
    turn = int(middles.argmax())
    return replace(grid, corners=grid.corners[turn:] + grid.corners[:turn])


def find_faults(calibration: Calibration, shape: tuple[int, ...]) -> tuple[str, ...]:
    """Return one sentence for each error in a calibration for pictures of that shape."""
    return (*_grid_faults(calibration.grid, shape), *_lid_faults(calibration, shape))


def check_against_image(calibration: Calibration, image: Image) -> tuple[str, ...]:
    """Return one sentence for each disagreement of a calibration with a picture."""
    grid = calibration.grid
    fit = refine_board(image, grid)
    if fit is not None and _max_distance(fit, grid) < 0.5 and score_grid(image, fit).margin > 0:
        distance = _max_distance(fit, grid)
        return (
            (f"The lines lie up to {distance:.2f} cells off the calibration: calibrate again.",)
            if distance > MAX_STRAY_CELLS
            else ()
        )
    place = find_place(image)
    if place is None:
        return ("No board is seen plainly in this picture: look whether the lines are drawn onto the board's.",)
    return (_describe_difference(align_corner_order(place.grid, grid), grid),)


def _describe_difference(grid: Grid, given_grid: Grid) -> str:
    if grid.size != given_grid.size:
        return f"The board in the picture has {grid.size} lines, the calibration {given_grid.size}."
    lines = _describe_line_shift(grid, given_grid)
    if lines is not None:
        return f"The calibration is {lines}: move its corners onto the outer lines."
    return f"The board lies elsewhere, up to {_max_distance(grid, given_grid):.1f} cells off: calibrate again."


def _describe_line_shift(grid: Grid, given_grid: Grid) -> str | None:
    """Return the direction in which a calibration is a line or two off, None if that is not its error."""
    offsets = (grid.to_board(np.array(given_grid.corners)) - UNIT_SQUARE) * (grid.size - 1)
    line_counts = np.rint(offsets.mean(axis=0))
    if np.abs(offsets - line_counts).max() > 0.4 or not line_counts.any():
        return None
    words = []
    for count, (ahead, back) in zip(line_counts, (("right", "left"), ("bottom", "top")), strict=True):
        if count:
            lines = f"{abs(int(count))} line{'s' if abs(count) > 1 else ''}"
            words.append(f"{lines} too far to the {ahead if count > 0 else back}")
    return " and ".join(words)


def _grid_faults(grid: Grid, shape: tuple[int, ...]) -> Iterator[str]:
    corners, cell = np.array(grid.corners, np.float32), grid.cell()
    if cv2.contourArea(corners, oriented=True) < 0:
        yield "The corners go anticlockwise, so the board would be read as in a mirror: give them clockwise."
    if cell < MIN_CELL_PX:
        yield f"The board is too small: its lines lie {cell:.0f} pixels apart, and {MIN_CELL_PX:.0f} are needed."
    height, width = shape[:2]
    if not grid.is_within(shape, MAX_OUTSIDE_CELLS):
        yield f"A corner of the board lies outside the picture, which is {width}x{height} pixels."


def _lid_faults(calibration: Calibration, shape: tuple[int, ...]) -> Iterator[str]:
    height, width = shape[:2]
    for side, lid in enumerate(calibration.lids, 1):
        if lid.x < 0 or lid.y < 0 or lid.x + lid.w > width or lid.y + lid.h > height:
            yield f"Lid {side} lies partly outside the picture, which is {width}x{height} pixels."
        middle = calibration.grid.to_board(np.array([lid.middle()]))[0]
        if ((middle > 0) & (middle < 1)).all():
            yield f"Lid {side} lies on the board."
        wide = max(lid.w, lid.h) / calibration.grid.cell()
        if not LID_WIDTH_CELLS[0] < wide < LID_WIDTH_CELLS[1]:
            yield f"Lid {side} is {wide:.1f} cells wide; a lid is about five."
    if len(calibration.lids) == 2 and _is_overlapping(*calibration.lids):
        yield "The lids lie upon each other."


def _is_overlapping(one: Box, other: Box) -> bool:
    across = min(one.x + one.w, other.x + other.w) - max(one.x, other.x)
    down = min(one.y + one.h, other.y + other.h) - max(one.y, other.y)
    return across > 0.3 * min(one.w, other.w) and down > 0.3 * min(one.h, other.h)


def _max_distance(one: Grid, other: Grid) -> float:
    """Return the maximum distance between two grids of one size, in cells."""
    return float(np.max(np.linalg.norm(one.points() - other.points(), axis=-1))) / other.cell()
