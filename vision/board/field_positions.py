"""Prisoner fields beside the board: found by their two markers, as a plane parallel to the board's.

Planes that are parallel look the same but for an affine change once one of them is rectified: so the board's own
homography takes the perspective out, and the eight corners of the markers give the rest, for circles far from them too.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.board import marker_layout
from vision.board.markers import Markers, detect_markers
from vision.board.pose import Pose, estimate_pose
from vision.calibration.field_layout import CORNERS, LAYOUTS, FieldLayout, layout_of
from vision.calibration.model import Grid, Points, PrisonerField
from vision.camera.frame import Image

# Chosen by hand (docs/vision.md); lengths in millimetres.
MAX_OFF_MM = 2.5
"""The maximum distance of a marker's corner from where the other ones say it is."""
DENSITY = 2.0
"""The pixels for a mm of a rectified field."""
AROUND, FARTHER = 6.0, 0.1
"""The distance within which a marker is searched around its place; around one that the other marker alone tells, this
share of the distance between the two.
"""
QUIET = 3.5
"""The paper around a marker that is compared with it."""
LIKE, UNLIKE = 0.6, 0.1
"""The least correlation with the marker that belongs there, and how much less every other one's has to be."""
DARK_WIDTH = 17.0
"""The width of a marker's black parts, at most: what is dark and wider is no print but a shadow."""
NEIGHBOURS = 3
"""The pixels around a marker's place in which the other ones are compared with it."""
SHRINK = 1.3
"""The pixels of the picture for a pixel of the rectified field above which the picture is shrunk first."""
EVERY = 8
"""The pixels of a rectified field between two whose place in the picture is computed."""
PASSES = 3
"""The number of times that a field is rectified and its markers are looked for in it."""
ECC = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 30, 1e-4)
"""The end of the alignment of a marker (Evangelidis and Psarakis 2008)."""


@dataclass(frozen=True, eq=False)
class FieldView:
    """A field as one picture shows it.

    `layout`: its kind.
    `side`: 0 or 1.
    `pose`: the camera's over the board.
    `matrix`: the affine map from mm on the field to board coordinates, shape (2, 3).
    """

    layout: FieldLayout
    side: int
    pose: Pose
    matrix: Points

    def to_pixels(self, places: Points, height: float = 0.0) -> Points:
        """Return the pixels of places in mm, shape (..., 2), so many mm above the paper."""
        grid = self.pose.raise_grid(height * self._cells_of_mm()) if height else self.pose.grid
        return grid.to_pixels(places @ self.matrix[:, :2].T + self.matrix[:, 2])

    def locate_field(self) -> PrisonerField:
        """Return the field's position in the picture."""
        return PrisonerField.from_corners(self.layout.name, self.side, self.to_pixels(self.layout.field_corners()))

    def pixel_density(self) -> float:
        """Return the pixels for a mm in the field's middle."""
        steps = self.to_pixels(np.array([[-1.0, 0.0], [1.0, 0.0], [0.0, -1.0], [0.0, 1.0]]))
        wide, tall = np.linalg.norm(steps[1] - steps[0]), np.linalg.norm(steps[3] - steps[2])
        return float(min(wide, tall)) / 2

    def _cells_of_mm(self) -> float:
        return float(np.sqrt(abs(np.linalg.det(self.matrix[:, :2])))) * (self.pose.grid.size - 1)


def find_fields(image: Image, grid: Grid, markers: Markers | None = None) -> dict[int, FieldView]:
    """Return the fields of which a marker is read, and the other one seen, by side (0 and 1).

    `markers`: the mat's, if detected already.
    """
    found_markers = detect_markers(image) if markers is None else markers
    if not set(marker_layout.FIELD_IDS) & set(found_markers):
        return {}
    pose = estimate_pose(grid, image.shape)
    kinds = ((layout, side) for layout in LAYOUTS for side in (0, 1))
    views = {
        side: _find_field(image, layout, side, pose, found_markers)
        for layout, side in kinds
        if _is_marker_seen(layout, side, found_markers)
    }
    return {side: view for side, view in views.items() if view is not None}


def view_field(image: Image, grid: Grid, field: PrisonerField) -> FieldView | None:
    """Return a known field as it lies in this picture; None if its markers are not both seen.

    They are looked for where they were, and anywhere if they do not lie there.
    """
    layout = layout_of(field.kind)
    matrix = _fit_affine(layout.field_corners(), grid.to_board(np.array(field.corners)))
    known_view = FieldView(layout, field.side, estimate_pose(grid, image.shape), matrix)
    view = _settle_view(image, known_view, (AROUND, AROUND)) or find_fields(image, grid).get(field.side)
    return view if view is not None and view.layout == layout else None


