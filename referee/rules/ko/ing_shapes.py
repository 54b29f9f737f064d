"""The shapes in Ing's ko rules: kos, and the long life, in which two stones are captured at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from referee.game.board import Board, Colour, Mask, PlacementOutcome, Point, Position, opponent_of, points_of

PLAYERS = (Colour.BLACK, Colour.WHITE)


@dataclass(frozen=True, slots=True)
class Ko:
    """An empty point whose neighbours are all of the holder's colour, one of them a lone stone with no other liberty.

    If the opponent captures the stone by playing on the point, the two swap places and the holder changes.
    """

    point: Point
    stone: Point
    holder: Colour

    @property
    def mask(self) -> Mask:
        """Return both points."""
        return 1 << self.point | 1 << self.stone


@lru_cache(maxsize=16)
def find_all_kos(position: Position) -> tuple[Ko, ...]:
    """Return every ko of a position, those that Black holds first."""
    return tuple(ko for holder in PLAYERS for ko in _find_kos(position, holder))


def ko_taken(position: Position, taker: Colour, point: Point, captured: Mask) -> Ko | None:
    """Return the ko in which a stone on this point captures these stones; None unless they are just a ko's stone."""
    if captured.bit_count() != 1:
        return None
    holder = opponent_of(taker)
    stones = position.stones_of(holder)
    if position.board.adjacent_to(1 << point) & ~stones or position.board.adjacent_to(captured) & stones:
        return None
    return Ko(point, captured.bit_length() - 1, holder)


def _find_kos(position: Position, holder: Colour) -> Iterator[Ko]:
    board, empty, stones = position.board, position.empty, position.stones_of(holder)
    lone = stones & ~board.adjacent_to(stones)
    for point in points_of(empty & ~board.adjacent_to(board.full & ~stones)):
        neighbours = board.adjacent_to(1 << point) & lone
        caught = [stone for stone in points_of(neighbours) if board.adjacent_to(1 << stone) & empty == 1 << point]
        if len(caught) == 1:
            yield Ko(point, caught[0], holder)


# Long life


class _Round(NamedTuple):
    """A round of four turns that leads back to the position before it.

    Two stones are captured, their owner plays where one of them stood, the taker plays, and the owner plays where the
    other stood.

    Attributes:
        points: all points that change.
        stands: the positions on the way, beginning with the one before the capture.
    """

    points: Mask
    stands: tuple[Position, ...]


def long_lives(position: Position) -> tuple[Mask, ...]:
    """Return the points of every long life of a position, whichever of its four turns is next."""
    lives: set[Mask] = set()
    for owner in PLAYERS:
        for turns in _rounds_near(position, owner):
            if position in turns.stands:
                lives.add(turns.points)
    return tuple(sorted(lives))


def may_be_in_long_life(position: Position, point: Point) -> bool:
    """Return True if the stone on this point can be part of a long life: alone or one of two, and short of liberties.

    A quick test that never overlooks one, because most turns are far from any.
    """
    chain = position.chain_at(point)
    return chain.bit_count() <= 2 and position.liberties_of(chain).bit_count() <= 3


def long_life_taken(position: Position, taker: Colour, captured: Mask) -> Mask:
    """Return the points of the long life in which these two stones are captured; 0 if there is none."""
    if captured.bit_count() != 2:
        return 0
    turns = next(_find_rounds(position, opponent_of(taker), captured), None)
    return turns.points if turns is not None else 0


def _rounds_near(position: Position, owner: Colour) -> Iterator[_Round]:
    """Yield rounds that begin here, or after one more stone of the owner, or after one more of each player."""
    board, empty, stones = position.board, position.empty, position.stones_of(owner)
    own, free = _split_by_neighbours(board, stones), _split_by_neighbours(board, empty)
    in_pairs = stones & own[1] & board.adjacent_to(stones & own[1])
    for first in points_of(in_pairs & free[1] & board.adjacent_to(in_pairs & free[0])):
        yield from _find_rounds(position, owner, board.flood(1 << first, stones))
    # A lone stone and the point where the other will stand, with one or two liberties together.
    lone, joining_points = stones & own[0], empty & own[1]
    for many in (1, 2, 3):
        seconds = joining_points & (free[2 - many] if many < 3 else 0) | joining_points & free[3 - many]
        for first in points_of(lone & free[many] & board.adjacent_to(seconds)):
            for second in points_of(board.adjacent_to(1 << first) & seconds):
                yield from _rounds_after(position, owner, 1 << first | 1 << second)


