"""Views of drawn boards for the net that sees crossings: from about above, in any light, partly covered."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.crossings import FROM, GREY, SIDE, STEP, TO
from vision.frame import Image

Floats = npt.NDArray[np.float64]
Map = npt.NDArray[np.float32]

MAP = SIDE // STEP
UNIT = np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]])
INSIDE = np.array([[FROM, FROM], [TO, FROM], [TO, TO], [FROM, TO]], np.float64)
NOTHING = 0.14
"""The share of views that show no board."""
WIDTH = 0.85
"""How wide a crossing is in the map, in places."""
GRAIN = np.random.default_rng(99).normal(0, 1, (2 * SIDE, 2 * SIDE, 3)).astype(np.float32)


@dataclass(frozen=True, eq=False)
class Drawn:
    """A drawn table: its pixels, its board's lines a side (0 where there is no board) and corners, shape (4, 2)."""

    pixels: Image
    size: int
    corners: Floats


def view_of(rng: np.random.Generator, boards: list[Drawn], bare: list[Drawn]) -> tuple[Image, Map]:
    """What the net sees, shape (SIDE, SIDE, 3), and the maps it should give, crossings and board, (2, MAP, MAP)."""
    if rng.random() < NOTHING:
        drawn = bare[int(rng.integers(len(bare)))] if rng.random() < 0.4 else Drawn(pattern(rng), 0, np.zeros((4, 2)))
        seen, truth = _squared(drawn.pixels, _anywhere(rng, drawn.pixels)), np.zeros((2, MAP, MAP), np.float32)
    else:
        drawn = boards[int(rng.integers(len(boards)))]
        corners = _moved(_roughly(rng), _homography(UNIT, drawn.corners))
        if not _is_convex(corners):
            return view_of(rng, boards, bare)
        seen, truth = _squared(drawn.pixels, corners), _truth(drawn, corners)
    return lit(rng, covered(rng, seen) if rng.random() < 0.18 else seen), truth


def _roughly(rng: np.random.Generator) -> Floats:
    """A quadrangle in board coordinates: mostly near the board's own, now and then far off, turned or turned over."""
    kind = rng.random()
    if kind < 0.55:
        quadrangle = UNIT + rng.normal(0, 0.025, (4, 2))
    elif kind < 0.8:
        quadrangle = UNIT + rng.normal(0, 0.08, (4, 2)) + rng.normal(0, 0.04, 2)
    elif kind < 0.93:
        quadrangle = _turned(rng.normal(0, 0.12), np.exp(rng.uniform(-0.9, 0.35)))
        quadrangle = quadrangle + rng.normal(0, 0.25, 2) + rng.normal(0, 0.04, (4, 2))
    else:
        quadrangle = _turned(rng.uniform(-np.pi, np.pi), np.exp(rng.uniform(-0.5, 0.5)))
        quadrangle = quadrangle + rng.normal(0, 0.15, 2) + rng.normal(0, 0.06, (4, 2))
    quadrangle = np.roll(quadrangle, int(rng.integers(4)), axis=0)
    return quadrangle[::-1] if rng.random() < 0.5 else quadrangle


def _turned(angle: float, scale: float) -> Floats:
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return np.asarray((UNIT - 0.5) @ turn.T * scale + 0.5)


def _anywhere(rng: np.random.Generator, pixels: Image) -> Floats:
    height, width = pixels.shape[:2]
    half = rng.uniform(0.25, 0.6) * min(height, width)
    corners = np.array([width, height]) * rng.uniform(0.3, 0.7, 2) + (UNIT * 2 - 1) * half
    moved = corners + rng.normal(0, 0.1 * half, (4, 2))
    return np.asarray(moved if _is_convex(moved) else corners)


def _squared(pixels: Image, corners: Floats) -> Image:
    scale = 1.25 * (TO - FROM) / float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean())
    if scale < 0.9:
        pixels, corners = (
            np.asarray(cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)),
            corners * scale,
        )
    matrix = _homography(corners, INSIDE)
    return np.asarray(cv2.warpPerspective(pixels, matrix, (SIDE, SIDE), borderValue=GREY), np.uint8)


