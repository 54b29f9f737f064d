"""Patterns that are no board, drawn flat for the crossing net: shapes, words, speckle, and cells in columns and rows.

Cells are most easily taken for a board: chequered, coloured or shaded ones, with lines thin or thick, with letters,
rounds or squares in them, every other row shifted as in a wall. Lines alone, in any number, are a lattice like a
board's: there the net is to see every crossing, so that counting them shows that they are too many or too few.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.camera.frame import Image

Floats = npt.NDArray[np.float64]
Colour = tuple[int, int, int]

SIDE = 520
"""Approximate longer side of a pattern, in pixels."""
FEWEST, MOST = 5, 25
"""Range of the cells a side."""
WINDOWS = (8, 12, 18)
"""Cells a side of the boards for which a pattern may be taken."""


@dataclass(frozen=True, eq=False)
class Pattern:
    """A drawn pattern.

    pixels: the picture.
    square: the quadrangle in which a board might be supposed, shape (4, 2), in pixels.
    crossings: crossings of a plain lattice's lines, shape (n, 2), else empty.
    outline: the lattice's outline, shape (4, 2), else empty.
    """

    pixels: Image
    square: Floats
    crossings: Floats
    outline: Floats


@dataclass(frozen=True)
class Cells:
    """Columns and rows of cells.

    columns, rows: their numbers.
    pitch: size of a cell across and down, in pixels.
    edge: margin around the cells, in pixels.
    on: shift of every other row, in cells.
    """

    columns: int
    rows: int
    pitch: tuple[int, int]
    edge: int
    on: float

    def cell_box(self, column: int, row: int) -> tuple[int, int, int, int]:
        """Return left, top, right and bottom of a cell, in pixels."""
        left = self.edge + round((column + self.on * (row % 2)) * self.pitch[0])
        top = self.edge + row * self.pitch[1]
        return left, top, left + self.pitch[0], top + self.pitch[1]

    def find_crossings(self, columns: Floats, rows: Floats) -> Floats:
        """Return the crossings of columns and rows of lines, in pixels, shape (n, 2)."""
        across, down = np.meshgrid(columns, rows)
        return np.stack([across.ravel() * self.pitch[0], down.ravel() * self.pitch[1]], axis=1) + self.edge


def draw_pattern(rng: np.random.Generator) -> Pattern:
    """Draw anything that is no board."""
    if rng.random() < 0.7:
        return draw_cells(rng)
    kind = int(rng.integers(3))
    paper = _draw_words(rng) if kind == 0 else _draw_speckle(rng) if kind == 1 else _draw_shapes(rng)
    return Pattern(paper, _pick_quadrangle(rng, paper.shape), np.zeros((0, 2)), np.zeros((0, 2)))


def draw_cells(rng: np.random.Generator) -> Pattern:
    """Draw columns and rows of cells on some ground; one in five nothing but their lines."""
    across, down = rng.integers(FEWEST, MOST, 2)
    columns, rows = (int(across), int(across)) if rng.random() < 0.6 else (int(across), int(down))
    pitch = SIDE // max(columns, rows)
    is_plain = bool(rng.random() < 0.2)
    long = rng.uniform(1.3, 2.4) if not is_plain and rng.random() < 0.15 else rng.uniform(0.95, 1.1)
    row_shift = 0.5 if not is_plain and rng.random() < 0.2 else 0.0
    lattice = Cells(columns, rows, (pitch, max(6, round(pitch / long))), int(rng.uniform(0.2, 3) * pitch), row_shift)
    paper = paint_ground(rng, lattice)
    if is_plain:
        return _draw_lattice(rng, paper, lattice)
    _fill_cells(rng, paper, lattice)
    is_lined = bool(rng.random() < 0.65)
    if is_lined:
        _draw_lines(rng, paper, lattice)
    _draw_marks(rng, paper, lattice, 0.47 if is_lined else 0.38)
    return Pattern(paper, suppose_board(rng, lattice), np.zeros((0, 2)), np.zeros((0, 2)))


def _draw_lattice(rng: np.random.Generator, paper: Image, lattice: Cells) -> Pattern:
    columns, rows = np.arange(lattice.columns + 1.0), np.arange(lattice.rows + 1.0)
    if len(columns) == len(rows) and lattice.columns in WINDOWS:
        rows = rows[:-1]
    points = lattice.find_crossings(columns, rows)
    ink, thick = pick_ink(rng), max(1, round(lattice.pitch[0] * rng.uniform(0.02, 0.08)))
    for start, end in zip(points.reshape(len(rows), -1, 2)[:, 0], points.reshape(len(rows), -1, 2)[:, -1], strict=True):
        cv2.line(paper, nearest_pixel(start), nearest_pixel(end), ink, thick)
    for start, end in zip(points[: len(columns)], points[-len(columns) :], strict=True):
        cv2.line(paper, nearest_pixel(start), nearest_pixel(end), ink, thick)
    ends = lattice.find_crossings(columns[[0, -1]], rows[[0, -1]])
    return Pattern(paper, suppose_board(rng, lattice), points, ends[[0, 1, 3, 2]])


def paint_ground(rng: np.random.Generator, lattice: Cells) -> Image:
    """Paint the ground of the cells, wood or anything: a rim, and round it a floor of another colour."""
    wide, high = lattice.columns * lattice.pitch[0], lattice.rows * lattice.pitch[1]
    edge, pitch = lattice.edge, max(lattice.pitch)
    paper = np.full((high + 2 * edge, wide + 2 * edge, 3), any_colour(rng), np.uint8)
    rim = int(rng.uniform(0, 1.4) * pitch) if rng.random() < 0.7 else 2 * edge
    cv2.rectangle(paper, (edge - rim, edge - rim), (edge + wide + rim, edge + high + rim), pick_wood(rng), -1)
    return paper


def _fill_cells(rng: np.random.Generator, paper: Image, lattice: Cells) -> None:
    """Paint chequers, tiles shaded a little, cells of a few colours, or nothing."""
    kind = int(rng.integers(4))
    tones = [any_colour(rng) for _ in range(2 if kind == 0 else int(rng.integers(2, 6)))]
    for row in range(lattice.rows if kind < 3 else 0):
        for column in range(lattice.columns):
            pick = (row + column) % 2 if kind == 0 else int(rng.integers(len(tones)))
            tone = np.array(tones[0 if kind == 1 else pick]) * (1 + (rng.normal(0, 0.07) if kind == 1 else 0))
            left, top, right, bottom = lattice.cell_box(column, row)
            paper[top:bottom, left:right] = np.clip(tone, 0, 255)


def _draw_lines(rng: np.random.Generator, paper: Image, lattice: Cells) -> None:
    """Draw the cells' outlines, thin or thick, dark or light; some with every third or fifth line thicker."""
    ink = pick_ink(rng) if rng.random() < 0.7 else any_colour(rng)
    thick = max(1, round(lattice.pitch[0] * rng.uniform(0.02, 0.14)))
    every = int(rng.choice([0, 0, 3, 5]))
    for row in range(lattice.rows):
        for column in range(lattice.columns):
            left, top, right, bottom = lattice.cell_box(column, row)
            cv2.rectangle(paper, (left, top), (right, bottom), ink, thick)
    for number in range(0, max(lattice.columns, lattice.rows) + 1, every) if every else ():
        left, top = lattice.edge + number * lattice.pitch[0], lattice.edge + number * lattice.pitch[1]
        cv2.line(paper, (left, lattice.edge), (left, paper.shape[0] - lattice.edge), ink, 2 * thick)
        cv2.line(paper, (lattice.edge, top), (paper.shape[1] - lattice.edge, top), ink, 2 * thick)


