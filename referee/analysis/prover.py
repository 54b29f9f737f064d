"""Proofs of the winner from a situation: of Fundamental Go (`Prover`), and of a game that is counted (`CountProver`).

The question is always the same: at this difference, who wins? The difference is a number that is better for Black the
larger it is. An answer is 0 for Black, 1 for White, or None, and the value of a situation is found by asking at several
differences (referee/analysis/thresholds.py). The search is in referee/analysis/search.py. What the two games do not
share is here: what the difference is, what may be done instead of a placement, and which positions need no search.

Fundamental Go. Let D be Black's prisoners less White's. Outcomes depend on D alone (section IV: the winner answers the
return of an added prisoner by returning one too, and no board changes), so bowls are max(D, 0) and max(-D, 0). Instead
of a placement a player may return a prisoner, if they have one, which brings D nearer to 0 (`_prove_rest`). Whoever can
do neither loses, so a position is decided at once if one player is sure of enough moves (`bounds`).

A counted game. The difference is what Black is ahead beside the board: in prisoners by territory, and by area a number
that no move changes. Instead of a placement a player may pass. A second pass in a row ends the game, but under some
rules only if it is White's (`is_ended_by_pass`). A position is decided at once if one player is sure of enough points
(`claims`).

These rules hold:

- A proof for one difference holds for all that are better for its winner, who wins there by the same moves.
- A proof is kept with the part of the history that it depends on, because under superko the same board may be won after
  one game and lost after another (see `search`). A bound that assumes fresh boards brings that condition along
  (`Freshness`), and is no proof if an earlier board meets it.
- None never means a loss: the search was not deep enough, or a move was not examined. The search ends by its depth or
  by its budget (`Exhausted`), and what was proved until then stands.
- No placement is left out because it looks bad; the order of moves makes a search faster, and no result depends on it.

What is implicit. Players are indices, so that `1 - 2 * turn` is the mover's sign. What is called the player to move is
an index in Fundamental Go, and a `ToMove` in a counted game, where a pass just before and a ko just taken matter too.
Either is part of the key under which proofs are kept, so it must hold all that the outcome depends on beside the board
and the history. `_find_static_proof` takes the board itself off the line (`self._line - {stones}`): after a pass or a
delay it stands there already, and must not speak against its own proof.

What is ugly: only positional superko is examined to the end. Under the other ko rules a placement that brings back an
earlier board may be legal or not, and play may go round for ever, so it is left unexamined (`_may_play` returns
None), and if it matters nothing is proved. By territory not even a finished game need be: `margin_when_settled` counts
what a player is sure of, and dead stones that nobody took are often more than that.
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

    def _find_static_proof(self, stones: Stones, turn: int, difference: int) -> Proof | None:
        """Return the proof that needs no search, if there is one."""
        for winner, need in enumerate(self.bounds.find_both(stones)):
            ahead = difference if winner == 0 else -difference
            if ahead >= need.delaying + (winner == turn):
                return Proof(winner, difference)
            for one in need.strategies:
                enough = ahead >= (one.first if winner == turn else one.second)
                if enough and not one.fresh.is_repeated_in(self._line - {stones}):
                    return Proof(winner, difference, NONE, NONE, frozenset({one.fresh}))
        return None

    def _player_to_move(self, turn: int) -> int:
        return turn

    def _next_turn(self, stones: Stones, turn: int, move: Placed) -> int:
        return 1 - turn

    def difference_after(self, difference: int, move: Placed, player: int) -> int:
        """Return the difference with the captured stones as prisoners."""
        return difference + (move.captured if player == 0 else -move.captured)

    def _prove_rest(self, stones: Stones, turn: int, difference: int, depth: int) -> Iterable[Proof | None]:
        """Yield the proof after a delay."""
        if difference * (1 - 2 * turn) > 0:
            yield self._find_proof(stones, 1 - turn, difference - 1 + 2 * turn, depth - 1)


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

    def after_placement(self, move: Placed, stones: Stones) -> ToMove:
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

    def _find_static_proof(self, stones: Stones, turn: ToMove, difference: int) -> Proof | None:
        before = self._line - {stones}
        for winner in (0, 1):
            first = winner == turn.player
            margin, fresh = self.claims.sure_margin(stones, winner, first, turn.passed, before)
            if _is_won(winner, margin, difference):
                return Proof(winner, difference, NONE, NONE, frozenset(() if fresh is None else (fresh,)))
        return None

    def _player_to_move(self, turn: ToMove) -> int:
        return turn.player

    def _next_turn(self, stones: Stones, turn: ToMove, move: Placed) -> ToMove:
        return turn.after_placement(move, stones)

    def difference_after(self, difference: int, move: Placed, player: int) -> int:
        """Return the difference, by territory with the captured stones as prisoners."""
        return difference + self._keeps_prisoners * (move.captured if player == 0 else -move.captured)

    def _may_play(self, after: Stones, turn: ToMove, answers: Answers) -> bool | None:
        if self._superko:
            return super()._may_play(after, turn, answers)
        if after == turn.retaken:
            return False
        if after in self._earlier or after in self._line:
            self._barred = True
            return None
        return True

    def _prove_rest(self, stones: Stones, turn: ToMove, difference: int, depth: int) -> Iterable[Proof | None]:
        """Yield the proof after a pass."""
        if self.is_ended_by_pass(turn):
            yield self._proof_at_end(stones, difference)
        else:
            yield self._find_proof(stones, turn.after_pass, difference, depth - 1)

    def is_ended_by_pass(self, turn: ToMove) -> bool:
        """Return True if a pass would end the game, as the second in a row."""
        return turn.passed and not (self._white_last and turn.player == 0)

    def _proof_at_end(self, stones: Stones, difference: int) -> Proof | None:
        for winner in (0, 1):
            if _is_won(winner, self.claims.margin_when_settled(stones, winner), difference):
                return Proof(winner, difference)
        return None


def _is_won(winner: int, margin: int, difference: int) -> bool:
    """Return True if a player with at least this margin wins at this difference."""
    return margin + difference >= 0 if winner == 0 else margin > difference
