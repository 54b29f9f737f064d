"""Boards and positions as Python integers: bit `row * cols + col`, row 0 the highest, column 0 the A line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from typing import NamedTuple

from referee.errors import BadPoint

COLUMN_LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
LARGEST_SIDE = 25

Point = int
"""An intersection, counted along the rows from the top left: row * cols + col."""

Mask = int
"""A set of intersections: bit p is set for point p."""


class Colour(StrEnum):
    """The colours a player can have, in the order of play."""

    BLACK = "B"
    WHITE = "W"
    RED = "R"
    GREEN = "G"
    YELLOW = "Y"
    VIOLET = "V"


COLOURS = tuple(Colour)


def opponent_of(colour: Colour) -> Colour:
    """The other colour of a game of two players."""
    return Colour.WHITE if colour is Colour.BLACK else Colour.BLACK


@dataclass(frozen=True)
class Board:
    """The lines of a board, 1x1 to 25x25, and the geometry of its points. Use `board_of`, which keeps one of each."""

    cols: int
    rows: int
    full: Mask = field(init=False, repr=False, compare=False)
    _not_first: Mask = field(init=False, repr=False, compare=False)
    _not_last: Mask = field(init=False, repr=False, compare=False)
    _around: tuple[Mask, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        first = sum(1 << (row * self.cols) for row in range(self.rows))
        full = (1 << (self.cols * self.rows)) - 1
        object.__setattr__(self, "full", full)
        object.__setattr__(self, "_not_first", full & ~first)
        object.__setattr__(self, "_not_last", full & ~(first << (self.cols - 1)))
        points = range(self.cols * self.rows)
        object.__setattr__(self, "_around", tuple(self.beside(1 << point) for point in points))

    def beside(self, mask: Mask) -> Mask:
        """The points next to any point of the mask along the lines (points of the mask may be among them)."""
        sideways = ((mask & self._not_last) << 1) | ((mask & self._not_first) >> 1)
        return (sideways | (mask << self.cols) | (mask >> self.cols)) & self.full

    def shifted(self, mask: Mask) -> tuple[Mask, Mask, Mask, Mask]:
        """The mask moved by a point in each of the four directions, without what leaves the board."""
        right, left = (mask & self._not_last) << 1, (mask & self._not_first) >> 1
        return right, left, (mask << self.cols) & self.full, mask >> self.cols

    def flood(self, seed: Mask, within: Mask) -> Mask:
        """All points of `within` connected along the lines, inside `within`, to the seed."""
        grown = seed & within
        while True:
            wider = (grown | self.beside(grown)) & within
            if wider == grown:
                return grown
            grown = wider

    def enclosed(self, seed: Mask, within: Mask, empty: Mask) -> Mask:
        """The chain of `within` that the seed belongs to when it touches no empty point, else 0."""
        grown = seed
        while True:
            near = self.beside(grown)
            if near & empty:
                return 0
            wider = grown | (near & within)
            if wider == grown:
                return grown
            grown = wider

    def enclosed_beside(self, around: Mask, within: Mask, empty: Mask) -> Mask:
        """Those chains of `within` that have a stone in `around` and touch no empty point."""
        found, left = 0, around & within
        while left:
            seed = left & -left
            found |= self.enclosed(seed, within, empty)
            left &= ~(found | seed)
        return found

    def around(self, point: Point) -> Mask:
        """The neighbours of a point."""
        return self._around[point]

    def name(self, point: Point) -> str:
        """The point's name as in GTP: column letter without I, rows from 1 at the bottom."""
        row, col = divmod(point, self.cols)
        return f"{COLUMN_LETTERS[col]}{self.rows - row}"

    def point(self, name: str) -> Point:
        """The point of that name; raises BadPoint for a name that is none or lies off the board."""
        letter, digits = name[:1].upper(), name[1:]
        if letter and letter in COLUMN_LETTERS and digits.isascii() and digits.isdigit() and len(digits) <= 3:
            col, row = COLUMN_LETTERS.index(letter), self.rows - int(digits)
            if col < self.cols and 0 <= row < self.rows:
                return row * self.cols + col
        raise BadPoint(f"{name!r} is no point of a {self.cols}x{self.rows} board; name it like D4.")

    def names(self, mask: Mask) -> list[str]:
        """The names of the mask's points, from the top left."""
        return [self.name(point) for point in points_of(mask)]


