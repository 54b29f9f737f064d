"""Views of drawn boards for the crossing net: from about above, in any light, partly covered."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.crossing_net import FROM, GREY, SIDE, STEP, TO
from vision.board.window import SIZES
from vision.calibration.model import UNIT_SQUARE, mean_side
from vision.camera.frame import Image
from vision.training.games import draw_game
from vision.training.patterns import Pattern, draw_pattern

Floats = npt.NDArray[np.float64]
Map = npt.NDArray[np.float32]

MAP = SIDE // STEP
"""Number of the map's cells across and down."""
INSIDE = np.array([[FROM, FROM], [TO, FROM], [TO, TO], [FROM, TO]], np.float64)
"""Corners of a board in the square view."""
NOTHING = 0.36
"""Share of views that show no board."""
GAMES = 0.4
"""Share of those that show another game, a puzzle or tiles."""
PART = 0.12
"""Share of views of large boards that show a part of one."""
WIDTH = 0.85
"""Sigma of a crossing's spot in the map, in the map's cells."""
GRAIN = np.random.default_rng(99).normal(0, 1, (2 * SIDE, 2 * SIDE, 3)).astype(np.float32)
"""Noise, larger than the square, to be shifted."""


@dataclass(frozen=True, eq=False)
class DrawnTable:
    """A drawn table.

    pixels: the picture.
    size: the board's lines a side, 0 if there is no board.
    corners: the board's corners, shape (4, 2), in pixels.
    """

    pixels: Image
    size: int
    corners: Floats


def make_view(rng: np.random.Generator, boards: list[DrawnTable], bare: list[DrawnTable]) -> tuple[Image, Map]:
    """Return a view for the net, shape (SIDE, SIDE, 3), and its target maps, crossings and board, (2, MAP, MAP)."""
    if rng.random() < NOTHING:
        view, truth = _view_without_board(rng, bare)
    else:
        table = boards[int(rng.integers(len(boards)))]
        corners = _transform_points(_suppose_corners(rng, table.size), _fit_homography(UNIT_SQUARE, table.corners))
        if not _is_convex(corners):
            return make_view(rng, boards, bare)
        view, truth = _make_square(table.pixels, corners), _draw_truth(table, corners)
    return relight_view(rng, cover_with_arms(rng, view) if rng.random() < 0.18 else view), truth


def _view_without_board(rng: np.random.Generator, bare: list[DrawnTable]) -> tuple[Image, Map]:
    """Return a view of a board without lines, another game, or a pattern; a plain lattice's crossings are labelled."""
    kind = rng.random()
    if kind < 0.15:
        table = bare[int(rng.integers(len(bare)))]
        return _make_square(table.pixels, _pick_quadrangle(rng, table.pixels)), np.zeros((2, MAP, MAP), np.float32)
    drawn_pattern = draw_game(rng) if kind > 1 - GAMES else draw_pattern(rng)
    if not _is_convex(drawn_pattern.square):
        return _view_without_board(rng, bare)
    return make_pattern_view(drawn_pattern)


def make_pattern_view(drawn_pattern: Pattern) -> tuple[Image, Map]:
    """Return the view of a pattern where a board might be supposed, and its maps."""
    return _make_square(drawn_pattern.pixels, drawn_pattern.square), _draw_maps(
        drawn_pattern.crossings, drawn_pattern.outline, drawn_pattern.square
    )


def _suppose_corners(rng: np.random.Generator, size: int) -> Floats:
    """Return a quadrangle in board coordinates: about the board itself, or about a part of it.

    The part has as many lines as a smaller board, for which it might be taken.
    """
    smaller = [lines for lines in SIZES if lines < size]
    if not smaller or rng.random() > PART:
        return _pick_rough_quadrangle(rng)
    lines = int(rng.choice(smaller))
    corner = rng.integers(0, size - lines + 1, 2)
    return np.asarray((corner + UNIT_SQUARE * (lines - 1)) / (size - 1) + rng.normal(0, 0.02 * lines / size, (4, 2)))


def _pick_rough_quadrangle(rng: np.random.Generator) -> Floats:
    """Return a quadrangle in board coordinates: mostly near the board's own, sometimes far off, turned or flipped."""
    kind = rng.random()
    if kind < 0.55:
        quadrangle = UNIT_SQUARE + rng.normal(0, 0.025, (4, 2))
    elif kind < 0.8:
        quadrangle = UNIT_SQUARE + rng.normal(0, 0.08, (4, 2)) + rng.normal(0, 0.04, 2)
    elif kind < 0.93:
        quadrangle = _turn_square(rng.normal(0, 0.12), np.exp(rng.uniform(-0.9, 0.35)))
        quadrangle = quadrangle + rng.normal(0, 0.25, 2) + rng.normal(0, 0.04, (4, 2))
    else:
        quadrangle = _turn_square(rng.uniform(-np.pi, np.pi), np.exp(rng.uniform(-0.5, 0.5)))
        quadrangle = quadrangle + rng.normal(0, 0.15, 2) + rng.normal(0, 0.06, (4, 2))
    quadrangle = np.roll(quadrangle, int(rng.integers(4)), axis=0)
    return quadrangle[::-1] if rng.random() < 0.5 else quadrangle


def _turn_square(angle: float, scale: float) -> Floats:
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return np.asarray((UNIT_SQUARE - 0.5) @ turn.T * scale + 0.5)


