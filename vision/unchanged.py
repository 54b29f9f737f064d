"""What of a resting table need not be read again, for it looks just as it did when it was read.

A table is looked at once a second also while nothing happens, and after a turn on the board the lids lie as they lay.
Of what looks the same in every frame since, but for the noise, what was read stands. The measure is far finer than the
one for movement (vision/stillness.py). What was plain when looks agreed on it stands from then on, what was not once it
has been read OFTEN; and all of it is read again after READ_ANEW seconds whatever it looks like: a black stone in a
black lid may hardly differ from nothing.
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
OFTEN = 4
"""So many readings, a second apart, until what is not plain will not become so."""
GAP = 0.5
"""Seconds without a frame in which something may have come and gone unseen."""
DIFFERS = 7.0
"""High-passed levels, over half a cell: half of what counts as movement."""
BOARD = -1
"""Among the parts of a table the board; the lids are 0 and 1."""


@dataclass(frozen=True, eq=False)
class _Part:
    """How a part looked when it was read, and when that was; how often it was read as it looks now, and whether that
    was plain; of a lid, the reading."""

    view: View
    t: float
    reads: int
    is_plain: bool
    lid: LidReading | None = None

    def stands(self, t: float) -> bool:
        """Whether it need not be read again yet."""
        return t - self.t < READ_ANEW and (self.is_plain or self.reads >= OFTEN)


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
        board = self._read_again(BOARD, views, t, not agreed.doubtful(), None)
        lids = zip(read.lids, agreed.lids, strict=False)  # Looks may agree on the board alone.
        found = {k: self._read_again(k, views, t, own.sure and said.sure, own) for k, (own, said) in enumerate(lids)}
        self._parts = {BOARD: board, **found}

    def _read_again(self, k: int, views: tuple[View, ...], t: float, is_plain: bool, lid: LidReading | None) -> _Part:
        before = self._parts.get(k)
        if before is not None and lid is not None and before.lid is lid:
            return before
        return _Part(views[k + 1], t, before.reads + 1 if before else 1, is_plain, lid)

    def see(self, views: tuple[View, ...], t: float) -> None:
        """Forget what looks different in a frame, and all after a time without a frame."""
        if not 0 <= t - self._seen_at <= GAP:
            self.forget()
        self._seen_at = t
        self._parts = {k: part for k, part in self._parts.items() if _is_alike(views, k, part.view)}

    def is_all(self, lids: int) -> bool:
        """Whether the board and so many lids need not be read again yet."""
        standing = {k for k, part in self._parts.items() if part.stands(self._seen_at)}
        return standing == {BOARD, *range(lids)}

    def lids(self) -> dict[int, LidReading]:
        """What was read of the lids that need not be read again yet."""
        standing = {k: part.lid for k, part in self._parts.items() if part.stands(self._seen_at)}
        return {k: lid for k, lid in standing.items() if lid is not None}


def _is_alike(views: tuple[View, ...], k: int, view: View) -> bool:
    if k + 1 >= len(views) or views[k + 1].shape != view.shape:
        return False
    off = cv2.blur(np.asarray(views[k + 1] - view, np.float32), (CELL // 2, CELL // 2))
    return float(np.abs(off).max()) <= DIFFERS