def _is_marker_seen(layout: FieldLayout, side: int, markers: Markers) -> bool:
    return any(marker in markers for marker in layout.ids[side])


def _find_field(image: Image, layout: FieldLayout, side: int, pose: Pose, markers: Markers) -> FieldView | None:
    """Return the field to which the markers that are read belong; None if the other one does not lie there too."""
    pair = layout.ids[side]
    read_ends = [k for k in (0, 1) if pair[k] in markers]
    field_corners = np.concatenate([layout.marker_corners()[4 * k : 4 * k + 4] for k in read_ends])
    matrix = _fit_affine(field_corners, pose.grid.to_board(np.concatenate([markers[pair[k]] for k in read_ends])))
    far = FARTHER * (layout.markers[1][0] - layout.markers[0][0])
    reach = tuple(AROUND if k in read_ends else far for k in (0, 1))
    return _settle_view(image, FieldView(layout, side, pose, matrix), (reach[0], reach[1]))


def _settle_view(image: Image, view: FieldView, reach: tuple[float, float]) -> FieldView | None:
    """Return the view moved to where its markers are seen within that reach; None if one of them is not."""
    for _ in range(PASSES):
        before = view
        marker_corners = [_find_marker(image, view, k, far) for k, far in enumerate(reach)]
        if marker_corners[0] is None or marker_corners[1] is None:
            return None
        field_corners = view.layout.marker_corners()
        seen_corners = np.concatenate([marker_corners[0], marker_corners[1]])
        fit = _fit_affine(field_corners, seen_corners)
        deviations = seen_corners - (field_corners @ fit[:, :2].T + fit[:, 2])
        matrix = np.column_stack([view.matrix[:, :2] @ fit[:, :2], view.matrix[:, :2] @ fit[:, 2] + view.matrix[:, 2]])
        view, reach = replace(view, matrix=matrix), (AROUND, AROUND)
        if np.linalg.norm(deviations, axis=1).max() > MAX_OFF_MM:
            return None
        if np.abs(view.to_pixels(field_corners) - before.to_pixels(field_corners)).max() < 0.5 * view.pixel_density():
            break
    return view


def _find_marker(image: Image, view: FieldView, k: int, far: float) -> Points | None:
    """Return the corners of the left or right marker, (4, 2), in mm on the view's field; None if it is not there."""
    layout = view.layout
    half = layout.side / 2 + QUIET
    patch = rectify_field(image, view, np.array(layout.markers[k]) - half - far, 2 * (half + far))
    grey = np.maximum.reduce(cv2.split(patch))
    corners = _align_marker(grey, layout, view.side, k)
    if corners is None:
        corners = _align_marker(remove_shadows(grey, 1.0), layout, view.side, k)
    return None if corners is None else corners + layout.markers[k] - half - far


def remove_shadows(image: npt.NDArray[np.float32], least: float) -> npt.NDArray[np.float32]:
    """Return a part of a rectified field as shares of the paper's brightness around, which is at least `least`.

    The edge of a shadow stays where it is: dark parts are closed if they are no wider than print is.
    """
    width = round(DARK_WIDTH * DENSITY)
    paper = cv2.morphologyEx(image, cv2.MORPH_CLOSE, np.ones((width, width), np.uint8))
    return np.asarray(image / np.maximum(paper, least), np.float32)


def _align_marker(grey: npt.NDArray[np.float32], layout: FieldLayout, side: int, k: int) -> Points | None:
    """Return the corners of a field's left or right marker, (4, 2), in mm from a part's top left; None without it."""
    own = layout.ids[side][k]
    score, offset = _correlate_marker(grey, own, layout.side)
    patch_around = grey[_slices_around(offset, _draw_marker(own, layout.side).shape)]
    rival_score = max(
        _correlate_marker(patch_around, other, layout.side)[0] for pair in layout.ids for other in pair if other != own
    )
    if score < LIKE or score < rival_score + UNLIKE:
        return None
    template = _draw_marker(own, layout.side)
    warp = np.array([[1.0, 0.0, offset[0]], [0.0, 1.0, offset[1]]], np.float32)
    mask = np.full(grey.shape, 255, np.uint8)
    try:
        _, fit = cv2.findTransformECC(template, grey, warp, cv2.MOTION_AFFINE, ECC, mask, 5)
    except cv2.error:
        return None
    half = layout.side / 2 + QUIET
    corners, affine = (CORNERS * layout.side / 2 + half) * DENSITY - 0.5, np.asarray(fit, np.float64)
    return np.asarray((corners @ affine[:, :2].T + affine[:, 2] + 0.5) / DENSITY)


