"""Who wins Fundamental Go from a situation, proved: a depth-first search, deepened step by step, that shares proofs.

Superko makes the outcome of a board depend on the boards before it, so a result is never shared by the board alone.
Every proof carries what of the history it leans on: `needed`, boards whose having stood bans a move of the loser's, and
`avoided`, boards that a move of the winner's makes. It holds for every history that has all of the needed and none of
the avoided boards. For then each move of the loser's is banned or answered in the proof, and each answer is legal: by
induction along the line a board that a proof lower down needs has stood before, or was made on the line itself, and one
that it avoids has neither.

Let D be the prisoners of Black's less those of White's. Outcomes depend on D alone (section IV: who wins answers the
return of an added prisoner by returning theirs, and no board changes), so bowls are max(D, 0) and max(-D, 0); and with
a larger D Black still wins by the same moves, so that a proof for one D is one for all that are better for its winner.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import NamedTuple

from referee.analysis.bounds import Bounds
from referee.analysis.moves import Moves, Placed
from referee.analysis.situation import Stones
from referee.board import Board

Boards = frozenset[Stones]
_NONE: Boards = frozenset()
MOST_PROOFS = 6
"""Proofs kept of one player's win on one board with one player to move."""


class Exhausted(Exception):
    """The budget is used up."""


class Proof(NamedTuple):
    """That a player wins: winner's index, the D it was proved for, and the boards it leans on."""

    winner: int
    difference: int
    needed: Boards = _NONE
    avoided: Boards = _NONE


class Prover:
    """Proofs for the boards that can follow one situation. nodes: how many were looked at."""

    def __init__(self, board: Board, earlier: frozenset[Stones], go_on: Callable[[], bool]) -> None:
        self.moves = Moves(board)
        self.bounds = Bounds(board)
        self.nodes = 0
        self._earlier = earlier
        self._go_on = go_on
        self._line: set[Stones] = set()
        self._stood = 0
        self._proofs: defaultdict[tuple[Stones, int, int], list[Proof]] = defaultdict(list)
        self._open: dict[tuple[Stones, int, int, int], int] = {}
        self._best: dict[tuple[Stones, int], Stones] = {}

    def winner(
        self, stones: Stones, turn: int, difference: int, depth: int, before: tuple[Stones, ...] = ()
    ) -> int | None:
        """0 or 1 for who is proved to win within that many moves, None where neither is; before: boards that have
        stood besides the earlier ones.

        Raises Exhausted when `go_on` says so.
        """
        self._line = set(before)
        self._stood = hash(before)
        proof = self._proof(stones, turn, difference, depth)
        return None if proof is None else proof.winner

    def _proof(self, stones: Stones, turn: int, difference: int, depth: int) -> Proof | None:
        known = self._known(stones, turn, difference)
        if known is not None or not depth:
            return known
        asked = (stones, turn, difference, self._stood)
        if self._open.get(asked, 0) >= depth:
            return None
        self._count()
        added = stones not in self._line
        if added:
            self._line.add(stones)
            self._stood ^= hash(stones)
        try:
            found = self._searched(stones, turn, difference, depth)
        finally:
            if added:
                self._line.discard(stones)
                self._stood ^= hash(stones)
        if found is None:
            self._open[asked] = depth
        else:
            self._keep(stones, turn, found)
        return found

    def _count(self) -> None:
        self.nodes += 1
        if not self.nodes & 255 and not self._go_on():
            raise Exhausted

    def _known(self, stones: Stones, turn: int, difference: int) -> Proof | None:
        lowest, highest = self.bounds.of(stones, turn)
        if difference <= lowest:
            return Proof(1, difference)
        if difference > highest:
            return Proof(0, difference)
        line = self._line
        for winner in (0, 1):
            for proof in self._proofs.get((stones, turn, winner), ()):
                good = proof.difference <= difference if winner == 0 else difference <= proof.difference
                if good and proof.needed <= line and proof.avoided.isdisjoint(line):
                    return proof
        return None

    def _keep(self, stones: Stones, turn: int, proof: Proof) -> None:
        kept = self._proofs[stones, turn, proof.winner]
        kept.append(proof)
        if len(kept) > MOST_PROOFS:
            del kept[0]

    def _searched(self, stones: Stones, turn: int, difference: int, depth: int) -> Proof | None:
        """The proof from the moves there are: one that wins, or that all lose."""
        line, unsure = self._line, False
        needed, avoided = set[Stones](), set[Stones]()
        for move in self._ordered(stones, turn):
            after = move.after
            if after in self._earlier:
                continue
            if after in line:
                needed.add(after)
                continue
            gained = difference + (move.captured if turn == 0 else -move.captured)
            proof = self._proof(after, 1 - turn, gained, depth - 1)
            if proof is None:
                unsure = True
            elif proof.winner == turn:
                self._best[stones, turn] = after
                return Proof(turn, difference, proof.needed - {after, stones}, proof.avoided | {after})
            else:
                needed |= proof.needed - {after}
                avoided |= proof.avoided
        if difference * (1 - 2 * turn) > 0:
            proof = self._proof(stones, 1 - turn, difference - 1 + 2 * turn, depth - 1)
            if proof is None:
                unsure = True
            elif proof.winner == turn:
                return Proof(turn, difference, proof.needed, proof.avoided)
            else:
                needed |= proof.needed
                avoided |= proof.avoided
        needed.discard(stones)
        return None if unsure else Proof(1 - turn, difference, frozenset(needed), frozenset(avoided))

    def _ordered(self, stones: Stones, turn: int) -> tuple[Placed, ...]:
        moves, best = self.moves.of(stones, turn), self._best.get((stones, turn))
        if best is None or moves[0].after == best:
            return moves
        return tuple(sorted(moves, key=lambda move: move.after != best))
