"""Has the board been knocked? Two views of it are laid over one another, quarter by quarter.

A hand hides some quarters and leaves the others where they were; a knock of camera or board moves them all.
"""

from __future__ import annotations

from functools import cache
from math import hypot

import cv2
import numpy as np
import numpy.typing as npt

from vision.stillness import CELL, View

MATCHES = 0.3
"""A quarter whose correlation has a peak at least this high is the same one, perhaps elsewhere."""
STAYS = 0.05
SLID = 0.08
"""Cells: what has moved by less lies where it was; what has moved by more was knocked."""
MOST_QUARTERS = 3
STRONGEST = 60.0
"""Edges of stones and of the board count no more than this beside the lines."""


def has_slid(view: View, reference: View) -> bool:
    """The same board lies a little beside where it lay: most of its quarters are there, all moved."""
    steps = [step for step, peak in _moves(view, reference) if peak >= MATCHES]
    return len(steps) >= MOST_QUARTERS and min(steps) > SLID


def partly_stays(view: View, reference: View) -> bool:
    """Some quarter of the board lies just where it lay: whatever has changed, the board was not knocked."""
    return any(step < STAYS and peak >= MATCHES for step, peak in _moves(view, reference))


def _moves(view: View, reference: View) -> list[tuple[float, float]]:
    """How far each quarter has moved, in cells, and how high the peak of its correlation is (1: just the same)."""
    half = view.shape[0] // 2
    window = _window(half)
    found = []
    for top in (0, half):
        for left in (0, half):
            part = slice(top, top + half), slice(left, left + half)
            step, peak = cv2.phaseCorrelate(_evened(reference[part]), _evened(view[part]), window)
            found.append((hypot(*step) / CELL, float(peak)))
    return found


def _evened(view: View) -> View:
    return np.asarray(np.clip(view, -STRONGEST, STRONGEST), np.float32)


@cache
def _window(side: int) -> npt.NDArray[np.float32]:
    return np.asarray(cv2.createHanningWindow((side, side), cv2.CV_32F), np.float32)
