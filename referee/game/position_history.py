"""An index of the earlier positions of a game, and of the turns after which they stood.

A record is immutable and knows only the record before it, but a repetition rule asks at each turn whether a position
has stood in the whole game. All records of one line of play share one `PositionHistory`, which grows by a position
when the record with it is first extended; a record asks it only for positions before its own. Playing on from an
earlier record begins a branch there, which refers to the old line for the positions before it. So a turn costs no
more late in a game than early, and a record is freed with the last game that contains it.
"""

from __future__ import annotations

from collections.abc import Iterable

from referee.game.board import Mask

DEEPEST = 8
"""The longest chain of lines that refer to one another; the next line is written out in full instead."""

Stones = tuple[Mask, ...]
"""The stones of a position, one mask for each colour."""
Numbers = tuple[int, ...]
"""Turn numbers, ascending."""


class PositionHistory:
    """The positions after the turns `first`, `first` + 1 and so on; those before them are in the line `before`."""

    __slots__ = ("_before", "_depth", "_first", "_next", "_numbers")

    def __init__(self, first: int = 0, before: PositionHistory | None = None) -> None:
        self._first, self._next, self._before = first, first, before
        self._depth: int = 0 if before is None else before._depth + 1
        self._numbers: dict[Stones, Numbers] = {}

    def extend_line(self, number: int, stones: Stones) -> PositionHistory | None:
        """Return the line with the stones after turn `number`, or None if the branches would become too many.

        The line itself grows if `number` is its next turn; otherwise the answer is a branch, because another turn
        followed.
        """
        if number == self._next:
            self._add_turn(number, stones)
            return self
        if self._depth == DEEPEST:
            return None
        branch = PositionHistory(number, self)
        branch._add_turn(number, stones)
        return branch

    @classmethod
    def from_positions(cls, positions: Iterable[Stones]) -> PositionHistory:
        """Build a line that refers to no other: the stones after turns 0, 1 and so on."""
        line = cls()
        for number, stones in enumerate(positions):
            line._add_turn(number, stones)
        return line

    def find_turns(self, stones: Stones, until: int) -> Numbers:
        """Return the turns before turn `until` after which these stones stood (0 is the start)."""
        numbers = self._numbers.get(stones, ())
        if numbers and numbers[-1] >= until:
            numbers = tuple(number for number in numbers if number < until)
        if self._before is None:
            return numbers
        return self._before.find_turns(stones, min(until, self._first)) + numbers

    def add_before_settlement(self, number: int, stones: Stones) -> None:
        """Add stones that stood after this turn too, until the players agreed to lift some of them."""
        self._numbers[stones] = tuple(sorted({*self._numbers.get(stones, ()), number}))

    def _add_turn(self, number: int, stones: Stones) -> None:
        numbers = self._numbers
        numbers[stones] = (*numbers[stones], number) if stones in numbers else (number,)
        self._next = number + 1
