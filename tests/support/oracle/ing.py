"""Ing's kos a second time, slowly: sets of coordinates, and the procedure of docs/rules/ing.md taken step by step.

It shares no code with the referee. A board is a dict from (column, row), counted from the top left, to "B" or "W".
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import count, pairwise, product

Coordinate = tuple[int, int]
Stones = dict[Coordinate, str]
OTHER = {"B": "W", "W": "B"}
ELSEWHERE = (-1, -1)


@dataclass(frozen=True)
class Ko:
    point: Coordinate
    stone: Coordinate
    holder: str


@dataclass
class Kin:
    """A complex: kos and long-life points between a black and a white group."""

    kos: list[Ko]
    lives: set[Coordinate]
    liberties: dict[str, int]
    others: dict[str, int]

    def points(self) -> set[Coordinate]:
        return {p for ko in self.kos for p in (ko.point, ko.stone)} | self.lives

    def balanced(self) -> bool:
        total = sum(self.liberties.values())
        few = all(self.others[colour] <= 1 for colour in "BW")
        return not self.lives and len(self.kos) >= 2 and few and total % 2 == 0 and total >= 4

    def fighting(self) -> bool:
        if self.lives:
            return True
        return not self.balanced() and len(self.kos) >= 3 and not all(self.others[c] >= 2 for c in "BW")


@dataclass
class Table:
    """The lines of a board and what stones do on them."""

    cols: int
    rows: int

    def points(self) -> list[Coordinate]:
        return [(x, y) for y in range(self.rows) for x in range(self.cols)]

    def beside(self, point: Coordinate) -> list[Coordinate]:
        return beside(self.cols, self.rows)[point]

    def connected(self, stones: Stones, start: Coordinate) -> set[Coordinate]:
        """All points of the same content that hang together with this one: a chain, or an empty region."""
        chain, waiting = {start}, [start]
        while waiting:
            for point in self.beside(waiting.pop()):
                if point not in chain and stones.get(point) == stones.get(start):
                    chain.add(point)
                    waiting.append(point)
        return chain

    def liberties(self, stones: Stones, chain: set[Coordinate]) -> set[Coordinate]:
        return {p for stone in chain for p in self.beside(stone) if p not in stones}

    def placed(self, stones: Stones, player: str, point: Coordinate) -> tuple[Stones, set[Coordinate], int]:
        """The board after a placement, the opponent's stones it took, and how many of its own."""
        after = {**stones, point: player}
        captured_points: set[Coordinate] = set()
        for near in self.beside(point):
            if after.get(near) == OTHER[player]:
                chain = self.connected(after, near)
                captured_points |= set() if self.liberties(after, chain) else chain
        after = {p: colour for p, colour in after.items() if p not in captured_points}
        own = self.connected(after, point)
        if self.liberties(after, own):
            return after, captured_points, 0
        return {p: colour for p, colour in after.items() if p not in own}, captured_points, len(own)

    # Step 1

    def kos(self, stones: Stones) -> list[Ko]:
        kos = []
        for point in self.points():
            colours = {stones.get(p) for p in self.beside(point)}
            if point in stones or len(colours) != 1 or None in colours:
                continue
            lone = [
                p
                for p in self.beside(point)
                if len(self.connected(stones, p)) == 1 and self.liberties(stones, {p}) == {point}
            ]
            if len(lone) == 1:
                kos.append(Ko(point, lone[0], stones[lone[0]]))
        return kos

    # Step 5

    def lives(self, stones: Stones) -> list[set[Coordinate]]:
        """The points of every way of four turns that leads back here and on which a chain of two is taken."""
        found: list[set[Coordinate]] = []
        for player in "BW":
            for boards, twos in self.ways(stones, player, [stones], 0):
                changed = {p for board in boards for p in self.points() if board.get(p) != stones.get(p)}
                if twos and len(changed) <= 7 and changed not in found:
                    found.append(changed)
        return found

    def ways(self, goal: Stones, player: str, boards: list[Stones], twos: int) -> Iterator[tuple[list[Stones], int]]:
        """Four turns in turn from the first board back to it, and how many of them take a chain of two.

        Four stones are put and so four are taken; nothing else needs to be tried than what can still take them: a stone
        that does not stand at the end is taken by then, so its chain has two stones at most and no more liberties than
        there are turns left.
        """
        here, left = boards[-1], 5 - len(boards)
        if not left and here == goal:
            yield boards, twos
        for point in self.points() if left else ():
            stays = goal.get(point) == player
            if point in here or (left == 1 and not stays) or (len(boards) > 1 and self.far(point, boards)):
                continue
            after, captured_points, own = self.placed(here, player, point)
            surplus = len(after) - len(goal)
            if own or len(captured_points) > 2 or surplus > 2 or surplus < 1 - left:
                continue
            chain = self.connected(after, point)
            if not stays and (len(chain) > 2 or len(self.liberties(after, chain)) >= left):
                continue
            two = len(captured_points) == 2 and len(self.connected(here, min(captured_points))) == 2
            two = two and len(self.connected(after, point)) <= 2
            yield from self.ways(goal, OTHER[player], [*boards, after], twos + two)

    def far(self, point: Coordinate, boards: list[Stones]) -> bool:
        """Return True if a point is so far from the first that was played that no shape of seven points holds both."""
        first = next(p for p in boards[1] if boards[0].get(p) != boards[1][p])
        return abs(point[0] - first[0]) + abs(point[1] - first[1]) > 3

    # Steps 3 and 4

    def complexes(self, stones: Stones) -> list[Kin]:
        kos, lives = self.kos(stones), self.lives(stones)
        ties: list[set[Coordinate]] = []
        for ko in kos:
            around = {p for q in (ko.point, ko.stone) for p in self.beside(q)} - {ko.point, ko.stone}
            ties.append(self.chains(stones, around))
        for life in lives:
            ties.append(self.chains(stones, {p for q in life for p in self.beside(q)} - life))
        groups = {colour: self.groups(stones, ties, colour) for colour in "BW"}
        pairs: dict[tuple[int, int], tuple[list[Ko], set[Coordinate]]] = {}
        for tie, what in zip(ties, [*kos, *lives], strict=True):
            black, white = (self.group_of(groups[colour], stones, tie, colour) for colour in "BW")
            pair = pairs.setdefault((black, white), ([], set()))
            if isinstance(what, Ko):
                pair[0].append(what)
            else:
                pair[1].update(what)
        return [self.kin(stones, groups, pair, *found, kos) for pair, found in pairs.items()]

    def chains(self, stones: Stones, around: set[Coordinate]) -> set[Coordinate]:
        return {p for stone in around if stone in stones for p in self.connected(stones, stone)}

    def groups(self, stones: Stones, ties: list[set[Coordinate]], colour: str) -> list[set[Coordinate]]:
        groups: list[set[Coordinate]] = []
        for tie in ties:
            mine = {p for p in tie if stones[p] == colour}
            touching = [group for group in groups if group & mine]
            groups = [group for group in groups if not group & mine]
            groups.append(mine.union(*touching))
        return groups

    def group_of(self, groups: list[set[Coordinate]], stones: Stones, tie: set[Coordinate], colour: str) -> int:
        mine = {p for p in tie if stones[p] == colour}
        return next((number for number, group in zip(count(), groups) if group & mine), -1)

    def kin(
        self,
        stones: Stones,
        groups: dict[str, list[set[Coordinate]]],
        pair: tuple[int, int],
        kos: list[Ko],
        lives: set[Coordinate],
        all_kos: list[Ko],
    ) -> Kin:
        of = {c: groups[c][number] if number >= 0 else set() for c, number in zip("BW", pair, strict=True)}
        members = of["B"] | of["W"] | {ko.stone for ko in kos}
        kin = Kin(kos, lives, {"B": 0, "W": 0}, {"B": 0, "W": 0})
        for ko in kos:
            kin.liberties[ko.holder] += 1
        for region in self.regions(stones):
            if any(region == {ko.point} for ko in all_kos):
                continue
            border = {p for q in region for p in self.beside(q)} - region
            for colour in "BW":
                if border & of[colour]:
                    kin.liberties[colour] += border <= members
                    kin.others[colour] += 2 if len(region) >= 7 else 1
        return kin

    def regions(self, stones: Stones) -> list[set[Coordinate]]:
        regions: list[set[Coordinate]] = []
        for point in self.points():
            if point not in stones and not any(point in region for region in regions):
                regions.append(self.connected(stones, point))
        return regions


