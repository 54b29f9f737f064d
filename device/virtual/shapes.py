"""Where a made-up game is played: two shapes put somewhere on the board, turned and mirrored, and points between."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from referee.board import Point

SHAPE = (4, 3)
"""Columns and rows of either shape."""


@dataclass(frozen=True)
class Layout:
    """The points of the two shapes, row by row, and points for lone stones that touch nothing."""

    ko: list[Point]
    pair: list[Point]
    lone: Iterator[Point]


def layout(size: int, rng: random.Random) -> Layout:
    """A layout on a board of that size."""
    across, down = SHAPE
    half = (size - 1) // 2
    upper = rng.randint(0, size - across), rng.randint(0, half - down)
    lower = rng.randint(0, size - across), rng.randint(half + 1, size - down)
    turned = Symmetry(size, *(rng.random() < 0.5 for _ in range(3)))
    ko, pair = ([turned(x + i, y + j) for j in range(down) for i in range(across)] for x, y in (upper, lower))
    return Layout(ko, pair, _lone_points(size, {*ko, *pair}, rng))


@dataclass(frozen=True)
class Symmetry:
    """One of the eight ways to turn and mirror a square board."""

    size: int
    across: bool
    down: bool
    diagonal: bool

    def __call__(self, x: int, y: int) -> Point:
        x = self.size - 1 - x if self.across else x
        y = self.size - 1 - y if self.down else y
        return x * self.size + y if self.diagonal else y * self.size + x


def _lone_points(size: int, taken: set[Point], rng: random.Random) -> Iterator[Point]:
    """Points of one colour of the chequered board: no two are neighbours, so each keeps a liberty."""
    free = [y * size + x for y in range(size) for x in range(size) if (x + y) % 2 == 0]
    rng.shuffle(free)
    return (point for point in free if point not in taken)
