"""What a game record tells beside its turns: when and where, what was ruled, what was refused, whose the points are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from referee.board import Mask
from referee.counted import Layout
from referee.occasion import NO_OCCASION, Occasion
from referee.turns import Turn


@dataclass(frozen=True)
class Tried:
    """A turn that was tried and refused. name: in a few words; why: what the players were told."""

    turn: Turn
    name: str
    why: str


@dataclass(frozen=True)
class Mark:
    """What a turn led to. value: the score, positive where Black is ahead. bad: it cost something; better: points where
    a stone would have cost nothing."""

    value: float | None = None
    bad: bool = False
    better: Mask = 0


@dataclass(frozen=True)
class Notes:
    """Words are those of who writes the record. date: the day on which it began (ISO 8601)."""

    date: str = ""
    occasion: Occasion = NO_OCCASION
    names: Mapping[int, str] = field(default_factory=dict)
    """Turns that have a name of their own, by number: a delay, a pass."""
    comments: Mapping[int, str] = field(default_factory=dict)
    """What was said of each turn, by number; 0: before the first."""
    tried: Mapping[int, Sequence[Tried]] = field(default_factory=dict)
    """What was refused after each turn, by that turn's number, in its order."""
    end: str = ""
    """What was said after the last turn."""
    layout: Layout | None = None
    """The board with dead stones and whose the points are, once that was named."""
    marks: Mapping[int, Mark] = field(default_factory=dict)
    """What each turn led to, by number; 0: the start."""


NOTHING_TO_NOTE = Notes()
