"""Motion gate: is the table still, has a hand, an arm or a shadow come over it, was the board bumped?

All is measured on a small rectified view. The view is high-passed, so that a lamp switched on or exposure drift changes
little, while a hand, which hides lines and brings edges of its own, changes a large connected area. A hand hides some
quarters of the board and leaves the others where they were; a bump of camera or board moves them all. Two views are
aligned before they are compared, because a camera on an arm sways and its focus breathes: a small movement of the whole
view is no change.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from math import hypot, inf

import cv2
import numpy as np
import numpy.typing as npt

from vision.calibration.model import Box, Grid
from vision.camera.frame import Levels, grey_of

# Chosen by hand unless said otherwise (docs/vision.md).
CELL, MARGIN = 10, 2
"""Pixels of a cell in a view, and the cells shown around the board."""
LID_SIDE_PX = 6 * CELL
"""The side of a lid's view."""
NOISE_LEVEL = 14.0
"""The high-passed level below which a difference is noise."""
MAX_SWAY_CELLS = 0.35
"""The maximum apparent movement between two views that is aligned."""
EDGE_STRAY_PX = 0.5
"""The remaining misalignment of edges, in view pixels: half of how much the view changes over two pixels."""
STRAYS_MORE = 0.2
"""Further misalignment per pixel of sway, which is not the same all over the view."""
STEADY_CELLS, HAND_CELLS = 0.4, 4.0
"""The largest connected change of a steady table, and the smallest of a hand, in cells. On real frames hands and
shadows changed 21 to 351 cells, clean frames 2.5 at most.
"""
HAND_ON_BOARD_CELLS = 1.0
"""The change within the lines below which it is light on the board's edge, not a hand over it."""
MARGIN_PX = 2
"""The margin of the reduced picture beyond the area that a view shows."""
RIM_CELLS = 1.1
"""The distance from the board, MARGIN minus this from the view's edge, in cells, from which a change comes from outside
the board.
"""

Area = npt.NDArray[np.bool_]
"""Pixels of a view."""
Matrix = npt.NDArray[np.float64]
View = npt.NDArray[np.float32]
"""The board and MARGIN cells around it, rectified, grey and high-passed; CELL pixels a cell."""


@dataclass(frozen=True)
class ChangedRegion:
    """A connected region in which two views differ.

    `cells`: its area, in cells.
    `on_board`: the part of it within the board's lines, in cells.
    `reaches_rim`: it extends beyond the board.
    """

    cells: float
    on_board: float
    reaches_rim: bool


