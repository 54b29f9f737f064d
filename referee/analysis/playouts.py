"""Random games to the end, all at once: how often each point ends as a player's.

Theory of operation. Some hundreds of games are played side by side. Each has a lane of its own in two long integers,
one for each colour's stones, and one operation on these integers is an operation on every game. A lane has a row and a
column more than the board, always empty, so that a shift moves no stone into another row or lane; a bit above the
board, the lane's flag, takes the carries of what is added.

In each half-move every game puts one stone of the same player: on a random empty point that is no eye of the player's
own. A stone that would have no liberty is taken back, and its point is barred in that game until its player has placed
a stone elsewhere. So is a stone that puts a chain of its own player into atari, unless it captures or is alone:
groups that share their last liberties (seki) are left alone. No stone takes back a single stone at once (ko). Chains
in atari, and others with few liberties, are mostly saved or taken at once: the empty points are split in two at random,
and a chain that has liberties in both has more than one. All games are stopped once few of them have a point left.

Everything is seeded: the same position gives the same figures, on every machine.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cached_property, lru_cache

from referee.analysis.benson import split_parts
from referee.game.board import Board, Mask

GAMES = 128
"""The number of games of an estimate."""
STEPS_OF_INVASION, LEAST_DEEP_AREA = 3, 7
"""How far from the other's stones an area begins that is left alone, and its least size."""
SPLITS = 16
"""The number of ways in which the board's points are split at random."""
URGENCY = 230
"""Of 256 times, how often a point is chosen that saves a chain with few liberties or takes its last."""
MOST_HALF_MOVES = 1.5
"""Half-moves for each point of the board, after which all games are stopped."""
LEAST_ACTIVE = 1 / 16
"""The share of games in which a stone was placed, below which all are stopped: what is left is ko and throw-ins."""