def _truth(drawn: Drawn, corners: Floats) -> Map:
    to_picture, to_square = _homography(UNIT, drawn.corners), _homography(corners, INSIDE)
    steps = np.linspace(0, 1, drawn.size)
    points = _moved(np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2), to_picture)
    depth = np.column_stack([points, np.ones(len(points))]) @ to_square[2]
    before = depth * (np.append(points.mean(axis=0), 1) @ to_square[2]) > 0
    half = 0.5 / (drawn.size - 1)
    rim = _moved(_moved(UNIT + (UNIT * 2 - 1) * half, to_picture), to_square)
    board = np.zeros((SIDE, SIDE), np.uint8)
    cv2.fillConvexPoly(board, (rim * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    inside = cv2.resize(board, (MAP, MAP), interpolation=cv2.INTER_AREA) / 255
    return np.stack([_dots(_moved(points[before], to_square) / STEP - 0.25), inside]).astype(np.float32)


def _dots(places: Floats) -> Map:
    """A round spot of height 1 at each place of the map."""
    edge = 5
    moved = places[((places > -3) & (places < MAP + 3)).all(axis=1)] + edge
    low, dots = np.floor(moved).astype(int), np.zeros((MAP + 2 * edge, MAP + 2 * edge), np.float32)
    share = moved - low
    for down in (0, 1):
        for across in (0, 1):
            weight = np.abs(1 - across - share[:, 0]) * np.abs(1 - down - share[:, 1])
            np.add.at(dots, (low[:, 1] + down, low[:, 0] + across), weight)
    spots = cv2.GaussianBlur(dots, (9, 9), WIDTH) * (2 * np.pi * (WIDTH + 0.1) ** 2)
    return np.asarray(np.minimum(spots, 1.0)[edge:-edge, edge:-edge], np.float32)


def covered(rng: np.random.Generator, pixels: Image) -> Image:
    """The view with an arm or two, no more than a rounded beam each, reaching in."""
    side = pixels.shape[0]
    for _ in range(int(rng.integers(1, 3))):
        angle = rng.uniform(0, 2 * np.pi)
        way = np.array([np.cos(angle), np.sin(angle)]) * side
        tip, aside = side / 2 + way * rng.uniform(0.2, 0.6), np.array([-way[1], way[0]]) * rng.uniform(0.02, 0.12)
        skin = np.array([0.5, 0.65, 1.0]) * rng.uniform(40, 240) if rng.random() < 0.6 else rng.integers(0, 255, 3)
        colour = tuple(int(part) for part in skin)
        arm = np.array([tip - aside, tip + aside, tip + way + aside * 1.3, tip + way - aside * 1.3])
        cv2.fillConvexPoly(pixels, arm.astype(np.int32), colour, cv2.LINE_AA)
        cv2.circle(pixels, (int(tip[0]), int(tip[1])), int(np.linalg.norm(aside)), colour, -1, cv2.LINE_AA)
    return pixels


def lit(rng: np.random.Generator, pixels: Image) -> Image:
    """The view under another lamp and by another camera: colour, shade, glare, haze, blur, noise, JPEG."""
    kind = rng.random()
    if kind < 0.12:
        pixels = np.asarray(cv2.cvtColor(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR), np.uint8)
    elif kind < 0.22:
        pixels = np.ascontiguousarray(pixels[..., rng.permutation(3)])
    seen = _shaded(rng, np.asarray(cv2.LUT(pixels, (_tones(rng) * 255)[None]), np.float32))
    if rng.random() < 0.35:
        seen = np.asarray(cv2.GaussianBlur(seen, (5, 5), rng.uniform(0.3, 1.1)), np.float32)
    elif rng.random() < 0.3:
        sharper = seen - np.asarray(cv2.GaussianBlur(seen, (5, 5), 1.0), np.float32)
        seen = seen + sharper * np.float32(rng.uniform(0, 1))
    if rng.random() < 0.6:
        top, left = rng.integers(0, SIDE, 2)
        seen = seen + GRAIN[top : top + SIDE, left : left + SIDE] * float(rng.random() ** 2 * 15)
    taken = np.clip(seen, 0, 255).astype(np.uint8)
    if rng.random() < 0.2:
        packed = cv2.imencode(".jpg", taken, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(25, 90))])[1]
        taken = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    return taken


