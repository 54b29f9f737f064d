"""Thresholds: the largest difference at which White wins from each board, narrowed by searches."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic

from referee.analysis.figures import Worth
from referee.analysis.memo import Exhausted
from referee.analysis.search import ProofSearch, ToMove
from referee.analysis.situation import Stones


@dataclass
class Threshold(Generic[ToMove]):
    """A board with a player to move, and the lowest and the highest possible value of its T."""

    stones: Stones
    turn: ToMove
    low: int
    high: int

    @property
    def is_known(self) -> bool:
        return self.low == self.high


Winner = Callable[[Threshold[ToMove], int, int], int | None]
"""A function that returns the proved winner at a difference within this many moves: 0, 1 or None."""


def narrow(thresholds: Sequence[Threshold[ToMove]], winner: Winner[ToMove]) -> None:
    """Narrow until all are known, each by proofs within the same number of moves before any by deeper ones."""
    depth = 1
    while any(not one.is_known for one in thresholds):
        for one in thresholds:
            _narrow_within(one, depth, winner)
        depth += 1


def _narrow_within(one: Threshold[ToMove], depth: int, winner: Winner[ToMove]) -> None:
    """Narrow by proofs within this many moves."""
    while not one.is_known:
        for difference in dict.fromkeys(((one.low + one.high + 1) // 2, one.low + 1, one.high)):
            proved_winner = winner(one, difference, depth)
            if proved_winner is not None:
                break
        else:
            return
        if proved_winner == 1:
            one.low = difference
        else:
            one.high = difference - 1


class Valuing(ABC, Generic[ToMove]):
    """The thresholds of a situation, narrowed until they are known or the budget is used up.

    Attributes:
        stones: the situation's board.
        prover: the search on the boards that can follow it.
    """

    def __init__(self, stones: Stones, prover: ProofSearch[ToMove]) -> None:
        self._stones, self._search = stones, prover

    def worth(self) -> Worth:
        """Return everything that can be found."""
        roots, after = self._root_thresholds(), self._thresholds_after()
        try:
            for one in (*roots, *after):
                self._narrow_at_once(one)
            self._narrow_bounds()
            for one in roots:
                narrow([one], self._winner)
                self._narrow_bounds()
            narrow(after, self._winner)
        except Exhausted:
            pass
        self._narrow_bounds()
        return self._known_worth()

    def _boards_before(self, one: Threshold[ToMove]) -> tuple[Stones, ...]:
        """Return the boards that stand on the way to this one."""
        return () if one.stones == self._stones else (self._stones,)

    def _winner(self, one: Threshold[ToMove], difference: int, depth: int) -> int | None:
        return self._search.find_winner(one.stones, one.turn, difference, depth, self._boards_before(one))

    @abstractmethod
    def _root_thresholds(self) -> Sequence[Threshold[ToMove]]:
        """Return the thresholds of the situation's own board, the most wanted first."""

    @abstractmethod
    def _thresholds_after(self) -> Sequence[Threshold[ToMove]]:
        """Return the thresholds after each placement that is examined."""

    @abstractmethod
    def _narrow_at_once(self, one: Threshold[ToMove]) -> None:
        """Narrow without a search."""

    @abstractmethod
    def _narrow_bounds(self) -> None:
        """Narrow the thresholds by one another: no move improves the score for its mover."""

    @abstractmethod
    def _known_worth(self) -> Worth:
        """Return the known value."""
