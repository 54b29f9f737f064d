"""The prisoner field: printed circles on which prisoners lie one by one, between markers that tell its kind and side.

Each circle is read as empty, black or white, as a point of a board is. Where nothing lies, its dot of ink is seen in
white paper; a black stone hides the paper, and a white one the ink.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

CIRCLE, RING, DOT, SPOT = 23.0, 1.4, 11.0, 4.6
"""The diameter of a circle, a stone wide; the width of its line; the diameters of the dot of ink in its middle, and of
the spots between four circles; mm, as all lengths here.
"""
PITCH = 24.0
"""The distance between neighbouring circles' middles."""
BAR = 3.0
"""The width of the bars over and under a marker, and of the paper between them: they lie across on side 1's field and
upright on side 2's, so that the sides differ without colours, and a white stone there hides ink too.
"""
QUIET = 11.0
"""The paper kept free between a marker and the bars."""

Place = tuple[float, float]
"""A place in mm from the field's middle, x to the right and y down, its markers upright."""
Points = npt.NDArray[np.float64]
Steps = npt.NDArray[np.floating[Any]]
"""Ascending x or y in mm."""
CORNERS: Points = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
"""The corners of a square, clockwise from its top left, shape (4, 2), in half its sides."""


@dataclass(frozen=True)
class FieldLayout:
    """The layout of a kind of field.

    `name`: of the kind, as calibrations keep it.
    `places`: the circles' middles, row by row.
    `markers`: the middles of its left and its right marker.
    `side`: a marker's width.
    `ids`: the numbers of these markers, for side 1's field and for side 2's.
    `half`: half the printed field's width and height, markers included.
    `is_barred`: it has bars over and under its markers.
    """

    name: str
    places: tuple[Place, ...]
    markers: tuple[Place, Place]
    side: float
    ids: tuple[tuple[int, int], tuple[int, int]]
    half: Place
    is_barred: bool = True

    def find_spots(self) -> tuple[Place, ...]:
        """Return the places of the spots of ink in the middle of four circles."""
        circles, half = set(self.places), PITCH / 2
        corners = ((0.0, 0.0), (PITCH, 0.0), (0.0, PITCH), (PITCH, PITCH))
        return tuple(
            (x + half, y + half) for x, y in self.places if all((x + dx, y + dy) in circles for dx, dy in corners)
        )

    def find_gaps(self) -> tuple[Place, ...]:
        """Return the places where two circles' rings touch."""
        circles = set(self.places)
        steps = ((PITCH, 0.0), (0.0, PITCH))
        return tuple(
            (x + dx / 2, y + dy / 2) for x, y in self.places for dx, dy in steps if (x + dx, y + dy) in circles
        )

    def bar_ends(self, side: int) -> tuple[tuple[Place, Place], ...]:
        """Return the ends of the bars of the field of side 0 or 1."""
        return tuple(bar for marker in self.markers for bar in self._bars_beside(marker, side))

    def _bars_beside(self, marker: Place, side: int) -> Iterator[tuple[Place, Place]]:
        (x, y), half = marker, self.side / 2
        near, far = half + QUIET, self.half[1] - BAR / 2
        across = np.arange(-half + BAR / 2, half, 2 * BAR)
        for sign in (-1, 1) if self.is_barred else ():
            if side == 0:
                yield from (
                    ((x - half, y + sign * offset), (x + half, y + sign * offset))
                    for offset in np.arange(near, far, 2 * BAR)
                )
            else:
                yield from (((x + offset, y + sign * near), (x + offset, y + sign * far)) for offset in across)

    def marker_corners(self) -> Points:
        """Return the corners of both markers, clockwise from each one's top left, shape (8, 2)."""
        return np.concatenate([CORNERS * self.side / 2 + middle for middle in self.markers])

    def field_corners(self) -> Points:
        """Return the field's own corners, clockwise from the top left, shape (4, 2)."""
        return np.asarray(CORNERS * self.half)


def _lattice_places(columns: int, rows: int) -> tuple[Place, ...]:
    return tuple(
        ((column - (columns - 1) / 2) * PITCH, (row - (rows - 1) / 2) * PITCH)
        for row in range(rows)
        for column in range(columns)
    )


_ROUND = tuple((x, y) for x, y in _lattice_places(4, 4) if abs(x) + abs(y) < 3 * PITCH - 1)
_ENDS = ((-1.5 * PITCH, -0.5 * PITCH), (1.5 * PITCH, 0.5 * PITCH))

CARD = FieldLayout("card", _lattice_places(5, 6), ((-82.5, 0.0), (82.5, 0.0)), 30.0, ((12, 14), (13, 15)), (97.5, 73.0))
"""30 circles on a card as large as a lid's: the recommended table's."""
LARGE = FieldLayout(
    "large", _lattice_places(8, 5), ((-118.0, 0.0), (118.0, 0.0)), 30.0, ((16, 18), (17, 19)), (133.0, 61.0)
)
"""40 circles on a card of its own."""
DISC = FieldLayout(
    "disc", tuple(at for at in _ROUND if at not in _ENDS), _ENDS, 16.0, ((20, 22), (21, 23)), (51.0, 51.0), False
)
"""10 circles on a disc of 102 mm to lie in a lid."""
LAYOUTS = (CARD, LARGE, DISC)


def mask_printed(layout: FieldLayout, side: int, across: Steps, down: Steps) -> npt.NDArray[np.bool_]:
    """Return True where a side's field is printed black, its markers left out, shape (down, across).

    across, down: x and y of the columns and rows
    """
    ink = np.zeros((len(down), len(across)), bool)
    for x, y in layout.places:
        rows, columns, distances = _find_nearby(across, down, (x, y), (CIRCLE + RING) / 2)
        ink[rows, columns] |= (distances < DOT / 2) | (np.abs(distances - CIRCLE / 2) < RING / 2)
    for x, y in layout.find_spots():
        rows, columns, distances = _find_nearby(across, down, (x, y), SPOT / 2)
        ink[rows, columns] |= distances < SPOT / 2
    for (x1, y1), (x2, y2) in layout.bar_ends(side):
        along = (x1, x2) if side == 0 else (x1 - BAR / 2, x2 + BAR / 2)
        upright = (y1 - BAR / 2, y2 + BAR / 2) if side == 0 else sorted((y1, y2))
        ink[_slice_between(down, *upright), _slice_between(across, *along)] = True
    return ink


def _find_nearby(across: Steps, down: Steps, middle: Place, far: float) -> tuple[slice, slice, Points]:
    """Return the rows and columns at most so far from a place, and how far each of their points is from it."""
    (x, y), reach = middle, far + 1e-6
    rows, columns = _slice_between(down, y - reach, y + reach), _slice_between(across, x - reach, x + reach)
    return rows, columns, np.hypot(across[columns] - x, down[rows, None] - y)


def _slice_between(values: Steps, low: float, high: float) -> slice:
    """Return the part of values that lies between two."""
    return slice(int(np.searchsorted(values, low, "right")), int(np.searchsorted(values, high, "left")))


def layout_of(kind: str) -> FieldLayout:
    """Return the layout of that name; raise StopIteration if there is none."""
    return next(layout for layout in LAYOUTS if layout.name == kind)
