"""A memo of findings about many boards, computed once each within a budget."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Generic, TypeVar

from referee.analysis.situation import Stones
from referee.game.board import Board

Found = TypeVar("Found")
"""The type of a finding about a board."""


class Exhausted(Exception):
    """The end of the budget."""


class BudgetedMemo(ABC, Generic[Found]):
    """Findings about the boards of one size, computed once each.

    Attributes:
        board: the lines.
        earlier: boards that stood before.
        go_on: called before each board but the first; False ends the work.
        nodes: the number of boards computed.
    """

    def __init__(self, board: Board, earlier: frozenset[Stones], go_on: Callable[[], bool]) -> None:
        self.board = board
        self.nodes = 0
        self._earlier = earlier
        self._go_on = go_on
        self._findings: dict[Stones, tuple[Found, Found]] = {}

    def find_both(self, stones: Stones) -> tuple[Found, Found]:
        """Return the findings for Black and for White. Raise Exhausted."""
        findings = self._findings.get(stones)
        if findings is None:
            if self.nodes and not self._go_on():
                raise Exhausted
            self.nodes += 1
            findings = self._findings[stones] = self._find_one(stones, 0), self._find_one(stones, 1)
        return findings

    @abstractmethod
    def _find_one(self, stones: Stones, player: int) -> Found:
        """Return the finding for the player with this index."""