def _pick_quadrangle(rng: np.random.Generator, pixels: Image) -> Floats:
    height, width = pixels.shape[:2]
    half = rng.uniform(0.25, 0.6) * min(height, width)
    corners = np.array([width, height]) * rng.uniform(0.3, 0.7, 2) + (UNIT_SQUARE * 2 - 1) * half
    moved = corners + rng.normal(0, 0.1 * half, (4, 2))
    return np.asarray(moved if _is_convex(moved) else corners)


def _make_square(pixels: Image, corners: Floats) -> Image:
    scale = 1.25 * (TO - FROM) / mean_side(corners)
    if scale < 0.9:
        pixels, corners = (
            np.asarray(cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)),
            corners * scale,
        )
    matrix = _fit_homography(corners, INSIDE)
    return np.asarray(cv2.warpPerspective(pixels, matrix, (SIDE, SIDE), borderValue=GREY), np.uint8)


def _draw_truth(table: DrawnTable, corners: Floats) -> Map:
    to_picture = _fit_homography(UNIT_SQUARE, table.corners)
    steps, half = np.linspace(0, 1, table.size), 0.5 / (table.size - 1)
    points = _transform_points(np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2), to_picture)
    return _draw_maps(points, _transform_points(UNIT_SQUARE + (UNIT_SQUARE * 2 - 1) * half, to_picture), corners)


def _draw_maps(points: Floats, rim: Floats, corners: Floats) -> Map:
    """Return the maps in the square view of `corners`.

    points: the crossings, shape (n, 2).
    rim: the board's rim, shape (4, 2) or empty.
    corners: the corners of the view, shape (4, 2).
    """
    if not len(points):
        return np.zeros((2, MAP, MAP), np.float32)
    to_square = _fit_homography(corners, INSIDE)
    depth = np.column_stack([points, np.ones(len(points))]) @ to_square[2]
    before = depth * (np.append(points.mean(axis=0), 1) @ to_square[2]) > 0
    board = np.zeros((SIDE, SIDE), np.uint8)
    if len(rim):
        cv2.fillConvexPoly(board, (_transform_points(rim, to_square) * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    inside = cv2.resize(board, (MAP, MAP), interpolation=cv2.INTER_AREA) / 255
    return np.stack([_draw_dots(_transform_points(points[before], to_square) / STEP - 0.25), inside]).astype(np.float32)


def _draw_dots(places: Floats) -> Map:
    """Draw a round spot of height 1 at each place of the map."""
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


def cover_with_arms(rng: np.random.Generator, pixels: Image) -> Image:
    """Draw an arm or two, plain rounded beams, reaching into the view."""
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


def relight_view(rng: np.random.Generator, pixels: Image) -> Image:
    """Return the view under another lamp and by another camera: colour, shade, glare, haze, blur, noise, JPEG."""
    kind = rng.random()
    if kind < 0.12:
        pixels = np.asarray(cv2.cvtColor(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR), np.uint8)
    elif kind < 0.22:
        pixels = np.ascontiguousarray(pixels[..., rng.permutation(3)])
    light = _shade_view(rng, np.asarray(cv2.LUT(pixels, (_pick_tones(rng) * 255)[None]), np.float32))
    if rng.random() < 0.35:
        light = np.asarray(cv2.GaussianBlur(light, (5, 5), rng.uniform(0.3, 1.1)), np.float32)
    elif rng.random() < 0.3:
        sharper = light - np.asarray(cv2.GaussianBlur(light, (5, 5), 1.0), np.float32)
        light = light + sharper * np.float32(rng.uniform(0, 1))
    if rng.random() < 0.6:
        top, left = rng.integers(0, SIDE, 2)
        light = light + GRAIN[top : top + SIDE, left : left + SIDE] * float(rng.random() ** 2 * 15)
    picture = np.clip(light, 0, 255).astype(np.uint8)
    if rng.random() < 0.2:
        encoded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(25, 90))])[1]
        picture = np.asarray(cv2.imdecode(encoded, cv2.IMREAD_COLOR), np.uint8)
    return picture


def _pick_tones(rng: np.random.Generator) -> Map:
    """Return a tone curve of 256 values for each colour, 1 the brightest, shape (256, 3)."""
    tones = np.linspace(0, 1, 256) ** (np.exp(rng.normal(0, 0.3)) if rng.random() < 0.7 else 1.0)
    tint = float(rng.choice([0.08, 0.25, 0.5], p=[0.4, 0.3, 0.3]))
    colours = tones[:, None] * np.exp(rng.normal(0, tint, 3) + rng.normal(0, 0.3))
    haze = rng.random() * 0.45 if rng.random() < 0.3 else 0.0
    return np.asarray(colours * (1 - haze) + haze * rng.random(), np.float32)


def _shade_view(rng: np.random.Generator, light_in: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Add edges of shadow or sun across the view, and spots of glare, in about one of three views each."""
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
    return np.asarray(light_in * gain + light, np.float32)


def _fit_homography(start: Floats, end: Floats) -> Floats:
    return np.asarray(cv2.getPerspectiveTransform(start.astype(np.float32), end.astype(np.float32)), np.float64)


def _transform_points(points: Floats, matrix: Floats) -> Floats:
    return np.asarray(cv2.perspectiveTransform(points.reshape(-1, 1, 2), matrix), np.float64).reshape(points.shape)


def _is_convex(corners: Floats) -> bool:
    return bool(cv2.isContourConvex(corners.astype(np.float32).reshape(-1, 1, 2)))
