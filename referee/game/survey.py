"""A survey by bit operations of all empty points where a placement can be refused only for repetition.

Most points of a board are of that kind, and finding them together costs little more than judging one of them.
"""

from __future__ import annotations

from collections.abc import Iterator

from referee.game.board import COLOURS, Board, Colour, Mask, Position
from referee.game.record import GameRecord


def non_capturing_safe_points(position: Position, colour: Colour) -> Mask:
    """Return the empty points where a stone of this colour captures nothing and keeps a liberty."""
    board, empty = position.board, position.empty
    own = position.stones_of(colour)
    captures = 0
    for other, stones in zip(COLOURS, position.stones, strict=False):
        if other is not colour:
            captures |= _last_liberties(board, stones, empty)
    free = _find_secure_chains(board, own, empty)
    return empty & ~captures & board.adjacent_to(empty | free)


def repeating_points(record: GameRecord, quiet: Mask) -> Mask:
    """Return the quiet points where a stone of the player to move would bring back a position of the game."""
    board, player = record.position.board, COLOURS.index(record.to_play)
    now = record.position.stones
    others, own = (*now[:player], *now[player + 1 :]), now[player]
    points = 0
    for earlier in _earlier_positions(record):
        difference = earlier[player] ^ own
        if (
            difference & quiet == difference
            and difference & (difference - 1) == 0
            and (*earlier[:player], *earlier[player + 1 :]) == others
        ):
            points |= difference
    return points & board.full


def _earlier_positions(record: GameRecord) -> Iterator[tuple[Mask, ...]]:
    """Yield the stones of every position of the game, the newest first."""
    for earlier in record.iterate_back():
        yield earlier.situation.position.stones
        if earlier.unsettled is not None:
            yield from (one.situation.position.stones for one in earlier.unsettled_back())


def _find_secure_chains(board: Board, stones: Mask, empty: Mask) -> Mask:
    """Return the stones of one colour in chains with two or more liberties."""
    many = board.flood(_with_two_liberties(board, stones, empty), stones)
    left = stones & ~many
    while left:
        chain = board.flood(left & -left, stones)
        left &= ~chain
        liberties = board.adjacent_to(chain) & empty
        many |= chain if liberties & (liberties - 1) else 0
    return many


def _last_liberties(board: Board, stones: Mask, empty: Mask) -> Mask:
    """Return the points that are the only liberty of a chain of these stones."""
    left = stones & ~board.flood(_with_two_liberties(board, stones, empty), stones)
    points = 0
    while left:
        chain = board.flood(left & -left, stones)
        left &= ~chain
        liberties = board.adjacent_to(chain) & empty
        points |= liberties if not liberties & (liberties - 1) else 0
    return points


def _with_two_liberties(board: Board, stones: Mask, empty: Mask) -> Mask:
    """Return the stones that have two empty neighbours themselves."""
    once = twice = 0
    for neighbours in board.neighbours_of(empty):
        twice |= once & neighbours
        once |= neighbours
    return twice & stones
