"""Walls, floors, cloths and fences."""

from __future__ import annotations

import cv2
import numpy as np

from tests.support.negatives.canvas import cells, colour, draw_rules, fill_rectangle, shade, sheet
from vision.board.window import SIZES
from vision.camera.frame import Image


def tiles(rng: np.random.Generator) -> Image:
    """Square tiles with joints: a floor that goes on, or a field of some number with a rim."""
    side = int(rng.choice([n for n in range(4, 29) if n + 1 not in SIZES]))
    pitch, rim = 840 // side, int(rng.choice([0, 0, 20]))
    tone = colour(rng)
    joint = shade(tone, rng.uniform(0.3, 0.85) if rng.random() < 0.7 else rng.uniform(1.15, 1.8))
    paper = sheet(side * pitch + 2 * rim, side * pitch + 2 * rim, tone)
    for _, _, x, y in cells(side, side, pitch, rim):
        fill_rectangle(paper, x, y, pitch, pitch, shade(tone, 1 + rng.normal(0, 0.06)))
    draw_rules(paper, side, side, (pitch, pitch), rim, joint, max(1, int(pitch * rng.uniform(0.03, 0.12))))
    return paper


def long_tiles(rng: np.random.Generator) -> Image:
    """Tiles twice as long as high, joint under joint."""
    high = int(rng.integers(30, 70))
    wide, tone = int(high * rng.uniform(1.3, 2.5)), colour(rng)
    paper = sheet(800, 1000, tone)
    draw_rules(paper, 1000 // wide + 1, 800 // high + 1, (wide, high), -2, shade(tone, 0.6), int(rng.integers(2, 6)))
    return paper


def bricks(rng: np.random.Generator) -> Image:
    """Courses of bricks, each half a brick on."""
    high = int(rng.integers(26, 80))
    wide, tone = int(high * rng.uniform(1.6, 3)), colour(rng)
    joint = shade(tone, rng.uniform(0.4, 0.8)) if rng.random() < 0.6 else colour(rng, 140, 230)
    paper, gap = sheet(840, 1000, joint), max(2, high // 10)
    for row, y in enumerate(range(0, 840, high)):
        for x in range(-(row % 2) * wide // 2, 1000, wide):
            fill_rectangle(paper, x + gap, y + gap, wide - gap, high - gap, shade(tone, 1 + rng.normal(0, 0.08)))
    return paper


def plaid(rng: np.random.Generator) -> Image:
    """Cloth with bands both ways that show through one another."""
    paper, pitch = sheet(900, 1000, colour(rng)).astype(np.float32), int(rng.integers(24, 140))
    for _ in range(3):
        start, wide, tone = int(rng.integers(0, pitch)), int(rng.integers(2, max(3, pitch // 2))), colour(rng)
        for at in range(start, 1000, pitch):
            paper[at : at + wide] = paper[at : at + wide] * 0.5 + np.array(tone) * 0.5
            paper[:, at : at + wide] = paper[:, at : at + wide] * 0.5 + np.array(tone) * 0.5
    return np.asarray(paper, np.uint8)


def gingham(rng: np.random.Generator) -> Image:
    """A table cloth of even checks in three tones."""
    pitch, tone = int(rng.integers(16, 80)), np.array(colour(rng, 20, 160), np.float32)
    odd = np.arange(1000) // pitch % 2
    depth = (odd[:840, None] + odd[None, :]) / 2
    return np.asarray(245 + depth[..., None] * (tone - 245), np.uint8)


def wicker(rng: np.random.Generator) -> Image:
    """Strips over and under one another."""
    pitch, tone = int(rng.integers(18, 60)), colour(rng, 60, 220)
    paper = sheet(800, 960, shade(tone, 0.35))
    for column, row, x, y in cells(960 // pitch + 1, 800 // pitch + 1, pitch):
        strip = shade(tone, 1 + rng.normal(0, 0.06))
        inset = pitch // 7
        if (column + row) % 2:
            fill_rectangle(paper, x, y + inset, pitch, pitch - 2 * inset, strip)
        else:
            fill_rectangle(paper, x + inset, y, pitch - 2 * inset, pitch, shade(strip, 0.85))
    return paper


def mesh_fence(rng: np.random.Generator) -> Image:
    """Wire in diamonds or squares before grass."""
    paper = sheet(840, 1000, colour(rng, 60, 220))
    pitch, wire = int(rng.integers(22, 70)), colour(rng, 10, 110)
    thick = int(rng.integers(1, 5))
    lean = 1000 if rng.random() < 0.6 else 0
    for at in range(-1000, 2000, pitch):
        cv2.line(paper, (at, 0), (at + lean, 1000), wire, thick, cv2.LINE_AA)
        cv2.line(
            paper, (at + lean, 0) if lean else (0, at), (at, 1000) if lean else (1000, at), wire, thick, cv2.LINE_AA
        )
    return paper


def pickets(rng: np.random.Generator) -> Image:
    """Boards side by side on two rails."""
    paper, pitch, tone = sheet(760, 1000, colour(rng, 80, 200)), int(rng.integers(20, 90)), colour(rng, 90, 250)
    for rail in (200, 560):
        fill_rectangle(paper, 0, rail, 1000, 40, shade(tone, 0.8))
    for x in range(0, 1000, pitch):
        fill_rectangle(paper, x, 40, int(pitch * 0.7), 700, shade(tone, 1 + rng.normal(0, 0.05)))
    return paper


def blinds(rng: np.random.Generator) -> Image:
    """Slats with their cords, and what is seen between them."""
    paper, pitch, tone = sheet(840, 900, colour(rng, 150, 250)), int(rng.integers(14, 50)), colour(rng, 120, 250)
    for y in range(0, 840, pitch):
        fill_rectangle(paper, 0, y, 900, int(pitch * rng.uniform(0.6, 0.9)), tone)
        cv2.line(paper, (0, y), (900, y), shade(tone, 0.5), 2)
    for x in range(int(rng.integers(60, 200)), 900, int(rng.integers(100, 320))):
        cv2.line(paper, (x, 0), (x, 840), shade(tone, 0.6), 3)
    return paper


def parquet(rng: np.random.Generator) -> Image:
    """Squares of five strips, every other one turned."""
    pitch, tone = int(rng.integers(50, 150)), colour(rng, 50, 190)
    paper = sheet(840, 1000, tone)
    for column, row, x, y in cells(1000 // pitch + 1, 840 // pitch + 1, pitch):
        for strip in range(5):
            at, wide = strip * pitch // 5, pitch // 5 - 1
            fill = shade(tone, 1 + rng.normal(0, 0.1))
            if (column + row) % 2:
                fill_rectangle(paper, x + at, y, wide, pitch - 1, fill)
            else:
                fill_rectangle(paper, x, y + at, pitch - 1, wide, fill)
    return paper


def honeycomb(rng: np.random.Generator) -> Image:
    """Six-sided tiles."""
    radius, tone = int(rng.integers(18, 60)), colour(rng, 80, 240)
    paper, turns = sheet(800, 1000, shade(tone, 0.5)), np.radians(np.arange(30, 390, 60))
    for row in range(int(800 / radius / 1.5) + 2):
        for column in range(int(1000 / radius / 1.73) + 2):
            middle = np.array([(column + row % 2 / 2) * radius * 1.732, row * radius * 1.5])
            corners = middle + (radius - 2) * np.stack([np.cos(turns), np.sin(turns)], axis=1)
            cv2.fillPoly(paper, [corners.astype(np.int32)], shade(tone, 1 + rng.normal(0, 0.06)), cv2.LINE_AA)
    return paper


def grille(rng: np.random.Generator) -> Image:
    """Slots in a plate, in columns and rows, some broad, some square."""
    wide, high = (int(n) for n in rng.integers(14, 70, 2))
    plate, hole = colour(rng, 90, 230), colour(rng, 5, 60)
    paper = sheet(800, 1000, plate)
    for x in range(10, 990 - wide, int(wide * 1.25) + 2):
        for y in range(10, 790 - high, int(high * 1.25) + 2):
            fill_rectangle(paper, x, y, wide, high, hole)
    return paper


ALL = (
    tiles, long_tiles, bricks, plaid, gingham, wicker, mesh_fence, pickets, blinds, parquet, honeycomb, grille,
)  # fmt: skip
