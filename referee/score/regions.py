"""What can be seen along the lines: empty regions and the colours that border them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from referee.board import COLOURS, Colour, Mask, Point, Position


class Region(NamedTuple):
    """Empty points connected along the lines, and the colours whose stones border them, in the order of play."""

    points: Mask
    colours: tuple[Colour, ...]


def regions(position: Position) -> Iterator[Region]:
    """The empty regions of a position, from the top left."""
    left = position.empty
    while left:
        points = position.board.flood(left & -left, position.empty)
        left &= ~points
        yield Region(points, colours_of(position, position.board.beside(points)))


def chains(position: Position, stones: Mask) -> Iterator[Mask]:
    """The chains that any of these stones belong to, from the top left."""
    while stones:
        chain = position.chain((stones & -stones).bit_length() - 1)
        stones &= ~chain
        yield chain


def surrounded_by(position: Position, colour: Colour) -> Mask:
    """The empty points of the regions that this colour alone borders."""
    return sum(region.points for region in regions(position) if region.colours == (colour,))


def colours_of(position: Position, points: Mask) -> tuple[Colour, ...]:
    """The colours that have a stone on any of these points."""
    return tuple(colour for colour, mask in zip(COLOURS, position.stones, strict=False) if mask & points)


def seen_from(position: Position, point_mask: Mask) -> Mask:
    """The stones that a stone sees: a path along the lines leads to them that avoids all other stones."""
    board = position.board
    open_to_it = board.flood(board.beside(point_mask) & position.empty, position.empty)
    return board.beside(point_mask | open_to_it) & position.occupied & ~point_mask


def liberties(position: Position, point: Point, also: Mask = 0) -> int:
    """How many liberties the chain at a point has; `also`: stones that count as liberties too."""
    return (position.board.beside(position.chain(point)) & (position.empty | also)).bit_count()


def last_liberties(position: Position, stones: Mask) -> Mask:
    """The points that are the only liberty of a chain among these stones."""
    found = 0
    for chain in chains(position, stones):
        left = position.liberties(chain)
        found |= left if left.bit_count() == 1 else 0
    return found
