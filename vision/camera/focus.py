"""Check whether the locked focus is on the table, or on an arm over it. Pure: times are passed in.

A camera focuses as it starts, and an arm may lie over the board just then. So when something large has come or gone
since, and the picture rests, the focus is searched once more: the lens stays if the picture is sharper, else goes back.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

import cv2
import numpy as np

from vision.camera.exposure import light_of
from vision.camera.frame import Image, grey_of
from vision.camera.frame_health import Grey

# Chosen by hand (docs/vision.md).
RESTS = 3.0
"""Seconds for which the picture has to rest before a focus search, and that the search may take."""
OTHER, MOST_OTHER = 25.0, 0.04
"""Levels by which a thumbnail pixel counts as changed, and the minimum share of them that an arm changes: one stone
changes 0.0007.
"""
SHARPER = 1.05
"""The factor by which the picture must get sharper, or the lens goes back."""
PAUSES = (0.0, 60.0, 300.0)
"""Seconds from one fruitless search to the next; after as many of them the focus is right."""


class Move(Enum):
    """A lens movement: search for the focus, stay where it was found, or go back."""

    SEEK = auto()
    STAY = auto()
    BACK = auto()


@dataclass(frozen=True, eq=False)
class _Attempt:
    """A search in progress: its start time in seconds, and the picture and sharpness before it."""

    since: float
    view: Grey
    sharpness: float


class FocusWatch:
    """A monitor that decides when to search for the focus again."""

    def __init__(self) -> None:
        self._reference: Grey | None = None
        self._before: Grey | None = None
        self._rests_since = 0.0
        self._search: _Attempt | None = None
        self._failed, self._failed_at = 0, -max(PAUSES)

    def held(self, view: Grey) -> None:
        """Note that the focus is locked from now on, with this thumbnail."""
        self._reference = view if self._reference is None else self._reference

    def update(self, pixels: Image, view: Grey, t: float) -> Move | None:
        """Return the movement the lens has to make, if any.

        Args:
            pixels: the picture.
            view: its thumbnail.
            t: when it was taken, in seconds.
        """
        if self._before is None or _is_other(view, self._before):
            self._rests_since = t
        self._before = view
        if self._search is not None:
            return self._judged(self._search, pixels, view, t)
        return self._sought(pixels, view, t)

    def _sought(self, pixels: Image, view: Grey, t: float) -> Move | None:
        if self._reference is None or self._failed >= len(PAUSES) or t - self._rests_since < RESTS:
            return None
        if t - self._failed_at < PAUSES[self._failed] or not _is_other(view, self._reference):
            return None
        self._search = _Attempt(t, view, sharpness(pixels))
        return Move.SEEK

    def _judged(self, search: _Attempt, pixels: Image, view: Grey, t: float) -> Move | None:
        if t - search.since < RESTS:
            return None
        self._search, self._reference = None, view
        if not _is_other(view, search.view) and sharpness(pixels) >= SHARPER * search.sharpness:
            return Move.STAY
        self._failed, self._failed_at = self._failed + 1, t
        return Move.BACK


def sharpness(pixels: Image) -> float:
    """Return the picture's sharpness: the mean absolute value of its Laplacian."""
    return float(np.abs(cv2.Laplacian(grey_of(pixels), cv2.CV_16S)).mean())


def _is_other(view: Grey, before: Grey) -> bool:
    """Return True if something large has come or gone between two thumbnails; a change of light does not count."""
    differs = np.abs(view - light_of(view, before) * before) > OTHER
    return float(differs.mean()) >= MOST_OTHER
