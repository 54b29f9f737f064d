"""Proofs of the winner of Fundamental Go from a situation.

Let D be Black's prisoners less White's. Outcomes depend on D alone (section IV: the winner answers the return of an
added prisoner by returning one too, and no board changes), so bowls are max(D, 0) and max(-D, 0); and with a larger D
Black still wins by the same moves, so that a proof for one D holds for all that are better for its winner.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from referee.analysis.bounds import Bounds
from referee.analysis.moves import Placed
from referee.analysis.search import NONE, Proof, ProofSearch
from referee.analysis.situation import Stones
from referee.game.board import Board


class Prover(ProofSearch[int]):
    """A search for proofs on the boards that can follow one situation; the player to move is an index."""

    def __init__(self, board: Board, earlier: frozenset[Stones], go_on: Callable[[], bool]) -> None:
        super().__init__(board, earlier, go_on)
        self.bounds = Bounds(board, earlier, go_on)

    def _static(self, stones: Stones, turn: int, difference: int) -> Proof | None:
        """Return the proof that needs no search, if there is one."""
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
        """Return the difference with the captured stones as prisoners."""
        return difference + (move.captured if player == 0 else -move.captured)

    def _rested(self, stones: Stones, turn: int, difference: int, depth: int) -> Iterable[Proof | None]:
        """Yield the proof after a delay."""
        if difference * (1 - 2 * turn) > 0:
            yield self._proof(stones, 1 - turn, difference - 1 + 2 * turn, depth - 1)
