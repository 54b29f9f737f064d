"""The known figures of a situation, exact or bounds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from referee.game.board import Colour

DELAY, PASS = "delay", "pass"
Bracket = tuple[int, int | None]
"""The lowest and the highest possible value, None if it is unknown."""


class PhaseOfPlay(StrEnum):
    """The phases of section V: normal play, counting, and only resigning left."""

    NORMAL = "normal"
    COUNTING = "counting"
    RESIGN = "resign"


def exact_costs(bounds: Mapping[str, Bracket]) -> dict[str, int]:
    """Return the costs that are known exactly."""
    return {name: low for name, (low, high) in bounds.items() if low == high}


def optimal_moves(bounds: Mapping[str, Bracket]) -> tuple[str, ...] | None:
    """Return the moves that cost nothing; None unless that is known of every move."""
    if any(low == 0 != high for low, high in bounds.values()):
        return None
    return tuple(name for name, cost in exact_costs(bounds).items() if cost == 0)


@dataclass(frozen=True)
class Worth:
    """The known value of a situation.

    Attributes:
        player: the player to move.
        score: always a half, positive if Black wins; None if not known exactly.
        bounds: the lowest and the highest possible score, None for an open end.
        level: the sente level.
        phase: the phase of play.
        optimal: the moves that cost 0, once every cost is known to be 0 or more.
        costs: the cost of each legal move ("A1", "delay") for which it is known exactly.
        cost_bounds: bounds of the cost of every legal move.
        exact: all of this is known.
        nodes: the number of boards examined.
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
