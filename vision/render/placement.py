"""The placement of stones on their points: a little off the intersection, but never one inside another."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from referee import COLOURS, Colour
from vision.render.scene import Appearance, Nudge
from vision.render.stones import PlacedStone

COLOUR_OF = {"X": Colour.BLACK, "O": Colour.WHITE, **{colour.value: colour for colour in COLOURS}}
"""Colours by their characters in a position's rows; black and white are B and W if more than two players play."""
ROUNDS = 80
"""Number of passes that push overlapping stones apart. Chosen by hand."""

Offsets = npt.NDArray[np.float64]


class Places:
    """The positions of a board's stones, the same each time a position comes up.

    A stone without neighbours lies as carelessly as the look says; one with neighbours lies within the room they
    leave. So each point has two offsets, and adding a stone moves only the stones it touches.
    """

    def __init__(self, look: Appearance) -> None:
        rng = np.random.default_rng([look.seed, 10])
        self._look = look
        self._loose = np.clip(rng.normal(0, look.misplaced, (look.size, look.size, 2)), -0.16, 0.16)
        self._pressed = push_apart(self._loose, 2 * look.radius, look.aspect)
        self._seeds = rng.integers(0, 10**6, (2, look.size, look.size))

    def place_stones(self, rows: tuple[str, ...], nudges: tuple[Nudge, ...] = ()) -> list[PlacedStone]:
        """Return every stone of the position, row by row."""
        off = self.find_offsets(rows, nudges)
        return [
            self._place_stone(row, col, COLOUR_OF[mark], off[row, col])
            for row, line in enumerate(rows)
            for col, mark in enumerate(line)
            if mark in COLOUR_OF
        ]

    def find_offsets(self, rows: tuple[str, ...], nudges: tuple[Nudge, ...] = ()) -> Offsets:
        """Return each stone's offset to the right of its point and down from it, (size, size, 2), NaN for no stone.

        The unit is the look's own cell, which is as wide as high.
        """
        off = np.full((len(rows), len(rows), 2), np.nan)
        for row, line in enumerate(rows):
            for col, mark in enumerate(line):
                if mark in COLOUR_OF:
                    off[row, col] = (self._pressed if _has_neighbour(rows, row, col) else self._loose)[row, col]
        for nudge in nudges:
            off[nudge.row, nudge.col] = nudge.right, nudge.down * self._look.aspect
        return off

    def _place_stone(self, row: int, col: int, colour: Colour, off: Offsets) -> PlacedStone:
        middle = (self._look.size - 1) / 2
        return PlacedStone(
            col - middle + float(off[0]),
            (row - middle) * self._look.aspect + float(off[1]),
            0.0,
            colour,
            int(self._seeds[COLOURS.index(colour) % 2, row, col]),
        )


def push_apart(offsets: Offsets, apart: float, aspect: float) -> Offsets:
    """Return offsets (n, n, 2) from the points at which stones on all points do not overlap.

    offsets: the offsets to begin with, in cells.
    apart: smallest distance between two stones' middles, in cells.
    aspect: height of a cell over its width.
    """
    moved = offsets.copy()
    for _ in range(ROUNDS):
        _push_apart(moved[:, :-1], moved[:, 1:], np.array([1.0, 0.0]), apart)
        _push_apart(moved[:-1], moved[1:], np.array([0.0, aspect]), apart)
    return moved


def _push_apart(one: Offsets, two: Offsets, pitch: npt.NDArray[np.float64], apart: float) -> None:
    """Move stones that come too close away from each other, half each; pitch: from a point to the next, in cells."""
    between = two - one + pitch
    length = np.linalg.norm(between, axis=-1, keepdims=True)
    push = between / length * np.maximum(apart - length, 0) * 0.5
    one -= push
    two += push


def _has_neighbour(rows: tuple[str, ...], row: int, col: int) -> bool:
    """Return True if there is a stone on a neighbouring point."""
    neighbours = ((row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1))
    return any(0 <= r < len(rows) and 0 <= c < len(rows) and rows[r][c] in COLOUR_OF for r, c in neighbours)
