"""Bounds of the winner without a search: the moves that each player is sure of, and the most that can be made.

T is the largest D (Black's prisoners less White's) at which White wins. A bound is a strategy of one player, "we"
below. Its need is the lead in prisoners with which we win if the other moves first. Each move of the other lowers the
need by one (and by its captures), or leads to one of ours that costs no prisoner; so there is always an answer:
returning a prisoner, or a fill. The walls are our chains that live, unconditionally or by answers (`find_safety`); they
divide the board, and each part has its need, so that play in one changes none of the others. Fills go next to walls, or
take one of miai: they join walls, and nothing we do takes an eye that a wall needs, so they stay.

- Parts that we can fill, those that the zones of miai meet, and the highest number of moves: see `territory`.
- Dame, the empty points next to walls in other parts that are no eye that a wall needs: a fill takes one move from the
other and costs no prisoner. Whoever starts, the other takes every second one: with M of them the need is less by 2 * (M
// 2), and by two more if we move first and M is odd. A stone of the other's on one of an even number is answered on
another.
- Group tax, in such a part: one less once more. If the other fills all but one point and no stone of ours is left there
we capture the K stones there with a move that costs no prisoner. They can then make at most K - 1 moves, or K + 1 if
our stone stands alone, less two for two points or more next to our walls. (If loose stones of ours stand in the part,
two of the other's must be next to walls: should a fill capture all, so that our capture could repeat that board later,
those two are dame then and make up for the tax.)

A fill must not repeat a board. Each board after one has the walls and a stone of ours on our fill where none stood;
none of ours leaves such a point again except as `territory` describes. Each board after a capture for the tax has the
walls, a stone of ours in the part, and none of theirs. If no earlier board is like that (`Freshness.is_repeated_in`),
no move is barred. If one is, a strategy without miai may be left, and delays alone always are."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import and_, or_
from typing import NamedTuple

from referee.analysis.benson import split_parts
from referee.analysis.memo import BudgetedMemo
from referee.analysis.safety import Safety, find_safety
from referee.analysis.situation import Stones
from referee.analysis.tally import MOVES, most_moves
from referee.analysis.territory import enclosed_parts
from referee.game.board import Mask

MOST_RUINS = 6
"""The number of ruins of one freshness condition that are kept apart."""


class Freshness(NamedTuple):
    """A condition that no earlier board may meet, so that no move is barred.

    A board meets it if it has the player's stones on all the walls, and either one on a fill, or one on the first and
    none of the other's on the second mask of any ruin.
    """

    player: int
    walls: Mask
    fills: Mask
    ruins: frozenset[tuple[Mask, Mask]]

    def is_repeated_in(self, boards: Iterable[Stones]) -> bool:
        """Return True if one of these boards meets the condition, so that a move may be barred."""
        player, walls, fills, ruins = self
        for stones in boards:
            own = stones[player]
            if not walls & ~own:
                if own & fills:
                    return True
                other = stones[1 - player]
                for ours, theirs in ruins:
                    if own & ours and not other & theirs:
                        return True
        return False

    def join_condition(self, other: Freshness | None) -> Freshness:
        """Return a condition that holds only if both do."""
        if other is None or other == self:
            return self
        ruins = self.ruins | other.ruins
        if len(ruins) > MOST_RUINS:
            ruins = frozenset({(reduce(or_, (ours for ours, _ in ruins)), reduce(and_, (none for _, none in ruins)))})
        return Freshness(self.player, self.walls & other.walls, self.fills | other.fills, ruins)


class Strategy(NamedTuple):
    """The leads in prisoners with which a player wins by a strategy, if the history is fresh.

    Attributes:
        second: the lead moving second.
        first: the lead moving first.
        fresh: the condition on the earlier boards.
    """

    second: int
    first: int
    fresh: Freshness


class Needs(NamedTuple):
    """The leads in prisoners with which a player wins.

    Attributes:
        delaying: the lead moving second, by delays alone (one more moving first).
        strategies: those that the earlier boards leave possible.
    """

    delaying: int
    strategies: tuple[Strategy, ...]

    @property
    def second(self) -> int:
        """Return the lowest lead moving second."""
        return min((self.delaying, *(one.second for one in self.strategies)))

    @property
    def first(self) -> int:
        """Return the lowest lead moving first."""
        return min((self.delaying + 1, *(one.first for one in self.strategies)))


class Bounds(BudgetedMemo[Needs]):
    """The needs of each player."""

    def bounds_of(self, stones: Stones, turn: int) -> tuple[int, int]:
        """Return the lowest and the highest possible T with the player of this index to move, after the earlier boards.

        Raise Exhausted.
        """
        black, white = self.find_both(stones)
        return (-white.second, black.first - 1) if turn == 0 else (-white.first, black.second - 1)

    def crude_bounds(self, stones: Stones, turn: int) -> tuple[int, int]:
        """Return wider bounds of T at once: by delays alone, as if no stone were alive."""
        white, black = (most_moves(self.board.full, stones[i], stones[1 - i]) for i in (0, 1))
        return (-white, black) if turn == 0 else (-white - 1, black - 1)

    def _find_one(self, stones: Stones, player: int) -> Needs:
        own, other = stones[player], stones[1 - player]
        safe = find_safety(self.board, own, other)
        delaying = sum(most_moves(part, other, own) for part in split_parts(self.board, self.board.full & ~safe.alive))
        strategies = [self._find_strategy(one, (own, other), player) for one in safe.variants]
        return Needs(delaying, tuple(one for one in strategies if not one.fresh.is_repeated_in(self._earlier)))

    def _find_strategy(self, safe: Safety, stones: Stones, player: int) -> Strategy:
        board, (own, other) = self.board, stones
        total, fills, left, near = enclosed_parts(board, safe, stones, MOVES)
        taxed_parts = [part for part in left if (part & near & (other if part & own else part)).bit_count() > 1]
        dame = (near & ~other).bit_count()
        second = -total - len(taxed_parts) - 2 * (dame // 2)
        fresh = Freshness(player, safe.walls, (fills | near) & ~own, frozenset((part, part) for part in taxed_parts))
        return Strategy(second, second - 1 if dame % 2 else second + 1, fresh)
