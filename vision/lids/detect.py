"""Finds the lids beside the board: on the table's plane, straightened by the board's grid, a lid is a circle."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from itertools import combinations

import cv2
import numpy as np
import numpy.typing as npt

from vision.calibration import Box, Grid, transformed
from vision.frame import Image

Floats = npt.NDArray[np.float64]
Points = npt.NDArray[np.float32]

# Chosen by hand unless said otherwise (docs/vision.md).
CELL, AROUND = 10, 11
"""Pixels of a cell in the rectified table, and how many cells round the board it shows."""
SMALLEST, LARGEST = 2.2, 3.7
"""A lid's radius in cells: 11 to 13 cm across, seen from a little higher or lower than the board."""
ANGLES = np.linspace(0, 2 * np.pi, 72, endpoint=False)
"""Where a circle's rim is looked at, in radians."""
FAINT, CLEAR = 0.02, 0.05
"""An edge's and a clear edge's gradient a pixel, as a share of the brightness round it."""
MOST, FEWEST = 16, 5.0
"""Circles beside the board that are looked at further, those with the most votes; none with fewer votes than this for a
pixel of its radius. Beside drawn boards no lid that was found came after the fifth, or had fewer than 6."""
RIM = 0.7
"""A circle has a rim when so much of it lies on a clear edge that points to its middle."""
ALIKE, UNLIKE = 1.35, 1.0
"""Two lids' radii are alike within this factor; how much it counts against two that one is larger, as a logarithm."""
BESIDE = 0.85
"""Two lids' middles are apart by this share of both radii at least: rims seen from the side hide each other."""
TONE, DARKEST = 0.9, 8.0
"""A dish's tone is that of the ring of this share of its radius; so many levels are added before logarithms."""
PALER, TINTED, SHADED = 0.5, 0.5, 0.2
"""How much it counts against two lids that one is paler than the other by more than SHADED, and of another tint."""
SHARP, BUSY = 0.08, 0.9
"""With gradients above SHARP on more than the share BUSY of its inside a circle is no lid: cloth, carpet, a bowl full
of stones."""
WHOLE, MOSTLY, PLAINEST = 0.88, 0.55, 0.85
"""So much of a lid's rim lies in the picture. One lid may be cut off, down to MOSTLY, if what is seen of its rim is as
plain as PLAINEST."""
CUT_OFF = 0.3
"""How much that counts against two lids."""
QUIET = 0.1
"""How much a quiet inside counts beside a plain rim."""
GROWN, OUTER_RIM, SLACK = (1.07, 1.14, 1.21, 1.28), 0.8, 0.03
"""How much wider the outer rim may be than the edge of the floor; it is as plain as OUTER_RIM and at most SLACK less
plain than that edge."""
COS, SIN = np.cos(ANGLES).astype(np.float32), np.sin(ANGLES).astype(np.float32)
NEARBY = np.array([-1.0, 0.0, 1.0])
"""A rim's edge is looked for so far off the circle."""
MOVED = np.stack(np.meshgrid(*[[-2.0, 0.0, 2.0]] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
"""Circles are moved and sized by so much to find where the rim is plainest."""
WIDER = np.stack(np.meshgrid([-3.0, 0.0, 3.0], [-3.0, 0.0, 3.0], GROWN, indexing="ij"), axis=-1).reshape(-1, 3)
"""By how much the outer rim's circle is moved and grown."""


@dataclass(frozen=True)
class LidCircle:
    """A circle on the straightened table, in its pixels. rim: share of it that is edge; busy: share of edges inside;
    seen: share of it that lies in the picture; tone: just within the rim, blue, green and red as logarithms."""

    x: float
    y: float
    r: float
    rim: float
    busy: float
    seen: float = 1.0
    tone: tuple[float, ...] = (0.0, 0.0, 0.0)

    def is_whole(self) -> bool:
        """Whether hardly any of it lies beyond the picture."""
        return self.seen > WHOLE


def find_circles(image: Image, grid: Grid) -> tuple[list[LidCircle], Floats]:
    """The plainest circles beside the board that can be lids, the plainest first but those that
    are cut off last, and the homography to their plane."""
    matrix, side = _plane(grid)
    step = _edges(_straightened(image, grid, matrix, side))
    strength = np.sqrt(step[0] ** 2 + step[1] ** 2)
    found = _judged(step, strength, _candidates(step, strength, grid.size))
    seen = [_of_the_seen(circle, image, matrix, side) for circle in found]
    plain = sorted((circle for circle in seen if _is_plain(circle)), key=lambda c: (not c.is_whole(), -c.rim))
    return [_toned(circle, image, matrix) for circle in _apart(plain)], matrix


def best_pair(circles: dict[LidCircle, float], emptier: Collection[LidCircle]) -> tuple[LidCircle, LidCircle] | None:
    """The two circles that are plainest and alike in size, one of the emptier at least and one that is whole; None when
    no two are.

    circles: each with how much a look into it speaks for a lid.
    """
    pairs = [pair for pair in combinations(circles, 2) if _may_be_a_pair(*pair)]
    pairs = [pair for pair in pairs if any(circle in emptier for circle in pair)]
    return max(pairs, key=lambda pair: _worth_of_both(pair, circles), default=None)


def best_one(circles: dict[LidCircle, float]) -> LidCircle | None:
    """The plainest of those circles, given as for `best_pair`; None of none."""
    return max(circles, key=lambda circle: _worth(circle, circles[circle]), default=None)


def _worth_of_both(pair: tuple[LidCircle, LidCircle], circles: dict[LidCircle, float]) -> float:
    one, other = pair
    worth = sum(_worth(circle, circles[circle]) - CUT_OFF * (not circle.is_whole()) for circle in pair)
    return worth - UNLIKE * abs(float(np.log(one.r / other.r))) - _unlike_in_tone(one, other)


def _unlike_in_tone(one: LidCircle, other: LidCircle) -> float:
    """The lids of a set are alike, unlike a lid and a plate; but one may lie in the shade."""
    off = np.array(one.tone) - other.tone
    tint = float(np.linalg.norm(off - off.mean()))
    return PALER * max(0.0, abs(float(off.mean())) - SHADED) + TINTED * tint


def _worth(circle: LidCircle, speaks: float) -> float:
    return circle.rim - QUIET * circle.busy + speaks


def box_of(circle: LidCircle, matrix: Floats) -> Box:
    """The upright box round a circle of the plane, in the picture."""
    return Box.around(_pixels(_ring(circle), matrix))


def _pixels(places: Floats, matrix: Floats) -> Floats:
    """Where places of the plane are seen in the picture, shape (n, 2)."""
    return transformed(places, np.asarray(np.linalg.inv(matrix), np.float64))


def _toned(circle: LidCircle, image: Image, matrix: Floats) -> LidCircle:
    """The circle with its tone, of what is seen of it."""
    x, y = np.rint(_pixels(_ring(replace(circle, r=TONE * circle.r)), matrix)).astype(int).T
    inside = (x >= 0) & (y >= 0) & (x < image.shape[1]) & (y < image.shape[0])
    levels = np.median(image[y[inside], x[inside]], axis=0) if inside.any() else np.zeros(3)
    return replace(circle, tone=tuple(np.log(levels + DARKEST).tolist()))


def _ring(circle: LidCircle) -> Floats:
    """Points on a circle, shape (n, 2)."""
    return np.stack([circle.x + circle.r * np.cos(ANGLES), circle.y + circle.r * np.sin(ANGLES)], axis=-1)


def _plane(grid: Grid) -> tuple[Floats, int]:
    span = (grid.size - 1) * CELL
    unit = np.diag([span, span, 1.0])
    unit[:2, 2] = AROUND * CELL
    return unit @ np.linalg.inv(grid.homography()), span + 2 * AROUND * CELL


def _straightened(image: Image, grid: Grid, matrix: Floats, side: int) -> npt.NDArray[np.uint8]:
    """The table in grey as from straight above, shape (side, side)."""
    shrink = max(1, int(grid.cell() / CELL))
    part, begin = _part(image, matrix, side, shrink)
    grey = cv2.cvtColor(part, cv2.COLOR_BGR2GRAY)
    small = cv2.resize(grey, None, fx=1 / shrink, fy=1 / shrink, interpolation=cv2.INTER_AREA) if shrink > 1 else grey
    whole = np.array([[shrink, 0, begin[0]], [0, shrink, begin[1]], [0, 0, 1.0]])
    flat = cv2.warpPerspective(small, matrix @ whole, (side, side), flags=cv2.INTER_LINEAR)
    return np.asarray(cv2.GaussianBlur(flat, (0, 0), 1.0), np.uint8)


def _part(image: Image, matrix: Floats, side: int, shrink: int) -> tuple[Image, tuple[int, int]]:
    """The part of the picture that the plane shows, in whole blocks of so many pixels, and where it begins (x, y); all
    of the picture where the plane shows the horizon."""
    ends = np.array([[0.0, 0.0], [side, 0], [side, side], [0, side]])
    away = np.column_stack([ends, np.ones(4)]) @ np.linalg.inv(matrix)[2]
    if away.min() <= 0 < away.max():
        return image, (0, 0)
    there = _pixels(ends, matrix)
    size = np.array(image.shape[1::-1])
    low = np.clip(there.min(axis=0) // shrink - 2, 0, np.maximum(size // shrink - 1, 0)).astype(int) * shrink
    high = np.clip(there.max(axis=0) // shrink + 3, low // shrink + 1, size // shrink + 1).astype(int) * shrink
    return image[low[1] : high[1], low[0] : high[0]], (int(low[0]), int(low[1]))


def _candidates(step: Points, strength: Points, size: int) -> Floats:
    """Circles beside the board, shape (n, 3), on which many edges agree, the most agreed first: middles (x, y) and
    radii, by votes along the edges' gradients. strength: the gradients' length. size: the board's lines."""
    places = step.shape[1] // 2 + 1
    edges = _edges_beside(step, strength, size)
    radii = np.arange(SMALLEST, LARGEST, 0.15) * CELL
    votes = np.stack([_votes(*edges, float(r), places) / np.float32(r) for r in radii])
    best = votes.max(axis=0)
    y, x = np.nonzero((best == cv2.dilate(best, np.ones((5, 5)))) & (best >= FEWEST))
    circles = np.stack([2.0 * x, 2.0 * y, radii[votes[:, y, x].argmax(axis=0)]], axis=-1)
    beside = _beside(circles, size)
    return circles[beside][np.argsort(-best[y, x][beside])[:MOST]]


def _edges_beside(step: Points, strength: Points, size: int) -> tuple[Points, Points]:
    """The places of all edges but those on the board, and where they point to, as unit vectors, of half the size,
    shape (2, 2n): straight before each edge and straight behind it."""
    seen = strength > FAINT
    board = slice(AROUND * CELL, (AROUND + size - 1) * CELL)
    seen[board, board] = False
    edges = np.flatnonzero(seen)
    half = np.float32(0.5)
    at = np.stack(np.divmod(edges, step.shape[2])[::-1]).astype(np.float32) * half
    ways = step.reshape(2, -1).take(edges, axis=1) / strength.ravel()[edges] * half
    return np.concatenate([at, at], axis=1), np.concatenate([ways, -ways], axis=1)


def _votes(at: Points, ways: Points, r: float, places: int) -> Points:
    """How many edges lie at that distance from each place of half the size and those next to it, shape (places,
    places). at, ways: the edges' places and unit gradients, of half the size too, shape (2, n)."""
    margin = int(r) // 2 + 2
    wide = places + 2 * margin
    ahead = ways * np.float32(r)
    ahead += at
    np.rint(ahead, out=ahead)
    index = (ahead[1] * np.float32(wide) + ahead[0]).astype(np.int32) + (wide + 1) * margin
    count = np.bincount(index, minlength=wide**2).reshape(wide, wide)[margin:-margin, margin:-margin]
    return np.asarray(cv2.boxFilter(count.astype(np.float32), -1, (3, 3), normalize=False), np.float32)


def _edges(grey: npt.NDArray[np.uint8]) -> Points:
    """The gradient across and down, shape (2, side, side), as a share of the brightness round each pixel."""
    grey32 = grey.astype(np.float32)
    local = np.maximum(cv2.blur(grey32, (5 * CELL, 5 * CELL)), 20.0)
    return np.stack([cv2.Scharr(grey32, cv2.CV_32F, *way) / 32.0 / local for way in ((1, 0), (0, 1))])


def _judged(step: Points, strength: Points, circles: Floats) -> list[LidCircle]:
    """The circles, shape (n, 3), each moved and sized a little to where its rim is plainest."""
    if not len(circles):
        return []
    slopes = cv2.merge(list(step))
    tries = circles[:, None] + MOVED
    best, rims = _plainest(tries, _rims(slopes, tries))
    outer, rims = _outer(slopes, best, rims)
    return [
        LidCircle(float(x), float(y), float(r), float(rim), _busy(strength, *map(float, inner)))
        for (x, y, r), rim, inner in zip(outer, rims, best, strict=True)
    ]


def _plainest(tries: Floats, worth: Floats) -> tuple[Floats, Floats]:
    """Of tries, shape (n, m, 3), for each of n the worthiest, and what it is worth."""
    each, best = np.arange(len(tries)), worth.argmax(axis=1)
    return tries[each, best], worth[each, best]


def _outer(slopes: Points, circles: Floats, plain: Floats) -> tuple[Floats, Floats]:
    """The widest plain circles about the same middles, and how plain: lids' outer rims rather than the edges of their
    floors. plain: how plain the circles are."""
    tries = circles[:, None] * np.concatenate([np.ones((len(WIDER), 2)), WIDER[:, 2:]], axis=1)
    tries[..., :2] += WIDER[:, :2]
    rims, least = _rims(slopes, tries), np.maximum(OUTER_RIM, plain - SLACK)
    enough = (tries[..., 2] < LARGEST * CELL) & (rims > least[:, None])
    each, widest = np.arange(len(tries)), np.where(enough, tries[..., 2] + 1e-3 * rims, 0.0).argmax(axis=1)
    some = enough.any(axis=1)
    found = np.where(some[:, None], tries[each, widest], circles)
    return found, np.where(some, rims[each, widest], plain)


def _rims(slopes: Points, circles: Floats) -> Floats:
    """How much of each circle, shape (n, m, 3), lies on an edge that points to its middle, 0 to 1. slopes: the
    gradients, shape (side, side, 2); beyond them there are none."""
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


def _busy(strength: Points, x: float, y: float, r: float) -> float:
    low = np.maximum(np.array([y, x]) - r, 0).astype(int)
    high = (np.array([y, x]) + r).astype(int)
    part = strength[low[0] : high[0], low[1] : high[1]]
    down, across = (np.arange(begin, begin + many) for begin, many in zip(low, part.shape, strict=True))
    inside = (across - x) ** 2 + (down[:, None] - y) ** 2 < (0.72 * r) ** 2
    return float((part[inside] > SHARP).mean()) if inside.any() else 1.0


def _beside(circles: Floats, size: int) -> npt.NDArray[np.bool_]:
    """Whether circles, shape (n, 3), lie beside the board."""
    low, high = AROUND * CELL - 0.3 * CELL, (AROUND + size - 1 + 0.3) * CELL
    away = np.maximum(np.maximum(low - circles[:, :2], circles[:, :2] - high), 0)
    return np.asarray(np.linalg.norm(away, axis=1) > 0.97 * circles[:, 2])


def _of_the_seen(circle: LidCircle, image: Image, matrix: Floats, side: int) -> LidCircle:
    """The circle with the share of it that lies in the picture and on the plane, and how plain a rim that part is."""
    ring = np.rint(_ring(circle))
    there = _pixels(ring, matrix)
    inside = (ring >= 0).all(axis=1) & (ring < side).all(axis=1)
    inside &= (there > -1).all(axis=1) & (there < image.shape[1::-1]).all(axis=1)
    seen = float(inside.mean())
    return replace(circle, rim=min(1.0, circle.rim / max(seen, MOSTLY)), seen=seen)


def _is_plain(circle: LidCircle) -> bool:
    rim = RIM if circle.is_whole() else PLAINEST
    return circle.seen > MOSTLY and circle.rim > rim and circle.busy < BUSY


def _apart(circles: list[LidCircle]) -> list[LidCircle]:
    kept: list[LidCircle] = []
    for circle in circles:
        if all(np.hypot(circle.x - k.x, circle.y - k.y) > 0.8 * max(circle.r, k.r) for k in kept):
            kept.append(circle)
    return kept


def _may_be_a_pair(one: LidCircle, other: LidCircle) -> bool:
    """Whether two circles are alike, beside each other, and one of them is whole."""
    alike = max(one.r, other.r) / min(one.r, other.r) < ALIKE
    beside = np.hypot(one.x - other.x, one.y - other.y) > BESIDE * (one.r + other.r)
    return bool(alike and beside and (one.is_whole() or other.is_whole()))
