"""Occlusion test: a hand, or stones that explain the change? Decided once the board has been read.

Several stones that come and go side by side at the board's edge change as much as a hand's tip; and a pale hand
over pale wood changes little besides the points that are read as stones because of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.tracking.motion import (
    CELL,
    HAND_ON_BOARD_CELLS,
    MARGIN,
    STEADY_CELLS,
    Area,
    View,
    find_change_areas,
    has_hand,
    has_slid,
    is_partly_unmoved,
    large_areas,
    view_side,
)
from vision.tracking.reading import Reading

# Chosen by hand (docs/vision.md).
LOST_AFTER_S = 3.0
"""After so long without a picture like the board it is searched again, although part of it lies where it lay."""
MAX_UNEXPLAINED_CELLS = 1.5
"""The unexplained change above which it is a hand."""
STONE_RADIUS_CELLS = 0.75
"""The radius around a point that an added or removed stone may change, with its shadow."""
SHADOW_RADIUS_CELLS, MAX_SHADOW_CELLS = 1.5, 1.5
"""The radius around a point within which a stone's longer shadow in slanting light lies, and its maximum area."""
DEEPEST_SHADOW = 55.0
"""The high-passed level by which a shadow is darker at most: it leaves half of the light."""
PUSHED_RADIUS_CELLS = 0.6
"""The radius around a point that a slightly pushed neighbouring stone changes."""
HALO_RADIUS_CELLS = 1.6
"""The distance beyond the board's edge up to which removing edge stones changes the view."""
NEAR_HAND_CELLS = 1.5
"""The maximum distance from a hand to a point that is doubtful because of it."""
MAX_STONES_CELLS = 21.0
"""The change above which it is a hand without any reading. No hand on real frames changed less."""
Points = npt.NDArray[np.bool_]
"""Points of the board, shape (size, size)."""


class ClearReference:
    """The board's last view without newly doubtful points.

    A hand coloured like the table may lie over the board in a view that is accepted later; if the board looks as it did
    here, that hand has left again and no other has come.
    """

    def __init__(self) -> None:
        self._view: View | None = None
        self._doubtful = np.zeros(0, bool)

    def forget_view(self) -> None:
        """Discard the view: the board lies elsewhere now."""
        self._view = None

    def keep_view(self, view: View, reading: Reading) -> None:
        """Keep an accepted view and its reading, unless it has newly doubtful points."""
        doubtful = _mask_doubtful(reading)
        if self._view is None or not (doubtful & ~self._doubtful).any():
            self._view, self._doubtful = view, doubtful

    def is_seen_in(self, view: View) -> bool:
        """Return True if nothing large has come in from outside since."""
        return self._view is not None and not large_areas(view, self._view)


@dataclass(frozen=True)
class Disturbance:
    """The difference of a view from the last accepted one.

    `hand`: something large that no stones explain lies over the board.
    `slid`: the board was bumped.
    """

    hand: bool = False
    slid: bool = False


class OcclusionCheck:
    """The check of one board for hands, against its view at the last reading.

    `accepted`: that view, None before the first reading.
    `clear_at`: when nothing lay over the board last, in seconds.
    """

    def __init__(self, stills: bool) -> None:
        self.accepted: View | None = None
        self.clear_at = 0.0
        self._stills = stills
        self._clear = ClearReference()
        self._hidden_since: float | None = None

    def forget_views(self) -> None:
        """Forget all views: the board lies elsewhere."""
        self.accepted = None
        self._clear.forget_view()

    def accept_view(self, view: View, t: float) -> None:
        """Take a view as the board's appearance from now on, although it was not read yet."""
        self.accepted, self.clear_at = view, t

    def keep_view(self, view: View, agreed_reading: Reading) -> None:
        """Keep the view in which readings have agreed."""
        self.accepted = view
        self._clear.keep_view(view, agreed_reading)

    def compare_view(
        self, view: View, agreed_reading: Reading | None, read_board: Callable[[], Reading], t: float
    ) -> Disturbance:
        """Return the difference from the accepted view.

        Args:
            view: the board's view now.
            agreed_reading: the last agreed reading.
            read_board: reads the board now; called only if it may be stones that came or went.
            t: the frame's time, in seconds.
        """
        if self.accepted is None:
            return Disturbance()
        hand, slid = has_hand(view, self.accepted), has_slid(view, self.accepted)
        hand = (
            hand
            and not self._clear.is_seen_in(view)
            and (slid or not self._is_explained(view, agreed_reading, read_board))
        )
        if not hand and not slid:
            self.clear_at = t
        return Disturbance(hand, slid)

    def is_lost(self, view: View, t: float) -> bool:
        """Return True if nothing of the board lies where it lay, or nothing like it was seen for long."""
        assert self.accepted is not None
        return t - self.clear_at > LOST_AFTER_S or not is_partly_unmoved(view, self.accepted)

    def is_hidden(self, view: View, now: Reading, agreed_reading: Reading | None, t: float) -> bool:
        """Return True if something beside the board comes near points that have become doubtful.

        In a video for a while, and in a single still, because an object that lies alike in two is no hand.
        """
        if agreed_reading is None or self.accepted is None:
            return False
        if not is_occluded(view, self.accepted, now, agreed_reading) or self._clear.is_seen_in(view):
            self._hidden_since = None
            return False
        self._hidden_since = t if self._hidden_since is None else self._hidden_since
        return self._stills or t - self._hidden_since <= LOST_AFTER_S

    def _is_explained(self, view: View, agreed_reading: Reading | None, read_board: Callable[[], Reading]) -> bool:
        """Return True if stones, or a hand that has left, explain all that looks like a hand."""
        assert self.accepted is not None
        if agreed_reading is None:
            return False
        if can_be_stones(view, self.accepted):
            return not is_occluded(view, self.accepted, read_board(), agreed_reading)
        return not agreed_reading.is_mostly_sure() and is_uncovered(read_board(), agreed_reading)


