"""Life and death in small regions: known shapes, and random positions against a solver that knows no shape."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from itertools import product

import pytest

from referee.analysis.benson import split_parts
from referee.analysis.life import MOST_NODES, Budget, Goal, is_proved
from referee.game.board import Board, Mask, board_of
from tests.benchmarks import eye_spaces

ENDS = (Goal.ALIVE, Goal.DEAD)
SHAPES = {
    "straight two": ("..X#", "XXX#", "####"),
    "straight three": ("...X#", "XXXX#", "#####"),
    "straight four": ("....X#", "XXXXX#", "######"),
    "bent three in the corner": ("..X#", ".XX#", "XX##", "####"),
    "square four in an L of stones": ("..X#", "..X#", "XXX#", "####"),
    "bent four on the side": ("#X...X#", "#XXX.X#", "###XXX#", "#######"),
    "pyramid four": ("#X...X#", "#XX.XX#", "##XXX##", "#######"),
    "bulky five": ("#X..X##", "#X...X#", "#XXXXX#", "#######"),
    "rabbity six": ("#XXXX##", "#X..XX#", "#X...X#", "#XX.XX#", "##XXX##"),
    "two by three on the side": ("#X...X#", "#X...X#", "#XXXXX#", "#######"),
    "two eyes": (".X.X#", "XXXX#", "#####"),
    "one eye and a false one": (".X.#", "XX#X", "##X.", "###X"),
    "an outside liberty": ("...X.#", "XXXX##", "######"),
    "two stones of the attacker's inside": (".OO.X#", "XXXXX#", "######"),
    "three stones of the attacker's inside": (".OOO.X#", "XXXXXX#", "#######"),
}
ALIVE = {
    *("straight four", "bent four on the side", "two by three on the side", "two eyes"),
    "three stones of the attacker's inside",
}
DEAD = {
    "straight two",
    "square four in an L of stones",
    "one eye and a false one",
    "two stones of the attacker's inside",
}


def read(rows: tuple[str, ...]) -> tuple[Board, Mask, Mask, Mask]:
    """Return a board, the region that is not `#`, the attacker's stones O and the defender's X."""
    board, text = board_of(len(rows[0]), len(rows)), "".join(rows)
    masks = (sum(1 << at for at, char in enumerate(text) if char in chars) for chars in (".XO", "O", "X"))
    return board, *masks


def proofs(rows: tuple[str, ...]) -> set[Goal]:
    """Return what is proved of the first chain."""
    board, region, attacker, defender = read(rows)
    chain = board.flood(defender & -defender, defender)
    return {goal for goal in ENDS if is_proved(board, region, attacker, defender, [chain], goal)}


@pytest.mark.parametrize("shape", SHAPES)
def test_known_shapes_are_alive_dead_or_depend_on_who_begins(shape: str) -> None:
    expected = {Goal.ALIVE} if shape in ALIVE else {Goal.DEAD} if shape in DEAD else set()
    assert proofs(SHAPES[shape]) == expected


@pytest.mark.parametrize("place", eye_spaces.PLACES)
def test_all_that_holds_of_small_eye_spaces_is_proved(place: str) -> None:
    spaces = [one for points in range(1, 5) for one in eye_spaces.eye_spaces(place, points)]
    assert len(spaces) > 8
    assert all(eye_spaces.proofs(one) == eye_spaces.Solver(one).claims() for one in spaces)


def test_what_is_captured_need_not_be_dead() -> None:
    """The attacker can take the stone at C3, and the defender then takes the attacker's two back."""
    board, region, attacker, defender = read(("#XXX##", "XOXOX#", "X.OX##", "#XX###"))
    stone = board.mask(["C3"])
    chain = next(chain for chain in split_parts(board, defender) if chain & stone)
    assert not is_proved(board, region, attacker, defender, [chain], Goal.DEAD)