@cache
def beside(cols: int, rows: int) -> dict[Coordinate, list[Coordinate]]:
    """The neighbours of each point."""
    neighbours = {}
    for x, y in product(range(cols), range(rows)):
        around = [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
        neighbours[x, y] = [(a, b) for a, b in around if 0 <= a < cols and 0 <= b < rows]
    return neighbours


@dataclass
class SlowIng:
    """A game.

    turns: who, where, and how many of the other's it took. None: a pass, or one stone's self-capture where that is one;
    ELSEWHERE: neither a pass nor a placement.
    """

    table: Table
    stones: Stones
    player: str
    boards: list[Stones] = field(default_factory=list)
    turns: list[tuple[str, Coordinate | None, int]] = field(default_factory=list)
    disturbed: list[tuple[str, set[Coordinate], int]] = field(default_factory=list)
    cycles: list[tuple[str, Coordinate, Stones, set[Coordinate]]] = field(default_factory=list)
    kins: dict[int, list[Kin]] = field(default_factory=dict)
    single_is_pass: bool = True

    def __post_init__(self) -> None:
        self.boards = [self.stones]

    def refuses(self, point: Coordinate) -> str | None:
        """The reason, for an empty point."""
        after, captured_points, own = self.table.placed(self.stones, self.player, point)
        if own == 1 and not captured_points and self.single_is_pass:
            return None
        if captured_points and len(self.boards) > 1 and after == self.boards[-2]:
            return "ko"
        kin, single = self.captured_in(point, captured_points)
        if kin is not None and kin.fighting() and self.opponent_captured(kin.points()):
            return "hot-stone"
        if kin is not None and single and self.is_disturbance(kin) and self.disturbed_before(kin):
            return "disturbing"
        return "cycle" if self.begins_again(point, captured_points) else None

    def captured_in(self, point: Coordinate, captured_points: set[Coordinate]) -> tuple[Kin | None, bool]:
        """The complex in which a single ko stone, or the double stones, are taken."""
        if not captured_points or len(captured_points) > 2:
            return None, False
        for kin in self.complexes():
            if any({ko.stone} == captured_points and ko.point == point for ko in kin.kos):
                return kin, True
            if (
                len(captured_points) == 2
                and captured_points <= kin.lives
                and len(self.table.connected(self.stones, min(captured_points))) == 2
            ):
                return kin, False
        return None, False

    def complexes(self) -> list[Kin]:
        number = len(self.turns)
        if number not in self.kins:
            self.kins = {number: self.table.complexes(self.stones)}
        return self.kins[number]

    # Step 10

    def opponent_captured(self, points: set[Coordinate]) -> bool:
        for player, point, capture_count in reversed(self.turns):
            if point is None or point not in points:
                return False
            if player != self.player and capture_count:
                return True
        return False

    # Steps 7 and 8

    def is_disturbance(self, kin: Kin) -> bool:
        return kin.balanced() and kin.liberties["B"] == kin.liberties["W"]

    def disturbed_before(self, kin: Kin) -> bool:
        return any(player == self.player and points & kin.points() for player, points, _ in self.disturbed)

    # Steps 12 and 13

    def begins_again(self, point: Coordinate, captured_points: set[Coordinate]) -> bool:
        for player, first, board, changed in self.cycles:
            stands = all(self.stones.get(p) == board.get(p) for p in changed)
            if player == self.player and stands and captured_points <= changed and (point == first or captured_points):
                return True
        return False

    def close(self, after: Stones) -> None:
        """A placement has left this board: note whose cycle that closes, if it stood before."""
        numbers = [number for number, board in enumerate(self.boards) if board == after]
        if not numbers or after == self.stones:
            return
        since = numbers[-1]
        between = self.turns[since:]
        passes = any(a[1] is None and b[1] is None for a, b in pairwise(between))
        if passes or any(number > since for _, _, number in self.disturbed):
            return
        boards = [*self.boards[since:], after]
        changed = {p for one, other in pairwise(boards) for p in self.table.points() if one.get(p) != other.get(p)}
        player, first, _ = self.turns[since] if between else (self.player, None, 0)
        if first not in (None, ELSEWHERE):
            self.cycles.append((player, first, after, changed))

    # Turns

    def place(self, point: Coordinate) -> None:
        after, captured_points, own = self.table.placed(self.stones, self.player, point)
        if own == 1 and not captured_points and self.single_is_pass:
            self.pass_turn()
            return
        kin, single = self.captured_in(point, captured_points)
        if kin is not None and single and self.is_disturbance(kin):
            self.disturbed.append((self.player, kin.points(), len(self.turns) + 1))
        self.turns.append((self.player, point, len(captured_points)))
        self.close_after(after)

    def close_after(self, after: Stones) -> None:
        self.close(after)
        self.boards.append(after)
        self.stones, self.player = after, OTHER[self.player]

    def pass_turn(self) -> None:
        self.no_placement(None)

    def other_turn(self) -> None:
        """A turn that is neither a placement nor a pass."""
        self.no_placement(ELSEWHERE)

    def no_placement(self, point: Coordinate | None) -> None:
        self.turns.append((self.player, point, 0))
        self.boards.append(self.stones)
        self.player = OTHER[self.player]


# Positions full of kos for Ing's rules: known shapes, and strips of two to four kos side by side drawn by lot.

LONG_LIFE = ("..OOOOOO", "..OXXXXX", "OOXXOOOX", ".XO.X.O.")
LONG_LIFE_WITH_KO = ("..OOOOOOOO", "..OXXXXXXX", "OOXXOOO.XO", ".XO.XXOOO.")
SENDING_TWO = ("XXX..", "OOXXX", ".OOOX", "XO.OX", ".XXOX")
DOUBLE_KO = ("O.OOO", "OOOOO", "OXO.O", "X.XOX", "XXXXX", "OOOOO")
TWO_DOUBLE_KOS = (*DOUBLE_KO, "O.O.O", *reversed(DOUBLE_KO))
SHAPES = (LONG_LIFE, LONG_LIFE_WITH_KO, SENDING_TWO, TWO_DOUBLE_KOS)


def starts(rng: random.Random) -> tuple[str, ...]:
    """A known shape, or two to four kos side by side."""
    while True:
        rows = rng.choice(SHAPES) if rng.random() < 0.4 else strip(rng)
        if valid(rows):
            return rows


def strip(rng: random.Random) -> tuple[str, ...]:
    """White above, Black below, and between them kos that either holds; eyes and outsides by chance."""
    kos = [rng.choice("BW") for _ in range(rng.randint(2, 4))]
    above, below = "O", "X"
    for holder in kos:
        above += ("X" if holder == "B" else ".") + "O"
        below += ("." if holder == "B" else "O") + "X"
    return (*backing("O", len(above), rng), above, below, *reversed(backing("X", len(above), rng)))


def backing(colour: str, width: int, rng: random.Random) -> list[str]:
    """Draw what lies behind one side of a strip, from the edge: perhaps an eye, a wall of the other's, open points."""
    other = "X" if colour == "O" else "O"
    solid, eye = colour * width, colour + "." + colour * (width - 2)
    inner = rng.choice([[solid], [solid, eye, solid], [eye, solid]])
    outer = rng.choice([[], [], ["." + other * (width - 1)], ["." * width]])
    return [*outer, *inner]


def valid(rows: tuple[str, ...]) -> bool:
    table = Table(len(rows[0]), len(rows))
    stones = slow(rows, "B").stones
    return all(table.liberties(stones, table.connected(stones, p)) for p in stones)


def slow(rows: tuple[str, ...], player: str) -> SlowIng:
    named = {"X": "B", "O": "W"}
    stones = {(x, y): named[s] for y, row in enumerate(rows) for x, s in enumerate(row) if s != "."}
    return SlowIng(Table(len(rows[0]), len(rows)), stones, player)
