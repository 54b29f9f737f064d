"""The value of a part of the board to a player, "we", who fills it or leaves it open, by what is counted.

- Moves, for Fundamental Go: those that we are sure of, less the most that the other can make. A needed eye keeps a
point (group tax), and a stone that makes life by one of two points is a move of ours.
- Area: our stones and the points that they surround; open parts count for the other.
- Territory: points that only our living stones border, and two for each dead stone of the other's. In an open part a
point next to a living stone of ours can be the other's only with a stone of theirs on it, and then counts for nobody.
Of two points of miai the other may take one, and we put a stone on our own territory; if theirs then lies inside ours,
that makes up for it.
"""

from __future__ import annotations

from typing import Protocol

from referee.game.board import Mask


def most_moves(part: Mask, mover: Mask, other: Mask) -> int:
    """Return the most moves possible in a part for a mover who plays there alone.

    One less than the points and captures, because the last stone needs a liberty.
    """
    return max((part & ~mover).bit_count() + (part & other).bit_count() - 1, 0)


def sure_moves(part: Mask, other: Mask) -> int:
    """Return the number of moves that a player is sure of in a part that is filled; also its points as territory."""
    return part.bit_count() + (part & other).bit_count()


class Tally(Protocol):
    """A way of counting."""

    def value_of_filling(self, part: Mask, other: Mask, eye: bool) -> int:
        """Return our value of a part that we fill.

        Args:
            part: the part.
            other: the other's stones.
            eye: a chain of ours needs it as an eye.
        """

    def open(self, part: Mask, own: Mask, other: Mask, near: Mask) -> int:
        """Return our least value of a part that we leave open, so seldom more than 0.

        Args:
            part: the part.
            own: our stones.
            other: the other's stones.
            near: the points next to our living chains.
        """

    def miai(self, many: int, inside: int) -> int:
        """Return our value of the points of this many miai.

        Args:
            many: the number of miai.
            inside: the number of them that leave the other's stone in a part that is filled.
        """


class ByMoves(Tally):
    """The count of possible moves."""

    def value_of_filling(self, part: Mask, other: Mask, eye: bool) -> int:
        """Return all points except one of an eye; a captured stone leaves its point to be filled once more."""
        return sure_moves(part, other) - eye

    def open(self, part: Mask, own: Mask, other: Mask, near: Mask) -> int:
        """Return the negative of all moves that the other can make."""
        return -most_moves(part, other, own)

    def miai(self, many: int, inside: int) -> int:
        """Return one each."""
        return many


class ByArea(Tally):
    """The count of our points by area."""

    def value_of_filling(self, part: Mask, other: Mask, eye: bool) -> int:
        """Return all of its points."""
        return part.bit_count()

    def open(self, part: Mask, own: Mask, other: Mask, near: Mask) -> int:
        """Return 0."""
        return 0

    def miai(self, many: int, inside: int) -> int:
        """Return one for each miai: the point that we take."""
        return many


class ByTerritory(Tally):
    """The count of our territory less the other's."""

    def value_of_filling(self, part: Mask, other: Mask, eye: bool) -> int:
        """Return each point, and one more for each dead stone."""
        return sure_moves(part, other)

    def open(self, part: Mask, own: Mask, other: Mask, near: Mask) -> int:
        """Return the negative of all that can become the other's territory."""
        return -((part & ~other & ~near).bit_count() + (part & own).bit_count())

    def miai(self, many: int, inside: int) -> int:
        """Return the number of dead stones."""
        return inside


MOVES, AREA, TERRITORY = ByMoves(), ByArea(), ByTerritory()
