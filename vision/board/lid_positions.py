"""The position of the two lids: fields and places of the mat if their markers are seen, else beside the board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import dist

import cv2
import numpy as np
import numpy.typing as npt

from vision.board import marker_layout
from vision.board.field_positions import find_fields
from vision.board.markers import Markers, detect_markers
from vision.calibration.model import Box, Grid, Points, transform_points
from vision.camera.frame import Image
from vision.lids.count import find_lids

# Chosen by hand for the printed mat (docs/vision.md); lengths in millimetres.
MAX_DISAGREEMENT_MM = 3.0
"""The maximum disagreement of a place's two markers; beyond it they are none of ours."""
DENSITY, REACH = 2.0, 80.0
"""The resolution of a place seen from above, in pixels a mm, and the radius shown around its middle, in mm."""
MIN_RIM_PX = 7
"""The width below which a structure, such as a printed line, is no rim."""
RADII = np.arange(marker_layout.SMALLEST_LID / 2 - 1, marker_layout.LARGEST_LID / 2 + 7, 2.0)
"""The radii tried: of lids that fit the mat, and a little wider, because a rim lies nearer to the camera."""
OFFSETS_MM = (4.0, 8.0, 12.0)
"""The offsets tried for a rim from the place's middle: it lies higher than the mat, and nobody is exact."""
STEPS = (2.0, 1.0, 0.5, 0.25)
"""The steps by which a circle is moved and sized, the coarsest first."""
OUTER = 0.72
"""The score relative to the plainest circle from which the widest is the rim: the others lie inside it."""
CLEAREST = 0.05
"""The gradient per pixel, as a share of the brightness, above which it counts no more."""
COARSE_PX = 5
"""The pixels over which gradients are averaged for the first pass."""
RAYS = np.stack([f(np.linspace(0, 2 * np.pi, 72, endpoint=False)) for f in (np.cos, np.sin)], axis=-1)
"""Unit vectors to the sample points on a circle's rim, shape (72, 2)."""


def place_lids(image: Image, grid: Grid, markers: Markers | None = None, alone: bool = False) -> tuple[Box, ...]:
    """Return the boxes of the lids of sides 1 and 2, or none if two are not plainly there.

    A field, and a lid on its place of the mat, is that side's wherever it lies; without the mat reading order decides.

    Args:
        image: the picture.
        grid: the board.
        markers: the mat's, in pixels, if already detected.
        alone: return a single lid too, although its side is unknown.
    """
    mat_markers = detect_markers(image) if markers is None else markers
    boxes: dict[int, Box] = {side: _fit_rim(image, place) for side, place in lid_places(image, mat_markers).items()}
    boxes |= {side: view.locate_field() for side, view in find_fields(image, grid, mat_markers).items()}
    if len(boxes) == 2:
        return boxes[0], boxes[1]
    lids = find_lids(image, grid)
    pair = _pair_with_other(boxes, lids) if boxes else lids if len(lids) == 2 else ()
    return pair or (lids if alone else ())


def place_fields(image: Image, grid: Grid, lids: Sequence[Box]) -> tuple[Box, ...]:
    """Return the lids that a person gave, and instead of each in which a prisoner field lies that field."""
    fields = [view.locate_field() for view in find_fields(image, grid).values()]
    return tuple(next((field for field in fields if _is_in_box(lid, field.middle())), lid) for lid in lids)


def _is_in_box(box: Box, place: tuple[float, float]) -> bool:
    return box.x <= place[0] <= box.x + box.w and box.y <= place[1] <= box.y + box.h


def lid_places(image: Image, markers: Markers | None = None) -> dict[int, Points]:
    """Return the visible mat places for lids, by side (0 and 1): the homography from mm around the middle to pixels."""
    mat_markers = detect_markers(image) if markers is None else markers
    places = {
        side: _fit_place(pair, mat_markers)
        for side, pair in enumerate(marker_layout.LID_IDS)
        if all(m in mat_markers for m in pair)
    }
    return {side: matrix for side, matrix in places.items() if matrix is not None}