def _draw_marks(rng: np.random.Generator, paper: Image, lattice: Cells, largest: float) -> None:
    """Draw letters, rounds or squares in the cells, or rounds with letters on crossings.

    rng: the random generator.
    paper: the picture.
    lattice: the cells.
    largest: largest radius of a mark, in cells: touching rounds without lines between them are like a full board.
    """
    kinds, often = rng.choice(["letter", "round", "square", "both"], 2), rng.uniform(0.2, 1)
    tones = [any_colour(rng), any_colour(rng)] if rng.random() < 0.5 else [(25, 25, 25), (235, 238, 238)]
    crossing_shift = 0.5 if rng.random() < 0.12 else 0.0
    share = rng.uniform(0.2, largest)
    for row in range(lattice.rows):
        for column in range(lattice.columns):
            if rng.random() < often:
                left, top, right, bottom = lattice.cell_box(column, row)
                pitch = min(right - left, bottom - top)
                x, y = (
                    (left + right) / 2 - crossing_shift * (right - left),
                    (top + bottom) / 2 - crossing_shift * (bottom - top),
                )
                kind = "both" if crossing_shift else str(kinds[int(rng.integers(2))])
                _draw_mark(rng, paper, np.array([x, y]), share * pitch, kind, tones[int(rng.integers(2))])


