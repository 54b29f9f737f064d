"""Is it a hand, or do stones explain what changed? Decided where it is known what the board is read as.

Several stones that come and go beside each other at the board's edge change as much as a hand's tip; and a pale hand
over pale wood changes little but the points that are read as stones because of it.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.reading import Reading
from vision.stillness import CELL, HAND_ON_BOARD, MARGIN, Area, View, large_areas, view_side

# Chosen by hand (docs/vision.md).
LEFT_OVER = 1.5
"""Cells: a hand changes more than this beyond what stones explain."""
WHOLE = 0.75
"""Cells round a point: what a stone that came or went may change, with its shadow."""
PUSHED = 0.6
"""Cells round a point: what a stone beside it changes that is pushed a little."""
HALO = 1.6
"""Cells beyond the board's edge: how far off it changes what is compared where stones were taken away beside it."""
BESIDE = 1.5
"""Cells: so near a hand comes to a point that is doubtful because of it."""
MOST_STONES = 21.0
"""Cells: whatever changed more is a hand, and need not be read to know. No hand on real frames changed less."""
Points = npt.NDArray[np.bool_]
"""Points of the board, shape (size, size)."""


class PlainView:
    """How a board looked when no point was doubtful that was not so before.

    A hand like the table may lie over the board in a view that is accepted later; where the board looks as it did, that
    hand has left again, and no other has come.
    """

    def __init__(self) -> None:
        self._view: View | None = None
        self._doubtful = np.zeros(0, bool)

    def forget(self) -> None:
        """The board lies elsewhere now."""
        self._view = None

    def keep(self, view: View, reading: Reading) -> None:
        """A view that was accepted, and what it was read as."""
        doubtful = _doubtful(reading)
        if self._view is None or not (doubtful & ~self._doubtful).any():
            self._view, self._doubtful = view, doubtful

    def is_seen_in(self, view: View) -> bool:
        """Whether nothing large has come in from outside since."""
        return self._view is not None and not large_areas(view, self._view)


def may_be_stones(view: View, reference: View) -> bool:
    """Whether all that came in from outside is so small that stones may explain it."""
    return all(change.cells < MOST_STONES for change, _ in large_areas(view, reference))


def hides(view: View, reference: View, now: Reading, before: Reading) -> bool:
    """Something large comes in from outside that is no stones: it lies over the board, or hides little of it but comes
    near points that have become doubtful.

    view, reference: now and before, as they were read.
    """
    large = large_areas(view, reference)
    if not large:
        return False
    doubtful = _doubtful(now)
    known = _explained(now, (now.kinds() != before.kinds()) & ~doubtful)
    near = _around(doubtful & ~_doubtful(before), BESIDE)
    return any(
        np.count_nonzero(area & ~known) > LEFT_OVER * CELL**2
        and (change.on_board > HAND_ON_BOARD or bool((area & near).any()))
        for change, area in large
    )


def _explained(now: Reading, came: Points) -> Area:
    """The pixels that surely read stones which came or went explain, and those beside them, which give way."""
    near = cv2.dilate(came.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    halo = _around(came & (now.kinds() == 0), HALO) & ~_board(len(came))
    return halo | _around(came, WHOLE) | _around(near & (now.kinds() > 0) & ~_doubtful(now), PUSHED)


def _board(size: int) -> Area:
    """The pixels of the view half a cell round the board's lines."""
    found = np.zeros((view_side(size),) * 2, bool)
    edge = slice(round((MARGIN - 0.5) * CELL), round((MARGIN + size - 0.5) * CELL))
    found[edge, edge] = True
    return found


def _doubtful(reading: Reading) -> Points:
    found = np.zeros(reading.grid.size**2, bool)
    found[[doubt.point for doubt in reading.doubtful()]] = True
    return found.reshape(reading.grid.size, -1)


def _around(points: Points, cells: float) -> Area:
    """The pixels of the view that lie so near to these points."""
    found = np.zeros((view_side(len(points)),) * 2, np.uint8)
    for row, col in np.argwhere(points).tolist():
        cv2.circle(found, ((col + MARGIN) * CELL, (row + MARGIN) * CELL), round(cells * CELL), 1, -1)
    return found > 0
