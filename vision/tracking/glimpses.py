"""Glimpses: what a board shows for a moment between two hands, while it does not rest.

In a blitz a hand lies over the board nearly all the time, and the board is bare for two or three frames between two
moves: too short for the table to be still. A frame in which nothing comes in from outside, and in which a few stones
that are surely read explain all that has changed since the last agreed reading, is plain even so. Two such frames that
read alike are as good as two of a table at rest, as far as stones came: what is being lifted, pushed or dropped into a
lid waits until the table rests.
"""

from __future__ import annotations

import numpy as np

from vision.tracking.motion import STEADY_CELLS, View, find_change_areas, is_steady
from vision.tracking.occlusion import is_explained_by_stones
from vision.tracking.reading import Reading

# Chosen by hand (docs/vision.md).
APART_S = 0.06
"""The least time between two frames that are looked at, and so between two that agree."""
MOST_STONES = 3
"""The number of stones that may have come; a pale hand is read as more."""
STONE_CELLS = 2.5
"""The change of one stone with its shadow, in cells, at most."""


class Glimpses:
    """The plain frames of a board that does not rest, since something last lay over it."""

    def __init__(self) -> None:
        self._looked_at = -APART_S
        self._first: tuple[View, Reading] | None = None
        self._not_plain: View | None = None

    def forget(self) -> None:
        """Forget the frames: something lies over the board, or it rests."""
        self._first = self._not_plain = None

    def may_show_stones(self, view: View, accepted: View, t: float) -> bool:
        """Return True if a frame is to be read, because stones may have come to the board and nothing else.

        `accepted`: the board's view at the last reading.
        """
        if 0 <= t - self._looked_at < APART_S:
            return False
        self._looked_at = t
        if view.shape != accepted.shape or not _is_bare(view, accepted):
            self.forget()
            return False
        return self._not_plain is None or not is_steady(view, self._not_plain)

    def agree(self, view: View, accepted: View, now: Reading, before: Reading) -> tuple[Reading, Reading] | None:
        """Return the last reading and this one if both are plain and read alike.

        Args:
            view: the frame's view of the board.
            accepted: the view at the last agreed reading.
            now: this frame's reading.
            before: the last agreed reading.
        """
        first, self._first = self._first, None
        if not _came_alone(now, before) or not is_explained_by_stones(view, accepted, now, before):
            self._not_plain = view
            return None
        self._first = view, now
        if first is None or not is_steady(view, first[0]) or not first[1].reads_like(now):
            return None
        self.forget()
        return first[1], now


def _is_bare(view: View, accepted: View) -> bool:
    """Return True if something has changed on the board, no more than stones change, and nothing comes in to it."""
    changes = [change for change, _ in find_change_areas(view, accepted)]
    on_board = sum(change.on_board for change in changes)
    if any(change.reaches_rim and change.on_board > 0 for change in changes):
        return False
    return STEADY_CELLS < on_board <= MOST_STONES * STONE_CELLS


def _came_alone(now: Reading, before: Reading) -> bool:
    """Return True if one to MOST_STONES stones came, all on their points, and nothing went or became doubtful."""
    came = now.kinds() != before.kinds()
    many = int(np.count_nonzero(came))
    doubtful = {doubt.point for doubt in now.doubtful()} - {doubt.point for doubt in before.doubtful()}
    went = bool((before.kinds()[came] > 0).any())
    return 1 <= many <= MOST_STONES and not went and not doubtful and not now.between()
