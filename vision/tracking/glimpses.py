"""Glimpses: what a board shows for a moment between two hands, while it does not rest.

In a blitz a hand lies over the board nearly all the time, and the board is bare for two or three frames between two
moves: too short for the table to be still. A frame in which nothing comes in from outside, and in which a few stones
that are surely read explain all that has changed since the last agreed reading, is plain even so. Two such frames that
read alike are as good as two of a table at rest, as far as stones came: what is being lifted, pushed or dropped into a
lid waits until the table rests.

A white stone on pale wood may change the view no more than noise does, so a bare frame is read once however little has
changed. Points that waver in bad light where nothing has changed are told as doubtful, as they are at rest. So are
points that were as doubtful before a hand came and went: no hand lies there.

The first of two such frames is no observation. If it shows surely that one stone came and no more, that stone can be
shown as unconfirmed, until a bare frame no longer shows it or an observation is made.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from referee import COLOURS, Colour
from vision.stones.reader import DOUBTFUL_BELOW
from vision.tracking.motion import CELL, MARGIN, Area, View, find_change_areas, is_steady
from vision.tracking.occlusion import changed_area, is_explained_by_stones
from vision.tracking.reading import MAX_DOUBTFUL_SHARE, Reading

# Chosen by hand (docs/vision.md).
APART_S = 0.06
"""The least time between two frames that are looked at, and so between two that agree."""
MOST_STONES = 3
"""The number of stones that may have come; a pale hand is read as more."""
STONE_CELLS = 2.5
"""The change of one stone with its shadow, in cells, at most."""
NEAR_CHANGE_CELLS = 1.0
"""The distance from a change, in cells, within which a point that became doubtful may be hidden by what came."""


@dataclass(frozen=True)
class UnconfirmedStone:
    """The one stone that came, as a single plain frame shows it.

    `colour`: of its player.
    `point`: its index row by row.
    `size`: the board's lines a side.
    """

    colour: Colour
    point: int
    size: int


class Glimpses:
    """The plain frames of a board that does not rest, since something last lay over it.

    `unconfirmed_stone`: the first that came, as a single frame shows it, until it is forgotten.
    """

    def __init__(self) -> None:
        self.unconfirmed_stone: UnconfirmedStone | None = None
        self._looked_at = -APART_S
        self._first: tuple[View, Reading] | None = None
        self._not_plain: tuple[View, UnconfirmedStone | None] | None = None
        self._doubts, self._earlier_doubts = set[int](), set[int]()

    def forget_frames(self) -> None:
        """Forget all frames: the board rests, or lies elsewhere."""
        self._first = self._not_plain = None
        self._doubts, self._earlier_doubts = set(), set()

    def forget_stone(self) -> None:
        """Forget the unconfirmed stone: an observation tells what lies there, or the board lies elsewhere."""
        self.unconfirmed_stone = None

    def see_hand(self) -> None:
        """Begin again, because something lies over the board; what was doubtful before stays known."""
        self._first = self._not_plain = None
        self._earlier_doubts, self._doubts = self._doubts or self._earlier_doubts, set()

    def may_show_stones(self, view: View, accepted: View, t: float) -> bool:
        """Return True if a frame is to be read, because stones may have come to the board and nothing else.

        `accepted`: the board's view at the last reading.
        """
        if 0 <= t - self._looked_at < APART_S:
            return False
        self._looked_at = t
        if view.shape != accepted.shape or not _is_bare(view, accepted):
            self.see_hand()
            return False
        if self._not_plain is None or not is_steady(view, self._not_plain[0]):
            return True
        self.unconfirmed_stone = self._not_plain[1]
        return False

    def find_agreement(
        self, view: View, accepted: View, now: Reading, before: Reading
    ) -> tuple[Reading, Reading] | None:
        """Return the last reading and this one if both are plain and read alike.

        Args:
            view: the frame's view of the board.
            accepted: the view at the last agreed reading.
            now: this frame's reading.
            before: the last agreed reading.
        """
        first, self._first = self._first, None
        doubts = _new_doubts(now, before)
        came = set(np.flatnonzero(now.likeliest_kinds() != before.likeliest_kinds()).tolist())
        self._doubts = (doubts & came) | _find_near(doubts, changed_area(view, accepted), now.grid.size)
        are_few = len(doubts) <= MAX_DOUBTFUL_SHARE * now.grid.size**2
        is_plain = _has_only_additions(now, before) and are_few and self._doubts <= self._earlier_doubts
        is_plain = is_plain and is_explained_by_stones(view, accepted, now, before)
        self.unconfirmed_stone = _find_unconfirmed_stone(now, came, self.unconfirmed_stone, is_plain)
        if not is_plain:
            self._not_plain = view, self.unconfirmed_stone
            return None
        self._first = view, now
        if first is None or not is_steady(view, first[0]) or not first[1].is_like(now):
            return None
        self.forget_frames()
        return first[1], now


def _is_bare(view: View, accepted: View) -> bool:
    """Return True if no more has changed on the board than stones change, and nothing comes in to it."""
    changes = [change for change, _ in find_change_areas(view, accepted)]
    on_board = sum(change.on_board for change in changes)
    if any(change.reaches_rim and change.on_board > 0 for change in changes):
        return False
    return on_board <= MOST_STONES * STONE_CELLS


def _has_only_additions(now: Reading, before: Reading) -> bool:
    """Return True if one to MOST_STONES stones came, all on their points, and nothing went."""
    came = now.likeliest_kinds() != before.likeliest_kinds()
    many = int(np.count_nonzero(came))
    went = bool((before.likeliest_kinds()[came] > 0).any())
    return 1 <= many <= MOST_STONES and not went and not now.between()


def _find_unconfirmed_stone(
    now: Reading, came: set[int], marked: UnconfirmedStone | None, is_plain: bool
) -> UnconfirmedStone | None:
    """Return the stone that is marked already if it lies there still, else the only one that a plain frame shows."""
    kinds, sureness = now.likeliest_kinds(), now.probabilities.max(axis=-1)
    stones = [
        UnconfirmedStone(COLOURS[int(kinds.flat[point]) - 1], point, now.grid.size)
        for point in came
        if kinds.flat[point] and sureness.flat[point] >= DOUBTFUL_BELOW
    ]
    if marked in stones:
        return marked
    return stones[0] if is_plain and len(came) == len(stones) == 1 else None


def _new_doubts(now: Reading, before: Reading) -> set[int]:
    """Return the points that became doubtful."""
    return {doubt.point for doubt in now.doubtful()} - {doubt.point for doubt in before.doubtful()}


def _find_near(points: set[int], changed: Area, size: int) -> set[int]:
    """Return those of some points that lie near a change; `changed`: the pixels of the view that changed."""
    far = cv2.distanceTransform((~changed).astype(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
    places = {point: (np.array(divmod(point, size)) + MARGIN) * CELL for point in points}
    return {point for point, (row, col) in places.items() if far[row, col] <= NEAR_CHANGE_CELLS * CELL}
