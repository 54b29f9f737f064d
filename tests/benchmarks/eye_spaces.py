"""Life and death of small eye spaces, by proof and by a solver of all: `python -m tests.benchmarks.eye_spaces`.

The eye spaces are all connected shapes of up to six points in the open, on the side and in the corner, those that are
images of each other once. Each is empty, within one chain that has no liberty elsewhere. The solver knows no shape: it
plays all positions of the eye space backwards from those in which the chain is captured, and says what holds: the chain
lives or is captured whoever begins; or else the attacker, by beginning, captures it, or the defender saves it, or
neither does without a ko. The same is asked of `life`. Printed are the share of which all that holds is proved within a
second of processor time, and each proof that the solver contradicts.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from referee.analysis.benson import split_parts
from referee.analysis.life import Goal, is_proved
from referee.game.board import Board, Mask, board_of, points_of

LARGEST = 6
"""The points of the largest eye spaces."""
MARGIN = 3
"""Points between an eye space and a side of the board that it is not on."""
PATIENCE_S = 1.0
Cell = tuple[int, int]
Shape = frozenset[Cell]
Images = tuple[tuple[int, int, int, int], ...]
PLACES: dict[str, Images] = {
    "in the open": tuple(
        (a, b, c, d)
        for a, b, c, d in product((-1, 0, 1), repeat=4)
        if abs(a * d - b * c) == 1 and abs(a) + abs(b) == 1 and abs(c) + abs(d) == 1
    ),
    "on the side": ((1, 0, 0, 1), (-1, 0, 0, 1)),
    "in the corner": ((1, 0, 0, 1), (0, 1, 1, 0)),
}
"""For each place the images, as matrices, that are the same position there."""


@dataclass(frozen=True)
class EyeSpace:
    """An eye space on a board, within a wall of one chain."""

    board: Board
    space: Mask
    wall: Mask


def shapes(points: int) -> set[Shape]:
    """Return all connected shapes of so many points that have their least coordinates at 0."""
    found: set[Shape] = {frozenset({(0, 0)})}
    for _ in range(points - 1):
        found = {
            _at_origin(shape | {(x + dx, y + dy)})
            for shape in found
            for x, y in shape
            for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))
            if (x + dx, y + dy) not in shape
        }
    return found


def _at_origin(cells: frozenset[Cell]) -> Shape:
    left, top = min(x for x, _ in cells), min(y for _, y in cells)
    return frozenset((x - left, y - top) for x, y in cells)


def eye_spaces(place: str, points: int) -> Iterator[EyeSpace]:
    """Yield the eye spaces of so many points in a place, those whose wall is not one chain left out."""
    known_shapes = set[Shape]()
    for shape in sorted(shapes(points), key=sorted):
        if shape not in known_shapes:
            known_shapes |= {
                _at_origin(frozenset((a * x + b * y, c * x + d * y) for x, y in shape)) for a, b, c, d in PLACES[place]
            }
            one = _placed(shape, place)
            if len(split_parts(one.board, one.wall)) == 1:
                yield one


def _placed(shape: Shape, place: str) -> EyeSpace:
    left, top = (0 if place == "in the corner" else MARGIN), (MARGIN if place == "in the open" else 0)
    right, bottom = max(x for x, _ in shape) + MARGIN, max(y for _, y in shape) + MARGIN
    board = board_of(left + right + 1, top + bottom + 1)
    cells = {(x + left, y + top) for x, y in shape}
    around = {(x + dx, y + dy) for x, y in cells for dx, dy in product((-1, 0, 1), repeat=2)} - cells
    space, wall = (
        sum(1 << (y * board.cols + x) for x, y in some if 0 <= x < board.cols and 0 <= y < board.rows)
        for some in (cells, around)
    )
    return EyeSpace(board, space, wall)


Node = tuple[int, int, bool]
"""The attacker's and the defender's stones in an eye space, by its own numbering, and True if the attacker is to move.
The wall belongs to the defender and is not among them."""
GONE: Node = (-1, -1, True)
"""The wall is captured."""
ALIVE, DEAD, KILLS, SAVES = (frozenset({claim}) for claim in ("alive", "dead", "kills", "saves"))
NAMES = {ALIVE: "alive", DEAD: "dead", KILLS | SAVES: "whoever begins"}


class Solver:
    """All positions of an eye space, played backwards from the capture of its wall."""

    def __init__(self, one: EyeSpace) -> None:
        points = list(points_of(one.space))
        place = {point: index for index, point in enumerate(points)}
        near = [[place[at] for at in points_of(one.board.adjacent_to(1 << point)) if at in place] for point in points]
        self.near = [sum(1 << index for index in indices) for indices in near]
        self.by_wall = sum(
            1 << index for index, point in enumerate(points) if one.board.adjacent_to(1 << point) & one.wall
        )
        self.all = (1 << len(points)) - 1

    def claims(self) -> frozenset[str]:
        """Return what holds of the empty eye space: ALIVE, DEAD, or what whoever begins achieves without a ko."""
        by_any_means, plainly = self._lost(prover_attacks=False), self._lost(prover_attacks=True)
        if (0, 0, True) not in by_any_means:
            return ALIVE
        if (0, 0, False) in plainly:
            return DEAD
        kills = KILLS if (0, 0, True) in plainly else frozenset()
        return kills | (SAVES if (0, 0, False) not in by_any_means else frozenset())

    def _lost(self, prover_attacks: bool) -> set[Node]:
        """Return the positions in which the wall is lost, if who proves may neither take a ko nor lose own stones."""
        stones = [(a, d) for a in range(self.all + 1) for d in range(self.all + 1) if not a & d]
        after = {
            (a, d, attacks): set(self._moves(a, d, attacks, attacks is prover_attacks))
            for a, d in stones
            for attacks in (True, False)
        }
        lost: set[Node] = {GONE}
        while True:
            more = {
                node
                for node, moves in after.items()
                if node not in lost and (moves & lost if node[2] else not moves - lost)
            }
            if not more:
                return lost
            lost |= more

    def _moves(self, attacker: int, defender: int, attacks: bool, proves: bool) -> Iterator[Node]:
        yield attacker, defender, not attacks
        for index in range(len(self.near)):
            stone = 1 << index
            if not (attacker | defender) & stone:
                if attacks:
                    yield from self._attack(attacker | stone, defender, index, proves)
                else:
                    yield from self._defend(attacker, defender | stone, index, proves)

    def _attack(self, attacker: int, defender: int, index: int, proves: bool) -> Iterator[Node]:
        empty = self.all & ~(attacker | defender)
        captured = sum(chain for chain in self._chains(defender) if not self._freedom(chain, defender) & empty)
        if not self._freedom(0, defender) & empty:
            yield GONE
            return
        empty |= captured
        own = self._chain(1 << index, attacker)
        if not self._beside(own) & empty:
            if not proves and own != 1 << index:
                yield attacker & ~own, defender & ~captured, False
        elif not (proves and own == 1 << index and self.near[index] & empty == captured and captured.bit_count() == 1):
            yield attacker, defender & ~captured, False

    def _defend(self, attacker: int, defender: int, index: int, proves: bool) -> Iterator[Node]:
        empty = self.all & ~(attacker | defender)
        captured = sum(chain for chain in self._chains(attacker) if not self._beside(chain) & empty)
        empty |= captured
        own = self._chain(1 << index, defender)
        is_alone = own == 1 << index and not own & self.by_wall
        if not self._freedom(own, defender) & empty:
            if not proves and not own & self.by_wall and own != 1 << index:
                yield attacker & ~captured, defender & ~own, True
        elif not (proves and is_alone and self.near[index] & empty == captured and captured.bit_count() == 1):
            yield attacker & ~captured, defender, True

    def _freedom(self, chain: int, defender: int) -> int:
        """Return the points next to a chain of the defender's; those next to the wall if it is connected to it."""
        if chain and not chain & self.by_wall:
            return self._beside(chain)
        return self.by_wall | self._beside(self._chain(defender & self.by_wall, defender))

    def _beside(self, some: int) -> int:
        beside = 0
        for index, near in enumerate(self.near):
            if some >> index & 1:
                beside |= near
        return beside & ~some

    def _chain(self, seed: int, stones: int) -> int:
        while (wider := seed | self._beside(seed) & stones) != seed:
            seed = wider
        return seed

    def _chains(self, stones: int) -> Iterator[int]:
        while stones:
            chain = self._chain(stones & -stones, stones)
            yield chain
            stones &= ~chain


