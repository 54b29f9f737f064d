"""What each player is sure of when the board is counted, without a search: bounds of the margin.

The strategies are those of `bounds`, for they fill as many points as they can: what we fill is ours by area, and what
we could fill is ours by territory. With area every second dame is ours too, one more where we move first and their
number is odd. Who moves second answers each move of the other's or fills, and passes when all is done; where no
prisoner has to be paid for waiting, that costs nothing. The other's moves behind our walls are finite, for what we fill
stays, so that the strategy holds under every ko rule by which its own moves repeat no board (`Freshness`).

Who has passed may not get to move again. So a player who has just passed is sure of no more area than they have there
and then, every stone on the board taken for alive. Territory is counted by what could be filled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from referee.analysis.bounds import Exhausted, Freshness
from referee.analysis.life import parts
from referee.analysis.safety import Safety, safety
from referee.analysis.situation import Stones
from referee.analysis.tally import AREA, Tally
from referee.analysis.territory import answered, fillable
from referee.board import Board, Mask
from referee.score.area import areas_of


class Assured(NamedTuple):
    """The margin that a player has at least, moving second and moving first, where the past is fresh. Prisoners taken
    before are left out."""

    second: int
    first: int
    fresh: Freshness


class Claims:
    """The players' claims on the boards of one size, each worked out once.

    earlier: boards that stood before. go_on: asked before each board but the first. nodes: how many were worked out.
    """

    def __init__(self, board: Board, tally: Tally, earlier: frozenset[Stones], go_on: Callable[[], bool]) -> None:
        self._board, self._tally, self._earlier, self._go_on = board, tally, earlier, go_on
        self._known: dict[Stones, tuple[list[Assured], list[Assured]]] = {}
        self.nodes = 0

    def least(self, stones: Stones, player: int) -> int:
        """What the player of this index has whatever happens."""
        if self._tally is AREA:
            return -self._board.points
        return self._tally.open(self._board.full, stones[player], stones[1 - player], 0)

    def of(self, stones: Stones, player: int) -> list[Assured]:
        """The claims of the player of this index that the boards that stood before leave. Raises Exhausted."""
        known = self._known.get(stones)
        if known is None:
            if self.nodes and not self._go_on():
                raise Exhausted
            self.nodes += 1
            known = self._known[stones] = self._found(stones, 0), self._found(stones, 1)
        return known[player]

    def settled(self, stones: Stones, player: int) -> int:
        """The margin of that player when both have passed: exact by area, at least by territory. Raises Exhausted."""
        if self._tally is AREA:
            black, white = areas_of(self._board, stones)
            return (black - white) * (1 - 2 * player)
        return max((one.second for one in self.of(stones, player)), default=self.least(stones, player))

    def sure(
        self, stones: Stones, player: int, first: bool, rested: bool, line: Iterable[Stones]
    ) -> tuple[int, Freshness | None]:
        """The most that the player of this index is sure of after these boards, and what of the past it leans on.

        first: whether they are to move; rested: whether the newest turn was a pass. Raises Exhausted.
        """
        best: tuple[int, Freshness | None] = self.least(stones, player), None
        limit = self.settled(stones, player) if rested and not first else None
        for claim in self.of(stones, player):
            margin = claim.first if first else claim.second
            margin = margin if limit is None else min(margin, limit)
            if margin > best[0] and not claim.fresh.repeats(line):
                best = margin, claim.fresh
        return best

    def _found(self, stones: Stones, player: int) -> list[Assured]:
        own, other = stones[player], stones[1 - player]
        safe = safety(self._board, own, other)
        tried = (safe, safe._replace(pairs=())) if safe.pairs and safe.alive else (safe,) if safe.walls else ()
        found = [self._claim(one, (own, other), player) for one in tried]
        return [claim for claim in found if not claim.fresh.repeats(self._earlier)]

    def _claim(self, safe: Safety, stones: Stones, player: int) -> Assured:
        board, walls, (own, other) = self._board, safe.walls, stones
        split, near = parts(board, board.full & ~walls), board.beside(walls)
        touched = [part for part in split if part & safe.zones]
        total, dame = answered(board, touched, safe, stones, self._tally), 0
        fills: Mask = sum(touched)
        for part in split:
            if part in touched:
                continue
            if fillable(board, part, safe, stones):
                total, fills = total + self._tally.filled(part, other, bool(part & safe.eyes)), fills | part
                continue
            total += self._tally.open(part, own, other, near)
            if not part & safe.eyes:
                open_to_us = part & near & ~other
                dame, fills = dame + open_to_us.bit_count(), fills | open_to_us
        fresh = Freshness(player, walls, fills & ~own, frozenset())
        if self._tally is not AREA:
            return Assured(total, total, fresh)
        ours = total + walls.bit_count()
        second, first = (2 * (ours + some) - board.points for some in (dame // 2, (dame + 1) // 2))
        return Assured(second, first, fresh)
