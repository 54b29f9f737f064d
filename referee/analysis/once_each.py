"""What is worked out of many boards, once of each, as long as there is a budget."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Generic, TypeVar

from referee.analysis.situation import Stones
from referee.board import Board

Found = TypeVar("Found")
"""What is found out of a board."""


class Exhausted(Exception):
    """The budget is used up."""


class OnceEach(ABC, Generic[Found]):
    """What is found out of the boards of one size, once of each.

    earlier: boards that stood before. go_on: asked before each board but the first. nodes: how many were worked out.
    """

    def __init__(self, board: Board, earlier: frozenset[Stones], go_on: Callable[[], bool]) -> None:
        self.board = board
        self.nodes = 0
        self._earlier = earlier
        self._go_on = go_on
        self._known: dict[Stones, tuple[Found, Found]] = {}

    def both(self, stones: Stones) -> tuple[Found, Found]:
        """What is found for Black, and for White. Raises Exhausted."""
        known = self._known.get(stones)
        if known is None:
            if self.nodes and not self._go_on():
                raise Exhausted
            self.nodes += 1
            known = self._known[stones] = self._found(stones, 0), self._found(stones, 1)
        return known

    @abstractmethod
    def _found(self, stones: Stones, player: int) -> Found:
        """What is found for the player of this index."""
