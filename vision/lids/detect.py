"""Detection of lids beside the board: on the table's plane, rectified by the board's grid, a lid is a circle."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from itertools import combinations

import cv2
import numpy as np
import numpy.typing as npt

from vision.calibration.model import Box, Grid, transform_points
from vision.camera.frame import Image

Floats = npt.NDArray[np.float64]
Points = npt.NDArray[np.float32]

# Chosen by hand unless said otherwise (docs/vision.md).
CELL, AROUND = 10, 11
"""Pixels of a cell in the rectified table, and the number of cells around the board that it shows."""
SMALLEST, LARGEST = 2.2, 3.7
"""The range of a lid's radius in cells: 11 to 13 cm across, seen from a little higher or lower than the board."""
ANGLES = np.linspace(0, 2 * np.pi, 72, endpoint=False)
"""The angles at which a circle's rim is sampled, in radians."""
FAINT, CLEAR = 0.02, 0.05
"""The minimum gradients per pixel of an edge and of a clear edge, as shares of the brightness around it."""
MOST, FEWEST = 16, 5.0
"""The maximum number of circles beside the board examined further, those with the most votes, and the minimum number of
votes per pixel of radius. Beside drawn boards no lid that was found came after the fifth, or had fewer than 6.
"""
RIM = 0.7
"""The minimum share of a circle on clear edges that point to its middle."""
ALIKE, UNLIKE = 1.35, 1.0
"""The maximum ratio of two lids' radii, and the weight of its logarithm against a pair."""
BESIDE = 0.85
"""The minimum distance of two lids' middles, as a share of both radii: rims seen from the side hide each other."""
TONE, DARKEST = 0.9, 8.0
"""The ring in which a dish's tone is measured, as a share of its radius, and the levels added before logarithms."""
PALER, TINTED, SHADED = 0.5, 0.5, 0.2
"""The weights against a pair of one lid being paler than the other by more than SHADED, and of another tint."""
SHARP, BUSY = 0.08, 0.9
"""The gradient, and the share of a circle's inside with higher ones, above which it is no lid: cloth, carpet, a bowl
full of stones.
"""
WHOLE, MOSTLY, PLAINEST = 0.88, 0.55, 0.85
"""The share of a lid's rim that must lie in the picture. One lid may be cut off, down to MOSTLY, if its visible rim
scores at least PLAINEST.
"""
CUT_OFF = 0.3
"""The penalty of a cut off lid in a pair."""
QUIET = 0.1
"""The weight of a quiet inside, relative to that of a plain rim."""
GROWN, OUTER_RIM, SLACK = (1.07, 1.14, 1.21, 1.28), 0.8, 0.03
"""The sizes of the outer rim relative to the edge of the floor; its minimum score, and the maximum loss against that
edge's.
"""
COS, SIN = np.cos(ANGLES).astype(np.float32), np.sin(ANGLES).astype(np.float32)
NEARBY = np.array([-1.0, 0.0, 1.0])
"""The distances from the circle at which a rim's edge is searched."""
SHIFTS = np.stack(np.meshgrid(*[[-2.0, 0.0, 2.0]] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
"""The shifts and size changes tried to find where a circle's rim is plainest."""
WIDER = np.stack(np.meshgrid([-3.0, 0.0, 3.0], [-3.0, 0.0, 3.0], GROWN, indexing="ij"), axis=-1).reshape(-1, 3)
"""The shifts and growth factors tried for the outer rim's circle."""


@dataclass(frozen=True)
class LidCircle:
    """A circle on the rectified table, in its pixels.

    `x`, `y`, `r`: middle and radius.
    `rim`: the share of it that is edge.
    `busy`: the share of edges inside.
    `visible_share`: the share of it that lies in the picture.
    `tone`: the colour just within the rim, blue, green and red as logarithms.
    """

    x: float
    y: float
    r: float
    rim: float
    busy: float
    visible_share: float = 1.0
    tone: tuple[float, ...] = (0.0, 0.0, 0.0)

    def is_whole(self) -> bool:
        """Return True if hardly any of it lies beyond the picture."""
        return self.visible_share > WHOLE


def find_circles(image: Image, grid: Grid) -> tuple[list[LidCircle], Floats]:
    """Return the plainest circles beside the board that can be lids, and the homography to their plane.

    The plainest are first, but those that are cut off last.
    """
    matrix, side = _table_plane(grid)
    step = _measure_gradients(_rectify_plane(image, grid, matrix, side))
    strength = np.sqrt(step[0] ** 2 + step[1] ** 2)
    polished_circles = _polish_circles(step, strength, _find_candidates(step, strength, grid.size))
    visible_circles = [_add_visible_share(circle, image, matrix, side) for circle in polished_circles]
    plain_circles = sorted(
        (circle for circle in visible_circles if _is_plain(circle)), key=lambda c: (not c.is_whole(), -c.rim)
    )
    return [_add_tone(circle, image, matrix) for circle in _drop_overlapping(plain_circles)], matrix


def best_pair(circles: dict[LidCircle, float], emptier: Collection[LidCircle]) -> tuple[LidCircle, LidCircle] | None:
    """Return the two plainest circles of similar size, one of `emptier` at least and one whole; None if there are none.

    Args:
        circles: each with its score as a lid, from the net.
        emptier: the circles with few stones.
    """
    pairs = [pair for pair in combinations(circles, 2) if _may_be_a_pair(*pair)]
    pairs = [pair for pair in pairs if any(circle in emptier for circle in pair)]
    return max(pairs, key=lambda pair: _rate_pair(pair, circles), default=None)


def best_one(circles: dict[LidCircle, float]) -> LidCircle | None:
    """Return the plainest of those circles, given as for `best_pair`; None of none."""
    return max(circles, key=lambda circle: _rate_circle(circle, circles[circle]), default=None)


def _rate_pair(pair: tuple[LidCircle, LidCircle], circles: dict[LidCircle, float]) -> float:
    one, other = pair
    worth = sum(_rate_circle(circle, circles[circle]) - CUT_OFF * (not circle.is_whole()) for circle in pair)
    return worth - UNLIKE * abs(float(np.log(one.r / other.r))) - _unlike_in_tone(one, other)


def _unlike_in_tone(one: LidCircle, other: LidCircle) -> float:
    """Return the penalty for different tones: the lids of a set are alike, but one may lie in the shade."""
    difference = np.array(one.tone) - other.tone
    tint = float(np.linalg.norm(difference - difference.mean()))
    return PALER * max(0.0, abs(float(difference.mean())) - SHADED) + TINTED * tint


def _rate_circle(circle: LidCircle, score: float) -> float:
    return circle.rim - QUIET * circle.busy + score


def bounding_box(circle: LidCircle, matrix: Floats) -> Box:
    """Return the upright box around a circle of the plane, in the picture."""
    return Box.enclose_points(_to_pixels(_ring_points(circle), matrix))


def _to_pixels(places: Floats, matrix: Floats) -> Floats:
    """Return places of the plane in pixels of the picture, shape (n, 2)."""
    return transform_points(places, np.asarray(np.linalg.inv(matrix), np.float64))


def _add_tone(circle: LidCircle, image: Image, matrix: Floats) -> LidCircle:
    """Return the circle with the tone of its visible part."""
    x, y = np.rint(_to_pixels(_ring_points(replace(circle, r=TONE * circle.r)), matrix)).astype(int).T
    inside = (x >= 0) & (y >= 0) & (x < image.shape[1]) & (y < image.shape[0])
    levels = np.median(image[y[inside], x[inside]], axis=0) if inside.any() else np.zeros(3)
    return replace(circle, tone=tuple(np.log(levels + DARKEST).tolist()))


def _ring_points(circle: LidCircle) -> Floats:
    """Return points on a circle, shape (n, 2)."""
    return np.stack([circle.x + circle.r * np.cos(ANGLES), circle.y + circle.r * np.sin(ANGLES)], axis=-1)


def _table_plane(grid: Grid) -> tuple[Floats, int]:
    span = (grid.size - 1) * CELL
    unit = np.diag([span, span, 1.0])
    unit[:2, 2] = AROUND * CELL
    return unit @ np.linalg.inv(grid.homography()), span + 2 * AROUND * CELL


def _rectify_plane(image: Image, grid: Grid, matrix: Floats, side: int) -> npt.NDArray[np.uint8]:
    """Return the table in grey as from straight above, shape (side, side)."""
    shrink = max(1, int(grid.cell() / CELL))
    part, begin = _crop_to_plane(image, matrix, side, shrink)
    grey = cv2.cvtColor(part, cv2.COLOR_BGR2GRAY)
    small = cv2.resize(grey, None, fx=1 / shrink, fy=1 / shrink, interpolation=cv2.INTER_AREA) if shrink > 1 else grey
    whole = np.array([[shrink, 0, begin[0]], [0, shrink, begin[1]], [0, 0, 1.0]])
    flat = cv2.warpPerspective(small, matrix @ whole, (side, side), flags=cv2.INTER_LINEAR)
    return np.asarray(cv2.GaussianBlur(flat, (0, 0), 1.0), np.uint8)


def _crop_to_plane(image: Image, matrix: Floats, side: int, shrink: int) -> tuple[Image, tuple[int, int]]:
    """Return the part of the picture that the plane shows, in whole blocks of `shrink` pixels, and its origin (x, y).

    Returns the whole picture if the plane shows the horizon.
    """
    ends = np.array([[0.0, 0.0], [side, 0], [side, side], [0, side]])
    depths = np.column_stack([ends, np.ones(4)]) @ np.linalg.inv(matrix)[2]
    if depths.min() <= 0 < depths.max():
        return image, (0, 0)
    pixels = _to_pixels(ends, matrix)
    size = np.array(image.shape[1::-1])
    low = np.clip(pixels.min(axis=0) // shrink - 2, 0, np.maximum(size // shrink - 1, 0)).astype(int) * shrink
    high = np.clip(pixels.max(axis=0) // shrink + 3, low // shrink + 1, size // shrink + 1).astype(int) * shrink
    return image[low[1] : high[1], low[0] : high[0]], (int(low[0]), int(low[1]))


def _find_candidates(step: Points, strength: Points, size: int) -> Floats:
    """Return circles beside the board on which many edges agree, the most agreed first, shape (n, 3): x, y and radius.

    They are found by votes along the edges' gradients.

    Args:
        step: the gradients.
        strength: the gradients' length.
        size: the board's lines.
    """
    places = step.shape[1] // 2 + 1
    edges = _edges_beside(step, strength, size)
    radii = np.arange(SMALLEST, LARGEST, 0.15) * CELL
    votes = np.stack([_count_votes(*edges, float(r), places) / np.float32(r) for r in radii])
    best = votes.max(axis=0)
    y, x = np.nonzero((best == cv2.dilate(best, np.ones((5, 5)))) & (best >= FEWEST))
    circles = np.stack([2.0 * x, 2.0 * y, radii[votes[:, y, x].argmax(axis=0)]], axis=-1)
    is_beside = _is_beside_board(circles, size)
    return circles[is_beside][np.argsort(-best[y, x][is_beside])[:MOST]]


def _edges_beside(step: Points, strength: Points, size: int) -> tuple[Points, Points]:
    """Return the positions of all edges off the board, and their unit directions, at half scale, shape (2, 2n).

    There are two directions for each edge: straight before and straight behind it.
    """
    edge_mask = strength > FAINT
    board = slice(AROUND * CELL, (AROUND + size - 1) * CELL)
    edge_mask[board, board] = False
    edges = np.flatnonzero(edge_mask)
    half = np.float32(0.5)
    positions = np.stack(np.divmod(edges, step.shape[2])[::-1]).astype(np.float32) * half
    ways = step.reshape(2, -1).take(edges, axis=1) / strength.ravel()[edges] * half
    return np.concatenate([positions, positions], axis=1), np.concatenate([ways, -ways], axis=1)


def _count_votes(positions: Points, ways: Points, r: float, places: int) -> Points:
    """Return the number of edges at distance `r` from each half-scale place and its neighbours, shape (places, places).

    `positions`, `ways`: the edges' positions and unit gradients, at half scale too, shape (2, n).
    """
    margin = int(r) // 2 + 2
    wide = places + 2 * margin
    ahead = ways * np.float32(r)
    ahead += positions
    np.rint(ahead, out=ahead)
    index = (ahead[1] * np.float32(wide) + ahead[0]).astype(np.int32) + (wide + 1) * margin
    count = np.bincount(index, minlength=wide**2).reshape(wide, wide)[margin:-margin, margin:-margin]
    return np.asarray(cv2.boxFilter(count.astype(np.float32), -1, (3, 3), normalize=False), np.float32)


def _measure_gradients(grey: npt.NDArray[np.uint8]) -> Points:
    """Return the gradient across and down, shape (2, side, side), as a share of the brightness around each pixel."""
    grey32 = grey.astype(np.float32)
    local = np.maximum(cv2.blur(grey32, (5 * CELL, 5 * CELL)), 20.0)
    return np.stack([cv2.Scharr(grey32, cv2.CV_32F, *way) / 32.0 / local for way in ((1, 0), (0, 1))])


def _polish_circles(step: Points, strength: Points, circles: Floats) -> list[LidCircle]:
    """Return the circles, shape (n, 3), each moved and sized a little to where its rim is plainest."""
    if not len(circles):
        return []
    slopes = cv2.merge(list(step))
    tries = circles[:, None] + SHIFTS
    best, rims = _select_best(tries, _score_rims(slopes, tries))
    outer, rims = _find_outer_rims(slopes, best, rims)
    return [
        LidCircle(float(x), float(y), float(r), float(rim), _measure_busyness(strength, *map(float, inner)))
        for (x, y, r), rim, inner in zip(outer, rims, best, strict=True)
    ]


def _select_best(tries: Floats, worth: Floats) -> tuple[Floats, Floats]:
    """Return the best of the tries, shape (n, m, 3), for each of n, and its score."""
    each, best = np.arange(len(tries)), worth.argmax(axis=1)
    return tries[each, best], worth[each, best]


def _find_outer_rims(slopes: Points, circles: Floats, scores: Floats) -> tuple[Floats, Floats]:
    """Return the widest plain circles about the same middles, and their scores.

    They are lids' outer rims rather than the edges of their floors. `scores`: the scores of the given circles.
    """
    tries = circles[:, None] * np.concatenate([np.ones((len(WIDER), 2)), WIDER[:, 2:]], axis=1)
    tries[..., :2] += WIDER[:, :2]
    rims, least = _score_rims(slopes, tries), np.maximum(OUTER_RIM, scores - SLACK)
    enough = (tries[..., 2] < LARGEST * CELL) & (rims > least[:, None])
    each, widest = np.arange(len(tries)), np.where(enough, tries[..., 2] + 1e-3 * rims, 0.0).argmax(axis=1)
    has_outer = enough.any(axis=1)
    outer = np.where(has_outer[:, None], tries[each, widest], circles)
    return outer, np.where(has_outer, rims[each, widest], scores)


def _score_rims(slopes: Points, circles: Floats) -> Floats:
    """Return the share of each circle, shape (n, m, 3), on an edge that points to its middle, 0 to 1.

    `slopes`: the gradients, shape (side, side, 2); beyond them there are none.
    """
    reach = circles[..., 2, None] + NEARBY
    x, y = (
        (circles[..., k, None, None] + reach[..., None] * way).astype(np.float32).reshape(-1, len(ANGLES))
        for k, way in enumerate((COS, SIN))
    )
    across, down = cv2.split(cv2.remap(slopes, x, y, cv2.INTER_NEAREST, borderMode=cv2.BORDER_CONSTANT))
    straight = np.abs(across * COS + down * SIN)
    straight[straight <= 0.8 * np.sqrt(across * across + down * down)] = 0.0
    radial = straight.reshape(*reach.shape, len(ANGLES)).max(axis=-2)
    return np.asarray(np.minimum(radial / CLEAR, 1.0).mean(axis=-1), np.float64)


def _measure_busyness(strength: Points, x: float, y: float, r: float) -> float:
    low = np.maximum(np.array([y, x]) - r, 0).astype(int)
    high = (np.array([y, x]) + r).astype(int)
    part = strength[low[0] : high[0], low[1] : high[1]]
    down, across = (np.arange(begin, begin + many) for begin, many in zip(low, part.shape, strict=True))
    inside = (across - x) ** 2 + (down[:, None] - y) ** 2 < (0.72 * r) ** 2
    return float((part[inside] > SHARP).mean()) if inside.any() else 1.0


def _is_beside_board(circles: Floats, size: int) -> npt.NDArray[np.bool_]:
    """Return True for circles, shape (n, 3), that lie beside the board."""
    low, high = AROUND * CELL - 0.3 * CELL, (AROUND + size - 1 + 0.3) * CELL
    gaps = np.maximum(np.maximum(low - circles[:, :2], circles[:, :2] - high), 0)
    return np.asarray(np.linalg.norm(gaps, axis=1) > 0.97 * circles[:, 2])


def _add_visible_share(circle: LidCircle, image: Image, matrix: Floats, side: int) -> LidCircle:
    """Return the circle with its share in the picture and on the plane, and the rim score of that part."""
    ring = np.rint(_ring_points(circle))
    pixels = _to_pixels(ring, matrix)
    inside = (ring >= 0).all(axis=1) & (ring < side).all(axis=1)
    inside &= (pixels > -1).all(axis=1) & (pixels < image.shape[1::-1]).all(axis=1)
    share = float(inside.mean())
    return replace(circle, rim=min(1.0, circle.rim / max(share, MOSTLY)), visible_share=share)


def _is_plain(circle: LidCircle) -> bool:
    rim = RIM if circle.is_whole() else PLAINEST
    return circle.visible_share > MOSTLY and circle.rim > rim and circle.busy < BUSY


def _drop_overlapping(circles: list[LidCircle]) -> list[LidCircle]:
    distinct: list[LidCircle] = []
    for circle in circles:
        if all(np.hypot(circle.x - k.x, circle.y - k.y) > 0.8 * max(circle.r, k.r) for k in distinct):
            distinct.append(circle)
    return distinct


def _may_be_a_pair(one: LidCircle, other: LidCircle) -> bool:
    """Return True if two circles are alike, beside each other, and one of them is whole."""
    is_alike = max(one.r, other.r) / min(one.r, other.r) < ALIKE
    is_beside = np.hypot(one.x - other.x, one.y - other.y) > BESIDE * (one.r + other.r)
    return bool(is_alike and is_beside and (one.is_whole() or other.is_whole()))
