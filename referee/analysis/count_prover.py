"""Whether Black has so many points more than White at least, proved, in a game that is counted.

A difference of K asks whether Black's margin is -K at least; by territory the prisoners taken on the way are added to
it. Under superko a repeated board is barred. Elsewhere only retaking a ko at once is, and a move that repeats a board
in any other way is looked into no further: the one who could make it does not win by it here, and is not taken to have
lost by it. So what is proved is won, or lost, without a board ever repeating.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from referee.analysis.claims import Claims
from referee.analysis.moves import Placed
from referee.analysis.search import NONE, Answers, Proof, Search
from referee.analysis.situation import Stones
from referee.analysis.tally import AREA, Tally
from referee.board import Board


class ToMove(NamedTuple):
    """The index of the player to move; whether the newest turn was a pass; the board that retaking a ko brings back."""

    player: int
    passed: bool = False
    retaken: Stones | None = None

    def after(self, move: Placed, stones: Stones) -> ToMove:
        """Who is to move after a placement on this board. Only a single stone that was captured can be retaken."""
        return ToMove(1 - self.player, False, stones if move.captured == 1 else None)

    @property
    def rested(self) -> ToMove:
        """Who is to move after a pass."""
        return ToMove(1 - self.player, True)


class CountProver(Search[ToMove]):
    """Proofs for the boards that can follow one situation."""

    def __init__(
        self, board: Board, tally: Tally, earlier: frozenset[Stones], superko: bool, go_on: Callable[[], bool]
    ) -> None:
        super().__init__(board, earlier, go_on)
        self.claims = Claims(board, tally, earlier, go_on)
        self._keeps_prisoners, self._superko = tally is not AREA, superko

    def _static(self, stones: Stones, turn: ToMove, difference: int) -> Proof | None:
        before = self._line - {stones}
        for winner in (0, 1):
            first = winner == turn.player
            margin, fresh = self.claims.sure(stones, winner, first, turn.passed, before)
            if _wins(winner, margin, difference):
                return Proof(winner, difference, NONE, NONE, frozenset(() if fresh is None else (fresh,)))
        return None

    def _searched(self, stones: Stones, turn: ToMove, difference: int, depth: int) -> Proof | None:
        answers, unsure, player = Answers(), False, turn.player
        for move in self._ordered(stones, turn, player):
            after = move.after
            if self._barred_now(after, turn, answers):
                continue
            if after in self._earlier or after in self._line:
                unsure = self._barred = True
                continue
            proof = self._proof(after, turn.after(move, stones), self.gained(difference, move, player), depth - 1)
            if proof is None:
                unsure = True
            elif proof.winner == player:
                self._best[stones, turn] = after
                return Proof(player, difference, proof.needed - {after, stones}, proof.avoided | {after}, proof.fresh)
            else:
                answers.add(proof, after)
        proof = self._rested(stones, turn, difference, depth)
        if proof is not None and proof.winner == player:
            return proof._replace(difference=difference)
        if proof is None or unsure:
            return None
        answers.add(proof, stones)
        return answers.proof(1 - player, difference, stones)

    def gained(self, difference: int, move: Placed, player: int) -> int:
        """The difference after a move of this player's."""
        return difference + self._keeps_prisoners * (move.captured if player == 0 else -move.captured)

    def _barred_now(self, after: Stones, turn: ToMove, answers: Answers) -> bool:
        if after == turn.retaken or (self._superko and after in self._earlier):
            return True
        if self._superko and after in self._line:
            answers.needed.add(after)
            self._barred = True
            return True
        return False

    def _rested(self, stones: Stones, turn: ToMove, difference: int, depth: int) -> Proof | None:
        """The proof after a pass: the second in a row ends the game."""
        if not turn.passed:
            return self._proof(stones, turn.rested, difference, depth - 1)
        for winner in (0, 1):
            if _wins(winner, self.claims.settled(stones, winner), difference):
                return Proof(winner, difference)
        return None


def _wins(winner: int, margin: int, difference: int) -> bool:
    """Whether a player who has this margin at least wins at this difference."""
    return margin + difference >= 0 if winner == 0 else margin > difference
