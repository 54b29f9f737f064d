"""What of a resting table need not be read again, for it looks just as it did when it was read.

A table is looked at once a second also while nothing happens, and after a turn on the board the lids lie as they lay.
Of what looks the same in every frame since, but for the noise, what was read stands. The measure is far finer than the
one for movement (vision/stillness.py). Only what was plain when looks agreed on it is kept, and it is read again after
READ_ANEW seconds whatever it looks like: a black stone in a black lid may hardly differ from nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.lids.count import LidReading
from vision.reading import Reading
from vision.stillness import CELL, View

# Chosen by hand (docs/vision.md).
READ_ANEW = 10.0
"""Seconds after which everything is read again, whatever it looks like."""
GAP = 0.5
"""Seconds without a frame in which something may have come and gone unseen."""
DIFFERS = 7.0
"""High-passed levels, over half a cell: half of what counts as movement."""
BOARD = -1
"""Among the parts of a table the board; the lids are 0 and 1."""


@dataclass(frozen=True, eq=False)
class _Part:
    """How a part looked when it was read, and when that was; of a lid, what was read."""

    view: View
    t: float
    lid: LidReading | None = None


class Unchanged:
    """The parts of a table that look as they did when they were read."""

    def __init__(self) -> None:
        self._parts: dict[int, _Part] = {}
        self._seen_at = 0.0

    def forget(self) -> None:
        """Board or lids lie elsewhere now."""
        self._parts = {}

    def keep(self, views: tuple[View, ...], agreed: Reading, read: Reading, t: float) -> None:
        """Looks have agreed. views: of the board and its lids. read: the newest look by itself; what it took over from
        before stays as old as it is."""
        told = {} if agreed.doubtful() else {BOARD: _Part(views[0], t)}
        sure = {k: _Part(views[k + 1], t, lid) for k, lid in enumerate(read.lids) if lid.sure and agreed.lids[k].sure}
        kept = {k: part for k, part in self._parts.items() if k in sure and part.lid is sure[k].lid}
        self._parts = told | sure | kept

    def see(self, views: tuple[View, ...], t: float) -> None:
        """Forget what looks different in a frame, what was read long ago, and all after a time without a frame."""
        if not 0 <= t - self._seen_at <= GAP:
            self.forget()
        self._seen_at = t
        self._parts = {k: part for k, part in self._parts.items() if _stands(part, views, k, t)}

    def is_all(self, lids: int) -> bool:
        """Whether the board and so many lids look as they did."""
        return self._parts.keys() == {BOARD, *range(lids)}

    def lids(self) -> dict[int, LidReading]:
        """What was read of the lids that look as they did."""
        return {k: part.lid for k, part in self._parts.items() if part.lid is not None}


def _stands(part: _Part, views: tuple[View, ...], k: int, t: float) -> bool:
    if k + 1 >= len(views) or t - part.t >= READ_ANEW or views[k + 1].shape != part.view.shape:
        return False
    off = cv2.blur(np.asarray(views[k + 1] - part.view, np.float32), (CELL // 2, CELL // 2))
    return float(np.abs(off).max()) <= DIFFERS
