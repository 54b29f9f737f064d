"""Which stones can be dead: for the expedited count a set that the stones' sight allows, else any whole chains.

Source: Analysis of Ultimate Go, section VIII: a dead stone can only see opponent non-dead and friendly dead stones; two
stones see each other if a path along the lines between them avoids all other stones.
"""

from __future__ import annotations

from referee.board import Mask, Point, Position, opponent_of, points_of
from referee.errors import BadCount
from referee.score.regions import chains, seen_from
from referee.texts import name


def whole_chains(position: Position, dead: Mask) -> Mask:
    """The chains that the named stones belong to; raises BadCount for an empty point."""
    _check_stones(position, dead)
    return sum(chains(position, dead))


def check(position: Position, dead: Mask) -> None:
    """Raise BadCount, saying which stone sees what, for a set of stones that cannot all be dead in the expedited count.

    position: of two players, as it stands when counting begins.
    """
    _check_stones(position, dead)
    for point in points_of(dead):
        colour = position.colour_at(point)
        assert colour is not None
        seen = seen_from(position, 1 << point)
        friends_alive = seen & position.of(colour) & ~dead
        opponents_dead = seen & position.of(opponent_of(colour)) & dead
        if friends_alive or opponents_dead:
            raise BadCount(_why(position, point, friends_alive or opponents_dead, bool(friends_alive)))


def _check_stones(position: Position, dead: Mask) -> None:
    empty = dead & ~position.occupied
    if empty:
        raise BadCount(f"{position.board.name(next(points_of(empty)))} is empty; only stones can be named as dead.")


def _why(position: Position, point: Point, seen: Mask, friend: bool) -> str:
    near = seen & position.board.beside(1 << point) or seen
    at, other = position.board.name(point), position.board.name(next(points_of(near)))
    colour = position.colour_at(point)
    assert colour is not None
    stone = f"the {name(colour).lower()} stone {at}"
    if friend:
        return f"These cannot be the dead stones: {stone} sees {other}, of its own colour, which is not among them."
    return f"These cannot be the dead stones: {stone} sees {other}, of the other colour, which is among them too."
