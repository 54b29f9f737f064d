"""Things that are printed or written: text, puzzles, tables, plans."""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np

from tests.support.negatives.canvas import (
    INK,
    cells,
    colour,
    disc,
    draw_rules,
    fill_rectangle,
    pale,
    shade,
    sheet,
    words,
    write,
)
from vision.board.window import SIZES
from vision.camera.frame import Image

LATTICES = [n - 1 for n in SIZES]
"""Cells a side of the lattices that are left out."""


def text(rng: np.random.Generator) -> Image:
    """Lines of words in one or two columns."""
    paper, size, columns = sheet(960, 720, pale(rng)), rng.uniform(0.4, 0.9), int(rng.integers(1, 3))
    for y in range(60, 930, int(40 * size)):
        for column in range(columns):
            write(paper, words(rng, int(32 / size / columns)), 40 + column * 340, y, size)
    return paper


def crossword(rng: np.random.Generator) -> Image:
    """White cells and black ones, some numbered, some filled in."""
    side = int(rng.choice([n for n in range(9, 23) if n not in LATTICES]))
    pitch = 760 // side
    paper = sheet(side * pitch + 60, side * pitch + 60, pale(rng))
    for column, row, x, y in cells(side, side, pitch, 30):
        if rng.random() < 0.18:
            fill_rectangle(paper, x, y, pitch, pitch, INK)
        elif rng.random() < 0.5:
            write(paper, chr(65 + (column * 7 + row * 3) % 26), x + pitch // 4, y + 3 * pitch // 4, pitch / 50)
    draw_rules(paper, side, side, (pitch, pitch), 30, INK, int(rng.integers(1, 4)))
    return paper


def sudoku(rng: np.random.Generator) -> Image:
    """Nine cells by nine, every third line thick, digits in some."""
    pitch = int(rng.integers(60, 85))
    paper = sheet(9 * pitch + 80, 9 * pitch + 80, pale(rng))
    draw_rules(paper, 9, 9, (pitch, pitch), 40, INK, int(rng.integers(1, 3)))
    draw_rules(paper, 3, 3, (3 * pitch, 3 * pitch), 40, INK, int(rng.integers(2, 7)))
    for _, _, x, y in cells(9, 9, pitch, 40):
        if rng.random() < 0.5:
            write(paper, str(int(rng.integers(1, 10))), x + pitch // 4, y + 3 * pitch // 4, pitch / 45)
    return paper


def calendar(rng: np.random.Generator) -> Image:
    """A month, or the twelve of a year."""
    paper = sheet(900, 960, pale(rng))
    months, pitch = (1, (125, 110)) if rng.random() < 0.5 else (12, (32, 28))
    for month in range(months):
        left, top = (40, 150) if months == 1 else (30 + month % 4 * 232, 60 + month // 4 * 280)
        part = paper[top - 30 :, left - 10 :]
        if months == 1 or rng.random() < 0.7:
            draw_rules(part, 7, 6, pitch, 10, INK, 1 + (months == 1))
        for day in range(31):
            x, y = left + (day + month) % 7 * pitch[0] + 4, top + (day + month) // 7 * pitch[1]
            write(paper, str(day + 1), x, y, pitch[1] / (60 if months > 1 else 110))
        write(paper, words(rng, 8), left, top - 34, 0.7)
    return paper


def spreadsheet(rng: np.random.Generator) -> Image:
    """Columns and rows of unlike cells with numbers."""
    columns, rows = int(rng.integers(4, 14)), int(rng.integers(14, 40))
    pitch = 900 // columns, 840 // rows
    paper = sheet(rows * pitch[1] + 40, columns * pitch[0] + 40, pale(rng))
    if rng.random() < 0.5:
        for row in range(0, rows, 2):
            fill_rectangle(paper, 20, 20 + row * pitch[1], columns * pitch[0], pitch[1], shade(pale(rng), 0.9))
    draw_rules(paper, columns, rows, pitch, 20, colour(rng, 40, 160), 1)
    for k in range(columns * rows):
        number = f"{rng.normal(0, 300):.1f}"
        write(paper, number, 24 + k % columns * pitch[0], 14 + (k // columns + 1) * pitch[1], pitch[1] / 60)
    return paper


def graph_paper(rng: np.random.Generator) -> Image:
    """Fine squares from edge to edge, every fifth or tenth line heavier, a curve on it."""
    pitch, ink = int(rng.integers(9, 45)), colour(rng, 40, 190)
    paper = sheet(800, 1000, pale(rng))
    draw_rules(paper, 1000 // pitch + 1, 800 // pitch + 1, (pitch, pitch), -1, ink, 1)
    if rng.random() < 0.6:
        wide = pitch * int(rng.choice([2, 5, 10]))
        draw_rules(paper, 1000 // wide + 1, 800 // wide + 1, (wide, wide), -1, shade(ink, 0.7), 2)
    if rng.random() < 0.6:
        steps = np.arange(0, 1000, 10)
        curve = np.stack([steps, 400 + 250 * np.sin(steps / rng.uniform(60, 200))], axis=1).astype(np.int32)
        cv2.polylines(paper, [curve], False, colour(rng, 20, 120), 3, cv2.LINE_AA)
    return paper


def music(rng: np.random.Generator) -> Image:
    """Staves with notes and bar lines."""
    paper = sheet(960, 760, pale(rng))
    for top in range(60, 880, int(rng.integers(80, 120))):
        for line in range(5):
            cv2.line(paper, (40, top + 9 * line), (720, top + 9 * line), INK, 1)
        for x in range(60, 720, 22):
            y = top + int(rng.integers(-1, 10)) * 5
            cv2.ellipse(paper, (x, y), (7, 5), -20, 0, 360, INK, -1, cv2.LINE_AA)
            cv2.line(paper, (x + 6, y), (x + 6, y - 28), INK, 2)
        for x in range(40, 730, 170):
            cv2.line(paper, (x, top), (x, top + 36), INK, 2)
    return paper


def code_squares(rng: np.random.Generator) -> Image:
    """Black and white modules as in a square bar code."""
    side = int(rng.choice([21, 25, 29, 33, 37]))
    pitch = 680 // side
    paper = sheet(side * pitch + 80, side * pitch + 80, (250, 250, 250))
    for _, _, x, y in cells(side, side, pitch, 40):
        if rng.random() < 0.5:
            fill_rectangle(paper, x, y, pitch, pitch, (15, 15, 15))
    for x, y in ((0, 0), (side - 7, 0), (0, side - 7)):
        left, top = 40 + x * pitch, 40 + y * pitch
        for inset, tone in ((0, 15), (1, 250), (2, 15)):
            wide = (7 - 2 * inset) * pitch
            fill_rectangle(paper, left + inset * pitch, top + inset * pitch, wide, wide, (tone, tone, tone))
    return paper


def street_plan(rng: np.random.Generator) -> Image:
    """Blocks between streets that cross at right angles, some of them longer than others."""
    paper = sheet(800, 1000, pale(rng))
    x = np.cumsum(rng.integers(30, 90, 24))
    y = np.cumsum(rng.integers(30, 70, 24))
    for left, right in pairwise(x.tolist()):
        for top, bottom in pairwise(y.tolist()):
            fill_rectangle(
                paper,
                int(left) + 6,
                int(top) + 6,
                int(right - left) - 12,
                int(bottom - top) - 12,
                colour(rng, 150, 230),
            )
    cv2.line(paper, (0, 700), (1000, 100), colour(rng, 100, 220), 16)
    return paper


def dot_grid(rng: np.random.Generator) -> Image:
    """Dots in columns and rows from edge to edge: note paper, perforated plate, buttons."""
    pitch = int(rng.integers(14, 60))
    paper, ink = sheet(800, 1000, colour(rng, 120, 250)), colour(rng, 10, 120)
    radius = max(1, int(pitch * rng.uniform(0.04, 0.42)))
    for _, _, x, y in cells(1000 // pitch + 1, 800 // pitch + 1, pitch, pitch // 2):
        disc(paper, x, y, radius, ink)
    return paper


ALL = (text, crossword, sudoku, calendar, spreadsheet, graph_paper, music, code_squares, street_plan, dot_grid)