@dataclass(frozen=True)
class Lanes:
    """The layout of many games in one integer.

    Attributes:
        board: the board of each game.
        games: their number, a power of two.
    """

    board: Board
    games: int

    @cached_property
    def width(self) -> int:
        """Return the bits of a row: one more than the board has columns."""
        return self.board.cols + 1

    @cached_property
    def stride(self) -> int:
        """Return the bits of a lane, whole bytes: the board's rows, an empty one, and the flag."""
        return -(-(self.width * (self.board.rows + 1) + 1) // 8) * 8

    @cached_property
    def ones(self) -> int:
        """Return the lowest bit of each lane."""
        return self.spread_lane(1)

    @cached_property
    def flags(self) -> int:
        """Return the flag of each lane."""
        return self.ones << (self.stride - 1)

    @cached_property
    def full(self) -> int:
        """Return all points of all boards."""
        return self.spread_lane(self.widen_mask(self.board.full))

    def widen_mask(self, mask: Mask) -> int:
        """Return a board's points in one lane."""
        cols, row = self.board.cols, (1 << self.board.cols) - 1
        return sum((mask >> (y * cols) & row) << (y * self.width) for y in range(self.board.rows))

    def narrow_lane(self, lane: int) -> Mask:
        """Return one lane's points as the board's."""
        cols, row = self.board.cols, (1 << self.board.cols) - 1
        return sum((lane >> (y * self.width) & row) << (y * cols) for y in range(self.board.rows))

    def spread_lane(self, lane: int) -> int:
        """Return a lane's bits in every lane."""
        count = 1
        while count < self.games:
            lane |= lane << (count * self.stride)
            count *= 2
        return lane

    def adjacent_to(self, mask: int) -> int:
        """Return the points next to any of these."""
        return (mask << 1 | mask >> 1 | mask << self.width | mask >> self.width) & self.full

    def flood_from(self, seed: int, within: int) -> int:
        """Return the points of `within` connected to the seed."""
        width, grown = self.width, seed & within
        while True:
            wider = (grown | grown << 1 | grown >> 1 | grown << width | grown >> width) & within
            if wider == grown:
                return grown
            grown = wider

    def fill_set_lanes(self, mask: int) -> int:
        """Return all bits below the flag of each lane in which a bit of the mask is set."""
        set_flags = (mask + (self.flags - self.ones)) & self.flags
        return set_flags - (set_flags >> (self.stride - 1))

    def fill_single_lanes(self, mask: int) -> int:
        """Return all bits below the flag of each lane in which one bit of the mask is set, or none."""
        more = mask & ((mask | self.flags) - self.ones) & ~self.flags
        return ~self.fill_set_lanes(more) & (self.flags - self.ones)

    def count_by_point(self, mask: int) -> list[int]:
        """Return for each point of the board in how many games its bit is set."""
        planes, games = [mask], self.games
        while games > 1:
            games //= 2
            low = (1 << (games * self.stride)) - 1
            planes = _sum_planes(
                [plane & low for plane in planes], [plane >> (games * self.stride) for plane in planes]
            )
        narrow = [self.narrow_lane(plane) for plane in planes]
        return [
            sum((plane >> point & 1) << weight for weight, plane in enumerate(narrow))
            for point in range(self.board.points)
        ]


def _sum_planes(first: list[int], second: list[int]) -> list[int]:
    """Return the sums of numbers whose bits lie in planes, the lowest first."""
    carry, planes = 0, []
    for one, other in zip(first, second, strict=True):
        planes.append(one ^ other ^ carry)
        carry = one & other | carry & (one ^ other)
    return [*planes, carry]


@lru_cache(maxsize=4)
def lanes_of(board: Board, games: int) -> Lanes:
    """Return the layout of so many games on a board."""
    return Lanes(board, games)


class _Games:
    """Games that are played side by side."""

    def __init__(self, lanes: Lanes, stones: tuple[Mask, Mask], deep: tuple[Mask, Mask], seed: int) -> None:
        self.lanes = lanes
        self.stones = [lanes.spread_lane(lanes.widen_mask(mask)) for mask in stones]
        self._deep = [lanes.spread_lane(lanes.widen_mask(mask)) for mask in deep]
        self._barred = [0, 0]
        self._ko = self._urgent = 0
        self._random = random.Random(seed)
        halves = (self._random.getrandbits(lanes.board.points) for _ in range(SPLITS))
        self._parts = [lanes.spread_lane(lanes.widen_mask(half)) for half in halves]

    def play(self, first: int) -> None:
        """Play all games to the end; the player with this index begins."""
        before, least = self.lanes.games, self.lanes.games * LEAST_ACTIVE
        for number in range(round(MOST_HALF_MOVES * self.lanes.board.points)):
            active = self._half_move((first + number) % 2)
            if active + before <= least:
                return
            before = active

    def _half_move(self, player: int) -> int:
        """Put a stone in each game if there is a point for it; return in how many games it stayed."""
        lanes = self.lanes
        own, other = self.stones[player], self.stones[1 - player]
        empty = lanes.full & ~(own | other)
        closed = self._deep[1 - player] | self._deep[player] & ~lanes.adjacent_to(other)
        free = empty & ~(self._barred[player] | closed | self._ko)
        placed = self._pick_points(free & ~self._find_eyes(own, empty), free & self._urgent)
        self._urgent = 0
        if not placed:
            self._ko = 0
            return 0
        own |= placed
        empty ^= placed
        captured, weak = self._find_weak_chains(placed, other, empty)
        empty |= captured
        chain = lanes.flood_from(placed, own)
        liberties = lanes.adjacent_to(chain) & empty
        refused = lanes.fill_single_lanes(liberties)
        # A lone stone may be thrown in, and a capture is worth an atari; a stone without a liberty never stays.
        none = ~lanes.fill_set_lanes(liberties) & (lanes.flags - lanes.ones)
        refused &= none | (lanes.fill_set_lanes(chain & ~placed) & ~lanes.fill_set_lanes(captured))
        stones = placed & ~refused
        captured &= ~refused
        self.stones[player] = own & ~(placed & refused)
        self.stones[1 - player] = other & ~captured
        self._barred[player] = self._barred[player] & ~lanes.fill_set_lanes(stones) | placed & refused
        self._barred[1 - player] &= ~lanes.fill_set_lanes(stones)
        self._ko = captured & lanes.fill_single_lanes(captured) & ~lanes.fill_set_lanes(chain & ~placed)
        self._urgent = (lanes.adjacent_to(weak) & empty | liberties & lanes.fill_single_lanes(liberties)) & ~refused
        return stones.bit_count()

    def _find_weak_chains(self, placed: int, other: int, empty: int) -> tuple[int, int]:
        """Return the other's chains next to a stone just placed: those without a liberty, and those with few.

        The empty points are split at random: a chain with liberties in both parts has two at least.
        """
        lanes = self.lanes
        near = lanes.flood_from(lanes.adjacent_to(placed) & other, other)
        part = self._parts[self._random.randrange(len(self._parts))] & empty
        first = lanes.flood_from(lanes.adjacent_to(part) & near, near)
        second = lanes.flood_from(lanes.adjacent_to(empty & ~part) & near, near)
        return near & ~(first | second), near & ~(first & second)

    def _find_eyes(self, own: int, empty: int) -> int:
        """Return the empty points that a player does not fill: with own stones on all sides and enough corners."""
        lanes = self.lanes
        width, full = lanes.width, lanes.full
        off_board = ~full
        ours = own | off_board
        sides = (ours << 1 | lanes.ones) & ours >> 1 & (ours << width | self._lowest_row) & ours >> width & empty
        if not sides:
            return 0
        foes = full & ~own & ~empty
        corners = [foes << (width + 1), foes << (width - 1), foes >> (width - 1), foes >> (width + 1)]
        one, two = 0, 0
        for corner in corners:
            two |= one & corner
            one |= corner
        edge = self._edge_points
        return sides & ~(two | one & edge)

    @cached_property
    def _lowest_row(self) -> int:
        return self.lanes.spread_lane((1 << self.lanes.width) - 1)

    @cached_property
    def _edge_points(self) -> int:
        board = self.lanes.board
        inner = board.full
        for neighbours in board.neighbours_of(board.full):
            inner &= neighbours
        return self.lanes.spread_lane(self.lanes.widen_mask(board.full & ~inner))

    def _pick_points(self, free: int, urgent: int) -> int:
        """Return a random point of each game's free ones, mostly of the urgent ones if there are any."""
        games, bits = self.lanes.games, self.lanes.stride
        size = bits // 8
        data, first = free.to_bytes(size * games, "little"), urgent.to_bytes(size * games, "little")
        words = self._random.getrandbits(24 * games).to_bytes(3 * games, "little")
        picks, from_bytes = [], int.from_bytes
        for game in range(games):
            offset = game * size
            lane = from_bytes(first[offset : offset + size], "little") if words[3 * game + 2] < URGENCY else 0
            if not lane:
                lane = from_bytes(data[offset : offset + size], "little")
            if lane & (lane - 1):
                shift = (words[3 * game] << 8 | words[3 * game + 1]) % bits
                turned = lane >> shift
                lane = (turned & -turned) << shift if turned else lane & -lane
            picks.append(lane.to_bytes(size, "little"))
        return from_bytes(b"".join(picks), "little")

    def final_areas(self) -> tuple[int, int]:
        """Return the points of each player at the end: stones, and empty points that only they reach."""
        black, white = self.stones
        empty = self.lanes.full & ~(black | white)
        by_black = self.lanes.flood_from(self.lanes.adjacent_to(black) & empty, empty)
        by_white = self.lanes.flood_from(self.lanes.adjacent_to(white) & empty, empty)
        return black | by_black & ~by_white, white | by_white & ~by_black


def estimate_ownership(board: Board, stones: tuple[Mask, Mask], games: int = GAMES, seed: int = 1) -> list[float]:
    """Return for each point how often it ends as Black's, less how often as White's: 1 to -1.

    Half of the games are begun by each player. Large areas that one player surrounds stay as they are (`deep_areas`).

    Args:
        board: the board.
        stones: Black's, White's.
        games: the number of games, a power of two.
        seed: the seed of the games.
    """
    lanes = lanes_of(board, games // 2)
    deep = deep_areas(board, *stones), deep_areas(board, *stones[::-1])
    totals = [0] * board.points
    for first in (0, 1):
        batch = _Games(lanes, stones, deep, seed + first)
        batch.play(first)
        black, white = (lanes.count_by_point(mask) for mask in batch.final_areas())
        totals = [total + ours - theirs for total, ours, theirs in zip(totals, black, white, strict=True)]
    return [total / (2 * lanes.games) for total in totals]


def deep_areas(board: Board, own: Mask, other: Mask) -> Mask:
    """Return the large empty areas that only a player's own stones border, three steps from the other's.

    No dead eye shape has more than six points, so who holds seven and more has two eyes there, unless the other
    invades: play has ended, so the other does not.
    """
    empty = board.full & ~(own | other)
    near = other
    for _ in range(STEPS_OF_INVASION):
        near |= board.adjacent_to(near) & empty
    areas = (area for area in split_parts(board, empty & ~near) if area.bit_count() >= LEAST_DEEP_AREA)
    return sum(area for area in areas if board.adjacent_to(area) & own)