@cache
def board_of(cols: int, rows: int | None = None) -> Board:
    """The board of that many columns and rows (square when rows are left out)."""
    return Board(cols, cols if rows is None else rows)


def points_of(mask: Mask) -> Iterator[Point]:
    """The points of a mask in ascending order."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


class Outcome(NamedTuple):
    """A position after a stone was placed and what it surrounded was removed.

    captured: stones of others that were removed. surrounded: the placed stone's own chain when it has no liberty even
    so (those stones still stand in `position`), else 0.
    """

    position: Position
    captured: Mask
    surrounded: Mask


@dataclass(frozen=True)
class Position:
    """Stones on a board: one mask a colour, in the order of `COLOURS`. Equal and hashed by its stones and board."""

    board: Board
    stones: tuple[Mask, ...]

    def __hash__(self) -> int:
        # One stone more may leave the lower bits of a tuple's hash as they were, never the upper ones too.
        whole = hash(self.stones)
        return whole ^ (whole >> 32)

    @property
    def occupied(self) -> Mask:
        """Every point that holds a stone."""
        taken = 0
        for mask in self.stones:
            taken |= mask
        return taken

    @property
    def empty(self) -> Mask:
        """Every empty point."""
        return self.board.full & ~self.occupied

    def of(self, colour: Colour) -> Mask:
        """The stones of one colour."""
        return self.stones[COLOURS.index(colour)]

    def colour_at(self, point: Point) -> Colour | None:
        """The colour of the stone on a point, None when it is empty."""
        bit = 1 << point
        return next((COLOURS[i] for i, mask in enumerate(self.stones) if mask & bit), None)

    def chain(self, point: Point) -> Mask:
        """The stones connected to the one on this point, 0 when it is empty."""
        colour = self.colour_at(point)
        return 0 if colour is None else self.board.flood(1 << point, self.of(colour))

    def liberties(self, stones: Mask) -> Mask:
        """The empty points beside these stones."""
        return self.board.beside(stones) & self.empty

    def put(self, colour: Colour, mask: Mask) -> Position:
        """The position with these (empty) points filled by that colour; nothing is captured."""
        return self._with(COLOURS.index(colour), self.of(colour) | mask)

    def without(self, mask: Mask) -> Position:
        """The position with whatever stands on these points removed."""
        return Position(self.board, tuple(stones & ~mask for stones in self.stones))

    def place(self, colour: Colour, point: Point) -> Outcome:
        """Put a stone on an empty point and remove the opponents' stones that this leaves without a liberty."""
        board, index = self.board, COLOURS.index(colour)
        bit, stones = 1 << point, list(self.stones)
        empty, around = self.empty & ~bit, board.around(point)
        captured = 0
        for other, theirs in enumerate(self.stones):
            if other != index and around & theirs:
                taken = board.enclosed_beside(around, theirs, empty)
                stones[other] = theirs & ~taken
                captured |= taken
        stones[index] |= bit
        free = empty | captured
        surrounded = 0 if around & free else board.enclosed(bit, stones[index], free)
        return Outcome(Position(board, tuple(stones)), captured, surrounded)

    def _with(self, index: int, mask: Mask) -> Position:
        return Position(self.board, (*self.stones[:index], mask, *self.stones[index + 1 :]))


def empty_position(board: Board, players: int = 2) -> Position:
    """A board without stones for that many players."""
    return Position(board, (0,) * players)
