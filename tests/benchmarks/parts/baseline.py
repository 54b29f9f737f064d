"""Read boards without a trained net: Hough lines and k-means, to measure ours against.

Edges; Hough lines; their angles in two clusters; in each family evenly spaced lines as perspective shows them; a
homography; of 9, 13 and 19 lines the window with most edges on its lines and fewest beyond; the board warped; the
colours at the points in three clusters, told apart by their lightness. Written from that description.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import combinations

import cv2
import numpy as np
import numpy.typing as npt

from tests.support.vision.labels import LEFT_OUT
from tests.support.vision.photographs import Label
from vision.board.window import SIZES
from vision.calibration.model import Grid, order_clockwise
from vision.camera.frame import Image
from vision.tracking.reading import SYMBOLS

# The times and results of eyes, and two of them side by side.

WANTED = {"large": 3.0, "lids": 6.0, "frame": 5.0, "memory": 250.0}
"""At most: how many times what decoding and warping take a look at a photograph of 12 megapixels takes, and at one of
1920x1080 with two lids; milliseconds of a tracked frame; megabytes."""


@dataclass
class Figures:
    """One eye's time and results. ms, net: of each photograph; the stone net's part. frames: of each tracked frame.

    looks: of photographs that are looked at whole, lids too, by their kind: the milliseconds of decoding and warping
    alone, and of the look, each time.
    """

    boards: int = 0
    found: int = 0
    whole: int = 0
    points: int = 0
    right: int = 0
    ms: list[float] = field(default_factory=list)
    net: list[float] = field(default_factory=list)
    frames: list[float] = field(default_factory=list)
    read: float = 0.0
    fitted: float = 0.0
    looks: dict[str, list[tuple[float, float]]] = field(default_factory=dict)
    memory: float = 0.0


def timed(do: Callable[[], object]) -> tuple[object, float]:
    """Return its answer, and the milliseconds of processor time it took."""
    started = time.process_time()
    answer = do()
    return answer, 1000 * (time.process_time() - started)


def count(figures: Figures, label: Label, kinds: np.ndarray) -> None:
    """Points right and whole boards."""
    pairs = [pair for pair in zip("".join(label.rows), SYMBOLS[kinds].ravel(), strict=True) if pair[0] not in LEFT_OUT]
    right = sum(truth == read for truth, read in pairs)
    figures.right += right
    figures.whole += int(right == len(pairs))


def table(ours: Figures, theirs: Figures) -> list[str]:
    """Return the figures side by side, and as ratios of ours to theirs."""
    ms, their_ms = statistics.median(ours.ms), statistics.median(theirs.ms)
    share = sum(ours.net) / sum(ours.ms)
    frame = statistics.mean(ours.frames)
    floor = statistics.median(floor for floor, _ in ours.looks["lids"])
    return [
        *(beside_floor(kind, ours.looks[kind]) for kind in ("large", "lids")),
        f"a tracked 1920x1080 frame, a look each second: {frame:.1f} ms on average (wanted: {WANTED['frame']:.0f} at "
        f"most), {frame / floor:.2f} times as much; {statistics.median(ours.frames):.1f} the median, "
        f"{max(ours.frames):.1f} the slowest",
        "",
        f"{'':34}{'shinpan':>12}{'baseline':>12}{'ratio':>8}",
        format_row("ms a photograph, median", ms, their_ms, "{:.0f}"),
        format_row("ms a photograph, nine in ten within", tenth(ours.ms), tenth(theirs.ms), "{:.0f}"),
        format_row("boards found", ours.found / ours.boards, theirs.found / theirs.boards, "{:.1%}"),
        format_row("points right, of all", ours.right / ours.points, theirs.right / theirs.points, "{:.2%}"),
        format_row(
            "points wrong or not seen", 1 - ours.right / ours.points, 1 - theirs.right / theirs.points, "{:.2%}"
        ),
        format_row("whole boards right", ours.whole / ours.boards, theirs.whole / theirs.boards, "{:.1%}"),
        format_row("MB of memory at most", ours.memory, theirs.memory, "{:.0f}"),
        "",
        f"the stone net's share of a photograph: {share:.0%}; a 1080p board read by it: {ours.read:.1f} ms",
        f"a 1080p frame's grid fitted again: {ours.fitted:.1f} ms",
        f"memory wanted: under {WANTED['memory']:.0f} MB",
    ]


KINDS = {"large": "a photograph of 12 megapixels", "lids": "a photograph of 1920x1080 with two lids"}


def beside_floor(kind: str, looks: list[tuple[float, float]]) -> str:
    """Return how many times as long a look takes as decoding and warping, the median of those made in one run."""
    times = statistics.median(look / floor for floor, look in looks)
    floor, look = (statistics.median(part) for part in zip(*looks, strict=True))
    return (
        f"{KINDS[kind]}: decoding and warping {floor:.0f} ms, a look {look:.0f} ms, {times:.1f} times as much "
        f"(wanted: {WANTED[kind]:.0f} at most)"
    )


def tenth(ms: list[float]) -> float:
    """Return the time that nine in ten do not exceed."""
    return float(np.percentile(ms, 90))


def format_row(what: str, ours: float, theirs: float, form: str) -> str:
    ratio = ours / theirs if theirs else float("inf")
    return f"{what:34}{form.format(ours):>12}{form.format(theirs):>12}{ratio:>8.2f}"


Floats = npt.NDArray[np.float64]

LONGEST = 1000
LEAST_VOTES = 0.18
"""Votes that make a line, as a share of the picture's shorter side."""
MOST_LINES = 240
STRAIGHT = np.radians(18)
"""A line belongs to a family when it leans no further from the family's own direction."""
ALIKE = 0.012
"""Lines nearer to one another than this share of the picture's longer side, in its middle, are one."""
ON = 0.17
"""A line is one of the evenly spaced ones when it is off by less than this share of a space."""
FEWEST = 5
SPARE = 8
"""Lines looked at beyond those that were seen."""
PITCH = 20
"""Pixels a cell of the warped board."""
DARK, LIGHT = 0.62, 1.28
"""A cluster is stones when it is so much darker or lighter than the board."""


