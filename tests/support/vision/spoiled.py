"""Photographs made worse step by step, each curve one way, from nothing to hopeless; and how seeing them ends.

A photograph is first made no larger than LONGEST, so that a step means about the same for all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from tests.support.vision.labels import LEFT_OUT
from tests.support.vision.photographs import NEAR, Label
from vision.board.detect import find_board
from vision.calibration.model import Grid, order_clockwise
from vision.camera.frame import Image
from vision.stones.reader import StoneReader
from vision.tracking.reading import MAX_DOUBTFUL_SHARE, SYMBOLS, Reading

GOOD = 0.9
"""The share of boards up to which it is said to see."""
LONGEST = 1280
FOCAL = 1.3
"""The camera that looks at the photograph from the side has this focal length, in widths of the photograph."""
ROOM = 0.94
"""The share of the picture that a board seen from the side fills at most."""
LAMPS = ((0.05, 0.4, 1.0), (1.0, 0.35, 0.05), (0.1, 1.0, 0.15), (1.0, 0.1, 0.6), (0.02, 0.02, 1.0))
"""The shares of blue, green and red that are left under lamps of strong colours, in linear light."""
GAMMA = 2.2

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Shot:
    """A picture and its truth. corners: clockwise from the one with the smallest x + y, shape (4, 2); rows from
    there."""

    pixels: Image
    size: int
    corners: Floats
    rows: tuple[str, ...]

    def cell(self) -> float:
        """The mean distance between neighbouring points, in pixels."""
        sides = np.linalg.norm(self.corners - np.roll(self.corners, 1, axis=0), axis=1)
        return float(sides.mean()) / (self.size - 1)


def shot(pixels: Image, label: Label) -> Shot:
    """The photograph as the curves begin with it."""
    return _scale_shot(Shot(pixels, label.size, label.corners, label.rows), min(1.0, LONGEST / max(pixels.shape[:2])))


def _scale_shot(shot: Shot, scale: float) -> Shot:
    if scale == 1.0:
        return shot
    small = cv2.resize(shot.pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return Shot(np.asarray(small, np.uint8), shot.size, (shot.corners + 0.5) * scale - 0.5, shot.rows)


def aside(shot: Shot, degrees: float, rng: np.random.Generator) -> Shot:
    """The photograph itself looked at from the side, from a direction drawn by lot; the board as large as fits."""
    if not degrees:
        return shot
    height, width = shot.pixels.shape[:2]
    middle, lean, turn = shot.corners.mean(axis=0), np.radians(degrees), rng.uniform(0, 2 * np.pi)
    across = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    to_board = np.eye(3)
    to_board[:2, :2], to_board[:2, 2] = across, -across @ middle
    leant = np.array([[np.cos(lean), 0, 0], [0, 1, 0], [np.sin(lean) / (FOCAL * width), 0, 1]])
    back = np.eye(3)
    back[:2, :2] = across.T
    matrix = back @ leant @ to_board
    corners = _move_corners(shot.corners, matrix)
    low, high = corners.min(axis=0), corners.max(axis=0)
    scale = ROOM * float((np.array([width, height]) / (high - low)).min())
    scale = min(scale, 1.0 / leant[0, 0])
    fit = np.diag([scale, scale, 1.0])
    fit[:2, 2] = np.array([width, height]) / 2 - scale * (low + high) / 2
    matrix = fit @ matrix
    ground = shot.pixels.reshape(-1, 3).mean(axis=0)
    warped_image = cv2.warpPerspective(
        shot.pixels, matrix, (width, height), flags=cv2.INTER_AREA, borderValue=ground.tolist()
    )
    return turn_shot(np.asarray(warped_image, np.uint8), shot.size, _move_corners(shot.corners, matrix), shot.rows)


def turn_shot(pixels: Image, size: int, corners: Floats, rows: tuple[str, ...]) -> Shot:
    """The picture with its corners and rows in the order that DESIGN.md gives them."""
    ordered = order_clockwise(corners)
    first = int(np.linalg.norm(corners - ordered[0], axis=1).argmin())
    marks = np.rot90(np.array([list(row) for row in rows]), first)
    return Shot(pixels, size, ordered, tuple("".join(row) for row in marks))


def _move_corners(points: Floats, matrix: Floats) -> Floats:
    return np.asarray(cv2.perspectiveTransform(points.reshape(-1, 1, 2), matrix), np.float64).reshape(-1, 2)


def blur_shot(shot: Shot, cells: float, rng: np.random.Generator) -> Shot:
    """Out of focus by so many cells (the deviation of a round blur)."""
    return _with_pixels(shot, cv2.GaussianBlur(shot.pixels, (0, 0), cells * shot.cell())) if cells else shot


def noisy(shot: Shot, levels: float, rng: np.random.Generator) -> Shot:
    """Noise in every pixel and colour, its deviation in levels of 256."""
    grain = rng.standard_normal(shot.pixels.shape, np.float32) * np.float32(levels)
    return _with_pixels(shot, np.clip(shot.pixels + grain, 0, 255))


def pack_shot(shot: Shot, quality: float, rng: np.random.Generator) -> Shot:
    """A JPEG file of that quality."""
    data = cv2.imencode(".jpg", shot.pixels, [cv2.IMWRITE_JPEG_QUALITY, int(quality)])[1]
    return _with_pixels(shot, cv2.imdecode(data, cv2.IMREAD_COLOR))


def tint_shot(shot: Shot, share: float, rng: np.random.Generator) -> Shot:
    """Under a lamp of a strong colour drawn by lot: the share of its light in all light."""
    lamp = np.array(LAMPS[int(rng.integers(len(LAMPS)))])
    light = (shot.pixels / 255.0) ** GAMMA * (1 - share + share * lamp)
    return _with_pixels(shot, light ** (1 / GAMMA) * 255)


def curve_levels(shot: Shot, gamma: float, rng: np.random.Generator) -> Shot:
    """Every value to that power: above 1 darker, below 1 lighter."""
    return _with_pixels(shot, np.rint((shot.pixels / 255.0) ** gamma * 255))


def coarse(shot: Shot, pixels: float, rng: np.random.Generator) -> Shot:
    """So small that a cell has no more than so many pixels."""
    return _scale_shot(shot, min(1.0, pixels / shot.cell()))


def _with_pixels(shot: Shot, pixels: object) -> Shot:
    return Shot(np.asarray(pixels, np.uint8), shot.size, shot.corners, shot.rows)


@dataclass(frozen=True)
class Curve:
    """One way of spoiling, and its steps. what: the step in words, with a place for its figure."""

    name: str
    what: str
    spoil: Callable[[Shot, float, np.random.Generator], Shot]
    steps: tuple[float, ...]


CURVES = (
    Curve("perspective", "leant back {:g} degrees", aside, (0, 20, 40, 55, 65, 75, 82)),
    Curve("pixels", "{:g} pixels a cell at most", coarse, (40, 14, 8, 5, 4, 3, 2)),
    Curve("blur", "blurred by {:g} cells", blur_shot, (0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4)),
    Curve("noise", "noise of {:g} levels", noisy, (0, 10, 20, 40, 60, 90, 120)),
    Curve("JPEG", "JPEG quality {:g}", pack_shot, (90, 50, 30, 15, 8, 4, 1)),
    Curve("tint", "{:.0%} of the light coloured", tint_shot, (0, 0.3, 0.5, 0.7, 0.85, 0.95, 1.0)),
    Curve("darker", "gamma {:g}", curve_levels, (1, 1.5, 2, 3, 4, 6, 9)),
    Curve("lighter", "gamma {:g}", curve_levels, (1, 0.7, 0.5, 0.35, 0.25, 0.15, 0.08)),
)


@dataclass(frozen=True)
class Step:
    """The figures of one step of a curve. wrong: points wrong and not doubtful, on boards found. elsewhere: grids that
    are not the board's; sure: those of them whose points are hardly doubtful."""

    boards: int = 0
    found: int = 0
    points: int = 0
    right: int = 0
    whole: int = 0
    doubtful: int = 0
    wrong: int = 0
    elsewhere: int = 0
    sure: int = 0

    def __add__(self, other: Step) -> Step:
        return Step(*(getattr(self, name) + getattr(other, name) for name in self.__dataclass_fields__))


