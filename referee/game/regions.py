"""Visibility along the lines: empty regions, the colours that border them, and the stones that can be dead.

For the expedited count the dead stones must be a set that the stones' visibility allows, else they may be any whole
chains. Source: Analysis of Ultimate Go, section VIII: a dead stone can only see opponent non-dead and friendly dead
stones; two stones see each other if a path along the lines between them avoids all other stones.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from referee.game.board import COLOURS, Colour, Mask, Point, Position, opponent_of, points_of
from referee.game.errors import BadCount
from referee.game.messages import Message, message


class Region(NamedTuple):
    """Empty points connected along the lines, and the colours whose stones border them, in the order of play."""

    points: Mask
    colours: tuple[Colour, ...]


def find_regions(position: Position) -> Iterator[Region]:
    """Yield the empty regions of a position, from the top left."""
    left = position.empty
    while left:
        points = position.board.flood(left & -left, position.empty)
        left &= ~points
        yield Region(points, colours_of(position, position.board.adjacent_to(points)))


def find_chains(position: Position, stones: Mask) -> Iterator[Mask]:
    """Yield the chains that any of these stones belong to, from the top left."""
    while stones:
        chain = position.chain_at((stones & -stones).bit_length() - 1)
        stones &= ~chain
        yield chain


def some_points(mask: Mask, many: int) -> Mask:
    """Return the first `many` points of a mask, from the top left (all of them if there are fewer)."""
    return sum(1 << point for point, _ in zip(points_of(mask), range(many), strict=False))


def points_bordered_by(position: Position, colour: Colour) -> Mask:
    """Return the empty points of the regions that only this colour borders."""
    return sum(region.points for region in find_regions(position) if region.colours == (colour,))


def colours_of(position: Position, points: Mask) -> tuple[Colour, ...]:
    """Return the colours that have a stone on any of these points."""
    return tuple(colour for colour, mask in zip(COLOURS, position.stones, strict=False) if mask & points)


def visible_stones(position: Position, point_mask: Mask) -> Mask:
    """Return the stones that a stone sees, along a path on the lines that avoids all other stones."""
    board = position.board
    open_to_it = board.flood(board.adjacent_to(point_mask) & position.empty, position.empty)
    return board.adjacent_to(point_mask | open_to_it) & position.occupied & ~point_mask


def count_liberties(position: Position, point: Point, also: Mask = 0) -> int:
    """Return the number of liberties of the chain at a point; `also`: stones that count as liberties too."""
    return (position.board.adjacent_to(position.chain_at(point)) & (position.empty | also)).bit_count()


def last_liberties(position: Position, stones: Mask) -> Mask:
    """Return the points that are the only liberty of a chain among these stones."""
    points = 0
    for chain in find_chains(position, stones):
        left = position.liberties_of(chain)
        points |= left if left.bit_count() == 1 else 0
    return points


def whole_chains(position: Position, dead: Mask) -> Mask:
    """Return the chains that the named stones belong to. Raise BadCount for an empty point."""
    _check_stones(position, dead)
    return sum(find_chains(position, dead))


def check_dead_stones(position: Position, dead: Mask) -> None:
    """Raise BadCount for stones that cannot all be dead in the expedited count; the error says which stone sees which.

    Args:
        position: the position of two players at the beginning of the count.
        dead: the stones.
    """
    _check_stones(position, dead)
    for point in points_of(dead):
        colour = position.colour_at(point)
        assert colour is not None
        visible = visible_stones(position, 1 << point)
        friends_alive = visible & position.stones_of(colour) & ~dead
        opponents_dead = visible & position.stones_of(opponent_of(colour)) & dead
        if friends_alive or opponents_dead:
            raise BadCount(_visibility_message(position, point, friends_alive or opponents_dead, bool(friends_alive)))


def _check_stones(position: Position, dead: Mask) -> None:
    empty = dead & ~position.occupied
    if empty:
        raise BadCount(message("dead.empty", point=position.board.name(next(points_of(empty)))))


def _visibility_message(position: Position, point: Point, visible: Mask, friend: bool) -> Message:
    near = visible & position.board.adjacent_to(1 << point) or visible
    name, other = position.board.name(point), position.board.name(next(points_of(near)))
    colour = position.colour_at(point)
    assert colour is not None
    return message("dead.sees-own" if friend else "dead.sees-other", stone=colour, point=name, other=other)
