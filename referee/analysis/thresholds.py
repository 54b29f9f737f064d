"""The largest difference at which White wins from a board, narrowed by searches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic

from referee.analysis.search import ToMove
from referee.analysis.situation import Stones


@dataclass
class Threshold(Generic[ToMove]):
    """A board with a player to move, and the least and the greatest its T can be."""

    stones: Stones
    turn: ToMove
    low: int
    high: int

    @property
    def known(self) -> bool:
        return self.low == self.high


Winner = Callable[[Threshold[ToMove], int, int], int | None]
"""Who is proved to win at a difference within so many moves: 0, 1 or None."""


def narrow(thresholds: Sequence[Threshold[ToMove]], winner: Winner[ToMove]) -> None:
    """Narrow until all are known, each by what is proved within the same number of moves before any by more."""
    depth = 1
    while any(not one.known for one in thresholds):
        for one in thresholds:
            _narrow_within(one, depth, winner)
        depth += 1


def _narrow_within(one: Threshold[ToMove], depth: int, winner: Winner[ToMove]) -> None:
    """Narrow by what is proved within that many moves."""
    while not one.known:
        for difference in dict.fromkeys(((one.low + one.high + 1) // 2, one.low + 1, one.high)):
            won = winner(one, difference, depth)
            if won is not None:
                break
        else:
            return
        if won == 1:
            one.low = difference
        else:
            one.high = difference - 1
