"""What is known of a situation: the figures, exact or bounds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from referee.board import Colour

DELAY, PASS = "delay", "pass"
Bracket = tuple[int, int | None]
"""The least and the greatest that something can be, None where nothing is known."""


class PhaseOfPlay(StrEnum):
    """The phases of section V: normal play, counting, and when only resigning is left."""

    NORMAL = "normal"
    COUNTING = "counting"
    RESIGN = "resign"


def exact_costs(bounds: Mapping[str, Bracket]) -> dict[str, int]:
    """Those that are known exactly."""
    return {name: low for name, (low, high) in bounds.items() if low == high}


def optimal_moves(bounds: Mapping[str, Bracket]) -> tuple[str, ...] | None:
    """The moves that cost nothing; None unless that is known of every move."""
    if any(low == 0 != high for low, high in bounds.values()):
        return None
    return tuple(name for name, cost in exact_costs(bounds).items() if cost == 0)


@dataclass(frozen=True)
class Worth:
    """What is known of a situation.

    score: always a half, positive where Black wins; None where not known exactly. bounds: the least and the greatest it
    can be, None for an open end. level: the sente level. costs: of each legal move ("A1", "delay") whose cost is known
    exactly; cost_bounds: of every legal move. optimal: the moves that cost 0, once every cost is known to be 0 or more.
    exact: all of this is known. nodes: boards looked at.
    """

    player: Colour | None = None
    score: float | None = None
    bounds: tuple[float | None, float | None] = (None, None)
    level: int | None = None
    phase: PhaseOfPlay | None = None
    optimal: tuple[str, ...] | None = None
    costs: Mapping[str, int] = field(default_factory=dict)
    cost_bounds: Mapping[str, Bracket] = field(default_factory=dict)
    exact: bool = False
    nodes: int = 0


NOT_KNOWN = Worth()
