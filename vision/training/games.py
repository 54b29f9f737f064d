"""Other games' boards, puzzles and long tiles, drawn flat: the patterns most easily taken for a Go board.

If pieces lie on the points of a lattice, as in xiangqi and janggi, its crossings are labelled, so that counting them
yields a row too many; in all of these the net is to see no board.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.camera.frame import Image
from vision.training.patterns import (
    SIDE,
    Cells,
    Colour,
    Floats,
    Pattern,
    any_colour,
    nearest_pixel,
    paint_ground,
    pick_ink,
    suppose_board,
)

PIECE = np.array([[0, -1.0], [0.62, -0.72], [0.8, 0.95], [-0.8, 0.95], [-0.62, -0.72]])
"""The outline of a pointed piece of about unit size."""
NONE: Floats = np.zeros((0, 2))
"""No crossings."""


def draw_game(rng: np.random.Generator) -> Pattern:
    """Draw any of these patterns."""
    kinds = (_draw_palace_board, _draw_pointed, _draw_digit_boxes, _draw_chequers, _draw_numbered, _draw_tiles)
    return kinds[int(rng.choice(len(kinds), p=[0.34, 0.14, 0.2, 0.12, 0.1, 0.1]))](rng)


def _make_lattice(rng: np.random.Generator, columns: int, rows: int, long: float) -> Cells:
    pitch = round(SIDE / max(columns * max(1.0, long), rows))
    return Cells(columns, rows, (max(6, round(pitch * long)), pitch), int(rng.uniform(0.5, 2) * pitch), 0.0)


def _draw_palace_board(rng: np.random.Generator) -> Pattern:
    """Draw nine lines by ten with palaces, and mostly with a river; round or eight-sided pieces on the points."""
    lattice = _make_lattice(rng, 8, 9, rng.uniform(0.92, 1.15))
    paper, ink = paint_ground(rng, lattice), pick_ink(rng)
    thick = max(1, round(lattice.pitch[1] * rng.uniform(0.015, 0.06)))
    river = (4, 5) if rng.random() < 0.75 else (0, 0)
    for row in range(10):
        _draw_stroke(paper, lattice, [(0, row), (8, row)], ink, thick)
    for column in range(9):
        split = river if 0 < column < 8 else (0, 0)
        _draw_stroke(paper, lattice, [(column, 0), (column, split[0])], ink, thick)
        _draw_stroke(paper, lattice, [(column, split[1]), (column, 9)], ink, thick)
    for top in (0, 7) if rng.random() < 0.9 else ():
        _draw_stroke(paper, lattice, [(3, top), (5, top + 2)], ink, thick)
        _draw_stroke(paper, lattice, [(5, top), (3, top + 2)], ink, thick)
    if rng.random() < 0.4:
        reach = rng.uniform(0.1, 0.4)
        frame = [(-reach, -reach), (8 + reach, -reach), (8 + reach, 9 + reach), (-reach, 9 + reach)]
        cv2.polylines(paper, [_cell_middles(lattice, frame)], True, ink, 2 * thick)
    if river[0] and rng.random() < 0.6:
        _draw_river_signs(rng, paper, lattice, ink)
    crossings = lattice.find_crossings(np.arange(9.0), np.arange(10.0))
    _draw_pieces(rng, paper, lattice, crossings)
    return Pattern(paper, suppose_board(rng, lattice), crossings, NONE)


def _draw_river_signs(rng: np.random.Generator, paper: Image, lattice: Cells, ink: Colour) -> None:
    """Draw characters along the river."""
    for column in rng.choice(np.arange(1, 8), 4, replace=False):
        at = lattice.find_crossings(np.array([float(column)]), np.array([4.5]))[0]
        _draw_sign(rng, paper, at, 0.3 * lattice.pitch[1], ink)


def _draw_sign(rng: np.random.Generator, paper: Image, at: Floats, reach: float, ink: Colour) -> None:
    """Draw some strokes, level, upright and slanting, that look like a written character."""
    thick = max(1, round(reach * rng.uniform(0.1, 0.25)))
    for _ in range(int(rng.integers(4, 9))):
        middle, half = at + rng.uniform(-0.6, 0.6, 2) * reach, rng.uniform(0.25, 0.8) * reach
        way = np.array([(1.0, 0.0), (0.0, 1.0), (0.7, 0.7), (0.7, -0.7)][int(rng.integers(4))]) * half
        cv2.line(paper, nearest_pixel(middle - way), nearest_pixel(middle + way), ink, thick, cv2.LINE_AA)


def _draw_pieces(rng: np.random.Generator, paper: Image, lattice: Cells, places: Floats) -> None:
    """Draw pieces of two sides on some of the places, with a rim and a character, or plain."""
    often, corners = rng.choice([0.0, 0.15, 0.35, 0.5]), int(rng.choice([0, 0, 8]))
    body: Colour = any_colour(rng) if rng.random() < 0.3 else (175, 215, 235)
    inks: tuple[Colour, Colour] = ((40, 40, 190), (30, 30, 30) if rng.random() < 0.6 else (60, 120, 30))
    reach, written, turn = rng.uniform(0.36, 0.48) * min(lattice.pitch), rng.random() < 0.8, rng.uniform(0, 1)
    for at in places:
        if rng.random() < often:
            _draw_piece(paper, at, reach * (rng.uniform(0.7, 1.0) if corners else 1.0), corners, turn, body)
            ink = inks[int(rng.integers(2))]
            cv2.circle(
                paper, nearest_pixel(at), max(2, round(0.8 * reach)), ink, max(1, round(0.07 * reach)), cv2.LINE_AA
            )
            if written:
                _draw_sign(rng, paper, at, 0.6 * reach, ink)


def _draw_piece(paper: Image, at: Floats, reach: float, corners: int, turn: float, body: Colour) -> None:
    """Draw a round piece, or one with so many corners."""
    angles = np.arange(corners or 24) * (2 * np.pi / (corners or 24)) + turn
    outline = (at + reach * np.stack([np.cos(angles), np.sin(angles)], axis=1)).astype(np.int32)
    cv2.fillPoly(paper, [outline], body, cv2.LINE_AA)
    cv2.polylines(paper, [outline], True, _shade_colour(body, 0.5), 1, cv2.LINE_AA)


def _draw_pointed(rng: np.random.Generator) -> Pattern:
    """Draw nine cells by nine, sometimes more or fewer, with pointed pieces and a few dots."""
    side = int(rng.choice([9, 9, 9, 9, 5, 7, 11, 12]))
    lattice = _make_lattice(rng, side, side, rng.uniform(0.88, 1.05))
    paper, ink = paint_ground(rng, lattice), pick_ink(rng)
    _draw_cell_lines(paper, lattice, ink, max(1, round(lattice.pitch[1] * rng.uniform(0.015, 0.05))))
    for at in lattice.find_crossings(np.array([3.0, side - 3.0]), np.array([3.0, side - 3.0])):
        cv2.circle(paper, nearest_pixel(at), max(1, lattice.pitch[1] // 14), ink, -1, cv2.LINE_AA)
    body: Colour = (130, 195, 230) if rng.random() < 0.7 else any_colour(rng)
    camp, between = rng.uniform(0.4, 1.0), rng.uniform(0.0, 0.3)
    for row in range(side):
        for column in range(side):
            if rng.random() < (camp if min(row, side - 1 - row) < 3 else between):
                at = lattice.find_crossings(np.array([column + 0.5]), np.array([row + 0.5]))[0] + rng.normal(0, 1, 2)
                reach = rng.uniform(0.3, 0.45) * lattice.pitch[1]
                outline = (at + PIECE * reach * (1 if rng.random() < 0.5 else -1)).astype(np.int32)
                cv2.fillPoly(paper, [outline], body, cv2.LINE_AA)
                cv2.polylines(paper, [outline], True, _shade_colour(body, 0.45), 1, cv2.LINE_AA)
                _draw_sign(rng, paper, at, 0.55 * reach, ink)
    return Pattern(paper, suppose_board(rng, lattice), NONE, NONE)


def _draw_digit_boxes(rng: np.random.Generator) -> Pattern:
    """Draw boxes of cells, their outlines heavier, digits in the cells."""
    box = (3, 3) if rng.random() < 0.7 else ((2, 3), (4, 4), (2, 2))[int(rng.integers(3))]
    side = box[0] * box[1]
    lattice = _make_lattice(rng, side, side, 1.0)
    paper, ink = paint_ground(rng, lattice), pick_ink(rng)
    if rng.random() < 0.7:
        paper[:] = rng.integers(185, 255, 3)
    if rng.random() < 0.3:
        _shade_boxes(paper, lattice, box)
    thin = max(1, round(lattice.pitch[0] * rng.uniform(0.01, 0.05)))
    _draw_cell_lines(paper, lattice, _shade_colour(ink, rng.uniform(1, 3)), thin)
    for number in range(side + 1):
        if number % box[1] == 0:
            _draw_stroke(paper, lattice, [(number, 0), (number, side)], ink, round(thin * rng.uniform(1.5, 4)))
        if number % box[0] == 0:
            _draw_stroke(paper, lattice, [(0, number), (side, number)], ink, round(thin * rng.uniform(1.5, 4)))
    tall, often, fonts = rng.uniform(0.35, 0.7) * lattice.pitch[1], rng.uniform(0.2, 1.0), (0, 2, 3, 4)
    font = int(rng.choice(fonts))
    for row in range(side):
        for column in range(side):
            if rng.random() < often:
                at = lattice.find_crossings(np.array([column + 0.5]), np.array([row + 0.5]))[0]
                _draw_text(paper, str(int(rng.integers(1, side + 1))), at, tall, font, ink)
    return Pattern(paper, suppose_board(rng, lattice), NONE, NONE)


def _shade_boxes(paper: Image, lattice: Cells, box: tuple[int, int]) -> None:
    for row in range(lattice.rows):
        for column in range(lattice.columns):
            if (row // box[0] + column // box[1]) % 2:
                left, top, right, bottom = lattice.cell_box(column, row)
                paper[top:bottom, left:right] = (paper[top:bottom, left:right] * 0.82).astype(np.uint8)


def _draw_chequers(rng: np.random.Generator) -> Pattern:
    """Draw a chequered board with turned men or pieces in the cells: concentric rings."""
    side = int(rng.choice([8, 8, 8, 10, 12]))
    lattice = _make_lattice(rng, side, side, 1.0)
    paper, tones = paint_ground(rng, lattice), (any_colour(rng), any_colour(rng))
    sides = [any_colour(rng), any_colour(rng)] if rng.random() < 0.4 else [(30, 32, 35), (205, 225, 235)]
    often, every = rng.uniform(0.1, 0.7), rng.random() < 0.5
    for row in range(side):
        for column in range(side):
            left, top, right, bottom = lattice.cell_box(column, row)
            paper[top:bottom, left:right] = tones[(row + column) % 2]
            if rng.random() < often and (every or (row + column) % 2):
                at, body = np.array([(left + right) / 2, (top + bottom) / 2]), sides[int(rng.integers(2))]
                reach = rng.uniform(0.28, 0.46) * lattice.pitch[0]
                for share in (1.0, *rng.uniform(0.2, 0.9, int(rng.integers(0, 4)))):
                    tone = _shade_colour(body, rng.uniform(0.6, 1.4))
                    cv2.circle(paper, nearest_pixel(at), max(1, round(reach * share)), tone, -1, cv2.LINE_AA)
    return Pattern(paper, suppose_board(rng, lattice), NONE, NONE)


def _draw_numbered(rng: np.random.Generator) -> Pattern:
    """Draw coloured cells with numbers, and winding paths over them."""
    columns, rows = (int(n) for n in rng.integers(6, 15, 2))
    lattice = _make_lattice(rng, columns, rows, rng.uniform(0.9, 1.2))
    paper, tones = paint_ground(rng, lattice), [any_colour(rng) for _ in range(int(rng.integers(1, 7)))]
    for number in range(columns * rows):
        left, top, right, bottom = lattice.cell_box(number % columns, number // columns)
        paper[top:bottom, left:right] = tones[int(rng.integers(len(tones)))]
        at = np.array([left + 0.35 * lattice.pitch[0], top + 0.35 * lattice.pitch[1]])
        _draw_text(paper, str(columns * rows - number), at, 0.3 * lattice.pitch[1], 0, pick_ink(rng))
    if rng.random() < 0.7:
        _draw_cell_lines(
            paper, lattice, pick_ink(rng) if rng.random() < 0.6 else any_colour(rng), int(rng.integers(1, 4))
        )
    for _ in range(int(rng.integers(0, 7))):
        way = np.cumsum(rng.normal(0, 1.4, (8, 2)), axis=0) + rng.uniform(1, [columns - 1, rows - 1])
        places = np.array([lattice.find_crossings(x[None], y[None])[0] for x, y in way])
        cv2.polylines(paper, [places.astype(np.int32)], False, any_colour(rng), int(rng.integers(3, 12)), cv2.LINE_AA)
    return Pattern(paper, suppose_board(rng, lattice), NONE, NONE)


def _draw_tiles(rng: np.random.Generator) -> Pattern:
    """Draw long tiles or planks with joints, aligned or each row shifted by a part of their length."""
    long, rows = rng.uniform(1.4, 4.0), int(rng.integers(8, 26))
    high = max(9, SIDE // rows)
    wide, on = round(high * long), float(rng.choice([0.0, 0.5, 0.33, rng.random()]))
    columns, joint = SIDE // wide + 1, max(1, round(high * rng.uniform(0.03, 0.16)))
    paper = np.full((rows * high, columns * wide, 3), any_colour(rng), np.uint8)
    tone, spread = np.array(any_colour(rng)), rng.uniform(0, 0.12)
    for row in range(rows):
        for column in range(-1, columns + 1):
            left, top = round((column + on * row % 1) * wide), row * high
            shade = np.clip(tone * (1 + rng.normal(0, spread)), 0, 255)
            paper[top + joint : top + high, max(0, left + joint) : max(0, left + wide)] = shade
    if rng.random() < 0.5:
        paper = np.ascontiguousarray(np.rot90(paper))
    lattice = Cells(columns, rows, (wide, high), 0, 0.0)
    return Pattern(paper, suppose_board(rng, lattice), NONE, NONE)


def _draw_cell_lines(paper: Image, lattice: Cells, ink: Colour, thick: int) -> None:
    """Draw lines round all cells."""
    for column in range(lattice.columns + 1):
        _draw_stroke(paper, lattice, [(column, 0), (column, lattice.rows)], ink, thick)
    for row in range(lattice.rows + 1):
        _draw_stroke(paper, lattice, [(0, row), (lattice.columns, row)], ink, thick)


def _draw_stroke(paper: Image, lattice: Cells, ends: list[tuple[float, float]], ink: Colour, thick: int) -> None:
    cv2.polylines(paper, [_cell_middles(lattice, ends)], False, ink, thick)


def _cell_middles(lattice: Cells, cell_places: list[tuple[float, float]]) -> np.ndarray:
    return (np.array(cell_places) * lattice.pitch + lattice.edge).astype(np.int32)


def _draw_text(paper: Image, text: str, middle: Floats, tall: float, font: int, ink: Colour) -> None:
    """Draw a text centred at a place, its letters `tall` pixels high."""
    (_, high), _ = cv2.getTextSize(text, font, 1, 1)
    size = tall / high
    (wide, high), _ = cv2.getTextSize(text, font, size, max(1, round(tall / 10)))
    place = (round(float(middle[0]) - wide / 2), round(float(middle[1]) + high / 2))
    cv2.putText(paper, text, place, font, size, ink, max(1, round(tall / 10)), cv2.LINE_AA)


def _shade_colour(colour: Colour, share: float) -> Colour:
    blue, green, red = np.clip(np.array(colour) * share, 0, 255).astype(int).tolist()
    return blue, green, red