def _fit_place(pair: tuple[int, int], markers: Markers) -> Points | None:
    mat_points = np.concatenate([marker_layout.lid_marker(marker) for marker in pair])
    pixels = np.concatenate([markers[marker] for marker in pair])
    matrix = np.asarray(cv2.findHomography(mat_points, pixels)[0], np.float64)
    restored = transform_points(pixels, np.asarray(np.linalg.inv(matrix), np.float64))
    return matrix if float(np.linalg.norm(restored - mat_points, axis=1).max()) < MAX_DISAGREEMENT_MM else None


def _fit_rim(image: Image, place: Points) -> Box:
    """Return the box of the rim that is seen about a place."""
    slopes = _measure_slopes(image, place)
    rim = _find_rim(slopes)
    return Box.enclose_points(transform_points(rim[:2] + rim[2] * RAYS, place))


def _measure_slopes(image: Image, place: Points) -> Points:
    """Return the place from above as gradients, shares of the brightness around them, shape (side, side, 2)."""
    side = round(2 * REACH * DENSITY)
    from_mm = np.array([[1 / DENSITY, 0, -REACH], [0, 1 / DENSITY, -REACH], [0, 0, 1]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    flat = cv2.warpPerspective(image, place @ from_mm, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    grey = cv2.medianBlur(cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY), MIN_RIM_PX)
    smooth = cv2.GaussianBlur(grey.astype(np.float32), (0, 0), 1.0)
    local = np.maximum(cv2.blur(smooth, (2 * MIN_RIM_PX, 2 * MIN_RIM_PX)), 20.0)
    return np.stack([cv2.Scharr(smooth, cv2.CV_32F, *way) / 32.0 / local for way in ((1, 0), (0, 1))], axis=-1)


Ring = npt.NDArray[np.float64]
"""A circle's centre (x, y) and radius, in mm from a place's middle."""


def _find_rim(slopes: Points) -> Ring:
    """Return the widest of the plain circles about a place's middle."""
    turns = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    strays = [stray * np.stack([np.cos(turns), np.sin(turns)], axis=-1) for stray in OFFSETS_MM]
    tries = np.array([(x, y, radius) for radius in RADII for x, y in (np.zeros(2), *np.concatenate(strays))])
    coarse = np.asarray(cv2.blur(slopes, (COARSE_PX, COARSE_PX)), np.float64)
    first_scores = _score_rings(coarse, tries).reshape(len(RADII), -1)
    rings = [
        _climb_ring(slopes, one)
        for one in tries.reshape(len(RADII), -1, 3)[np.arange(len(RADII)), first_scores.argmax(axis=1)]
    ]
    scores = _score_rings(slopes, np.array(rings))
    enough = OUTER * np.max(scores)
    return max((ring for ring, its in zip(rings, scores, strict=True) if its >= enough), key=lambda r: r[2])


def _climb_ring(slopes: Points, ring: Ring) -> Ring:
    """Return a circle moved and sized in ever smaller steps to where it is plainest."""
    ways = np.stack(np.meshgrid(*[[-1.0, 0.0, 1.0]] * 3), axis=-1).reshape(-1, 3)
    for step in STEPS:
        for _ in range(3):
            tries = ring + step * ways
            ring = tries[int(np.argmax(_score_rings(slopes, tries)))]
    return ring


def _score_rings(slopes: Points, rings: Points) -> Points:
    """Return the edge strength along each circle, shape (n, 3): the mean over its rays, 0 to CLEAREST."""
    pixels = ((rings[:, None, :2] + rings[:, None, 2:] * RAYS + REACH) * DENSITY - 0.5).astype(np.float32)
    gradients = cv2.remap(slopes, pixels[..., 0], pixels[..., 1], cv2.INTER_LINEAR)
    return np.asarray(np.minimum(np.abs((gradients * RAYS).sum(axis=-1)), CLEAREST).mean(axis=1), np.float64)


def _pair_with_other(boxes: Mapping[int, Box], lids: tuple[Box, ...]) -> tuple[Box, ...]:
    """Return a lid on its place and another one of those found, none if there is no other."""
    ((side, own),) = boxes.items()
    others = [box for box in lids if not _is_same_lid(box, own)]
    if not others:
        return ()
    return (own, others[0]) if side == 0 else (others[0], own)


def _is_same_lid(one: Box, other: Box) -> bool:
    return dist(one.middle(), other.middle()) < max(one.w, one.h) / 2