def test_two_chains_that_each_live_need_not_live_together() -> None:
    """A stone of the attacker's in the middle takes an eye from both, and the defender can save either."""
    board, region, attacker, defender = read(("...X...X...X#", "XXXXX#XXXXXX#", "#############"))
    chains = split_parts(board, defender)
    alone = [is_proved(board, region, attacker, defender, [chain], Goal.ALIVE) for chain in chains]
    assert alone == [True, True]
    assert not is_proved(board, region, attacker, defender, chains, Goal.ALIVE)


def test_the_budget_bounds_the_search_and_the_answer_is_the_same_each_time() -> None:
    board, region, attacker, defender = read(SHAPES["two by three on the side"])
    results = [is_proved(board, region, attacker, defender, [defender], Goal.ALIVE, nodes) for nodes in (1, 2500, 2500)]
    assert results == [False, True, True]


def test_a_region_with_many_empty_points_is_not_searched() -> None:
    board = board_of(6, 4)
    chain = board.mask(["A1"])
    assert not is_proved(board, board.full, 0, chain, [chain], Goal.DEAD)


# The solver that knows no shape: the game played backwards from every position in which the chain is gone.

Cells = tuple[str, ...]
Node = tuple[Cells, bool]
EACH = 30
"""Positions of each region."""
REGIONS = [
    pytest.param(("...#", "...#", "####"), id="six points in a corner"),
    pytest.param(("#....#", "##...#", "######"), id="seven points on the side", marks=pytest.mark.slow),
    pytest.param(("##.###", "#....#", "##..##", "######"), id="seven points in the open", marks=pytest.mark.long),
    pytest.param(("....#", "....#", "#####"), id="eight points in a corner", marks=pytest.mark.long),
    pytest.param(("...#", "...#", "...#", "####"), id="nine points in a corner", marks=pytest.mark.long),
]


@pytest.mark.parametrize("rows", REGIONS)
def test_no_proof_is_contradicted_by_the_solver(rows: tuple[str, ...]) -> None:
    wrong, proved, true_claims = compare(rows, EACH)
    assert not wrong and proved > EACH // 4 and 2 * proved > true_claims


def compare(rows: tuple[str, ...], many: int) -> tuple[list[object], int, int]:
    """Return the proofs that the solver contradicts, how many claims are proved, and how many hold by the solver.

    "Captured" must be right both ways, as far as it is proved; "dead" means captured at least; "alive" never captured.
    """
    solver, rng = Solver(rows), random.Random(len("".join(rows)))
    wrong, proved, true_claims = list[object](), 0, 0
    for _ in range(many):
        cells = solver.random_cells(rng)
        board, region, attacker, defender = read(solver.drawn(cells))
        chain = rng.choice(split_parts(board, defender))
        point = solver.points.index(divmod((chain & -chain).bit_length() - 1, board.cols))
        alive = (cells, True) not in solver.captures(point, Goal.ALIVE)
        captured = (cells, False) in solver.captures(point, Goal.CAPTURED)
        true_claims += alive + captured
        for goal, holds in ((Goal.ALIVE, alive), (Goal.DEAD, captured), (Goal.CAPTURED, captured)):
            if is_proved(board, region, attacker, defender, [chain], goal):
                proved += goal is not Goal.DEAD
                if not holds:
                    wrong.append((solver.drawn(cells), board.names(chain), goal))
    return wrong, proved, true_claims