def look(shot: Shot, reader: StoneReader) -> Step:
    """One picture, found and read."""
    point_count = sum(mark not in LEFT_OUT for mark in "".join(shot.rows))
    grid = find_board(shot.pixels)
    if grid is None:
        return Step(boards=1, points=point_count)
    reading, shot = Reading(grid, reader.read(shot.pixels, grid)), turned_as(shot, grid)
    if not is_board(grid, shot):
        sure = len(reading.doubtful()) <= MAX_DOUBTFUL_SHARE * grid.size**2
        return Step(boards=1, points=point_count, elsewhere=1, sure=int(sure))
    return Step(boards=1, found=1, points=point_count) + _points(shot, reading)


def turned_as(shot: Shot, grid: Grid) -> Shot:
    """The same picture told from the grid's first corner, where that one lies as near the top left as the truth's:
    when two corners do, either is right."""
    near = np.flatnonzero(shot.corners.sum(axis=1) - shot.corners.sum(axis=1).min() < NEAR * grid.cell())
    turns = [(np.roll(shot.corners, -turn, axis=0), turn) for turn in near]
    corners, turn = min(turns, key=lambda pair: float(np.abs(pair[0] - np.array(grid.corners)).max()))
    rows = np.rot90(np.array([list(row) for row in shot.rows]), turn)
    return Shot(shot.pixels, shot.size, corners, tuple("".join(row) for row in rows))


