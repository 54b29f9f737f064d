"""A calibration made from a picture, corrected by hand, and checked against a picture: what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from vision.board.detect import find_place, refine_board
from vision.board.detect_by_crossings import stands
from vision.board.edge_contrast import CLEAREST, edges_of
from vision.board.markers import alike
from vision.board.neighbours import find_first
from vision.calibration import UNIT_SQUARE, Box, Calibration, Grid, read_calibration
from vision.errors import BadCalibration
from vision.frame import Image
from vision.lids.on_mat import place_lids

# Chosen by hand unless said otherwise (docs/vision.md).
SMALLEST_CELL = 9.0
"""Pixels between lines, below which stones cannot be read well; docs/seeing-limits.md finds nine boards of ten down to
8."""
ROOM = 0.5
"""Cells by which a corner may lie outside the picture."""
STRAY = 0.15
"""Cells by which lines may lie off the given ones."""
NEAR = 0.35
"""Corners given by hand are drawn onto the lines where these lie no further off, in cells."""
EXPECTED = (3.2, 8.0)
"""A lid is so many cells wide."""
CURVED = np.arange(-0.32, 0.13, 0.04)
"""Curvatures tried (vision.calibration.Grid): from a strong barrel to a weak pincushion."""
GAIN = 1.02
"""A curved lens must show this many times as much line as a flat one."""
UP = {"top": (0, -1), "right": (1, 0), "bottom": (0, 1), "left": (-1, 0)}
"""Which side of the picture the board's highest row lies nearest to."""


@dataclass(frozen=True)
class Calibrated:
    """A calibration, and a sentence for each thing that a person should look at."""

    calibration: Calibration
    notes: tuple[str, ...] = ()


def calibrate(image: Image, size: int | None = None) -> Calibrated | None:
    """Board and lids found in a picture; None where there is no board to be sure of."""
    place = find_first(image, size)
    if place is None:
        return None
    lids = place_lids(image, place.grid)
    missing = () if lids else ("The lids were not found: lay both open beside the board, or give them by hand.",)
    return Calibrated(Calibration(place.grid, lids), place.notes + missing)


def fitting_calibration(path: Path | None, size: int | None) -> Calibration | None:
    """The calibration in a file, None without one; raises BadCalibration when it is for another size than asked."""
    if path is None:
        return None
    calibration = read_calibration(path)
    if size is not None and calibration.grid.size != size:
        raise BadCalibration(f"{path}: is for {calibration.grid.size} lines, not {size}; leave one of the two out.")
    return calibration


def drawn_to_lines(image: Image, grid: Grid) -> Grid:
    """Corners given by hand, drawn onto the board's lines where these lie near, the lens's curvature included."""
    grid = with_lens(image, grid)
    found = refine_board(image, grid)
    return found if found is not None and _apart(found, grid) < NEAR else grid


def with_lens(image: Image, grid: Grid) -> Grid:
    """The grid with the curvature at which most of its lines are seen, its corners as they are; one that has a
    curvature stays as it is."""
    if grid.curvature:
        return grid
    height, width = image.shape[:2]
    scale = min(1.0, 1000 / max(height, width))
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32)
    lens = ((width / 2, height / 2), float(np.hypot(width, height)) / 2)
    tried = [Grid(grid.size, grid.corners, float(k), *lens) for k in CURVED]
    seen = [_lined(grey, one, scale) for one in (grid, *tried)]
    best = int(np.argmax(seen))
    return tried[best - 1] if best and seen[best] > GAIN * seen[0] and abs(tried[best - 1].curvature) > 0.01 else grid


def _lined(grey: np.ndarray, grid: Grid, scale: float) -> float:
    """How much line is seen exactly on a grid."""
    edges = edges_of(grey, (grid.points() + 0.5) * scale - 0.5)
    across = edges.across * (np.abs(edges.shift_across) < 0.05)
    down = edges.down * (np.abs(edges.shift_down) < 0.05)
    return float(np.clip(across, 0, CLEAREST).sum() + np.clip(down, 0, CLEAREST).sum())


def turned_up(grid: Grid, up: str) -> Grid:
    """The grid with the corner first at which the highest row lies nearest to that side of the picture (see UP)."""
    corners = np.array(grid.corners)
    middles = (corners + np.roll(corners, -1, axis=0)) / 2 @ np.array(UP[up])
    turn = int(middles.argmax())
    return replace(grid, corners=grid.corners[turn:] + grid.corners[:turn])