class Solver:
    """All positions of a region, from which those are found in which the attacker can capture what is on a point."""

    def __init__(self, rows: tuple[str, ...]) -> None:
        self.rows = rows
        self.points = [(y, x) for y, row in enumerate(rows) for x, char in enumerate(row) if char != "#"]
        place = {point: index for index, point in enumerate(self.points)}
        around = [[(y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)] for y, x in self.points]
        self.near = [[place[point] for point in near if point in place] for near in around]
        inside = [[(y, x) for y, x in near if 0 <= y < len(rows) and 0 <= x < len(rows[0])] for near in around]
        self.walled = [any(point not in place for point in near) for near in inside]
        self.captures = cache(self._captures)

    def drawn(self, cells: Cells) -> tuple[str, ...]:
        """Return the rows with these stones."""
        lines = [list(row) for row in self.rows]
        for (y, x), cell in zip(self.points, cells, strict=True):
            lines[y][x] = cell
        return tuple(map("".join, lines))

    def random_cells(self, rng: random.Random) -> Cells:
        """Return stones that all have a liberty, some of them the defender's."""
        while True:
            cells = tuple(rng.choices(".XO", (4, 5, 2), k=len(self.points)))
            if "X" in cells and all(self.free(cells, at) for at, cell in enumerate(cells) if cell != "."):
                return cells

    def chain(self, cells: Cells, at: int) -> set[int]:
        """Return the chain of the stone on a point."""
        members, left = {at}, [at]
        while left:
            new = [near for near in self.near[left.pop()] if cells[near] == cells[at] and near not in members]
            members.update(new)
            left += new
        return members

    def free(self, cells: Cells, at: int) -> bool:
        """Return True if a chain has a liberty, or is the attacker's and connected to those outside."""
        chain = self.chain(cells, at)
        if cells[at] == "O" and any(self.walled[point] for point in chain):
            return True
        return any(cells[near] == "." for point in chain for near in self.near[point])

    def moves(self, node: Node, prover_attacks: bool) -> Iterator[Node]:
        """Yield the positions after each move and a pass; who proves may not take a ko, nor take own stones away."""
        cells, attacks = node
        own, other, proves = ("O", "X", prover_attacks) if attacks else ("X", "O", not prover_attacks)
        yield cells, not attacks
        for at in range(len(cells)):
            if cells[at] != ".":
                continue
            after = list(cells)
            after[at] = own
            captured_points = set[int]()
            for near in self.near[at]:
                if after[near] == other and not self.free(tuple(after), near):
                    captured_points |= self.chain(tuple(after), near)
            for point in captured_points:
                after[point] = "."
            own_points = set() if self.free(tuple(after), at) else self.chain(tuple(after), at)
            for point in own_points:
                after[point] = "."
            touches = (own == "O" and self.walled[at]) or any(after[near] == own for near in self.near[at])
            ko = (
                len(captured_points) == 1
                and not touches
                and [n for n in self.near[at] if after[n] == "."] == list(captured_points)
            )
            if len(own_points) != 1 and not (proves and (own_points or ko)):
                yield tuple(after), not attacks

    def _captures(self, point: int, goal: Goal) -> set[Node]:
        """Return the positions from which the attacker can take the stone on a point away."""
        nodes = [(cells, attacks) for cells in product(".XO", repeat=len(self.points)) for attacks in (True, False)]
        won = {node for node in nodes if node[0][point] != "X"}
        before: dict[Node, list[Node]] = {}
        left: dict[Node, int] = {}
        for node in nodes:
            if node not in won:
                after = set(self.moves(node, goal is not Goal.ALIVE))
                left[node] = 1 if node[1] else len(after)
                for then in after:
                    before.setdefault(then, []).append(node)
        waiting = list(won)
        while waiting:
            for node in before.get(waiting.pop(), ()):
                left[node] -= 1
                if left[node] == 0:
                    won.add(node)
                    waiting.append(node)
        return won


def test_searches_share_a_budget() -> None:
    """Each costs what it expands, and one more; with nothing left nothing is proved."""
    board, region, attacker, defender = read(SHAPES["two by three on the side"])
    chain, budget = board.flood(defender & -defender, defender), Budget(MOST_NODES)
    assert is_proved(board, region, attacker, defender, [chain], Goal.ALIVE, budget=budget)
    spent = MOST_NODES - budget.nodes
    assert spent > 1
    budget.nodes = spent - 1
    assert not is_proved(board, region, attacker, defender, [chain], Goal.ALIVE, budget=budget)
    assert budget.nodes == 0
    assert not is_proved(board, region, attacker, defender, [chain], Goal.ALIVE, budget=budget)
