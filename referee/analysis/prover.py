"""Who wins Fundamental Go from a situation, proved.

Let D be the prisoners of Black's less those of White's. Outcomes depend on D alone (section IV: who wins answers the
return of an added prisoner by returning theirs, and no board changes), so bowls are max(D, 0) and max(-D, 0); and with
a larger D Black still wins by the same moves, so that a proof for one D is one for all that are better for its winner.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from referee.analysis.bounds import Bounds
from referee.analysis.moves import Placed
from referee.analysis.search import NONE, Proof, ProofSearch
from referee.analysis.situation import Stones
from referee.board import Board


class Prover(ProofSearch[int]):
    """Proofs for the boards that can follow one situation; to move is the player of an index."""

    def __init__(self, board: Board, earlier: frozenset[Stones], go_on: Callable[[], bool]) -> None:
        super().__init__(board, earlier, go_on)
        self.bounds = Bounds(board, earlier, go_on)

    def _static(self, stones: Stones, turn: int, difference: int) -> Proof | None:
        """The proof that needs no search, where there is one."""
        for winner, need in enumerate(self.bounds.both(stones)):
            ahead = difference if winner == 0 else -difference
            if ahead >= need.delaying + (winner == turn):
                return Proof(winner, difference)
            for one in need.strategies:
                enough = ahead >= (one.first if winner == turn else one.second)
                if enough and not one.fresh.repeats(self._line - {stones}):
                    return Proof(winner, difference, NONE, NONE, frozenset({one.fresh}))
        return None

    def _player(self, turn: int) -> int:
        return turn

    def _next(self, stones: Stones, turn: int, move: Placed) -> int:
        return 1 - turn

    def gained(self, difference: int, move: Placed, player: int) -> int:
        """Captured stones are prisoners."""
        return difference + (move.captured if player == 0 else -move.captured)

    def _rested(self, stones: Stones, turn: int, difference: int, depth: int) -> Iterable[Proof | None]:
        """After a delay."""
        if difference * (1 - 2 * turn) > 0:
            yield self._proof(stones, 1 - turn, difference - 1 + 2 * turn, depth - 1)
