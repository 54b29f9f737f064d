"""Drawn tables for tests, with their truth."""

from __future__ import annotations

import numpy as np

from vision.calibration import Grid
from vision.frame import Image
from vision.render.looks import club_look
from vision.render.scene import Scene
from vision.render.table import Table
from vision.render.truth import Picture


def drawn_board(size: int, seed: int = 1, stones: float = 0.15, width: int = 1280, height: int = 720) -> Picture:
    """A club table with a board of that size, that share of its points taken at random."""
    rng = np.random.default_rng([seed, size])
    marks = rng.choice([".", "X", "O"], (size, size), p=[1 - stones, stones / 2, stones / 2])
    look = club_look(seed, size, width, height)
    return Table(look).draw(Scene(tuple("".join(row) for row in marks)))


def board_picture(size: int = 9, seed: int = 1) -> Image:
    """The pixels of such a table."""
    return drawn_board(size, seed).pixels


def turned(grid: Grid, rows: tuple[str, ...]) -> tuple[np.ndarray, tuple[str, ...]]:
    """Corners and rows of a truth as pictures are oriented: clockwise from the corner with the smallest x + y."""
    corners = np.array(grid.corners)
    first = int(corners.sum(axis=1).argmin())
    marks = np.rot90(np.array([list(row) for row in rows]), first)
    return np.roll(corners, -first, axis=0), tuple("".join(row) for row in marks)