def _draw_mark(rng: np.random.Generator, paper: Image, middle: Floats, reach: float, kind: str, tone: Colour) -> None:
    x, y = nearest_pixel(middle)
    if kind in ("round", "both"):
        cv2.circle(paper, (x, y), max(1, round(reach)), tone, -1, cv2.LINE_AA)
    if kind == "square":
        half = max(1, round(reach))
        cv2.rectangle(paper, (x - half, y - half), (x + half, y + half), tone, -1)
    if kind in ("letter", "both"):
        ink = pick_ink(rng) if kind == "letter" or sum(tone) > 380 else (230, 230, 230)
        place = (x - round(reach * 0.6), y + round(reach * 0.6))
        cv2.putText(paper, chr(int(rng.integers(48, 91))), place, 0, reach / 16, ink, 1, cv2.LINE_AA)


def suppose_board(rng: np.random.Generator, lattice: Cells) -> Floats:
    """Return a window of a board's number of cells, its corners on crossings or in the middles of cells."""
    have = np.array([lattice.columns, lattice.rows])
    fitting = [size for size in WINDOWS if size <= have.max() + 2] or [WINDOWS[0]]
    size = have if rng.random() < 0.2 else np.repeat(rng.choice(fitting), 2)
    room = have - size
    start = rng.integers(np.minimum(0, room) - 1, np.maximum(0, room) + 2) + (0.5 if rng.random() < 0.3 else 0.0)
    ends = lattice.find_crossings(*np.stack([start, start + size], axis=1))[[0, 1, 3, 2]]
    reach = float(np.ptp(ends, axis=0).mean())
    window = ends + rng.normal(0, 0.025 if rng.random() < 0.7 else 0.09, (4, 2)) * reach
    return np.roll(window, int(rng.integers(4)), axis=0)


def _pick_quadrangle(rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
    height, width = shape[:2]
    half = rng.uniform(0.25, 0.6) * min(height, width)
    square = np.array([[-1.0, -1], [1, -1], [1, 1], [-1, 1]]) * half
    return np.asarray(np.array([width, height]) * rng.uniform(0.3, 0.7, 2) + square + rng.normal(0, 0.1 * half, (4, 2)))


def _draw_words(rng: np.random.Generator) -> Image:
    paper = np.full((SIDE, SIDE, 3), any_colour(rng), np.uint8)
    letters, ink = rng.choice(list("abcdefghij klmnop  qrstuv"), (60, 60)), pick_ink(rng)
    for line, y in enumerate(range(10, SIDE, int(rng.integers(9, 26)))):
        cv2.putText(paper, "".join(letters[line]), (5, y), cv2.FONT_HERSHEY_SIMPLEX, 0.4, ink, 1)
    return paper


def _draw_speckle(rng: np.random.Generator) -> Image:
    width = rng.uniform(0.3, 8)
    speckle = cv2.GaussianBlur(rng.normal(0, 1, (SIDE, SIDE, 3)), (0, 0), width) * 80 * width * rng.uniform(0.2, 1)
    return np.asarray(np.clip(speckle + np.array(any_colour(rng)), 0, 255), np.uint8)


def _draw_shapes(rng: np.random.Generator) -> Image:
    """Draw shapes of all kinds, or rounds alone, strewn about."""
    paper = np.full((SIDE, SIDE, 3), any_colour(rng), np.uint8)
    rounds = rng.random() < 0.5
    for _ in range(int(rng.integers(3, 60))):
        start, end = rng.integers(0, SIDE, (2, 2)).tolist()
        kind = 0 if rounds else int(rng.integers(3))
        if kind == 0:
            cv2.circle(paper, start, int(rng.integers(8, 26 if rounds else 60)), any_colour(rng), -1)
        elif kind == 1:
            cv2.line(paper, start, end, any_colour(rng), int(rng.integers(1, 9)))
        else:
            cv2.rectangle(paper, start, end, any_colour(rng), int(rng.choice([-1, 2, 5])))
    return paper


def any_colour(rng: np.random.Generator) -> Colour:
    """Return any colour but the brightest and the darkest."""
    blue, green, red = rng.integers(20, 240, 3).tolist()
    return blue, green, red


def pick_wood(rng: np.random.Generator) -> Colour:
    """Return the colour of some wood, or any."""
    if rng.random() < 0.5:
        return any_colour(rng)
    blue, green, red = (np.array([0.55, 0.8, 1.0]) * rng.uniform(70, 250) + rng.uniform(0, 15, 3)).astype(int).tolist()
    return min(blue, 255), min(green, 255), min(red, 255)


def pick_ink(rng: np.random.Generator) -> Colour:
    """Return the colour of some ink."""
    blue, green, red = rng.integers(10, 70, 3).tolist()
    return blue, green, red


def nearest_pixel(place: Floats) -> tuple[int, int]:
    """Return the pixel nearest to a place."""
    return round(float(place[0])), round(float(place[1]))