def _split_by_neighbours(board: Board, mask: Mask) -> tuple[Mask, Mask, Mask, Mask]:
    """Return the points adjacent to none, exactly one, two and three points of the mask."""
    first_column = sum(1 << (row * board.cols) for row in range(board.rows))
    right, left = (mask << 1) & ~first_column, (mask & ~first_column) >> 1
    one = two = three = four = 0
    for neighbours in (right, left, mask << board.cols, mask >> board.cols):
        four |= three & neighbours
        three |= two & neighbours
        two |= one & neighbours
        one |= neighbours
    return board.full & ~one, board.full & one & ~two, board.full & two & ~three, board.full & three & ~four


def _rounds_after(position: Position, owner: Colour, pair: Mask) -> Iterator[_Round]:
    """Yield rounds that begin once the owner's lone stone has become this pair, perhaps after a stone of the taker's.

    The capturing stone must be capturable in turn, so then no empty point but the pair's may be next to it.
    """
    board, empty, added_stone = position.board, position.empty & ~pair, pair & position.empty
    liberties = board.adjacent_to(pair) & empty
    for capturer in (1 << point for point in points_of(liberties)):
        open_points = board.adjacent_to(capturer) & empty
        if liberties == capturer and not open_points:
            yield from _find_rounds(position.with_stones(owner, added_stone), owner, pair)
        thrown_in = liberties & ~capturer or open_points or board.adjacent_to(pair | capturer) & empty & ~capturer
        for point in points_of(thrown_in):
            thrown = position.place(opponent_of(owner), point)
            if not open_points & ~(1 << point) and not thrown.captured and not thrown.surrounded:
                yield from _find_rounds(thrown.position.with_stones(owner, added_stone), owner, pair)


def _find_rounds(position: Position, owner: Colour, pair: Mask) -> Iterator[_Round]:
    """Yield the rounds that begin with the capture of this chain of two, by a chain of at most two."""
    board, taker = position.board, opponent_of(owner)
    liberty = board.adjacent_to(pair) & position.empty
    if liberty.bit_count() != 1:
        return
    outcome = position.place(taker, liberty.bit_length() - 1)
    chain = board.flood(liberty, outcome.position.stones_of(taker))
    open_points = board.adjacent_to(chain) & outcome.position.empty & ~pair
    if outcome.captured != pair or chain.bit_count() > 2 or open_points.bit_count() > 1:
        return
    for first in points_of(pair):
        yield from _rounds_back(position, owner, _Capture(outcome.position, pair, liberty), first)


class _Capture(NamedTuple):
    position: Position
    pair: Mask
    by: Mask


def _rounds_back(start: Position, owner: Colour, capture: _Capture, first: Point) -> Iterator[_Round]:
    board, taker = start.board, opponent_of(owner)
    back = capture.position.place(owner, first)
    if back.surrounded:
        return
    second = (capture.pair & ~(1 << first)).bit_length() - 1
    near = board.adjacent_to(capture.pair | capture.by) | back.captured
    for point in points_of(near & back.position.empty & ~capture.pair):
        thrown = back.position.place(taker, point)
        last = _after_answer(thrown, owner, second)
        if last is not None and last.position == start:
            points = capture.pair | capture.by | 1 << point | back.captured
            yield _Round(points, (start, capture.position, back.position, thrown.position))


def _after_answer(thrown: PlacementOutcome, owner: Colour, point: Point) -> PlacementOutcome | None:
    """Return the placement after this one, None if either would capture itself."""
    if thrown.surrounded:
        return None
    last = thrown.position.place(owner, point)
    return None if last.surrounded else last
