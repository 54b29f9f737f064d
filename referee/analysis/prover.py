"""Proofs of the winner of Fundamental Go from a situation.

Let D be Black's prisoners less White's. Outcomes depend on D alone (section IV: the winner answers the return of an
added prisoner by returning one too, and no board changes), so bowls are max(D, 0) and max(-D, 0); and with a larger D
Black still wins by the same moves, so that a proof for one D holds for all that are better for its winner.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from referee.analysis.bounds import Bounds
from referee.analysis.claims import Claims
from referee.analysis.counting import CountedSituation
from referee.analysis.moves import Placed
from referee.analysis.search import NONE, Answers, Proof, ProofSearch
from referee.analysis.situation import Stones
from referee.analysis.tally import AREA
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

    def difference_after(self, difference: int, move: Placed, player: int) -> int:
        """Return the difference with the captured stones as prisoners."""
        return difference + (move.captured if player == 0 else -move.captured)

    def _prove_rest(self, stones: Stones, turn: int, difference: int, depth: int) -> Iterable[Proof | None]:
        """Yield the proof after a delay."""
        if difference * (1 - 2 * turn) > 0:
            yield self._proof(stones, 1 - turn, difference - 1 + 2 * turn, depth - 1)


class ToMove(NamedTuple):
    """The player to move in a counted game.

    Attributes:
        player: the index of the player.
        passed: the newest turn was a pass.
        retaken: the board that retaking a ko brings back.
    """

    player: int
    passed: bool = False
    retaken: Stones | None = None

    def after(self, move: Placed, stones: Stones) -> ToMove:
        """Return the player to move after a placement on this board. Only a single captured stone can be retaken."""
        return ToMove(1 - self.player, False, stones if move.captured == 1 else None)

    @property
    def after_pass(self) -> ToMove:
        """Return the player to move after a pass."""
        return ToMove(1 - self.player, True)


class CountProver(ProofSearch[ToMove]):
    """A search for proofs on the boards that can follow one situation."""

    def __init__(self, situation: CountedSituation, earlier: frozenset[Stones], go_on: Callable[[], bool]) -> None:
        board, tally = situation.board, situation.tally
        super().__init__(board, earlier, go_on)
        self.claims = Claims(board, tally, earlier, go_on)
        self._keeps_prisoners, self._superko = tally is not AREA, situation.superko
        self._white_last = situation.white_last

    def _static(self, stones: Stones, turn: ToMove, difference: int) -> Proof | None:
        before = self._line - {stones}
        for winner in (0, 1):
            first = winner == turn.player
            margin, fresh = self.claims.sure(stones, winner, first, turn.passed, before)
            if _wins(winner, margin, difference):
                return Proof(winner, difference, NONE, NONE, frozenset(() if fresh is None else (fresh,)))
        return None

    def _player(self, turn: ToMove) -> int:
        return turn.player

    def _next(self, stones: Stones, turn: ToMove, move: Placed) -> ToMove:
        return turn.after(move, stones)

    def difference_after(self, difference: int, move: Placed, player: int) -> int:
        """Return the difference, by territory with the captured stones as prisoners."""
        return difference + self._keeps_prisoners * (move.captured if player == 0 else -move.captured)

    def _may(self, after: Stones, turn: ToMove, answers: Answers) -> bool | None:
        if self._superko:
            return super()._may(after, turn, answers)
        if after == turn.retaken:
            return False
        if after in self._earlier or after in self._line:
            self._barred = True
            return None
        return True

    def _prove_rest(self, stones: Stones, turn: ToMove, difference: int, depth: int) -> Iterable[Proof | None]:
        """Yield the proof after a pass."""
        if self.ends(turn):
            yield self._proof_at_end(stones, difference)
        else:
            yield self._proof(stones, turn.after_pass, difference, depth - 1)

    def ends(self, turn: ToMove) -> bool:
        """Return True if a pass would end the game, as the second in a row."""
        return turn.passed and not (self._white_last and turn.player == 0)

    def _proof_at_end(self, stones: Stones, difference: int) -> Proof | None:
        for winner in (0, 1):
            if _wins(winner, self.claims.margin_when_settled(stones, winner), difference):
                return Proof(winner, difference)
        return None


def _wins(winner: int, margin: int, difference: int) -> bool:
    """Return True if a player with at least this margin wins at this difference."""
    return margin + difference >= 0 if winner == 0 else margin > difference
