"""An iterative-deepening depth-first search for the winner of a situation, which shares its proofs.

Superko makes the outcome of a board depend on the boards before it, so a result is never shared by the board alone.
Every proof carries the part of the history that it depends on: `needed`, boards whose earlier presence bans a move of
the loser's, and `avoided`, boards that a move of the winner's makes. It holds for every history that has all of the
needed and none of the avoided boards. For then each move of the loser's is banned or answered in the proof, and each
answer is legal: by induction along the line of play, a board that a proof lower down needs has stood before, or was
made on the line itself, and one that it avoids has neither.

A proof is for one difference, a number that is better for Black the larger it is; and for all that are better for its
winner, who wins there by the same moves.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import reduce
from typing import Generic, NamedTuple, TypeVar

from referee.analysis.bounds import Freshness
from referee.analysis.memo import Exhausted
from referee.analysis.moves import Moves, Placed
from referee.analysis.situation import Stones
from referee.game.board import Board

ToMove = TypeVar("ToMove")
"""The player to move, with everything beside the board that matters."""
Boards = frozenset[Stones]
NONE: Boards = frozenset()
MOST_FRESH = 12
"""The number of freshness conditions of one proof that are kept apart."""
MOST_PROOFS = 6
"""The number of proofs kept of one player's win on one board with one player to move."""


class Proof(NamedTuple):
    """A proof that a player wins.

    Attributes:
        winner: the winner's index.
        difference: the difference for which it was proved.
        needed: boards that must have stood.
        avoided: boards that must not have stood.
        fresh: further conditions on the earlier boards.
    """

    winner: int
    difference: int
    needed: Boards = NONE
    avoided: Boards = NONE
    fresh: frozenset[Freshness] = frozenset()

    def is_valid_for(self, line: set[Stones]) -> bool:
        """Return True if the proof also holds for this history."""
        is_applicable = self.needed <= line and self.avoided.isdisjoint(line)
        return is_applicable and not any(one.is_repeated_in(line) for one in self.fresh)


class Answers:
    """The joint conditions of the proofs that answer a player's moves."""

    def __init__(self) -> None:
        self.needed = set[Stones]()
        self._avoided = set[Stones]()
        self._fresh: frozenset[Freshness] = frozenset()

    def add_proof(self, proof: Proof, after: Stones) -> None:
        """Add the proof for the move to this board."""
        self.needed |= proof.needed - {after}
        self._avoided |= proof.avoided
        self._fresh |= proof.fresh
        if len(self._fresh) > MOST_FRESH:
            self._fresh = frozenset({reduce(Freshness.join_condition, self._fresh)})

    def make_proof(self, winner: int, difference: int, stones: Stones) -> Proof:
        """Return the proof that every move of the opponent's on this board is barred or answered."""
        return Proof(winner, difference, frozenset(self.needed - {stones}), frozenset(self._avoided), self._fresh)