def is_uncovered(now: Reading, before: Reading) -> bool:
    """Return True if the board was hidden in the reading before and is plain now: a hand lay there, and has left."""
    return (
        not before.is_mostly_sure()
        and now.is_mostly_sure()
        and not (_mask_doubtful(now) & ~_mask_doubtful(before)).any()
    )


def can_be_stones(view: View, reference: View) -> bool:
    """Return True if all that came in from outside is small enough for stones to explain it."""
    return all(change.cells < MAX_STONES_CELLS for change, _ in large_areas(view, reference))


def is_occluded(view: View, reference: View, now: Reading, before: Reading) -> bool:
    """Return True if something large that is no stones comes in from outside and hides the board.

    It covers the board, or covers little of it but comes near points that have become doubtful.

    Args:
        view: the board's view now.
        reference: the view before.
        now: the reading of `view`.
        before: the reading of `reference`.
    """
    large_changes = large_areas(view, reference)
    if not large_changes or is_uncovered(now, before):
        return False
    doubtful = _mask_doubtful(now)
    explained_area = _explained_area(now, (now.likeliest_kinds() != before.likeliest_kinds()) & ~doubtful)
    nearby_area = _area_around(doubtful & ~_mask_doubtful(before), NEAR_HAND_CELLS)
    return any(
        np.count_nonzero(area & ~explained_area) > MAX_UNEXPLAINED_CELLS * CELL**2
        and (change.on_board > HAND_ON_BOARD_CELLS or bool((area & nearby_area).any()))
        for change, area in large_changes
    )


def is_explained_by_stones(view: View, reference: View, now: Reading, before: Reading) -> bool:
    """Return True if surely read stones that came or went, and their shadows, explain all that changed on the board."""
    came = now.likeliest_kinds() != before.likeliest_kinds()
    unexplained = changed_area(view, reference) & ~_explained_area(now, came) & _board_area(before.grid.size)
    shadow = _shadow_area(view, reference, unexplained) & _area_around(came, SHADOW_RADIUS_CELLS)
    rest = np.count_nonzero(unexplained & ~shadow)
    is_shadow_small = np.count_nonzero(shadow) <= MAX_SHADOW_CELLS * np.count_nonzero(came) * CELL**2
    return bool(is_shadow_small and rest <= STEADY_CELLS * CELL**2)


def changed_area(view: View, reference: View) -> Area:
    """Return all pixels in which two views differ."""
    changed = np.zeros(view.shape, bool)
    for _, area in find_change_areas(view, reference):
        changed |= area
    return changed


def _shadow_area(view: View, reference: View, unexplained: Area) -> Area:
    """Return the unexplained pixels that became darker, but no darker than a shadow is, nor beside such that did."""
    step = cv2.blur(view - reference, (CELL // 2, CELL // 2))
    deep = cv2.dilate((unexplained & (step <= -DEEPEST_SHADOW)).astype(np.uint8), np.ones((CELL, CELL), np.uint8)) > 0
    return np.asarray(unexplained & (step < 0) & ~deep, np.bool_)


def _explained_area(now: Reading, came: Points) -> Area:
    """Return the pixels explained by surely read stones that came or went, and by neighbours that give way."""
    neighbours = cv2.dilate(came.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    halo = _area_around(came & (now.likeliest_kinds() == 0), HALO_RADIUS_CELLS) & ~_board_area(len(came))
    return (
        halo
        | _area_around(came, STONE_RADIUS_CELLS)
        | _area_around(neighbours & (now.likeliest_kinds() > 0) & ~_mask_doubtful(now), PUSHED_RADIUS_CELLS)
    )


def _board_area(size: int) -> Area:
    """Return the pixels of the view up to half a cell outside the board's lines."""
    area = np.zeros((view_side(size),) * 2, bool)
    edge = slice(round((MARGIN - 0.5) * CELL), round((MARGIN + size - 0.5) * CELL))
    area[edge, edge] = True
    return area


def _mask_doubtful(reading: Reading) -> Points:
    mask = np.zeros(reading.grid.size**2, bool)
    mask[[doubt.point for doubt in reading.doubtful()]] = True
    return mask.reshape(reading.grid.size, -1)


def _area_around(points: Points, cells: float) -> Area:
    """Return the pixels of the view within `cells` of these points."""
    area = np.zeros((view_side(len(points)),) * 2, np.uint8)
    for row, col in np.argwhere(points).tolist():
        cv2.circle(area, ((col + MARGIN) * CELL, (row + MARGIN) * CELL), round(cells * CELL), 1, -1)
    return area > 0
