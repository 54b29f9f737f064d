"""The cost of a look in numbers that are the same on every machine: runs of nets, passes over large pictures, bytes
touched. They are counted only within `counting_cost`, and cost nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import wraps
from typing import Any

import cv2
import numpy as np

LARGE_PX = 250_000
"""The number of pixels, read or written, from which a pass counts: about half of those of the picture in which a board
is searched.
"""
FILTERS = (
    "GaussianBlur",
    "Scharr",
    "absdiff",
    "blur",
    "boxFilter",
    "cvtColor",
    "dilate",
    "erode",
    "medianBlur",
    "remap",
    "resize",
    "transform",
    "warpAffine",
    "warpPerspective",
)
"""OpenCV's functions that are counted by themselves; nets and detectors report their own runs."""
SAMPLERS = ("remap", "warpAffine", "warpPerspective")
"""Those of them that read no more of a picture than they write."""


@dataclass
class LookCost:
    """What was done.

    `net_runs`: runs of each net.
    `passes`: passes of each kind over at least LARGE_PX pixels.
    `bytes_touched`: bytes read and written by all of OpenCV's filters and by the detectors, however small the picture.
    """

    net_runs: Counter[str] = field(default_factory=Counter)
    passes: Counter[str] = field(default_factory=Counter)
    bytes_touched: int = 0

    def add_pass(self, kind: str, *arrays: object) -> None:
        """Add a pass that read or wrote these arrays; what is no array counts nothing."""
        pictures = [array for array in arrays if isinstance(array, np.ndarray)]
        self.bytes_touched += sum(picture.nbytes for picture in pictures)
        largest = max((int(np.prod(picture.shape[:2])) for picture in pictures), default=0)
        self.passes[kind] += largest >= LARGE_PX


_current_cost: ContextVar[LookCost | None] = ContextVar("counted", default=None)


def count_net_run(name: str) -> None:
    """Count a run of a net, if costs are counted."""
    cost = _current_cost.get()
    if cost is not None:
        cost.net_runs[name] += 1


def count_pass(kind: str, *arrays: object) -> None:
    """Count a detector's pass over these arrays, if costs are counted."""
    cost = _current_cost.get()
    if cost is not None:
        cost.add_pass(kind, *arrays)


@contextmanager
def counting_cost() -> Iterator[LookCost]:
    """Count what is done within; OpenCV's filters are wrapped for so long, so that no use of one is forgotten."""
    cost, originals = LookCost(), {name: getattr(cv2, name) for name in FILTERS}
    token = _current_cost.set(cost)
    try:
        for name, function in originals.items():
            setattr(cv2, name, _wrap_counting(name, function))
        yield cost
    finally:
        for name, function in originals.items():
            setattr(cv2, name, function)
        _current_cost.reset(token)


def _wrap_counting(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return one of OpenCV's functions that counts itself."""

    @wraps(function)
    def counted(*args: Any, **kwargs: Any) -> Any:
        result = function(*args, **kwargs)
        count_pass(name, *(args[1:] if name in SAMPLERS else args), result)
        return result

    return counted