def find(image: Image) -> Grid | None:
    """The board in a picture, or None."""
    scale = min(1.0, LONGEST / max(image.shape[:2]))
    small = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    grey = cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), (0, 0), 1.0)
    middle = float(np.median(grey))
    edges = np.asarray(cv2.Canny(grey, 0.45 * middle, 0.9 * middle), np.uint8)
    families = _families(edges)
    combs = [comb for family in families for comb in [_even(family)] if comb is not None]
    if len(combs) < 2:
        return None
    return _window(edges, combs[0], combs[1], scale)


def read(image: Image, grid: Grid) -> npt.NDArray[np.int64]:
    """0 empty, 1 black, 2 white on every point, shape (size, size), by clusters of colour."""
    board = _warped(image, grid)
    steps = np.arange(grid.size) * PITCH + PITCH
    part = np.arange(-PITCH // 4, PITCH // 4 + 1)
    at = (steps[:, None] + part).ravel()
    spots = board[np.ix_(at, at)].reshape(grid.size, len(part), grid.size, len(part), 3)
    colours = spots.astype(np.float32).mean(axis=(1, 3)).reshape(-1, 3)
    cv2.setRNGSeed(0)
    ends = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 40, 0.2)
    _, kinds, middles = cv2.kmeans(colours, 3, None, ends, 4, cv2.KMEANS_PP_CENTERS)  # type: ignore[call-overload]
    lightness = middles @ np.array([0.114, 0.587, 0.299])
    ground = float(np.median(board @ np.array([0.114, 0.587, 0.299])))
    order = np.argsort(lightness)
    meant = np.zeros(3, np.int64)
    meant[order[0]] = 1 if lightness[order[0]] < DARK * ground else 0
    meant[order[2]] = 2 if lightness[order[2]] > min(LIGHT * ground, 0.5 * (ground + 255)) else 0
    return np.asarray(meant[kinds.ravel()].reshape(grid.size, grid.size), np.int64)


