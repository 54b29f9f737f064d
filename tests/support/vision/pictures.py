"""Drawn tables for tests, with their truth."""

from __future__ import annotations

import re
import xml.etree.ElementTree as Tree
from functools import lru_cache

import cv2
import numpy as np

from tests.support.vision.tables import club_table
from vision.calibration.model import Grid
from vision.camera.frame import Image
from vision.render.scene import Scene
from vision.render.truth import Picture
from vision.stones.reader import rectify_board
from web.page.qr import QUIET

# The text that a phone reads from a label's codes.

DOTS = 6
"""Pixels a square of the code."""


def read(svg: str) -> list[str]:
    """Return the texts that a phone reads from the label's codes, from left to right."""
    paths = (one for one in Tree.fromstring(svg).iter() if one.tag.endswith("path") and "stroke" in one.attrib)
    return [cv2.QRCodeDetectorAruco().detectAndDecode(draw_code(path.attrib["d"]))[0] for path in paths]


def draw_code(path: str) -> np.ndarray:
    """A code as a picture, from the runs of dark squares in its path."""
    runs, x, y = [], 0.0, 0.0
    for move, numbers in re.findall(r"([Mmh])([-0-9. ]+)", path):
        values = [float(value) for value in re.findall(r"-?[0-9.]+", numbers)]
        if move == "h":
            runs.append((int(x), int(y), int(values[0])))
            x += values[0]
        else:
            x, y = (values[0], values[1]) if move == "M" else (x + values[0], y + values[1])
    side = max(row for _, row, _ in runs) + 1 + QUIET
    squares = np.full((side, side), 255, np.uint8)
    for first, row, length in runs:
        squares[row, first : first + length] = 0
    return np.kron(squares, np.ones((DOTS, DOTS), np.uint8))


@lru_cache(maxsize=48)
def drawn_board(size: int, seed: int = 1, stones: float = 0.15, width: int = 1280, height: int = 720) -> Picture:
    """Return a club table whose board has that share of its points taken at random; drawn once, read-only."""
    rng = np.random.default_rng([seed, size])
    marks = rng.choice([".", "X", "O"], (size, size), p=[1 - stones, stones / 2, stones / 2])
    picture = club_table(seed, size, width, height).draw(Scene(tuple("".join(row) for row in marks)))
    picture.pixels.setflags(write=False)
    return picture


def board_picture(size: int = 9, seed: int = 1) -> Image:
    """The pixels of such a table."""
    return drawn_board(size, seed).pixels


def turn_truth(grid: Grid, rows: tuple[str, ...]) -> tuple[np.ndarray, tuple[str, ...]]:
    """Corners and rows of a truth as pictures are oriented: clockwise from the corner with the smallest x + y."""
    corners = np.array(grid.corners)
    first = int(corners.sum(axis=1).argmin())
    marks = np.rot90(np.array([list(row) for row in rows]), first)
    return np.roll(corners, -first, axis=0), tuple("".join(row) for row in marks)


def crops(image: Image, grid: Grid, side: int = 32, span: float = 1.5) -> Image:
    """A square picture round each intersection, shape (size * size, side, side, 3), row by row from the highest.

    side: pixels a crop. span: how many cells a crop shows, across and down.
    """
    cell = side / span
    board = rectify_board(image, grid, cell, span / 2)
    starts = np.rint(np.arange(grid.size) * cell).astype(int)
    rows, columns = np.meshgrid(starts, starts, indexing="ij")
    windows = np.lib.stride_tricks.sliding_window_view(board, (side, side), axis=(0, 1))
    return np.ascontiguousarray(windows[rows.ravel(), columns.ravel()].transpose(0, 2, 3, 1))


def off(grid: Grid, corners: np.ndarray) -> float:
    """Return how far the worst corner is off, in cells."""
    return float(np.linalg.norm(np.array(grid.corners) - corners, axis=1).max() / grid.cell())


def noise() -> np.ndarray:
    return np.random.default_rng(5).integers(0, 255, (600, 800, 3), dtype=np.uint8)


def stripes() -> np.ndarray:
    return np.repeat(np.tile(np.where(np.arange(800) % 40 < 3, 30, 180), (600, 1))[..., None], 3, 2).astype(np.uint8)


def chequers() -> np.ndarray:
    down, across = np.mgrid[:600, :800]
    return np.repeat((((down // 40 + across // 40) % 2) * 200 + 20)[..., None], 3, 2).astype(np.uint8)


def plain() -> np.ndarray:
    return np.full((600, 800, 3), 120, np.uint8)


def words() -> np.ndarray:
    page = np.full((800, 600, 3), 235, np.uint8)
    for line in range(40, 780, 26):
        cv2.putText(
            page, "The quick brown fox jumps over it", (20, line), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (30, 30, 30), 2
        )
    return page
