"""A cache of readings for the parts of a resting table that look just as they did when they were read.

A table is examined once a second also while nothing happens, and after a turn on the board the lids lie as they lay. A
part that looks the same in every frame since, but for noise, keeps its reading. The threshold is far finer than that
for movement (vision/tracking/motion.py). A part that was plain when readings agreed is kept at once, another once it
has been read MAX_READS; and all parts are read again after MAX_AGE_S, because a black stone in a black lid may
hardly differ from nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.lids.count import LidReading
from vision.tracking.motion import CELL, View
from vision.tracking.reading import Reading

# Chosen by hand (docs/vision.md).
MAX_AGE_S = 10.0
"""Time after which everything is read again, whatever it looks like."""
MAX_READS = 4
"""The number of readings, a second apart, after which a part that is not plain will not become so."""
MAX_GAP_S = 0.5
"""Time without a frame in which something may have come and gone unseen."""
MIN_LEVEL_CHANGE = 7.0
"""The threshold in high-passed levels, over half a cell: half of that for movement."""
BOARD = -1
"""The board's index among the parts of a table; the lids are 0 and 1."""


@dataclass(frozen=True, eq=False)
class _Part:
    """A part of the table as it looked when it was read.

    `view`: its view.
    `t`: when it was read, in seconds.
    `reads`: the number of readings of this look.
    `is_plain`: the reading was plain.
    `lid`: the reading, if the part is a lid.
    """

    view: View
    t: float
    reads: int
    is_plain: bool
    lid: LidReading | None = None

    def is_fresh(self, t: float) -> bool:
        """Return True if it need not be read again yet."""
        return t - self.t < MAX_AGE_S and (self.is_plain or self.reads >= MAX_READS)


class ReadingCache:
    """A cache of the parts of a table that look as they did when they were read."""

    def __init__(self) -> None:
        self._parts: dict[int, _Part] = {}
        self._seen_at = 0.0

    def forget(self) -> None:
        """Empty the cache: board or lids lie elsewhere now."""
        self._parts = {}

    def keep(self, views: tuple[View, ...], agreed_reading: Reading, reading: Reading, t: float) -> None:
        """Cache parts whose readings have agreed.

        Args:
            views: of the board and its lids.
            agreed_reading: the agreed reading.
            reading: the newest reading by itself; lids taken over from the cache keep their age.
            t: the time of `reading`, in seconds.
        """
        board = self._read_again(BOARD, views, t, not agreed_reading.doubtful(), None)
        lids = zip(reading.lids, agreed_reading.lids, strict=False)  # Readings may agree on the board alone.
        lid_parts = {
            k: self._read_again(k, views, t, lid.sure and agreed_lid.sure, lid)
            for k, (lid, agreed_lid) in enumerate(lids)
        }
        self._parts = {BOARD: board, **lid_parts}

    def _read_again(self, k: int, views: tuple[View, ...], t: float, is_plain: bool, lid: LidReading | None) -> _Part:
        before = self._parts.get(k)
        if before is not None and lid is not None and before.lid is lid:
            return before
        return _Part(views[k + 1], t, before.reads + 1 if before else 1, is_plain, lid)

    def see(self, views: tuple[View, ...], t: float) -> None:
        """Drop the parts that look different in a frame, and all parts after a time without a frame."""
        if not 0 <= t - self._seen_at <= MAX_GAP_S:
            self.forget()
        self._seen_at = t
        shown = {k: part for k, part in self._parts.items() if k + 1 < len(views)}
        self._parts = {k: part for k, part in shown.items() if are_alike(views[k + 1], part.view)}

    def is_all(self, lid_count: int) -> bool:
        """Return True if the board and so many lids need not be read again yet."""
        fresh_parts = {k for k, part in self._parts.items() if part.is_fresh(self._seen_at)}
        return fresh_parts == {BOARD, *range(lid_count)}

    def lids(self) -> dict[int, LidReading]:
        """Return the readings of the lids that need not be read again yet."""
        fresh_lids = {k: part.lid for k, part in self._parts.items() if part.is_fresh(self._seen_at)}
        return {k: lid for k, lid in fresh_lids.items() if lid is not None}


def are_alike(view: View, before: View) -> bool:
    """Return True if two views of a part show the same, but for noise."""
    if view.shape != before.shape:
        return False
    off = cv2.blur(np.asarray(view - before, np.float32), (CELL // 2, CELL // 2))
    return float(np.abs(off).max()) <= MIN_LEVEL_CHANGE
