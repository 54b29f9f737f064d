"""Stones off the grid points: their positions, and the points they make doubtful."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from referee import OffGridStone

Floats = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]

# Chosen by hand (docs/vision.md).
OFF_GRID_CELLS = 0.35
"""The distance from its point from which a stone counts as off the grid."""
NEARLY_OFF_CELLS = 0.3
"""The distance from its point from which a stone may be off the grid, because offsets are not exact, unless another
stone leaves it no room. Of 14,030 stones read surely on 188 photographs 21 are as far.
"""
HALFWAY_CELLS = 0.42
"""The distance from its point from which a stone may as well belong to the next point."""
SOME, HIDES = 0.1, 0.2
"""Probability thresholds. A point with a stone of at least SOME may have one beside it, unless each of its contents
is likelier than HIDES: then something hides the point.
"""
ENOUGH = 0.5
"""The summed probability, over the points that see a stone at one place, from which the stone is real."""
AGREE_CELLS, SURE = 0.25, 0.9
"""Thresholds for a stone in the middle of four points, none of which need see enough of it: none of the four is
surer than SURE of a stone of its own, and all four see it within AGREE_CELLS of one place.
"""
MIDDLE_CELLS = 0.3
"""The maximum distance of that place from the middle of the four, along each axis."""
MIN_DISTANCE_CELLS = 0.5
"""The minimum distance between two stones; nearer detections are one stone seen from two points."""
MAX_CONFIDENCE = 0.91
"""The upper limit of a probability read at a point affected by an off-grid stone."""
ASLANT = 0.38
"""The share of a stone's offset, along both axes, above which it lies towards a diagonal neighbour."""

PARALLAX_SHARE, NOTICED_CELLS, RAMP_CELLS = 1.5, 0.05, 0.1
"""The share of a stone's parallax that the net's offsets towards the camera lack; the offset from which they lack it,
and the further offset over which the share grows from 0: of a stone on its point they are right from any angle.
Measured on drawn boards, seen from up to 56 degrees.
"""


def correct_parallax(offsets: Floats, parallax: npt.NDArray[np.float64]) -> Floats:
    """Return the offsets, with those towards the camera lengthened by what the net's answers lack.

    Args:
        offsets: each stone's offset from its point, right and down, in cells, shape (size, size, 2).
        parallax: the shift with which each stone's middle is seen, away from the camera, of the same shape.
    """
    shift = np.linalg.norm(parallax, axis=-1, keepdims=True)
    towards_camera = -(offsets * parallax).sum(axis=-1, keepdims=True) / np.maximum(shift, 1e-6)
    share = np.clip((towards_camera - NOTICED_CELLS) / RAMP_CELLS, 0, 1)
    return np.asarray(offsets - PARALLAX_SHARE * share * parallax, np.float32)


def nearly_off_grid(probabilities: Floats, offsets: Floats) -> Mask:
    """Return the points whose own stone may lie off the grid, towards an empty point; shape (size, size)."""
    has_stone = probabilities.argmax(axis=-1) > 0
    points = np.zeros(has_stone.shape, bool)
    for row, col in np.argwhere(has_stone & (np.linalg.norm(offsets, axis=-1) > NEARLY_OFF_CELLS)):
        towards = _Stone(int(row), int(col), offsets[row, col], 1.0).between(len(offsets)).towards
        points[row, col] = towards is None or not has_stone.flat[towards]
    return points


def find_off_grid_stones(probabilities: Floats, offsets: Floats) -> tuple[OffGridStone, ...]:
    """Return all stones off the grid points, the farthest from its point first.

    Args:
        probabilities: of empty, black and white, shape (size, size, 3).
        offsets: each stone's offset from its point, right and down, in cells, shape (size, size, 2).
    """
    stones = _find_stones(probabilities, offsets)
    return tuple(stone.between(len(offsets)) for stone in sorted(stones, key=lambda stone: -stone.far))


def cap_confidence(probabilities: Floats, points: Mask) -> Floats:
    """Return the probabilities, capped at MAX_CONFIDENCE at these points; the excess goes to the other contents."""
    capped = probabilities.copy()
    for row, col in np.argwhere(points & (probabilities.max(axis=-1) > MAX_CONFIDENCE)):
        sight = capped[row, col]
        sight[:] = np.where(sight == sight.max(), MAX_CONFIDENCE, (1 - MAX_CONFIDENCE) / 2)
    return capped


