"""Stones that lie between points: which they are, and which points are not sure because of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from referee import Between

Floats = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]

# Chosen by hand (docs/vision.md).
FAR = 0.35
"""Cells from its point from which a stone lies between points."""
HALFWAY = 0.42
"""Cells from its point from which a stone may as well be the next point's."""
SOME, HIDES = 0.1, 0.2
"""A point that a stone lies on with at least this probability may have one beside it, unless each of its contents is
likelier than the second number: then something hides it."""
ENOUGH = 0.5
"""A stone lies there when the points that see it at one place add up to this probability."""
AGREE, SURE = 0.25, 0.9
"""A stone lies in the middle of four points, of which none may see enough of it, when none is surer than the second
number of a stone of its own and all four see it at one place, no farther from there than the first (cells)."""
MIDDLE = 0.3
"""Cells from there to the middle of the four, each way, at most."""
APART = 0.5
"""Two stones lie farther from each other than so many cells: nearer, it is one seen from two points."""
AT_MOST = 0.91
"""What is read where a stone lies between points is at most so likely."""
ASLANT = 0.38
"""A stone lies towards a point diagonally next to its own when of its offset more than this is across, and along."""


def stones_between(probabilities: Floats, offsets: Floats) -> tuple[Between, ...]:
    """Every stone that lies between points, the farthest from its point first.

    probabilities: of empty, black and white, shape (size, size, 3). offsets: how far a stone there lies to the right of
    the point and down from it, in cells, shape (size, size, 2).
    """
    found = _found(probabilities, offsets)
    return tuple(stone.between(len(offsets)) for stone in sorted(found, key=lambda stone: -stone.far))


def hedged(probabilities: Floats, points: Mask) -> Floats:
    """The same probabilities, but none at these points higher than AT_MOST; what is more is given to the others."""
    limited = probabilities.copy()
    for row, col in np.argwhere(points & (probabilities.max(axis=-1) > AT_MOST)):
        sight = limited[row, col]
        sight[:] = np.where(sight == sight.max(), AT_MOST, (1 - AT_MOST) / 2)
    return limited


def concerned(probabilities: Floats, offsets: Floats) -> Mask:
    """The points that a stone between points may belong to, shape (size, size): its own, and where it lies half way the
    next one, or the three others round it."""
    size, points = len(offsets), np.zeros(probabilities.shape[:2], bool)
    for stone in _found(probabilities, offsets):
        between = stone.between(size)
        near = between.towards if between.towards is not None and stone.far > HALFWAY else between.point
        (row, col), (row_to, col_to) = divmod(between.point, size), divmod(near, size)
        points[min(row, row_to) : max(row, row_to) + 1, min(col, col_to) : max(col, col_to) + 1] = True
    return points


@dataclass
class _Stone:
    """A stone as the nearest point sees it: row and column, offset, and the probability that it lies there at all."""

    row: int
    col: int
    off: Floats
    chance: float

    @property
    def far(self) -> float:
        """Cells from its point."""
        return float(np.hypot(*self.off))

    def is_at(self, other: _Stone) -> bool:
        """Whether both are one stone."""
        place, there = ((stone.col + stone.off[0], stone.row + stone.off[1]) for stone in (self, other))
        return float(np.hypot(place[0] - there[0], place[1] - there[1])) <= APART

    def between(self, size: int) -> Between:
        """Its point, and the one towards which it lies on a board of so many lines."""
        right, down = np.where(np.abs(self.off) > ASLANT * self.far, np.sign(self.off), 0).astype(int).tolist()
        col, row = min(max(self.col + right, 0), size - 1), min(max(self.row + down, 0), size - 1)
        point, towards = self.row * size + self.col, row * size + col
        return Between(point, towards if towards != point else None)


def _found(probabilities: Floats, offsets: Floats) -> list[_Stone]:
    """The stones that lie off every point, each as its nearest point sees it."""
    found = list(_amid_four(probabilities, offsets))
    for stone in sorted(_seen_beside(probabilities, offsets), key=lambda stone: stone.far):
        same = next((other for other in found if other.is_at(stone)), None)
        if same is None:
            found.append(stone)
        else:
            same.chance += stone.chance
    return [stone for stone in found if stone.chance >= ENOUGH]


def _seen_beside(probabilities: Floats, offsets: Floats) -> list[_Stone]:
    """What every point sees of a stone that lies so far off it that it may be another point's."""
    stone, hidden = probabilities[..., 1:].sum(axis=-1), probabilities.min(axis=-1) > HIDES
    off = (np.hypot(offsets[..., 0], offsets[..., 1]) > FAR) & (stone >= SOME) & ~hidden
    return [_Stone(int(row), int(col), offsets[row, col], float(stone[row, col])) for row, col in np.argwhere(off)]


def _amid_four(probabilities: Floats, offsets: Floats) -> Iterator[_Stone]:
    """The stones that all four points round them see at one place, AGREE."""
    size = len(offsets)
    points = np.stack(np.meshgrid(np.arange(size), np.arange(size)), axis=-1)
    seen = _corners(points + offsets)
    place = seen.mean(axis=0)
    agree = np.linalg.norm(seen - place, axis=-1).max(axis=0) <= AGREE
    amid = np.abs(place - points[:-1, :-1] - 0.5).max(axis=-1) <= MIDDLE
    taken = (probabilities[..., 1:].max(axis=-1) > SURE) | (probabilities.min(axis=-1) > HIDES)
    for row, col in np.argwhere(agree & amid & ~_corners(taken).any(axis=0)):
        nearest = np.rint(place[row, col]).astype(int)
        stone = _Stone(int(nearest[1]), int(nearest[0]), place[row, col] - nearest, 1.0)
        if stone.far > FAR:
            yield stone


def _corners(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """What the four points round every cell hold, shape (4, size - 1, size - 1, ...)."""
    return np.stack([values[:-1, :-1], values[:-1, 1:], values[1:, :-1], values[1:, 1:]])