def board_view(image: Levels, grid: Grid) -> View:
    """Return the high-passed view of the board and MARGIN cells around it, shape ((size+3)*CELL, (size+3)*CELL)."""
    side = view_side(grid.size)
    matrix, inverse, shrink = _view_map(grid)
    left, top, part = _crop_to_view(image, inverse, side, shrink)
    smaller = cv2.resize(part, None, fx=1 / shrink, fy=1 / shrink, interpolation=cv2.INTER_AREA)
    matrix = matrix @ np.array([[shrink, 0, left], [0, shrink, top], [0, 0, 1.0]])
    flat = cv2.warpPerspective(smaller, matrix, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return _high_pass(grey_of(np.asarray(flat, np.uint8)).astype(np.float32))


@lru_cache(maxsize=16)
def _view_map(grid: Grid) -> tuple[Matrix, Matrix, int]:
    """Return the homography from picture to view, its inverse, and the factor by which the picture is shrunk first."""
    inner = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * (grid.size - 1) * CELL + MARGIN * CELL
    matrix = np.asarray(cv2.getPerspectiveTransform(np.array(grid.corners, np.float32), inner), np.float64)
    return matrix, np.asarray(np.linalg.inv(matrix), np.float64), max(1, int(grid.cell() / CELL))


def table_views(image: Levels, grid: Grid, lids: tuple[Box, ...]) -> tuple[View, ...]:
    """Return the views of the board and its lids, in which movement is detected."""
    return (board_view(image, grid), *(lid_view(image, lid) for lid in lids))


def view_side(size: int) -> int:
    """Return the side of the view of a board of `size` lines, in pixels."""
    return (size - 1 + 2 * MARGIN) * CELL


def _crop_to_view(image: Levels, inverse: Matrix, side: int, shrink: int) -> tuple[int, int, Levels]:
    """Return the part of a picture that a view shows, and its origin, a multiple of `shrink`.

    `inverse`: the homography from the view to the picture.
    """
    corners = np.array([[[0, 0], [side, 0], [side, side], [0, side]]], np.float64)
    outline = cv2.perspectiveTransform(corners, inverse)[0]
    least = np.maximum(outline.min(axis=0) // shrink - MARGIN_PX, 0) * shrink
    most = np.maximum((outline.max(axis=0) // shrink + MARGIN_PX + 1) * shrink, least + shrink)
    (left, top), (right, bottom) = (map(int, end) for end in (least, most))
    part = image[top:bottom, left:right]
    return (left, top, part) if part.size else (0, 0, image)


Sway = tuple[float, float]
"""The movement of a whole view, in view pixels, right and down."""


def find_changes(view: View, reference: View, sway: Sway | None = None) -> tuple[ChangedRegion, ...]:
    """Return the connected changes between two views of a board, the largest first; `sway` None means: estimate it."""
    changes = (change for change, _ in find_change_areas(view, reference, sway))
    return tuple(sorted(changes, key=lambda change: -change.cells))


def find_change_areas(view: View, reference: View, sway: Sway | None = None) -> Iterator[tuple[ChangedRegion, Area]]:
    """Yield each connected change, with its pixels of the view."""
    moved = estimate_sway(view, reference) if sway is None else sway
    differs = (cv2.blur(_find_difference(view, reference, moved), (CELL // 2, CELL // 2)) > NOISE_LEVEL).astype(
        np.uint8
    )
    if not differs.any():
        return
    joined = cv2.dilate(differs, np.ones((CELL // 2, CELL // 2), np.uint8))
    count, found_labels, found_stats, _ = cv2.connectedComponentsWithStats(joined)
    labels, stats = np.asarray(found_labels, np.int32), np.asarray(found_stats, np.int32)
    changed = np.where(differs > 0, labels, 0)
    areas = np.bincount(changed.ravel(), minlength=count)
    edge = MARGIN * CELL
    inside = np.bincount(changed[edge:-edge, edge:-edge].ravel(), minlength=count)
    for k in range(1, count):
        yield _measure_region(stats[k], labels.shape[0], int(areas[k]), int(inside[k])), changed == k


def _find_difference(view: View, reference: View, sway: Sway) -> View:
    """Return the difference of two aligned views beyond that explained by slightly misaligned edges."""
    kernel = np.ones((3, 3), np.uint8)
    stray = EDGE_STRAY_PX + STRAYS_MORE * hypot(*sway)
    strays = stray / 2 * (cv2.dilate(reference, kernel) - cv2.erode(reference, kernel))
    return np.asarray(np.maximum(np.abs(_undo_sway(view, sway) - reference) - strays, 0), np.float32)


def _undo_sway(view: View, sway: Sway) -> View:
    """Return the view with the movement undone."""
    if sway == STILL:
        return view
    matrix = np.array([[1, 0, sway[0]], [0, 1, sway[1]]], np.float32)
    flags, side = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, view.shape[0]
    return np.asarray(
        cv2.warpAffine(view, matrix, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE), np.float32
    )


STILL: Sway = (0.0, 0.0)


def estimate_sway(view: View, reference: View) -> Sway:
    """Return the movement of the whole board between two views; none if it is unclear, or too much for a sway."""
    (x, y), peak = _phase_shift(view, reference)
    return STILL if peak < MIN_CORRELATION or max(abs(x), abs(y)) > MAX_SWAY_CELLS * CELL else (x, y)


def _phase_shift(view: View, reference: View) -> tuple[Sway, float]:
    """Return the movement of the whole view, and the peak of the phase correlation (1: identical)."""
    side = _even_side(view.shape[0])
    first = (view.shape[0] - side) // 2
    part = slice(first, first + side), slice(first, first + side)
    (x, y), peak = cv2.phaseCorrelate(_clamp_levels(reference[part]), _clamp_levels(view[part]), _hann_window(side))
    return (float(x), float(y)), float(peak)


@cache
def _even_side(max_side: int) -> int:
    """Return the largest even side that a Fourier transform takes without padding.

    If `cv2.phaseCorrelate` has to pad to an odd side its answer is half a pixel too large (OpenCV 5.0.0, 220 padded to
    225).
    """
    return next(side for side in range(max_side - max_side % 2, 0, -2) if cv2.getOptimalDFTSize(side) == side)


def is_steady(view: View, before: View) -> bool:
    """Return True if nothing moved between two frames: no connected change of more than STEADY_CELLS cells."""
    return _is_small(find_changes(view, before))


def steady_lids(views: tuple[View, ...], before: tuple[View, ...], widths: tuple[float, ...]) -> list[bool] | None:
    """Return for each lid if it is steady, None if the board itself is not; lids sway with their board.

    Args:
        views: of the board and its lids.
        before: the same of the frame before.
        widths: of the lids, in cells of the board.
    """
    rest = [_is_small(find_changes(now, then, STILL)) for now, then in zip(views, before, strict=True)]
    if all(rest):
        return rest[1:]
    sway = estimate_sway(views[0], before[0])
    if not _is_small(find_changes(views[0], before[0], sway)):
        return None
    return swayed_lids(views, before, widths, sway)


def swayed_lids(views: tuple[View, ...], before: tuple[View, ...], widths: tuple[float, ...], sway: Sway) -> list[bool]:
    """Return for each lid if it is steady, whatever lies on the board, which has moved by `sway`; see `steady_lids`."""
    scales = (LID_SIDE_PX / CELL / width for width in widths)
    return [
        any(_is_small(find_changes(now, then, moved)) for moved in (STILL, (sway[0] * scale, sway[1] * scale)))
        for now, then, scale in zip(views[1:], before[1:], scales, strict=True)
    ]


def _is_small(changes: tuple[ChangedRegion, ...]) -> bool:
    return not changes or changes[0].cells <= STEADY_CELLS


def has_hand(view: View, reference: View) -> bool:
    """Return True if something large that comes in from outside lies over the board."""
    return any(_is_large_intrusion(c) and c.on_board > HAND_ON_BOARD_CELLS for c in find_changes(view, reference))


def _is_large_intrusion(change: ChangedRegion) -> bool:
    return change.cells > HAND_CELLS and change.reaches_rim


def large_areas(view: View, reference: View) -> list[tuple[ChangedRegion, Area]]:
    """Return the large changes that come in from outside the board, with their pixels of the view."""
    return [changed_area for changed_area in find_change_areas(view, reference) if _is_large_intrusion(changed_area[0])]


def lid_view(image: Levels, box: Box) -> View:
    """Return the high-passed view of a lid, LID_SIDE_PX square; beyond the picture its edge is repeated."""
    left, top = max(0, int(box.x)), max(0, int(box.y))
    part = image[top : max(top + 2, int(box.y + box.h)), left : max(left + 2, int(box.x + box.w))]
    if part.size == 0:
        return np.zeros((LID_SIDE_PX, LID_SIDE_PX), np.float32)
    small = cv2.resize(part, (LID_SIDE_PX, LID_SIDE_PX), interpolation=cv2.INTER_AREA)
    return _high_pass(grey_of(np.asarray(small, np.uint8)).astype(np.float32))


def _high_pass(grey: View) -> View:
    local = cv2.blur(grey, (3 * CELL, 3 * CELL))
    return np.asarray((grey - local) * (110.0 / np.maximum(local, 25.0)), np.float32)


def _measure_region(box: npt.NDArray[np.int32], side: int, area: int, inside: int) -> ChangedRegion:
    x, y, w, h = (int(v) for v in box[:4])
    rim = int((MARGIN - RIM_CELLS) * CELL)
    beyond = x < rim or y < rim or x + w > side - rim or y + h > side - rim
    return ChangedRegion(area / CELL**2, inside / CELL**2, beyond)


MIN_CORRELATION = 0.3
"""The minimum phase correlation peak at which a quarter is the same one, perhaps elsewhere."""
STAYS_CELLS, SLID_CELLS = 0.05, 0.08
"""The movement below which a quarter lies where it was, and above which it was bumped, in cells."""
MIN_QUARTERS = 3
"""The number of quarters, of four, that must be found again."""
MAX_LEVEL = 60.0
"""The high-passed level at which edges of stones and of the board are clipped, to weigh no more beside the lines."""


def has_slid(view: View, reference: View) -> bool:
    """Return True if the same board lies a little beside its old position: most of its quarters are there, all
    moved.
    """
    steps = [step for step, peak in _phase_shifts(view, reference) if peak >= MIN_CORRELATION]
    return len(steps) >= MIN_QUARTERS and min(steps) > SLID_CELLS


def is_partly_unmoved(view: View, reference: View) -> bool:
    """Return True if some quarter lies just where it lay: whatever has changed, the board was not bumped."""
    return any(step < STAYS_CELLS and peak >= MIN_CORRELATION for step, peak in _phase_shifts(view, reference))


def _phase_shifts(view: View, reference: View) -> list[tuple[float, float]]:
    """Return the movement of each quarter, in cells, and the peak of its phase correlation (1: identical)."""
    half = view.shape[0] // 2
    shifts = []
    for top in (0, half):
        for left in (0, half):
            part = slice(top, top + half), slice(left, left + half)
            step, peak = _phase_shift(view[part], reference[part])
            shifts.append((hypot(*step) / CELL, peak))
    return shifts


def _clamp_levels(view: View) -> View:
    return np.asarray(np.clip(view, -MAX_LEVEL, MAX_LEVEL), np.float32)


@cache
def _hann_window(side: int) -> npt.NDArray[np.float32]:
    return np.asarray(cv2.createHanningWindow((side, side), cv2.CV_32F), np.float32)


class MotionGate:
    """A gate for the frames of one table: it opens once board and lids have been still for long enough.

    `views`: the newest frame's views of board and lids.
    `rests`: in stills, nothing large has come or gone since the still before.
    """

    def __init__(self, stills: bool, still_for_s: float) -> None:
        self.views: tuple[View, ...] = ()
        self.rests = False
        self._stills, self._still_for_s = stills, still_for_s
        self._still_since: float | None = None
        self._anchor: tuple[float, View] | None = None
        self._lids_moved_at: dict[Box, float] = {}
        self._found_view: View | None = None

    @property
    def is_moving(self) -> bool:
        """Return True if the newest frame differs from the one before; of stills nothing is known."""
        return self._still_since is None

    def forget_views(self) -> None:
        """Forget all views: the board lies elsewhere."""
        self.views, self._still_since, self._found_view, self._anchor = (), None, None, None

    def move_to(self, views: tuple[View, ...]) -> None:
        """Go on with the views of a board that lies elsewhere now."""
        self.views, self._anchor = views, None

    def start_from(self, view: View) -> None:
        """Start with a board just found in this view, perhaps while the camera swung."""
        self._found_view = view

    def is_still(
        self, views: tuple[View, ...], lids: tuple[Box, ...], cell: float, trusted_lids: set[Box], t: float
    ) -> bool:
        """Return True if this frame may be read.

        Args:
            views: of the board and its lids.
            lids: where these lie.
            cell: the board's cell in pixels.
            trusted_lids: the lids that must rest; a false one, such as a clock, may never do so.
            t: the frame's time, in seconds.
        """
        before, self.views = self.views, views
        if self._stills:
            self.rests = bool(before) and not large_areas(views[0], before[0])
            return True
        if len(before) != len(views) or not self._are_steady(before, lids, cell, trusted_lids, t) or self._has_crept(t):
            self._still_since = self._anchor = None
            return False
        if self._still_since is None:
            self._still_since = t
        return t - self._still_since >= self._still_for_s

    def _has_crept(self, t: float) -> bool:
        """Return True if the board has changed since the anchor, a view as old as a table has to be still.

        In slow motion a hand moves too little from one frame to the next to be seen as moving.
        """
        if self._anchor is None or self._anchor[1].shape != self.views[0].shape:
            self._anchor = t, self.views[0]
            return False
        since, view = self._anchor
        if t - since < self._still_for_s:
            return False
        self._anchor = t, self.views[0]
        return not is_steady(self.views[0], view)

    def is_where_found(self, view: View) -> bool:
        """Return True if the board, now at rest, lies where it was found; asked once, because a stone may come later.

        If the camera swung when the board was found, every point would be read beside its stone.
        """
        found_view, self._found_view = self._found_view, None
        return found_view is None or is_steady(view, found_view) or is_partly_unmoved(view, found_view)

    def has_moved_lately(self, lid: Box, t: float) -> bool:
        """Return True if something has moved in a lid within the time for which a table has to be still."""
        return t - self._lids_moved_at.get(lid, -inf) < self._still_for_s

    def _are_steady(
        self, before: tuple[View, ...], lids: tuple[Box, ...], cell: float, trusted_lids: set[Box], t: float
    ) -> bool:
        rests = steady_lids(self.views, before, tuple(lid.w / cell for lid in lids))
        if rests is None:
            return False
        moved_lids = {lid for lid, is_resting in zip(lids, rests, strict=True) if not is_resting}
        self._lids_moved_at = {lid: t if lid in moved_lids else self._lids_moved_at.get(lid, -inf) for lid in lids}
        return moved_lids.isdisjoint(trusted_lids)