class ProofSearch(ABC, Generic[ToMove]):
    """A search for proofs on the boards that can follow one situation. nodes: the number of boards searched."""

    def __init__(self, board: Board, earlier: frozenset[Stones], go_on: Callable[[], bool]) -> None:
        self.moves = Moves(board)
        self.nodes = 0
        self._earlier = earlier
        self._go_on = go_on
        self._past: tuple[Stones, ...] = ()
        self._line: set[Stones] = set()
        self._line_hash = 0
        self._barred = False
        self._proofs: defaultdict[tuple[Stones, ToMove, int], list[Proof]] = defaultdict(list)
        self._open: dict[tuple[Stones, ToMove, int], int] = {}
        self._open_here: dict[tuple[Stones, ToMove, int, int, bool], int] = {}
        self._exactly = False
        self._spent_nodes: dict[tuple[Stones, ToMove, int], tuple[int, int]] = {}
        self._best: dict[tuple[Stones, ToMove], Stones] = {}

    def find_winner(
        self, stones: Stones, turn: ToMove, difference: int, depth: int, before: tuple[Stones, ...] = ()
    ) -> int | None:
        """Return the proved winner, 0 or 1, within this many moves; None if neither is proved. Raise Exhausted.

        Args:
            stones: the board.
            turn: the player to move.
            difference: the difference asked about.
            depth: the number of moves.
            before: boards that have stood besides the earlier ones.
        """
        if before != self._past:
            self._past = before
            self._open.clear()
            self._open_here.clear()
            self._spent_nodes.clear()
        began, question = self.nodes, (stones, turn, difference)
        proof = self._search_from(stones, turn, difference, depth)
        spent, (before_that, exactly) = self.nodes - began, self._spent_nodes.get(question, (0, 0))
        if proof is None and spent <= before_that:
            # A deeper search without new boards only meets results that it takes for open: search without those.
            exactly += 1
            self._exactly = True
            proof = self._search_from(stones, turn, difference, exactly)
        self._spent_nodes[question] = spent, exactly
        return None if proof is None else proof.winner

    def _search_from(self, stones: Stones, turn: ToMove, difference: int, depth: int) -> Proof | None:
        self._line, self._line_hash, self._barred = set(self._past), hash(self._past), False
        try:
            return self._find_proof(stones, turn, difference, depth)
        finally:
            self._exactly = False

    def _find_proof(self, stones: Stones, turn: ToMove, difference: int, depth: int) -> Proof | None:
        known_proof = self._find_known(stones, turn, difference)
        if known_proof is not None or not depth:
            return known_proof
        question = (stones, turn, difference)
        if self._is_open(question, depth):
            return None
        self._count_node()
        outside, self._barred = self._barred, False
        is_new = stones not in self._line
        if is_new:
            self._line.add(stones)
            self._line_hash ^= hash(stones)
        try:
            proof = self._search_moves(stones, turn, difference, depth)
        finally:
            if is_new:
                self._line.discard(stones)
                self._line_hash ^= hash(stones)
        if proof is None:
            self._leave_open(question, depth)
        else:
            self._keep_proof(stones, turn, proof)
        self._barred |= outside
        return proof

    def _is_open(self, question: tuple[Stones, ToMove, int], depth: int) -> bool:
        """Return True if an equally deep search has found no proof.

        It was after the same boards; or after others, if none of them barred a move in it.
        """
        if not self._exactly and self._open.get(question, 0) >= depth:
            return True
        if self._open_here.get((*question, self._line_hash, self._exactly), 0) >= depth:
            self._barred = True
            return True
        return False

    def _leave_open(self, question: tuple[Stones, ToMove, int], depth: int) -> None:
        if self._barred or self._exactly:
            self._open_here[*question, self._line_hash, self._exactly] = depth
        else:
            self._open[question] = depth

    def _count_node(self) -> None:
        self.nodes += 1
        if not self.nodes & 15 and not self._go_on():
            raise Exhausted

    def _find_known(self, stones: Stones, turn: ToMove, difference: int) -> Proof | None:
        static = self._find_static_proof(stones, turn, difference)
        if static is not None:
            return static
        line = self._line
        for winner in (0, 1):
            for proof in self._proofs.get((stones, turn, winner), ()):
                good = proof.difference <= difference if winner == 0 else difference <= proof.difference
                if good and proof.is_valid_for(line):
                    return proof
        return None

    def _keep_proof(self, stones: Stones, turn: ToMove, proof: Proof) -> None:
        proofs = self._proofs[stones, turn, proof.winner]
        proofs.append(proof)
        if len(proofs) > MOST_PROOFS:
            del proofs[0]

    def _order_moves(self, stones: Stones, turn: ToMove, player: int) -> tuple[Placed, ...]:
        """Return the placements of the player with this index, an earlier winning one first."""
        moves, best = self.moves.placements_of(stones, player), self._best.get((stones, turn))
        if best is None or moves[0].after == best:
            return moves
        return tuple(sorted(moves, key=lambda move: move.after != best))

    @abstractmethod
    def _find_static_proof(self, stones: Stones, turn: ToMove, difference: int) -> Proof | None:
        """Return the proof that needs no search, if there is one."""

    def _search_moves(self, stones: Stones, turn: ToMove, difference: int, depth: int) -> Proof | None:
        """Return the proof from the possible moves: that one wins, or that all lose."""
        answers, unsure, player = Answers(), False, self._player_to_move(turn)
        for move in self._order_moves(stones, turn, player):
            after, may = move.after, self._may_play(move.after, turn, answers)
            if not may:
                unsure |= may is None
                continue
            proof = self._find_proof(
                after, self._next_turn(stones, turn, move), self.difference_after(difference, move, player), depth - 1
            )
            if proof is None:
                unsure = True
            elif proof.winner == player:
                self._best[stones, turn] = after
                return Proof(player, difference, proof.needed - {after, stones}, proof.avoided | {after}, proof.fresh)
            else:
                answers.add_proof(proof, after)
        for proof in self._prove_rest(stones, turn, difference, depth):
            if proof is None:
                unsure = True
            elif proof.winner == player:
                return proof._replace(difference=difference)
            else:
                answers.add_proof(proof, stones)
        return None if unsure else answers.make_proof(1 - player, difference, stones)

    def _may_play(self, after: Stones, turn: ToMove, answers: Answers) -> bool | None:
        """Return True if a move to this board is legal, None if that is not examined; note the board that bars it.

        Under superko it is legal unless the board stood.
        """
        if after in self._earlier:
            return False
        if after in self._line:
            answers.needed.add(after)
            self._barred = True
            return False
        return True

    @abstractmethod
    def _player_to_move(self, turn: ToMove) -> int:
        """Return the index of the player to move."""

    @abstractmethod
    def _next_turn(self, stones: Stones, turn: ToMove, move: Placed) -> ToMove:
        """Return the player to move after a placement on this board."""

    @abstractmethod
    def difference_after(self, difference: int, move: Placed, player: int) -> int:
        """Return the difference after this player's placement."""

    @abstractmethod
    def _prove_rest(self, stones: Stones, turn: ToMove, difference: int, depth: int) -> Iterable[Proof | None]:
        """Yield the proof after a turn without a stone, None if there is no proof; nothing if there is no such turn."""