def _warped(image: Image, grid: Grid) -> Image:
    """The board from above, PITCH pixels a cell and a cell round it."""
    last = PITCH * grid.size
    square = np.array([[PITCH, PITCH], [last, PITCH], [last, last], [PITCH, last]], np.float32)
    scale = min(1.0, 1.5 * PITCH / grid.cell())
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    matrix = cv2.getPerspectiveTransform((np.array(grid.corners) * scale).astype(np.float32), square)
    return np.asarray(
        cv2.warpPerspective(small, matrix, (last + PITCH + 1,) * 2, borderMode=cv2.BORDER_REPLICATE), np.uint8
    )


@dataclass(frozen=True, eq=False)
class Family:
    """Lines of one direction. lines: homogeneous, shape (n, 3). places: where they cross the line through the picture's
    middle square to them, in pixels along it, shape (n,), in order."""

    lines: Floats
    places: Floats


@dataclass(frozen=True, eq=False)
class Comb:
    """Lines of a family that are evenly spaced: their numbers, counted from one of them, shape (n,)."""

    lines: Floats
    numbers: npt.NDArray[np.int64]


def _families(edges: Image) -> list[Family]:
    """The lines in two families by their angles."""
    high, wide = edges.shape
    lines = cv2.HoughLines(edges, 1, np.pi / 360, int(LEAST_VOTES * min(high, wide)))
    if lines is None or len(lines) < 2 * FEWEST:
        return []
    polar = lines[:MOST_LINES, 0].astype(np.float64)
    doubled = np.stack([np.cos(2 * polar[:, 1]), np.sin(2 * polar[:, 1])], axis=1)
    cv2.setRNGSeed(0)
    ends = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 40, 1e-4)
    two = cv2.kmeans(doubled.astype(np.float32), 2, None, ends, 4, cv2.KMEANS_PP_CENTERS)  # type: ignore[call-overload]
    families = [_family(polar[two[1].ravel() == k], two[2][k], (high, wide)) for k in (0, 1)]
    return [family for family in families if len(family.places) >= FEWEST]


def _family(polar: Floats, middle: Floats, shape: tuple[int, int]) -> Family:
    """The lines that lean as most of a cluster do; of lines close together only the strongest, which comes first."""
    own = np.arctan2(middle[1], middle[0]) / 2
    off = np.abs((polar[:, 1] - own + np.pi / 2) % np.pi - np.pi / 2)
    polar = polar[off < STRAIGHT]
    lines = np.column_stack([np.cos(polar[:, 1]), np.sin(polar[:, 1]), -polar[:, 0]])
    centre, way = np.array([shape[1] / 2, shape[0] / 2, 1.0]), np.array([np.cos(own), np.sin(own), 0.0])
    places = -(lines @ centre) / (lines @ way)
    indices: list[int] = []
    for k, place in enumerate(places):
        if all(abs(place - places[other]) > ALIKE * max(shape) for other in indices):
            indices.append(k)
    order = sorted(indices, key=lambda k: float(places[k]))
    return Family(lines[order], places[order])


def _even(family: Family) -> Comb | None:
    """The most lines whose places are what evenly spaced lines become in perspective: (a k + b) / (c k + 1)."""
    best: npt.NDArray[np.int64] | None = None
    places, many = family.places, len(family.places)
    for first, second, third in combinations(range(many), 3):
        if third - first > 8:
            continue
        for one, two in ((1, 2), (1, 3), (2, 3), (2, 4), (1, 4), (3, 4)):
            numbers = _numbers(places, (places[first], places[second], places[third]), (one, two))
            if numbers is not None and (best is None or (numbers >= -90).sum() > (best >= -90).sum()):
                best = numbers
    if best is None or (best >= -90).sum() < FEWEST:
        return None
    on = best >= -90
    return Comb(family.lines[on], best[on] - best[on].min())


