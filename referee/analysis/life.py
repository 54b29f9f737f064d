"""Life and death of a chain in a small region, proved for both sides whatever happens elsewhere.

Theory of operation. A region of the board is played out by itself, the attacker against the chain's owner, the
defender. All that lies outside is the attacker's and cannot be captured; a region that is cut out of a larger one is
only harder for the defender, so that a proof of life holds for the whole board. A proof of death needs the attacker's
stones around the region to live.

- Alive: the attacker begins. The defender reaches a position in which the chain lives unconditionally (Benson), or in
which the attacker has no legal move left.
- Dead: the defender begins. The attacker reaches a position in which the chain's points are the attacker's, or lie
where all points but one are next to stones that are connected to those outside: two eyes cannot be made there. A
capture by itself proves no death, because new stones may live where stones were captured (snapback, under the stones).
- Captured: the defender begins. The attacker captures the chain, whatever comes after.

Who proves may not take a ko, and the other may take one back at once, as if they had threats without end. A position
that comes again on the way fails for who proves. So a proof is a finite tree of moves, each legal under every ko rule,
and holds on every board with the region in it. The attacker's pass is left out, because the defender may pass in turn;
the defender's is tried. A stone without a liberty takes its own chain off the board only for who does not prove, and
only with others: some rules allow it.

Several chains can be proved to live together: one move against two of them may be too much where each would live alone.

The search is depth-first proof-number search: each position has two numbers, the least numbers of positions that are
still to be proved, or refuted, before it is. Source: Nagai, Df-pn algorithm for searching AND/OR trees (2002);
Kishimoto and Müller, Df-pn in Go: an application to the one-eye problem (2003).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from referee.analysis.benson import alive_beside, split_parts
from referee.game.board import Board, Mask, points_of

MOST_NODES = 2500
"""The highest number of positions that one search expands."""
MOST_FREE = 14
"""The highest number of empty points of a region that is searched."""
_INFINITE = 1 << 40


class Goal(Enum):
    """The claims that can be proved of a chain."""

    ALIVE = "alive"
    DEAD = "dead"
    CAPTURED = "captured"


@dataclass
class Budget:
    """The number of positions that searches may still expand together; each search costs one more."""

    nodes: int


class _State(NamedTuple):
    """The stones in a region, and the side to move.

    Attributes:
        attacker: the attacker's stones in the region.
        defender: the defender's.
        attacks: True if the attacker is to move.
    """

    attacker: Mask
    defender: Mask
    attacks: bool


def is_proved(
    board: Board,
    region: Mask,
    attacker: Mask,
    defender: Mask,
    targets: Sequence[Mask],
    goal: Goal,
    nodes: int = MOST_NODES,
    budget: Budget | None = None,
) -> bool:
    """Return True if the claim about these chains is proved within so many positions.

    Args:
        board: the board.
        region: the points that are played on, with the stones on them.
        attacker: the attacker's stones.
        defender: the defender's stones.
        targets: the chains, in the region; one unless the claim is that they live.
        goal: the claim; alive with the attacker to move, the others with the defender to move.
        nodes: how many positions may be expanded.
        budget: what this search shares with others.
    """
    # Empty points outside are the attacker's too, so that a chain may have no liberty left.
    empty = region & ~(attacker | defender)
    for chain in split_parts(board, defender & region):
        if not board.adjacent_to(chain) & empty:
            region &= ~chain
    stones = sum(targets)
    if stones & ~region or empty.bit_count() > MOST_FREE:
        return False
    budget = budget or Budget(nodes + 1)
    if budget.nodes <= 0:
        return False
    budget.nodes -= 1
    nodes = min(nodes, budget.nodes)
    search = _Search(board, region, stones, goal, nodes)
    is_found = search.is_proved(_State(attacker & region, defender & region, goal is Goal.ALIVE))
    budget.nodes -= nodes - search.nodes
    return is_found


class _Search:
    """A proof-number search for one claim.

    Attributes:
        nodes: the positions that may still be expanded.
    """

    def __init__(self, board: Board, region: Mask, targets: Mask, goal: Goal, nodes: int) -> None:
        self._board, self._region, self._targets, self._goal, self.nodes = board, region, targets, goal, nodes
        self._outside = board.full & ~region
        self._beside_outside = board.adjacent_to(self._outside) & region
        self._numbers: dict[_State, tuple[int, int]] = {}
        self._path: set[_State] = set()

    def is_proved(self, state: _State) -> bool:
        """Return True if the claim is proved for this position."""
        proof, _ = self._search_position(state, _INFINITE, _INFINITE)
        return proof == 0

    def _is_prover_to_move(self, state: _State) -> bool:
        """Return True if the side to move is the one that proves the claim."""
        return state.attacks is (self._goal is not Goal.ALIVE)

    def _search_position(self, state: _State, most_proof: int, most_disproof: int) -> tuple[int, int]:
        """Expand a position until one of its numbers reaches its limit; return both."""
        if state in self._path:
            return _INFINITE, 0
        stored = self._numbers.get(state)
        if stored is not None and (stored[0] >= most_proof or stored[1] >= most_disproof or 0 in stored):
            return stored
        final_numbers = self._find_final_numbers(state)
        if final_numbers is not None:
            self._numbers[state] = final_numbers
            return final_numbers
        if self.nodes <= 0:
            return stored or (1, 1)
        self.nodes -= 1
        self._path.add(state)
        numbers = self._expand_position(state, most_proof, most_disproof)
        self._path.discard(state)
        self._numbers[state] = numbers
        return numbers

    def _expand_position(self, state: _State, most_proof: int, most_disproof: int) -> tuple[int, int]:
        """Search the positions after each move, the most promising first, until a number reaches its limit."""
        children = list(dict.fromkeys(self._list_moves(state)))
        is_proving = self._is_prover_to_move(state)
        if not children:
            # Without a move the attacker has not captured, and the defender has not been captured.
            return (0, _INFINITE) if self._goal is Goal.ALIVE else (_INFINITE, 0)
        while True:
            numbers = [self._numbers_of(child) for child in children]
            # For the side that proves, one child is enough; the other's children must all be proved.
            mine, theirs = (0, 1) if is_proving else (1, 0)
            least = min(number[mine] for number in numbers)
            total = min(sum(number[theirs] for number in numbers), _INFINITE)
            both = (least, total) if is_proving else (total, least)
            if both[0] >= most_proof or both[1] >= most_disproof or 0 in both or self.nodes <= 0:
                return both
            best = min(range(len(children)), key=lambda index: numbers[index][mine])
            second = min((number[mine] for index, number in enumerate(numbers) if index != best), default=_INFINITE)
            limits = (most_proof, most_disproof)
            narrow = min(limits[mine], second + 1)
            wide = min(limits[theirs] - total + numbers[best][theirs], _INFINITE)
            bounds = (narrow, wide) if is_proving else (wide, narrow)
            before = self.nodes
            new_numbers = self._search_position(children[best], *bounds)
            if new_numbers == numbers[best] and self.nodes == before:
                return both

    def _numbers_of(self, state: _State) -> tuple[int, int]:
        """Return the numbers of a position as far as it was searched; on the way to here it fails for who proves."""
        if state in self._path:
            return _INFINITE, 0
        if state not in self._numbers:
            self._numbers[state] = self._find_final_numbers(state) or (1, 1)
        return self._numbers[state]

    def _find_final_numbers(self, state: _State) -> tuple[int, int] | None:
        """Return the numbers of a position that needs no move; None for others."""
        is_gone = bool(self._targets & ~state.defender)
        if self._goal is Goal.ALIVE:
            is_refuted, is_proved = is_gone, not is_gone and self._are_alive(state)
        else:
            is_proved = is_gone if self._goal is Goal.CAPTURED else self._are_dead(state)
            is_refuted = not is_proved and self._are_alive(state)
        return (0, _INFINITE) if is_proved else (_INFINITE, 0) if is_refuted else None

    def _are_dead(self, state: _State) -> bool:
        """Return True if no chain can live any more where the chains were, all around being the attacker's."""
        board = self._board
        walls = self._outside | board.flood(self._beside_outside & state.attacker, state.attacker)
        area = board.flood(self._targets & ~walls, board.full & ~walls)
        inside = area & ~board.adjacent_to(walls)
        most = 1 if min(board.cols, board.rows) > 1 else 0
        return not inside or all((part & inside).bit_count() <= most for part in split_parts(board, area))

    def _are_alive(self, state: _State) -> bool:
        """Return True if the chains live unconditionally in the region, all around it being the attacker's."""
        board, free = self._board, self._region & ~state.defender
        closed_points = free & ~board.flood(self._beside_outside & free, free)
        if not closed_points:
            return False
        area = closed_points | state.defender
        return not self._targets & ~alive_beside(board, state.defender, state.attacker, 0, area)

    def _list_moves(self, state: _State) -> Iterator[_State]:
        """Yield the positions after each legal move, and after the defender's pass."""
        empty = self._region & ~(state.attacker | state.defender)
        for point in points_of(empty):
            after = self._place_stone(state, 1 << point, empty)
            if after is not None:
                yield after
        if not state.attacks:
            yield state._replace(attacks=True)

    def _place_stone(self, state: _State, stone: Mask, empty: Mask) -> _State | None:
        """Return the position after a stone, None if it may not be placed."""
        board = self._board
        own, other = (state.attacker, state.defender) if state.attacks else (state.defender, state.attacker)
        # The attacker's chains at the edge of the region are connected to stones outside, which cannot be captured.
        own_freedom, other_freedom = (self._outside, 0) if state.attacks else (0, self._outside)
        own, left = own | stone, empty ^ stone
        captured: Mask = 0
        for near in board.neighbours_of(stone):
            if near & other and not near & captured:
                captured |= board.captured_chain(near, other, left | other_freedom)
        left |= captured
        proves, lost_chain = self._is_prover_to_move(state), board.captured_chain(stone, own, left | own_freedom)
        if lost_chain == stone or (lost_chain and proves):
            return None
        if proves and captured and not captured & (captured - 1):
            neighbours = board.adjacent_to(stone)
            if not neighbours & (own | own_freedom) and neighbours & left == captured:
                return None
        own, other = own & ~lost_chain, other & ~captured
        return _State(own, other, False) if state.attacks else _State(other, own, True)
