"""Things with an order of their own, people and rooms, and nothing at all."""

from __future__ import annotations

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


def keyboard(rng: np.random.Generator) -> Image:
    """Rows of keys, each row a little on, or a plain pad of keys."""
    dark = rng.random() < 0.5
    case, cap = ((30, 30, 30), (70, 70, 70)) if dark else ((190, 190, 190), (235, 235, 235))
    paper, pad = sheet(330, 920, case), rng.random() < 0.3
    for column, row, x, y in cells(15, 5, 58, 20):
        left = x if pad else x + row * 14
        cv2.rectangle(paper, (left, y), (left + 50, y + 50), cap, -1)
        write(paper, chr(65 + (column * 5 + row) % 26), left + 10, y + 30, 0.6, (230, 230, 230) if dark else INK)
    return paper


def circuit(rng: np.random.Generator) -> Image:
    """Chips, traces and solder points, many of them in rows."""
    paper = sheet(800, 1000, colour(rng, 20, 110))
    trace, tin = shade(colour(rng, 60, 150), 1.2), (190, 200, 205)
    for _ in range(60):
        x, y = (int(n) for n in rng.integers(0, 1000, 2))
        bend, end = int(rng.integers(0, 1000)), int(rng.integers(0, 800))
        cv2.polylines(paper, [np.array([[x, y], [bend, y], [bend, end]], np.int32)], False, trace, 2, cv2.LINE_AA)
    for _ in range(8):
        x, y = int(rng.integers(20, 800)), int(rng.integers(20, 640))
        wide, high = (int(n) for n in rng.integers(60, 180, 2))
        fill_rectangle(paper, x, y, wide, high, (25, 25, 25))
        for pin in range(x, x + wide, 12):
            fill_rectangle(paper, pin, y - 10, 6, 10, tin)
            fill_rectangle(paper, pin, y + high, 6, 10, tin)
    for _, _, x, y in cells(int(rng.integers(5, 40)), int(rng.integers(2, 30)), 20, int(rng.integers(10, 200))):
        disc(paper, x, y, 5, tin, trace)
    return paper


