"""What a part of the board is worth to a player, "we", who fills it or leaves it open: by what is counted.

- Moves, for Fundamental Go: those that we are sure of, less the most that the other can make. An eye that is needed
  keeps a point (group tax), and a stone that makes life by one of two points is a move of ours.
- Area: our stones and the points that they surround; what is open counts for the other.
- Territory: points that only our living stones border, and two for each dead stone of the other's. In an open part a
  point beside a living stone of ours can be the other's only with a stone of theirs on it, and then counts for nobody.
  Of two points of miai the other may take one, and we put a stone on our own territory; where theirs then lies in what
  is ours, that makes up for it.
"""

from __future__ import annotations

from typing import Protocol

from referee.board import Mask


def most(part: Mask, mover: Mask, other: Mask) -> int:
    """At most so many moves in a part for who moves there alone; one less, for the last stone needs a liberty."""
    return max((part & ~mover).bit_count() + (part & other).bit_count() - 1, 0)


def sure(part: Mask, other: Mask) -> int:
    """So many moves in a part that is filled is a player sure of; so many points it is as territory."""
    return part.bit_count() + (part & other).bit_count()


class Tally(Protocol):
    """What is counted."""

    def filled(self, part: Mask, other: Mask, eye: bool) -> int:
        """For us, of a part that we fill. other: the other's stones; eye: one that a chain of ours needs."""

    def open(self, part: Mask, own: Mask, other: Mask, near: Mask) -> int:
        """For us at least, so seldom more than 0, of a part that we leave. near: what is beside our living chains."""

    def miai(self, many: int, inside: int) -> int:
        """For us, of the points of so many miai, of which `inside` leave the other's stone in a part that is filled."""


class ByMoves(Tally):
    """Moves that can be made."""

    def filled(self, part: Mask, other: Mask, eye: bool) -> int:
        """All points, but for one of an eye; a captured stone leaves its point to be filled once more."""
        return sure(part, other) - eye

    def open(self, part: Mask, own: Mask, other: Mask, near: Mask) -> int:
        """All that the other can make."""
        return -most(part, other, own)

    def miai(self, many: int, inside: int) -> int:
        """One each."""
        return many


class ByArea(Tally):
    """Points of ours."""

    def filled(self, part: Mask, other: Mask, eye: bool) -> int:
        """All of it."""
        return part.bit_count()

    def open(self, part: Mask, own: Mask, other: Mask, near: Mask) -> int:
        """None."""
        return 0

    def miai(self, many: int, inside: int) -> int:
        """The one that we take."""
        return many


class ByTerritory(Tally):
    """Points of ours less the other's."""

    def filled(self, part: Mask, other: Mask, eye: bool) -> int:
        """Each point, and each dead stone on one once more."""
        return sure(part, other)

    def open(self, part: Mask, own: Mask, other: Mask, near: Mask) -> int:
        """All that can become the other's territory."""
        return -((part & ~other & ~near).bit_count() + (part & own).bit_count())

    def miai(self, many: int, inside: int) -> int:
        """The dead stones."""
        return inside


MOVES, AREA, TERRITORY = ByMoves(), ByArea(), ByTerritory()
