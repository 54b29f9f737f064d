"""Bounds of who wins that need no search: how many moves each player is sure of, and how many can be made at most.

T is the largest D (Black's prisoners less White's) at which White wins. A bound is a strategy of one player, "we"
below. What it needs is by how many prisoners we must be ahead to win when the other moves first. Each move of the other
lowers the need by one (and by what it captures), or leads to one of ours that costs no prisoner; so there is always an
answer: returning a prisoner, or a fill. Fills go next to our walls, the unconditionally living chains: they join them,
and nothing we do takes one of their eyes, so they stay on the board. The walls part it.

- Any part: the other can make at most one move for each empty point and two for each stone of ours that can be captured
  (the prisoner, and the point that becomes empty), and one less, for the last stone placed needs a liberty.
- Territory, a part each of whose points is next to every chain that borders it, and all of these are walls: we are sure
  of one move for each empty point and two for each stone of the other's (its liberties are there, so the last fill but
  one captures), and keep the last point as an eye. A stone put there by the other gives us one move more.
- Dame, the empty points next to walls in parts that are no wall's eye: a fill takes one move from the other and costs
  no prisoner. Whoever starts, the other takes every second one: with M of them the need is less by 2 * (M // 2), and by
  two more when we move first and M is odd. A stone of the other's on one of an even number is answered on another.
- Group tax, in such a part: one less once more. If the other fills all but one point and no stone of ours is left there
  we capture the K stones there with a move that costs no prisoner. They can then make at most K - 1 moves, or K + 1
  where our stone stands alone, less two for two points or more next to our walls. (Where loose stones of ours stand
  in the part, two of the other's must be next to walls: should a fill capture all, so that our capture could repeat
  that board later, those two are dame then and make up for the tax.)

A fill must not repeat a board. Each board after one has the walls and a stone of ours on territory or dame; each after
such a capture has the walls, a stone of ours in the part, and none of theirs. Where no board of the past is like that
(`Freshness.repeats`), no move is barred.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from operator import and_, or_
from typing import NamedTuple

from referee.analysis.life import parts, unconditionally_alive
from referee.analysis.situation import Stones
from referee.board import Board, Mask

MOST_RUINS = 6
"""Ruins of one freshness that are told apart."""


class Freshness(NamedTuple):
    """What no board of the past may be like: the player's stones on all the walls, and either one on a fill, or one on
    the first and none of the other's on the second mask of any ruin."""

    player: int
    walls: Mask
    fills: Mask
    ruins: frozenset[tuple[Mask, Mask]]

    def repeats(self, boards: Iterable[Stones]) -> bool:
        """Whether one of these boards is like that, so that a move may be barred."""
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

    def joined(self, other: Freshness | None) -> Freshness:
        """What holds only where both do."""
        if other is None or other == self:
            return self
        ruins = self.ruins | other.ruins
        if len(ruins) > MOST_RUINS:
            ruins = frozenset({(reduce(or_, (ours for ours, _ in ruins)), reduce(and_, (none for _, none in ruins)))})
        return Freshness(self.player, self.walls & other.walls, self.fills | other.fills, ruins)


class Exhausted(Exception):
    """The budget is used up."""


class Needs(NamedTuple):
    """By how many prisoners a player must be ahead to win: moving second by delays alone; and, where the past is fresh,
    moving second and first."""

    delaying: int
    second: int
    first: int
    fresh: Freshness | None


class Bounds:
    """What the players need on the boards of one size, each worked out once.

    earlier: boards that stood before. go_on: asked before each board but the first. nodes: how many were worked out.
    """

    def __init__(self, board: Board, earlier: frozenset[Stones], go_on: Callable[[], bool]) -> None:
        self.board = board
        self.nodes = 0
        self._earlier = earlier
        self._go_on = go_on
        self._known: dict[Stones, tuple[Needs, Needs]] = {}

    def needs(self, stones: Stones) -> tuple[Needs, Needs]:
        """What Black needs, and what White needs. Raises Exhausted."""
        known = self._known.get(stones)
        if known is None:
            if self.nodes and not self._go_on():
                raise Exhausted
            self.nodes += 1
            known = self._known[stones] = self._needs(stones, 0), self._needs(stones, 1)
        return known

    def of(self, stones: Stones, turn: int) -> tuple[int, int]:
        """The least and the greatest that T can be with the player of this index to move, on the line's first board.

        Raises Exhausted.
        """
        black, white = self.needs(stones)
        return (-white.second, black.first - 1) if turn == 0 else (-white.first, black.second - 1)

    def crude(self, stones: Stones, turn: int) -> tuple[int, int]:
        """The same, and wider, at once: by delays alone, as if no stone were alive."""
        white, black = (_most(self.board.full, stones[i], stones[1 - i]) for i in (0, 1))
        return (-white, black) if turn == 0 else (-white - 1, black - 1)

    def _needs(self, stones: Stones, player: int) -> Needs:
        own, other = stones[player], stones[1 - player]
        walls = unconditionally_alive(self.board, own, other)
        split = parts(self.board, self.board.full & ~walls)
        most = sum(_most(part, other, own) for part in split)
        delaying = Needs(most, most, most + 1, None)
        if not walls:
            return delaying
        filling = self._filling(most, walls, split, (own, other), player)
        return delaying if filling.fresh is None or filling.fresh.repeats(self._earlier) else filling

    def _filling(self, most: int, walls: Mask, split: list[Mask], stones: Stones, player: int) -> Needs:
        board, (own, other) = self.board, stones
        need, dame, fills, chains, near = most, 0, 0, parts(board, walls), board.beside(walls)
        ruins = set[tuple[Mask, Mask]]()
        for part in split:
            around = board.beside(part)
            bordering = [board.beside(chain) for chain in chains if chain & around]
            if not part & own and all(not part & ~beside for beside in bordering):
                need -= _most(part, other, own) + _sure(part, other)
                fills |= part
            elif not any(not part & ~other & ~beside for beside in bordering):
                dame += (part & near & ~other).bit_count()
                fills |= part & near
                if (part & near & (other if part & own else part)).bit_count() > 1:
                    need -= 1
                    ruins.add((part, part))
        fresh = Freshness(player, walls, fills, frozenset(ruins))
        second = need - 2 * (dame // 2)
        return Needs(most, second, second - 1 if dame % 2 else second + 1, fresh)


def _most(part: Mask, mover: Mask, other: Mask) -> int:
    """At most so many moves in a part for who moves there alone."""
    return max((part & ~mover).bit_count() + (part & other).bit_count() - 1, 0)


def _sure(part: Mask, other: Mask) -> int:
    """So many moves in their territory is a player sure of."""
    return part.bit_count() + (part & other).bit_count() - 1