def faces(rng: np.random.Generator) -> Image:
    """One face or some, before a plain wall or a striped one."""
    paper = sheet(800, 900, colour(rng, 60, 230))
    for x in range(0, 900, 60) if rng.random() < 0.4 else ():
        fill_rectangle(paper, x, 0, 24, 800, shade(pale(rng), 0.8))
    for _ in range(int(rng.integers(1, 5))):
        x, y, size = int(rng.integers(150, 750)), int(rng.integers(180, 600)), int(rng.integers(70, 220))
        skin = shade((150, 180, 230), rng.uniform(0.4, 1.05))
        cv2.ellipse(paper, (x, y - size // 3), (int(size * 0.95), size), 0, 180, 360, colour(rng, 10, 120), -1)
        cv2.ellipse(paper, (x, y), (int(size * 0.8), size), 0, 0, 360, skin, -1, cv2.LINE_AA)
        for side in (-1, 1):
            cv2.ellipse(paper, (x + side * size // 3, y - size // 5), (size // 7, size // 12), 0, 0, 360, pale(rng), -1)
            disc(paper, x + side * size // 3, y - size // 5, max(2, size // 14), (30, 40, 50))
        cv2.line(paper, (x, y - size // 6), (x - size // 12, y + size // 5), shade(skin, 0.7), 3)
        cv2.ellipse(paper, (x, y + size // 2), (size // 3, size // 9), 0, 0, 180, (60, 60, 170), -1)
    return paper


def room(rng: np.random.Generator) -> Image:
    """Walls, a tiled or boarded floor running away, a window with panes, a shelf, a table."""
    paper = sheet(760, 1000, colour(rng, 140, 240))
    floor, tone = 480, colour(rng, 50, 180)
    fill_rectangle(paper, 0, floor, 1000, 280, tone)
    for x in range(-2000, 3000, int(rng.integers(60, 200))):
        cv2.line(paper, (500, floor - 120), (x, 760), shade(tone, 0.7), 2, cv2.LINE_AA)
    for y in 480 + 280 * np.linspace(0, 1, int(rng.integers(2, 10))) ** 2:
        cv2.line(paper, (0, int(y)), (1000, int(y)), shade(tone, 0.7), 2)
    fill_rectangle(paper, 0, 0, 1000, floor - 120, shade(pale(rng), 0.9))
    fill_rectangle(paper, 90, 60, 260, 260, (235, 215, 190))
    panes = int(rng.integers(2, 7))
    draw_rules(paper[50:, 80:], panes, panes, (260 // panes, 260 // panes), 10, (250, 250, 250), 8)
    for shelf in range(80, 340, 85):
        fill_rectangle(paper, 600, shelf + 70, 330, 12, (60, 100, 140))
        for x in range(605, 920, 18):
            fill_rectangle(paper, x, shelf + int(rng.integers(5, 25)), 16, 60, colour(rng))
    table = np.array([[250, 520], [700, 500], [820, 640], [180, 660]], np.int32)
    cv2.fillPoly(paper, [table], colour(rng, 40, 160), cv2.LINE_AA)
    return paper


def bookshelf(rng: np.random.Generator) -> Image:
    """Books back by back on boards."""
    paper, high = sheet(900, 900, colour(rng, 20, 120)), int(rng.integers(110, 220))
    for top in range(20, 880, high):
        x = 10
        while x < 860:
            wide = int(rng.integers(12, 50))
            fill_rectangle(paper, x, top + int(rng.integers(0, 40)), wide, high - 20, colour(rng))
            x += wide + 2
        fill_rectangle(paper, 0, top + high - 18, 900, 16, (50, 80, 110))
    return paper


def facade(rng: np.random.Generator) -> Image:
    """A house front: windows in columns and rows, some lit."""
    columns, rows = int(rng.integers(5, 24)), int(rng.integers(5, 24))
    pitch, wall = (960 // columns, 800 // rows), colour(rng, 40, 220)
    paper, inset = sheet(rows * pitch[1], columns * pitch[0], wall), rng.uniform(0.08, 0.3)
    for k in range(columns * rows):
        x, y = k % columns * pitch[0], k // columns * pitch[1]
        pane = colour(rng, 20, 120) if rng.random() < 0.8 else (150, 220, 250)
        dx, dy = int(inset * pitch[0]), int(inset * pitch[1])
        fill_rectangle(paper, x + dx, y + dy, pitch[0] - 2 * dx, pitch[1] - 2 * dy, pane)
    return paper


def solar_panel(rng: np.random.Generator) -> Image:
    """Dark cells with bright lines between them, panel beside panel."""
    columns, rows = int(rng.integers(6, 15)), int(rng.choice([n for n in range(6, 22) if n + 1 not in SIZES]))
    pitch = 840 // max(columns, rows)
    paper = sheet(rows * pitch + 30, columns * pitch + 30, colour(rng, 20, 90))
    draw_rules(paper, columns, rows, (pitch, pitch), 15, (200, 205, 210), max(1, pitch // 16))
    for x in range(15, columns * pitch, max(4, pitch // 3)):
        cv2.line(paper, (x, 15), (x, rows * pitch), (150, 150, 150), 1)
    return paper


def eggs(rng: np.random.Generator) -> Image:
    """Round things side by side in a tray: eggs, pills, bottle tops, pots, all alike or of two kinds."""
    columns, rows = (int(n) for n in rng.integers(4, 20, 2))
    pitch, tray = 800 // max(columns, rows), colour(rng, 60, 220)
    paper = sheet(rows * pitch + 60, columns * pitch + 60, tray)
    one, other = colour(rng, 20, 250), colour(rng, 20, 250)
    for _, _, x, y in cells(columns, rows, pitch, 30):
        fill = shade(one if rng.random() < 0.6 else other, 1 + rng.normal(0, 0.08))
        middle = x + pitch // 2, y + pitch // 2
        disc(paper, middle[0] + 2, middle[1] + 3, int(0.46 * pitch), shade(tray, 0.6))
        disc(paper, *middle, int(0.44 * pitch), fill, shade(fill, 0.7))
    return paper


def strewn(rng: np.random.Generator) -> Image:
    """Black and white stones on bare wood: a bowl was spilt, and no board is there."""
    paper = sheet(800, 1000, shade((110, 170, 215), rng.uniform(0.4, 1.1)))
    for _ in range(int(rng.integers(20, 300))):
        x, y = int(rng.integers(0, 1000)), int(rng.integers(0, 800))
        disc(paper, x, y, 20, (235, 238, 238) if rng.random() < 0.5 else (28, 28, 28), (90, 90, 90))
    return paper


def shapes(rng: np.random.Generator) -> Image:
    """Lines, rectangles and rounds anywhere."""
    paper = sheet(800, 1000, colour(rng))
    for _ in range(int(rng.integers(5, 80))):
        one, other = rng.integers(0, 1000, (2, 2)).tolist()
        kind = int(rng.integers(3))
        if kind == 0:
            cv2.line(paper, one, other, colour(rng), int(rng.integers(1, 9)), cv2.LINE_AA)
        elif kind == 1:
            cv2.rectangle(paper, one, other, colour(rng), int(rng.choice([-1, 2, 5])))
        else:
            disc(paper, *one, int(rng.integers(5, 90)), colour(rng))
    return paper


def screen(rng: np.random.Generator) -> Image:
    """Windows with text and buttons."""
    paper = sheet(720, 1100, colour(rng, 60, 240))
    for _ in range(int(rng.integers(2, 6))):
        x, y = int(rng.integers(0, 700)), int(rng.integers(0, 400))
        wide, high = (int(n) for n in rng.integers(200, 420, 2))
        fill_rectangle(paper, x, y, wide, high, pale(rng))
        fill_rectangle(paper, x, y, wide, 26, colour(rng, 40, 160))
        for line in range(y + 50, y + high, 22):
            write(paper, words(rng, wide // 14), x + 10, line, 0.45)
    return paper


def noise(rng: np.random.Generator) -> Image:
    """Speckle, fine to coarse."""
    width = rng.uniform(0.3, 6)
    speckle = cv2.GaussianBlur(rng.normal(0, 1, (800, 1000, 3)), (0, 0), width)
    return np.clip(speckle * 80 * width * rng.uniform(0.3, 1) + 128, 0, 255).astype(np.uint8)


def gradient(rng: np.random.Generator) -> Image:
    """From one colour to another, straight or round, perhaps in steps."""
    y, x = np.mgrid[:800, :1000] / 1000
    way = rng.normal(0, 1, 2)
    part = np.hypot(x - rng.random(), y - rng.random()) if rng.random() < 0.4 else x * way[0] + y * way[1]
    part = (part - part.min()) / np.ptp(part)
    if rng.random() < 0.4:
        part = np.floor(part * 20) / 20
    one, other = np.array(colour(rng), float), np.array(colour(rng), float)
    return np.asarray(one + part[..., None] * (other - one), np.uint8)


ALL = (
    keyboard, circuit, faces, room, bookshelf, facade, solar_panel, eggs, strewn, shapes, screen, noise, gradient,
)  # fmt: skip