def _numbers(places: Floats, three: tuple[float, ...], at: tuple[int, int]) -> npt.NDArray[np.int64] | None:
    """Each line's number when three of them have the numbers 0, at[0] and at[1]; -99 for those that have none."""
    start, near, far = three[0], three[1] - three[0], three[2] - three[0]
    ratio = (near * at[1]) / (far * at[0])
    bend = (1 - ratio) / (ratio * at[0] - at[1]) if abs(ratio * at[0] - at[1]) > 1e-9 else np.inf
    slope = near * (1 + bend * at[0]) / at[0]
    if not np.isfinite(bend) or abs(bend) > 0.03 or abs(slope) < 6:
        return None
    moved = places - start
    back = moved / np.where(np.abs(slope - bend * moved) < 1e-6, 1e-6, slope - bend * moved)
    numbers = np.rint(back).astype(np.int64)
    numbers[(np.abs(back - numbers) > ON) | (np.abs(numbers) > 30)] = -99
    once, counts = np.unique(numbers[numbers > -99], return_counts=True)
    return None if (counts > 1).any() or not len(once) else numbers


def _window(edges: Image, one: Comb, other: Comb, scale: float) -> Grid | None:
    """The board among the lattice's windows: edges on its lines, few on those beyond."""
    points = np.cross(one.lines[:, None], other.lines[None, :]).reshape(-1, 3)
    numbers = np.stack(np.meshgrid(one.numbers, other.numbers, indexing="ij"), axis=-1).reshape(-1, 2)
    finite = np.abs(points[:, 2]) > 1e-9
    pixels = points[finite, :2] / points[finite, 2:]
    matrix = cv2.findHomography(numbers[finite].astype(np.float64), pixels, cv2.RANSAC, 4.0)[0]
    if matrix is None:
        return None
    reach = [np.arange(-SPARE, comb.numbers.max() + SPARE + 1) for comb in (one, other)]
    lattice = np.stack(np.meshgrid(*reach), axis=-1).astype(np.float64)
    lattice_points = cv2.perspectiveTransform(lattice.reshape(-1, 1, 2), matrix).reshape(lattice.shape)
    corners = _best(cv2.dilate(edges, np.ones((3, 3), np.uint8)), lattice_points)
    if corners is None or not cv2.isContourConvex(corners[1].astype(np.float32).reshape(-1, 1, 2)):
        return None
    ordered = order_clockwise(corners[1] / scale)
    return Grid(corners[0], tuple((float(x), float(y)) for x, y in ordered))


def _best(edges: Image, points: Floats) -> tuple[int, Floats] | None:
    """The size and the corners of the window whose lines have most edges beyond half of what they might have."""
    across = _lined(edges, points[:, :-1], points[:, 1:]) - 0.5
    down = _lined(edges, points[:-1], points[1:]) - 0.5
    best: tuple[float, int, Floats] | None = None
    for size in SIZES:
        for j in range(points.shape[0] - size + 1):
            for i in range(points.shape[1] - size + 1):
                total = across[j : j + size, i : i + size - 1].sum() + down[j : j + size - 1, i : i + size].sum()
                if best is None or total > best[0]:
                    part = points[j : j + size, i : i + size]
                    best = float(total), size, np.array([part[0, 0], part[0, -1], part[-1, -1], part[-1, 0]])
    return None if best is None or best[0] <= 0 else (best[1], best[2])


def _lined(edges: Image, start: Floats, end: Floats) -> Floats:
    """The share of each space between two points that lies on edges."""
    steps = np.linspace(0.15, 0.85, 9)[:, None, None, None]
    at = (start + steps * (end - start)).astype(np.float32)
    flat = np.clip(at, -9, 9999).reshape(len(at), -1, 2)
    samples = cv2.remap(edges, flat[..., 0], flat[..., 1], cv2.INTER_NEAREST, borderValue=0.0)
    return np.asarray(samples, np.float64).mean(axis=0).reshape(start.shape[:2]) / 255