def is_board(grid: Grid, shot: Shot) -> bool:
    """All four corners within half a cell, and the right number of lines."""
    off = np.linalg.norm(np.array(grid.corners) - shot.corners, axis=1)
    return grid.size == shot.size and bool((off < NEAR * grid.cell()).all())


def _points(shot: Shot, reading: Reading) -> Step:
    truth, read = np.array(list("".join(shot.rows))), SYMBOLS[reading.likeliest_kinds()].ravel()
    is_labelled = ~np.isin(truth, list(LEFT_OUT))
    doubted = np.zeros(len(truth), bool)
    doubted[[doubt.point for doubt in reading.doubtful()]] = True
    wrong = is_labelled & (truth != read)
    return Step(
        right=int((is_labelled & ~wrong).sum()),
        whole=int(not wrong.any()),
        doubtful=int((is_labelled & doubted).sum()),
        wrong=int((wrong & ~doubted).sum()),
    )


def table(curve: Curve, steps: list[Step]) -> str:
    """One curve as a table, and in a sentence."""
    lines = [f"## {curve.name}", "", ending(curve, steps), "", *HEAD]
    for amount, step in zip(curve.steps, steps, strict=True):
        cells = [curve.what.format(amount), f"{step.found}/{step.boards}", f"{step.right / step.points:.1%}"]
        cells += [str(n) for n in (step.whole, step.doubtful, step.wrong, step.elsewhere, step.sure)]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def ending(curve: Curve, steps: list[Step]) -> str:
    """Describe how far it sees, and how it ends."""
    count = 0
    while count < len(steps) and steps[count].found >= GOOD * steps[count].boards:
        count += 1
    far = f"as far as {curve.what.format(curve.steps[count - 1])}" if count else "at no step"
    total = sum(steps, Step())
    return (
        f"At least {GOOD:.0%} of the boards are found {far}. Over all steps: {total.wrong} of "
        f"{total.points} points wrong and sure, {total.elsewhere} wrong boards, {total.sure} of them sure."
    )


HEAD = (
    "| step | boards found | points right | whole boards | doubtful points | points wrong and sure | wrong boards | "
    "of them sure |",
    "|---|--:|--:|--:|--:|--:|--:|--:|",
)
