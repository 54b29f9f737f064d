"""Bounds of the margin without a search: the points that each player is sure of when the board is counted.

The strategies are those of `bounds`, because they fill as many points as they can: points that we fill are ours by
area, and points that we could fill are ours by territory. With area every second dame is ours too, one more if we move
first and their number is odd. The player who moves second answers each move of the other's or fills, and passes when
all is done; if no prisoner has to be paid for waiting, that costs nothing. The other's moves behind our walls are
finite, because our fills stay, so that the strategy holds under every ko rule by which its own moves repeat no board
(`Freshness`).

A player who has passed may not get to move again. So a player who has just passed is sure of no more area than they
have in the present position, every stone on the board taken for alive. Territory is counted by the points that could be
filled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from referee.analysis.bounds import Freshness
from referee.analysis.memo import BudgetedMemo
from referee.analysis.safety import Safety, find_safety
from referee.analysis.situation import Stones
from referee.analysis.strongholds import with_strongholds
from referee.analysis.tally import AREA, Tally
from referee.analysis.territory import enclosed_parts
from referee.game.board import Board, Position
from referee.score.area import measure_areas


class AssuredMargin(NamedTuple):
    """The least margin of a player if the history is fresh. Prisoners taken before are left out.

    Attributes:
        second: the margin moving second.
        first: the margin moving first.
        fresh: the condition on the earlier boards.
    """

    second: int
    first: int
    fresh: Freshness


class Claims(BudgetedMemo[list[AssuredMargin]]):
    """The claims of each player that are possible after the earlier boards."""

    def __init__(self, board: Board, tally: Tally, earlier: frozenset[Stones], go_on: Callable[[], bool]) -> None:
        super().__init__(board, earlier, go_on)
        self._tally = tally

    def least_margin(self, stones: Stones, player: int) -> int:
        """Return the margin that the player with this index has in any case."""
        if self._tally is AREA:
            return -self.board.points
        return self._tally.open(self.board.full, stones[player], stones[1 - player], 0)

    def margin_when_settled(self, stones: Stones, player: int) -> int:
        """Return that player's margin when both have passed: exact by area, at least by territory. Raise Exhausted."""
        if self._tally is AREA:
            black, white = measure_areas(Position(self.board, stones))
            return (black - white) * (1 - 2 * player)
        return max((one.second for one in self.find_both(stones)[player]), default=self.least_margin(stones, player))

    def sure_margin(
        self, stones: Stones, player: int, first: bool, is_after_pass: bool, line: Iterable[Stones]
    ) -> tuple[int, Freshness | None]:
        """Return the highest margin that the player with this index is sure of, and its condition on the history.

        Args:
            stones: the board.
            player: the player's index.
            first: they are to move.
            is_after_pass: the newest turn was a pass.
            line: the earlier boards.

        Raises Exhausted.
        """
        best: tuple[int, Freshness | None] = self.least_margin(stones, player), None
        limit = self.margin_when_settled(stones, player) if is_after_pass and not first else None
        for claim in self.find_both(stones)[player]:
            margin = claim.first if first else claim.second
            margin = margin if limit is None else min(margin, limit)
            if margin > best[0] and not claim.fresh.is_repeated_in(line):
                best = margin, claim.fresh
        return best

    def search_margin(self, stones: Stones, player: int, first: bool) -> int:
        """Return the margin by area that a player who has not just passed is sure of if strongholds count.

        That takes some seconds, and nothing is found after `go_on` has ended it.
        """
        own, other = stones[player], stones[1 - player]
        safe = with_strongholds(self.board, own, other, find_safety(self.board, own, other), self._go_on)
        claim = self._make_claim(safe, (own, other), player)
        if not safe.walls or claim.fresh.is_repeated_in(self._earlier):
            return self.least_margin(stones, player)
        return claim.first if first else claim.second

    def _find_one(self, stones: Stones, player: int) -> list[AssuredMargin]:
        own, other = stones[player], stones[1 - player]
        safe = find_safety(self.board, own, other)
        claims = [self._make_claim(one, (own, other), player) for one in safe.variants]
        return [claim for claim in claims if not claim.fresh.is_repeated_in(self._earlier)]

    def _make_claim(self, safe: Safety, stones: Stones, player: int) -> AssuredMargin:
        total, fills, _, near = enclosed_parts(self.board, safe, stones, self._tally)
        open_to_us = near & ~stones[1]
        dame = open_to_us.bit_count()
        fresh = Freshness(player, safe.walls, (fills | open_to_us | safe.stronghold_zones) & ~stones[0], frozenset())
        if self._tally is not AREA:
            return AssuredMargin(total, total, fresh)
        ours = total + safe.walls.bit_count()
        second, first = (2 * (ours + some) - self.board.points for some in (dame // 2, (dame + 1) // 2))
        return AssuredMargin(second, first, fresh)