def affected_points(probabilities: Floats, offsets: Floats) -> Mask:
    """Return the points that an off-grid stone may belong to, as a mask of shape (size, size).

    They are the stone's own point and, if it lies half way, the next one or the three others around it.
    """
    size, points = len(offsets), np.zeros(probabilities.shape[:2], bool)
    for stone in _find_stones(probabilities, offsets):
        off_grid = stone.between(size)
        other_point = off_grid.towards if off_grid.towards is not None and stone.far > HALFWAY_CELLS else off_grid.point
        (row, col), (row_to, col_to) = divmod(off_grid.point, size), divmod(other_point, size)
        points[min(row, row_to) : max(row, row_to) + 1, min(col, col_to) : max(col, col_to) + 1] = True
    return points


@dataclass
class _Stone:
    """An off-grid stone as its nearest point sees it.

    `row`, `col`: the nearest point.
    `off`: the offset from that point, right and down, in cells.
    `chance`: the probability that the stone is there at all.
    """

    row: int
    col: int
    off: Floats
    chance: float

    @property
    def far(self) -> float:
        """Return the distance from its point, in cells."""
        return float(np.hypot(*self.off))

    def is_at(self, other: _Stone) -> bool:
        """Return True if both are the same stone."""
        place, other_place = ((stone.col + stone.off[0], stone.row + stone.off[1]) for stone in (self, other))
        return float(np.hypot(place[0] - other_place[0], place[1] - other_place[1])) <= MIN_DISTANCE_CELLS

    def between(self, size: int) -> OffGridStone:
        """Return the stone's point, and the neighbour it lies towards, on a board of `size` lines."""
        right, down = np.where(np.abs(self.off) > ASLANT * self.far, np.sign(self.off), 0).astype(int).tolist()
        col, row = min(max(self.col + right, 0), size - 1), min(max(self.row + down, 0), size - 1)
        point, towards = self.row * size + self.col, row * size + col
        return OffGridStone(point, towards if towards != point else None)


def _find_stones(probabilities: Floats, offsets: Floats) -> list[_Stone]:
    """Return the stones off every point, each as its nearest point sees it."""
    stones = list(_find_amid_four(probabilities, offsets))
    for stone in sorted(_find_candidates(probabilities, offsets), key=lambda stone: stone.far):
        same_stone = next((other for other in stones if other.is_at(stone)), None)
        if same_stone is None:
            stones.append(stone)
        else:
            same_stone.chance += stone.chance
    return [stone for stone in stones if stone.chance >= ENOUGH]


def _find_candidates(probabilities: Floats, offsets: Floats) -> list[_Stone]:
    """Return each point's view of a stone so far off it that it may belong to another point."""
    stone, hidden = probabilities[..., 1:].sum(axis=-1), probabilities.min(axis=-1) > HIDES
    is_off = (np.hypot(offsets[..., 0], offsets[..., 1]) > OFF_GRID_CELLS) & (stone >= SOME) & ~hidden
    return [_Stone(int(row), int(col), offsets[row, col], float(stone[row, col])) for row, col in np.argwhere(is_off)]


def _find_amid_four(probabilities: Floats, offsets: Floats) -> Iterator[_Stone]:
    """Yield the stones that all four surrounding points see at one place, within AGREE_CELLS."""
    for place in find_places_amid_four(probabilities, offsets):
        column, row = np.rint(place).astype(int).tolist()
        stone = _Stone(row, column, place - [column, row], 1.0)
        if stone.far > OFF_GRID_CELLS:
            yield stone


def find_places_amid_four(probabilities: Floats, offsets: Floats) -> list[Floats]:
    """Return the places, column and row, where all four surrounding points see a stone, within AGREE_CELLS."""
    size = len(offsets)
    points = np.stack(np.meshgrid(np.arange(size), np.arange(size)), axis=-1)
    seen_places = _corners(points + offsets)
    places = seen_places.mean(axis=0)
    agree = np.linalg.norm(seen_places - places, axis=-1).max(axis=0) <= AGREE_CELLS
    amid = np.abs(places - points[:-1, :-1] - 0.5).max(axis=-1) <= MIDDLE_CELLS
    excluded = (probabilities[..., 1:].max(axis=-1) > SURE) | (probabilities.min(axis=-1) > HIDES)
    return list(places[agree & amid & ~_corners(excluded).any(axis=0)])


def _corners(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the values of the four points around every cell, shape (4, size - 1, size - 1, ...)."""
    return np.stack([values[:-1, :-1], values[:-1, 1:], values[1:, :-1], values[1:, 1:]])