def _slices_around(offset: tuple[int, int], shape: tuple[int, ...]) -> tuple[slice, slice]:
    """Return the part of a picture where a smaller one was found, and a few pixels around it."""
    (left, top), (tall, wide) = offset, shape
    return slice(max(0, top - NEIGHBOURS), top + tall + NEIGHBOURS), slice(
        max(0, left - NEIGHBOURS), left + wide + NEIGHBOURS
    )


def _correlate_marker(grey: npt.NDArray[np.float32], marker: int, side: float) -> tuple[float, tuple[int, int]]:
    """Return the best correlation of a marker with a part of the picture, and its offset in it."""
    correlation = cv2.matchTemplate(grey, _draw_marker(marker, side), cv2.TM_CCOEFF_NORMED)
    _, best, _, offset = cv2.minMaxLoc(correlation)
    return float(best), (int(offset[0]), int(offset[1]))


@cache
def _draw_marker(marker: int, side: float) -> npt.NDArray[np.float32]:
    """Return a marker with the paper around it as it is seen from above, a little blurred."""
    fine, pattern = 12, marker_layout.marker_pattern(marker)
    page_side = round((side + 2 * QUIET) * fine)
    page = np.full((page_side, page_side), 1.0, np.float32)
    black, first = round(side * fine), round(QUIET * fine)
    squares = np.where(pattern, 0.0, 1.0).astype(np.float32)
    page[first : first + black, first : first + black] = cv2.resize(
        squares, (black, black), interpolation=cv2.INTER_NEAREST
    )
    wide = round((side + 2 * QUIET) * DENSITY)
    return np.asarray(cv2.GaussianBlur(cv2.resize(page, (wide, wide), interpolation=cv2.INTER_AREA), (0, 0), 1.5))


def rectify_field(
    image: Image, view: FieldView, first: Points, size: float | Points, height: float = 0.0
) -> npt.NDArray[np.float32]:
    """Return a part of the field from above, DENSITY pixels a mm, shape (rows, columns, 3).

    `first`: its top left corner in mm; `size`: its width and height; `height`: of the plane above the paper.
    """
    wide, tall = (round(length * DENSITY) for length in np.broadcast_to(size, 2))
    pixels = _pixel_map(view, first, wide, tall, height)
    rim = np.concatenate([pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]])
    least, most = rim.min(axis=0), rim.max(axis=0)
    low = np.clip(np.floor(least).astype(int) - 4, 0, np.array(image.shape[1::-1]) - 2)
    high = np.clip(np.ceil(most).astype(int) + 5, low + 2, image.shape[1::-1])
    part, scale = image[low[1] : high[1], low[0] : high[0]], min(1.0, SHRINK * DENSITY / view.pixel_density())
    if scale < 1:
        part = np.asarray(cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    starts, half = np.asarray(low - 0.5, np.float32), np.float32(0.5)
    x, y = ((way - start) * np.float32(scale) - half for way, start in zip(cv2.split(pixels), starts, strict=True))
    rectified = cv2.remap(part, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(rectified, np.float32)


def _pixel_map(view: FieldView, first: Points, wide: int, tall: int, height: float) -> npt.NDArray[np.float32]:
    """Return the picture's pixel for each of a rectified part, shape (tall, wide, 2), straight between every EVERY."""
    steps = [np.arange(-(-many // EVERY) + 1) * EVERY for many in (wide, tall)]
    across, down = (first[k] + (steps[k] + 0.5) / DENSITY for k in (0, 1))
    coarse = view.to_pixels(np.stack(np.meshgrid(across, down), axis=-1), height).astype(np.float32)
    fine = np.array([[1 / EVERY, 0.0, 0.0], [0.0, 1 / EVERY, 0.0]])
    ways = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(coarse, fine, (wide, tall), flags=ways, borderMode=cv2.BORDER_REPLICATE))


def _fit_affine(points: Points, targets: Points) -> Points:
    """Return the affine map, shape (2, 3), that takes places to places, shape (n, 2), with the least squares."""
    rows = np.column_stack([points, np.ones(len(points))])
    return np.asarray(np.linalg.lstsq(rows, targets, rcond=None)[0].T, np.float64)
