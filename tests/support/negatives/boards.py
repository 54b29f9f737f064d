"""Other games: their boards, with pieces on some."""

from __future__ import annotations

import cv2
import numpy as np

from tests.support.negatives.canvas import (
    INK,
    Colour,
    cells,
    colour,
    disc,
    draw_rules,
    fill_rectangle,
    pale,
    shade,
    sheet,
    write,
)
from vision.board.window import SIZES
from vision.camera.frame import Image

WOODS: tuple[Colour, ...] = ((120, 180, 220), (90, 150, 200), (60, 110, 160), (150, 200, 230))


POINTED = np.array([[0, -28], [18, -18], [22, 26], [-22, 26], [-18, -18]])
"""A shogi piece's outline, in pixels from its middle."""


def chess(rng: np.random.Generator) -> Image:
    """Eight squares by eight in two colours, a rim with or without letters, pieces seen from above."""
    paper, pitch, rim = _chequers(rng, 8)
    for column, row, x, y in cells(8, 8, pitch, rim):
        if rng.random() < 0.4 and (row < 2 or row > 5 or rng.random() < 0.2):
            body = (235, 240, 240) if row > 3 else (35, 35, 40)
            disc(paper, x + pitch // 2, y + pitch // 2, int(pitch * rng.uniform(0.22, 0.4)), body, shade(body, 0.6))
        if column == 0 and rim > 30:
            write(paper, str(8 - row), 5, y + pitch // 2, 0.5)
    return paper


def draughts(rng: np.random.Generator) -> Image:
    """Ten or twelve squares (or eight) with men on the dark ones."""
    side = int(rng.choice([8, 10, 10, 12]))
    paper, pitch, rim = _chequers(rng, side)
    ends = int(rng.integers(2, side // 2))
    for column, row, x, y in cells(side, side, pitch, rim):
        if (column + row) % 2 and (row < ends or row >= side - ends) and rng.random() < 0.9:
            man = (30, 30, 30) if row < ends else (225, 235, 240)
            disc(paper, x + pitch // 2, y + pitch // 2, int(0.4 * pitch), man, shade(man, 0.7))
    return paper


def _chequers(rng: np.random.Generator, side: int) -> tuple[Image, int, int]:
    """Squares in two colours, with lines between them or without: the sheet, a square's pixels, the rim's."""
    pitch, rim = 720 // side, int(rng.choice([0, 6, 40]))
    dark, light = colour(rng, 20, 130), colour(rng, 130, 250)
    paper = sheet(side * pitch + 2 * rim, side * pitch + 2 * rim, colour(rng))
    for column, row, x, y in cells(side, side, pitch, rim):
        fill_rectangle(paper, x, y, pitch, pitch, dark if (column + row) % 2 else light)
    if rng.random() < 0.4:
        draw_rules(paper, side, side, (pitch, pitch), rim, shade(dark, 0.5), int(rng.integers(1, 4)))
    return paper, pitch, rim


def reversi(rng: np.random.Generator) -> Image:
    """Eight cells by eight, their lines drawn, with discs of two colours in at least half the cells."""
    green, pitch, rim = colour(rng, 20, 140), 84, int(rng.integers(10, 70))
    paper = sheet(8 * pitch + 2 * rim, 8 * pitch + 2 * rim, green)
    draw_rules(paper, 8, 8, (pitch, pitch), rim, INK, int(rng.integers(2, 5)))
    for _, _, x, y in cells(8, 8, pitch, rim):
        if rng.random() < 0.7:
            disc(paper, x + pitch // 2, y + pitch // 2, 35, (235, 235, 235) if rng.random() < 0.5 else (25, 25, 25))
    return paper


def shogi(rng: np.random.Generator) -> Image:
    """Nine cells by nine (ten lines) on wood, with pointed pieces."""
    pitch, rim = 72, int(rng.integers(15, 60))
    wood = WOODS[int(rng.integers(len(WOODS)))]
    paper = sheet(9 * (pitch + 6) + 2 * rim, 9 * pitch + 2 * rim, wood)
    draw_rules(paper, 9, 9, (pitch, pitch + 6), rim, INK, int(rng.integers(1, 4)))
    for k in range(81):
        row, column = divmod(k, 9)
        if rng.random() < (0.8 if row < 3 or row > 5 else 0.1):
            x, y, up = rim + column * pitch + pitch // 2, rim + row * (pitch + 6) + 39, 1 if row > 4 else -1
            shape = POINTED * [1, up] + np.array([x, y])
            cv2.fillPoly(paper, [shape.astype(np.int32)], shade(wood, 1.25), cv2.LINE_AA)
            cv2.polylines(paper, [shape.astype(np.int32)], True, shade(wood, 0.4), 2, cv2.LINE_AA)
            write(paper, "E", x - 10, y + 10, 0.8)
    return paper


def xiangqi(rng: np.random.Generator) -> Image:
    """Nine lines by ten with a river and two palaces, round pieces on the points."""
    pitch, rim = 76, int(rng.integers(30, 70))
    wood = WOODS[int(rng.integers(len(WOODS)))]
    paper, thick = sheet(9 * pitch + 2 * rim, 8 * pitch + 2 * rim, wood), int(rng.integers(1, 4))
    draw_rules(paper, 8, 9, (pitch, pitch), rim, INK, thick)
    fill_rectangle(paper, rim + 4, rim + 4 * pitch + 3, 8 * pitch - 7, pitch - 6, wood)
    for top in (0, 7):
        one, other = (rim + 3 * pitch, rim + top * pitch), (rim + 5 * pitch, rim + (top + 2) * pitch)
        cv2.line(paper, one, other, INK, thick)
        cv2.line(paper, (one[0], other[1]), (other[0], one[1]), INK, thick)
    for _, row, x, y in cells(9, 10, pitch, rim):
        if rng.random() < 0.35:
            disc(paper, x, y, int(0.42 * pitch), (200, 225, 240), (40, 40, 200) if row > 4 else INK)
    return paper


def other_lattices(rng: np.random.Generator) -> Image:
    """Boards of other numbers of lines (gomoku's 15, the old 17), square or not."""
    numbers = [n for n in range(5, 25) if n not in SIZES]
    columns = int(rng.choice(numbers))
    rows = columns if rng.random() < 0.6 else int(rng.integers(5, 25))
    pitch = 760 // max(columns, rows)
    rim = int(pitch * rng.uniform(0.5, 1.5))
    wood = WOODS[int(rng.integers(len(WOODS)))] if rng.random() < 0.7 else pale(rng)
    paper = sheet((rows - 1) * pitch + 2 * rim, (columns - 1) * pitch + 2 * rim, wood)
    draw_rules(paper, columns - 1, rows - 1, (pitch, pitch), rim, INK, max(1, pitch // 18))
    for _, _, x, y in cells(columns, rows, pitch, rim):
        if rng.random() < 0.15:
            disc(paper, x, y, int(0.46 * pitch), (235, 238, 238) if rng.random() < 0.5 else (30, 30, 30))
    return paper


def letter_game(rng: np.random.Generator) -> Image:
    """Fifteen cells by fifteen, some coloured, with letters on tiles."""
    pitch, ground = 50, colour(rng, 120, 230)
    paper = sheet(15 * pitch + 40, 15 * pitch + 40, shade(ground, 0.5))
    for _, _, x, y in cells(15, 15, pitch, 20):
        fill_rectangle(paper, x + 1, y + 1, pitch - 2, pitch - 2, ground if rng.random() < 0.75 else colour(rng))
        if rng.random() < 0.3:
            fill_rectangle(paper, x + 4, y + 4, pitch - 8, pitch - 8, (190, 220, 235))
            write(paper, chr(int(rng.integers(65, 91))), x + 12, y + 36, 1.0)
    return paper


def snakes(rng: np.random.Generator) -> Image:
    """Ten numbered cells by ten in many colours, with ladders across."""
    pitch, tones = 72, [colour(rng, 90, 250) for _ in range(5)]
    paper = sheet(760, 760, pale(rng))
    for column, row, x, y in cells(10, 10, pitch, 20):
        fill_rectangle(paper, x, y, pitch, pitch, tones[(3 * row + column) % 5])
        write(paper, str(100 - 10 * row - column), x + 6, y + 24, 0.6)
    draw_rules(paper, 10, 10, (pitch, pitch), 20, INK, int(rng.integers(1, 4)))
    for _ in range(6):
        one, other = rng.integers(40, 720, (2, 2))
        cv2.line(paper, one.tolist(), other.tolist(), colour(rng), 8, cv2.LINE_AA)
    return paper


def four_in_a_row(rng: np.random.Generator) -> Image:
    """Rounds in columns and rows on a plate: seven by six, or any other number."""
    columns, rows = (7, 6) if rng.random() < 0.4 else (int(n) for n in rng.integers(6, 20, 2))
    pitch = 800 // max(columns, rows)
    plate, kinds = colour(rng), [colour(rng), colour(rng), (245, 245, 245), (20, 20, 20)]
    paper = sheet(rows * pitch + 20, columns * pitch + 20, plate)
    for _, _, x, y in cells(columns, rows, pitch, 10):
        disc(paper, x + pitch // 2, y + pitch // 2, int(0.4 * pitch), kinds[int(rng.integers(4))])
    return paper


def morris(rng: np.random.Generator) -> Image:
    """Three squares in one another, with men."""
    paper = sheet(760, 760, WOODS[int(rng.integers(len(WOODS)))])
    for inset in (80, 180, 280):
        cv2.rectangle(paper, (inset, inset), (759 - inset, 759 - inset), INK, 4)
    for one, other in (
        ((380, 80), (380, 280)),
        ((380, 480), (380, 680)),
        ((80, 380), (280, 380)),
        ((480, 380), (680, 380)),
    ):
        cv2.line(paper, one, other, INK, 4)
    for x, y in ((80, 80), (380, 180), (480, 480), (680, 380), (180, 580), (280, 280)):
        disc(paper, x, y, 32, (235, 235, 235) if rng.random() < 0.5 else (25, 25, 25))
    return paper


ALL = (chess, draughts, reversi, shogi, xiangqi, other_lattices, letter_game, snakes, four_in_a_row, morris)
