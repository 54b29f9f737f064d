"""What the referee hears: what the camera agreed on, and what players press. Plain numbers, no pixels."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True)
class LidSight:
    """What a lid seems to hold. Counts are the most likely ones; the ranges (lowest, highest) hold the truth.

    sure: both counts are exact.
    """

    black: int
    white: int
    black_range: tuple[int, int]
    white_range: tuple[int, int]
    sure: bool


PointSight = tuple[float, float, float]
"""Probabilities that a point is empty, holds a black stone, holds a white stone."""


@dataclass(frozen=True)
class Observed:
    """A steady look at the whole table.

    points: one PointSight an intersection, row by row from the top left. lids: sides 1 and 2, or none when they are
    not in view. t: seconds, when the frame was taken. name: the still's file name.
    """

    t: float
    points: tuple[PointSight, ...]
    lids: tuple[LidSight, ...] = ()
    name: str | None = None


class Button(StrEnum):
    """The buttons of a side's panel, and `pause`, which is the table's."""

    DONE = "done"
    CALL = "call"
    SCORE = "score"
    PAUSE = "pause"


@dataclass(frozen=True)
class Pressed:
    """A debounced press by side 1 or 2; held: two seconds or longer. t: seconds, when it was let go or became held."""

    t: float
    side: int
    button: Button
    held: bool = False


@dataclass(frozen=True)
class SourceEnded:
    """There is nothing more to see; whatever waited for the next turn is said now."""

    t: float


Event = Observed | Pressed | SourceEnded