def _tones(rng: np.random.Generator) -> Map:
    """What becomes of each of 256 values in each colour, 1 the brightest, shape (256, 3)."""
    tones = np.linspace(0, 1, 256) ** (np.exp(rng.normal(0, 0.3)) if rng.random() < 0.7 else 1.0)
    tint = 0.35 if rng.random() < 0.3 else 0.08
    colours = tones[:, None] * np.exp(rng.normal(0, tint, 3) + rng.normal(0, 0.3))
    haze = rng.random() * 0.45 if rng.random() < 0.3 else 0.0
    return np.asarray(colours * (1 - haze) + haze * rng.random(), np.float32)


def _shaded(rng: np.random.Generator, seen: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Edges of shadow or sun across the view, and spots of glare, in one of three views each."""
    steps = np.arange(48) / 48
    shade, glare = np.ones((48, 48)), np.zeros((48, 48))
    for _ in range(int(rng.integers(1, 3)) if rng.random() < 0.35 else 0):
        angle, middle = rng.uniform(0, 2 * np.pi), rng.random(2)
        far = np.cos(angle) * (steps - middle[0]) + np.sin(angle) * (steps[:, None] - middle[1])
        edge = 1 / (1 + np.exp(-np.clip(far * np.exp(rng.uniform(1, 4)), -20, 20)))
        shade = shade * (1 + (np.exp(rng.normal(0, 0.6)) - 1) * edge)
    for _ in range(int(rng.integers(1, 3)) if rng.random() < 0.3 else 0):
        middle, wide, long = rng.random(2), rng.uniform(0.03, 0.2), rng.uniform(0.4, 2.5)
        out = ((steps - middle[0]) / wide) ** 2 + ((steps[:, None] - middle[1]) / wide / long) ** 2
        glare = glare + rng.uniform(20, 250) * np.exp(-out)
    gain, light = (cv2.resize(part.astype(np.float32), (SIDE, SIDE))[..., None] for part in (shade, glare))
    return np.asarray(seen * gain + light, np.float32)


def pattern(rng: np.random.Generator, side: int = 500) -> Image:
    """What is no board: squares of two colours, lines of words, shapes, speckle, or stones strewn about."""
    paper = np.full((side, side, 3), _colour(rng), np.uint8)
    kind = int(rng.integers(5))
    if kind == 0:
        squares = np.arange(side) // max(1, side // int(rng.integers(6, 13)))
        odd = (squares + squares[:, None]) % 2 > 0
        return np.where(odd[..., None], paper, np.array(_colour(rng), np.uint8))
    if kind == 1:
        letters = rng.choice(list("abcdefghij klmnop  qrstuv"), (60, 60))
        for line, y in enumerate(range(10, side, int(rng.integers(9, 26)))):
            cv2.putText(paper, "".join(letters[line]), (5, y), cv2.FONT_HERSHEY_SIMPLEX, 0.4, (30, 30, 30), 1)
    if kind == 2:
        speckle = cv2.GaussianBlur(rng.normal(0, 1, paper.shape), (0, 0), width := rng.uniform(0.3, 8))
        return np.clip(paper + speckle * 80 * width * rng.uniform(0.2, 1), 0, 255).astype(np.uint8)
    for _ in range(int(rng.integers(3, 60)) if kind > 2 else 0):
        _shape(rng, paper, kind == 3)
    return paper


def _shape(rng: np.random.Generator, paper: Image, any_kind: bool) -> None:
    one, other = rng.integers(0, len(paper), (2, 2)).tolist()
    kind = int(rng.integers(3)) if any_kind else 0
    if kind == 0:
        cv2.circle(paper, one, int(rng.integers(8, 60 if any_kind else 26)), _colour(rng), -1)
    elif kind == 1:
        cv2.line(paper, one, other, _colour(rng), int(rng.integers(1, 9)))
    else:
        cv2.rectangle(paper, one, other, _colour(rng), int(rng.choice([-1, 2, 5])))


def _colour(rng: np.random.Generator) -> tuple[int, int, int]:
    blue, green, red = rng.integers(20, 240, 3).tolist()
    return blue, green, red


def _homography(start: Floats, end: Floats) -> Floats:
    return np.asarray(cv2.getPerspectiveTransform(start.astype(np.float32), end.astype(np.float32)), np.float64)


def _moved(points: Floats, matrix: Floats) -> Floats:
    return np.asarray(cv2.perspectiveTransform(points.reshape(-1, 1, 2), matrix), np.float64).reshape(points.shape)


def _is_convex(corners: Floats) -> bool:
    return bool(cv2.isContourConvex(corners.astype(np.float32).reshape(-1, 1, 2)))
