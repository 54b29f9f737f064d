"""Paper to draw on, and what many drawings have in common."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np

from vision.camera.frame import Image

Colour = tuple[int, int, int]
INK: Colour = (30, 30, 30)
LETTERS = np.array(list("abcdefghijklmnopqrstuvwxyz   "))


def sheet(high: int, wide: int, colour: Colour) -> Image:
    """Paper of one colour."""
    return np.full((high, wide, 3), colour, np.uint8)


def colour(rng: np.random.Generator, low: int = 20, high: int = 240) -> Colour:
    """Any colour whose parts lie between two values."""
    blue, green, red = rng.integers(low, high, 3).tolist()
    return blue, green, red


def pale(rng: np.random.Generator) -> Colour:
    """The colour of some paper."""
    return colour(rng, 190, 250)


def shade(of: Colour, share: float) -> Colour:
    """The colour, so much darker or lighter."""
    blue, green, red = np.clip(np.array(of) * share, 0, 255).astype(int).tolist()
    return blue, green, red


def cells(columns: int, rows: int, pitch: int, at: int = 0) -> Iterator[tuple[int, int, int, int]]:
    """Column, row, and the pixels of the left top corner of every cell, `at` pixels in from the sheet's corner."""
    for row in range(rows):
        for column in range(columns):
            yield column, row, at + column * pitch, at + row * pitch


def draw_rules(paper: Image, columns: int, rows: int, pitch: tuple[int, int], at: int, ink: Colour, thick: int) -> None:
    """Lines round so many columns and rows of cells."""
    wide, high = columns * pitch[0], rows * pitch[1]
    for column in range(columns + 1):
        x = at + column * pitch[0]
        cv2.line(paper, (x, at), (x, at + high), ink, thick)
    for row in range(rows + 1):
        y = at + row * pitch[1]
        cv2.line(paper, (at, y), (at + wide, y), ink, thick)


def fill_rectangle(paper: Image, left: int, top: int, wide: int, high: int, fill: Colour) -> None:
    """A filled rectangle."""
    cv2.rectangle(paper, (left, top), (left + wide - 1, top + high - 1), fill, -1)


def disc(paper: Image, x: int, y: int, radius: int, fill: Colour, rim: Colour | None = None) -> None:
    """A filled circle, perhaps with a rim."""
    cv2.circle(paper, (x, y), radius, fill, -1, cv2.LINE_AA)
    if rim is not None:
        cv2.circle(paper, (x, y), radius, rim, max(1, radius // 10), cv2.LINE_AA)


def words(rng: np.random.Generator, count: int) -> str:
    """So many letters, in words."""
    return "".join(rng.choice(LETTERS, count))


def write(paper: Image, text: str, x: int, y: int, size: float, ink: Colour = INK) -> None:
    """A line of text."""
    cv2.putText(paper, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, size, ink, max(1, round(2 * size)), cv2.LINE_AA)
