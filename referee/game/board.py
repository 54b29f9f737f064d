"""Boards and positions as Python integers: bit `row * cols + col`, row 0 at the top, column 0 the A line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from typing import Final

from referee.game.errors import BadPoint

COLUMN_LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
LARGEST_SIDE = 25

Point = int
"""An intersection, counted along the rows from the top left: row * cols + col."""

Mask = int
"""A set of intersections: bit p is set for point p."""


class Colour(StrEnum):
    """The colours of the players, in the order of play."""

    BLACK = "B"
    WHITE = "W"
    RED = "R"
    GREEN = "G"
    YELLOW = "Y"
    VIOLET = "V"


COLOURS = tuple(Colour)
_INDEX = {colour: index for index, colour in enumerate(COLOURS)}


def name_key(player: Colour) -> str:
    """Return the field name under which programs send a player's name: black, white, red and so on."""
    return player.name.lower()


def opponent_of(colour: Colour) -> Colour:
    """Return the other colour in a game of two players."""
    return Colour.WHITE if colour is Colour.BLACK else Colour.BLACK


@dataclass(frozen=True)
class Board:
    """The lines of a board, 1x1 to 25x25, and the geometry of its points. Use `board_of`, which caches the boards."""

    cols: int
    rows: int
    points: int = field(init=False, repr=False, compare=False)
    full: Mask = field(init=False, repr=False, compare=False)
    _not_first: Mask = field(init=False, repr=False, compare=False)
    _not_last: Mask = field(init=False, repr=False, compare=False)
    _points: tuple[tuple[Mask, Mask, tuple[tuple[Mask, Mask], ...]], ...] = field(init=False, repr=False, compare=False)
    _names: tuple[str, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        first = sum(1 << (row * self.cols) for row in range(self.rows))
        full = (1 << (self.cols * self.rows)) - 1
        object.__setattr__(self, "points", self.cols * self.rows)
        object.__setattr__(self, "full", full)
        object.__setattr__(self, "_not_first", full & ~first)
        object.__setattr__(self, "_not_last", full & ~(first << (self.cols - 1)))
        points = range(self.points)
        adjacent = tuple(self.adjacent_to(1 << point) for point in points)
        neighbours = [tuple((1 << near, adjacent[near]) for near in points_of(mask)) for mask in adjacent]
        object.__setattr__(self, "_names", tuple(map(self.name, points)))
        # For each point: itself, the points around it, and its neighbours, each with the points around it.
        object.__setattr__(self, "_points", tuple((1 << p, adjacent[p], neighbours[p]) for p in points))

    def __reduce__(self) -> tuple[Callable[[int, int], Board], tuple[int, int]]:
        """Pickle by size, so that another process too has one board of each size."""
        return board_of, (self.cols, self.rows)

    def adjacent_to(self, mask: Mask) -> Mask:
        """Return the points adjacent to any point of the mask (points of the mask may be among them)."""
        sideways = ((mask & self._not_last) << 1) | ((mask & self._not_first) >> 1)
        return (sideways | (mask << self.cols) | (mask >> self.cols)) & self.full

    def neighbours_of(self, mask: Mask) -> tuple[Mask, Mask, Mask, Mask]:
        """Return the mask moved by one point in each of the four directions, without bits that leave the board."""
        right, left = (mask & self._not_last) << 1, (mask & self._not_first) >> 1
        return right, left, (mask << self.cols) & self.full, mask >> self.cols

    def rotate_mask(self, mask: Mask) -> Mask:
        """Return the mask as it is seen from the other side of the board."""
        return mask_of(self.points - 1 - point for point in points_of(mask))

    def flood(self, seed: Mask, within: Mask) -> Mask:
        """Return all points of `within` connected to the seed along the lines, inside `within`."""
        grown = seed & within
        while True:
            wider = (grown | self.adjacent_to(grown)) & within
            if wider == grown:
                return grown
            grown = wider

    def captured_chain(self, seed: Mask, within: Mask, empty: Mask) -> Mask:
        """Return the chain of `within` that contains the seed if it touches no empty point, else 0."""
        not_first, not_last, cols, grown = self._not_first, self._not_last, self.cols, seed
        while True:
            # As `adjacent_to`, spelt out: this is the referee's innermost loop. Bits off the board match no mask.
            sideways = (grown & not_last) << 1 | (grown & not_first) >> 1
            near = sideways | grown << cols | grown >> cols
            if near & empty:
                return 0
            wider = grown | near & within
            if wider == grown:
                return grown
            grown = wider

    def place(self, stones: tuple[Mask, ...], index: int, point: Point) -> tuple[tuple[Mask, ...], Mask, Mask]:
        """Put a stone of the player with this index on an empty point and capture the chains left without a liberty.

        Args:
            stones: one mask for each player.
            index: the player's index in the order of play.
            point: the empty point.

        Returns the stones after the placement; the captured stones; and the placed stone's own chain if it still has no
        liberty (it stays on the board), else 0.
        """
        occupied = 0
        for mask in stones:
            occupied |= mask
        bit, around_it, neighbours = self._points[point]
        own, captured = stones[index], 0
        others, own = occupied ^ own, own | bit
        empty = self.full ^ occupied ^ bit
        for near, around in neighbours:
            # Most neighbours have a liberty of their own, so few chains have to be traced.
            if near & others and not around & empty and not near & captured:
                theirs = others if len(stones) == 2 else next(mask for mask in stones if mask & near)
                captured |= self.captured_chain(near | around & theirs, theirs, empty)
        after = [mask & ~captured for mask in stones] if captured else list(stones)
        after[index], empty = own, empty | captured
        return tuple(after), captured, 0 if around_it & empty else self.captured_chain(bit, own, empty)

    def name(self, point: Point) -> str:
        """Return the point's name as in GTP: column letter without I, rows from 1 at the bottom."""
        row, col = divmod(point, self.cols)
        return f"{COLUMN_LETTERS[col]}{self.rows - row}"

    def point(self, name: str) -> Point:
        """Return the point with this name. Raise BadPoint if there is none on the board."""
        letter, digits = name[:1].upper(), name[1:]
        if letter and letter in COLUMN_LETTERS and digits.isascii() and digits.isdigit() and len(digits) <= 3:
            col, row = COLUMN_LETTERS.index(letter), self.rows - int(digits)
            if col < self.cols and 0 <= row < self.rows:
                return row * self.cols + col
        raise BadPoint(f"{name!r} is no point of a {self.cols}x{self.rows} board; name it like D4.")

    def names(self, mask: Mask) -> list[str]:
        """Return the names of the mask's points, from the top left."""
        return [self._names[point] for point in points_of(mask)]

    def mask(self, names: Iterable[str]) -> Mask:
        """Return the points with these names. Raise BadPoint for a name off the board."""
        mask = 0
        for name in names:
            mask |= 1 << self.point(name)
        return mask


@cache
def board_of(cols: int, rows: int | None = None) -> Board:
    """Return the board with these columns and rows (square if rows are left out)."""
    return Board(cols, cols if rows is None else rows)


def points_of(mask: Mask) -> Iterator[Point]:
    """Yield the points of a mask in ascending order."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def mask_of(points: Iterable[Point]) -> Mask:
    """Return the set of these points."""
    mask = 0
    for point in points:
        mask |= 1 << point
    return mask


class PlacementOutcome:
    """A position after a placement and its captures.

    Attributes:
        position: the stones on the board.
        captured: the opponents' stones that were removed.
        surrounded: the placed stone's own chain if it still has no liberty (it is still in `position`), else 0.
    """

    __slots__ = ("captured", "position", "surrounded")

    def __init__(self, position: Position, captured: Mask, surrounded: Mask) -> None:
        self.position: Final = position
        self.captured: Final = captured
        self.surrounded: Final = surrounded


class Position:
    """Stones on a board: one mask for each colour, in the order of `COLOURS`. Equal and hashed by stones and board.

    Immutable, which the type checker enforces through `Final`; every placement creates one, and slots are the fastest.
    """

    __slots__ = ("board", "stones")

    def __init__(self, board: Board, stones: tuple[Mask, ...]) -> None:
        self.board: Final = board
        self.stones: Final = stones

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.stones == other.stones and self.board == other.board

    def __hash__(self) -> int:
        # One more stone may leave the lower bits of a tuple's hash unchanged, but never the upper ones too.
        whole = hash(self.stones)
        return whole ^ (whole >> 32)

    def __repr__(self) -> str:
        return f"Position({self.board.cols}x{self.board.rows}, {self.stones})"

    @property
    def occupied(self) -> Mask:
        """Return all points that hold a stone."""
        occupied = 0
        for mask in self.stones:
            occupied |= mask
        return occupied

    @property
    def empty(self) -> Mask:
        """Return all empty points."""
        return self.board.full & ~self.occupied

    def stones_of(self, colour: Colour) -> Mask:
        """Return the stones of one colour."""
        return self.stones[COLOURS.index(colour)]

    def colour_at(self, point: Point) -> Colour | None:
        """Return the colour of the stone on a point, None if it is empty."""
        bit = 1 << point
        return next((COLOURS[i] for i, mask in enumerate(self.stones) if mask & bit), None)

    def chain_at(self, point: Point) -> Mask:
        """Return the chain of the stone on this point, 0 if the point is empty."""
        colour = self.colour_at(point)
        return 0 if colour is None else self.board.flood(1 << point, self.stones_of(colour))

    def liberties_of(self, stones: Mask) -> Mask:
        """Return the empty points adjacent to these stones."""
        return self.board.adjacent_to(stones) & self.empty

    def with_stones(self, colour: Colour, mask: Mask) -> Position:
        """Return the position with these (empty) points filled with that colour; nothing is captured."""
        index = COLOURS.index(colour)
        return Position(self.board, (*self.stones[:index], self.stones[index] | mask, *self.stones[index + 1 :]))

    def without_stones(self, mask: Mask) -> Position:
        """Return the position without the stones on these points."""
        return Position(self.board, tuple(stones & ~mask for stones in self.stones))

    def stones_not_in(self, other: Position) -> tuple[Mask, ...]:
        """Return the stones that another position has not there, for each colour."""
        return tuple(own & ~theirs for own, theirs in zip(self.stones, other.stones, strict=True))

    def with_points_of(self, other: Position, points: Mask) -> Position:
        """Return the position with these points as they are in another."""
        pairs = zip(self.stones, other.stones, strict=True)
        return Position(self.board, tuple(own & ~points | theirs & points for own, theirs in pairs))

    def place(self, colour: Colour, point: Point) -> PlacementOutcome:
        """Put a stone on an empty point and capture the opponents' chains left without a liberty."""
        board = self.board
        stones, captured, surrounded = board.place(self.stones, _INDEX[colour], point)
        return PlacementOutcome(Position(board, stones), captured, surrounded)


def empty_position(board: Board, players: int = 2) -> Position:
    """Return a board without stones for this many players."""
    return Position(board, (0,) * players)