def proofs(one: EyeSpace) -> frozenset[str]:
    """Return the claims that `life` proves of an eye space."""
    for claim, goal in ((ALIVE, Goal.ALIVE), (DEAD, Goal.CAPTURED)):
        if _holds(one, 0, 0, goal):
            return claim
    moves = [1 << point for point in points_of(one.space)]
    kills = KILLS if any(_holds(one, move, 0, Goal.CAPTURED) for move in moves) else frozenset()
    return kills | (SAVES if any(_holds(one, 0, move, Goal.ALIVE) for move in moves) else frozenset())


def _holds(one: EyeSpace, attacker: Mask, defender: Mask, goal: Goal) -> bool:
    own = one.board.flood(one.wall, one.wall | defender)
    return is_proved(one.board, one.space | one.wall, attacker, one.wall | defender, [own], goal)


def compare(place: str, points: int, tally: Counter[str]) -> None:
    """Tally the eye spaces of so many points in a place, and print those that are wrong or not solved."""
    for one in eye_spaces(place, points):
        claims, begun = Solver(one).claims(), time.process_time()
        proved_claims = proofs(one)
        in_time, kind = time.process_time() - begun <= PATIENCE_S, NAMES.get(claims, "ko")
        tally[kind] += 1
        tally[f"{kind}, solved"] += claims == proved_claims and in_time
        tally["wrong"] += bool(proved_claims - claims)
        if claims != proved_claims or not in_time:
            print(
                f"{place}, {kind}, proved {sorted(proved_claims)}: {' '.join(one.board.names(one.space))}", flush=True
            )


def main() -> int:
    """Compare all of them; 1 if a proof is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--points", type=int, default=LARGEST, help="of the largest eye spaces")
    args = parser.parse_args()
    total = Counter[str]()
    for place in PLACES:
        tally = Counter[str]()
        for points in range(1, args.points + 1):
            compare(place, points, tally)
        print(f"{place}: {dict(sorted(tally.items()))}", flush=True)
        total += tally
    print(f"all: {dict(sorted(total.items()))}, {total['wrong']} wrong")
    return 1 if total["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