def faults(calibration: Calibration, shape: tuple[int, ...]) -> tuple[str, ...]:
    """What cannot be right about a calibration for pictures of that shape, a sentence each."""
    return (*_grid_faults(calibration.grid, shape), *_lid_faults(calibration, shape))


def disagreements(calibration: Calibration, image: Image) -> tuple[str, ...]:
    """What a picture says against a calibration, a sentence each; a picture without a board says nothing."""
    grid = calibration.grid
    near = refine_board(image, grid)
    if near is not None and _apart(near, grid) < 0.5 and stands(image, near).margin > 0:
        off = _apart(near, grid)
        return (f"The lines lie up to {off:.2f} cells off the calibration: calibrate again.",) if off > STRAY else ()
    place = find_place(image)
    if place is None:
        return ("No board is seen plainly in this picture: look whether the lines are drawn onto the board's.",)
    return (_said_of(alike(place.grid, grid), grid),)


def _said_of(found: Grid, given: Grid) -> str:
    if found.size != given.size:
        return f"The board in the picture has {found.size} lines, the calibration {given.size}."
    lines = _lines_off(found, given)
    if lines is not None:
        return f"The calibration is {lines}: move its corners onto the outer lines."
    return f"The board lies elsewhere, up to {_apart(found, given):.1f} cells off: calibrate again."


def _lines_off(found: Grid, given: Grid) -> str | None:
    """Which way a calibration lies a line or two off, None where that is not what is wrong with it."""
    off = (found.board(np.array(given.corners)) - UNIT_SQUARE) * (found.size - 1)
    whole = np.rint(off.mean(axis=0))
    if np.abs(off - whole).max() > 0.4 or not whole.any():
        return None
    words = []
    for count, (ahead, back) in zip(whole, (("right", "left"), ("bottom", "top")), strict=True):
        if count:
            lines = f"{abs(int(count))} line{'s' if abs(count) > 1 else ''}"
            words.append(f"{lines} too far to the {ahead if count > 0 else back}")
    return " and ".join(words)


def _grid_faults(grid: Grid, shape: tuple[int, ...]) -> Iterator[str]:
    corners, cell = np.array(grid.corners, np.float32), grid.cell()
    if cv2.contourArea(corners, oriented=True) < 0:
        yield "The corners go anticlockwise, so the board would be read as in a mirror: give them clockwise."
    if cell < SMALLEST_CELL:
        yield f"The board is too small: its lines lie {cell:.0f} pixels apart, and {SMALLEST_CELL:.0f} are needed."
    height, width = shape[:2]
    if not grid.lies_within(shape, ROOM):
        yield f"A corner of the board lies outside the picture, which is {width}x{height} pixels."


def _lid_faults(calibration: Calibration, shape: tuple[int, ...]) -> Iterator[str]:
    height, width = shape[:2]
    for side, lid in enumerate(calibration.lids, 1):
        if lid.x < 0 or lid.y < 0 or lid.x + lid.w > width or lid.y + lid.h > height:
            yield f"Lid {side} lies partly outside the picture, which is {width}x{height} pixels."
        middle = calibration.grid.board(np.array([lid.middle()]))[0]
        if ((middle > 0) & (middle < 1)).all():
            yield f"Lid {side} lies on the board."
        wide = max(lid.w, lid.h) / calibration.grid.cell()
        if not EXPECTED[0] < wide < EXPECTED[1]:
            yield f"Lid {side} is {wide:.1f} cells wide; a lid is about five."
    if len(calibration.lids) == 2 and _overlap(*calibration.lids):
        yield "The lids lie upon each other."


def _overlap(one: Box, other: Box) -> bool:
    across = min(one.x + one.w, other.x + other.w) - max(one.x, other.x)
    down = min(one.y + one.h, other.y + other.h) - max(one.y, other.y)
    return across > 0.3 * min(one.w, other.w) and down > 0.3 * min(one.h, other.h)


def _apart(one: Grid, other: Grid) -> float:
    """How far two grids of one size lie apart at most, in cells."""
    return float(np.max(np.linalg.norm(one.points() - other.points(), axis=-1))) / other.cell()
