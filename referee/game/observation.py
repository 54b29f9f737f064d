"""One observation of the table, without pixels: a probability for each point, the lids, stones off the grid."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import isqrt

from referee.game.board import Colour, Point

LEAST_CHANCE = 0.005
"""The least likelihood of a count relative to the likeliest: in one lid of 200 the eye is farther off than it says
(vision/models/lids.md)."""
Chances = tuple[tuple[float, ...], tuple[float, ...]]
"""The probability of each count of a range, for black and for white."""


@dataclass(frozen=True)
class LidSight:
    """The camera's view of a lid.

    Attributes:
        black: the likeliest number of black stones.
        white: the likeliest number of white stones.
        black_range: the lowest and the highest possible number of black stones.
        white_range: the same for white.
        sure: both counts are exact.
        clear: all evidence is for these counts and for no others: a caller who knows from elsewhere that this many
            stones must be there may take them as exact.
        fault: why a prisoner field is not counted: "hidden", "two", "full", "beside", "unclear" or "dark".
        circle: the circle that this is about: its row, and its number in it, from 1.
        chances: how likely each count of black_range, and each of white_range is, for a lid that is not sure; what is
            missing to 1 lies beyond them. None if nobody says.
    """

    black: int
    white: int
    black_range: tuple[int, int]
    white_range: tuple[int, int]
    sure: bool
    clear: bool = False
    fault: str | None = None
    circle: tuple[int, int] | None = None
    chances: Chances | None = None

    def relative_chance(self, colour: Colour, count: int) -> float:
        """Return how likely a count of one colour is, relative to the likeliest: LEAST_CHANCE to 1."""
        low, high = self.black_range if colour is Colour.BLACK else self.white_range
        if self.chances is None or self.sure:
            return 1.0 if low <= count <= high else LEAST_CHANCE
        chances = self.chances[0] if colour is Colour.BLACK else self.chances[1]
        chance = self.probability_of(colour, count)
        return max(chance / max((*chances, LEAST_CHANCE)), LEAST_CHANCE)

    def probability_of(self, colour: Colour, count: int) -> float:
        """Return how likely a count of one colour is; 0 if nobody says."""
        low, high = self.black_range if colour is Colour.BLACK else self.white_range
        if self.sure:
            return float(low <= count <= high)
        chances = self.chances[0 if colour is Colour.BLACK else 1] if self.chances is not None else ()
        return chances[count - low] if 0 <= count - low < len(chances) else 0.0

    def can_confirm(self, black: int, white: int) -> bool:
        """Return True if the expected counts are seen, clearly enough for a caller who knows them.

        An expected number never outvotes a different number that is seen.
        """
        return (self.sure or self.clear) and (self.black, self.white) == (black, white)

    def as_exact(self) -> LidSight:
        """Return the same counts, marked as exact."""
        black, white = (self.black, self.black), (self.white, self.white)
        return replace(self, black_range=black, white_range=white, sure=True, fault=None, circle=None, chances=None)


@dataclass(frozen=True)
class OffGridStone:
    """A stone between points: the nearest point, and the point towards which it lies, None beyond the edge."""

    point: Point
    towards: Point | None


PointSight = tuple[float, ...]
"""The probabilities that a point is empty and that it holds a stone of each player, in the order of play: empty, black,
white in a game of two."""


@dataclass(frozen=True)
class Observation:
    """A steady observation of the whole table.

    Attributes:
        t: when the frame was taken, in seconds.
        points: one PointSight for each intersection, row by row from the top left.
        lids: sides 1 and 2, or empty if they are not in view.
        name: the still's file name.
        packed: the points in the encoding of `codec.events.observation_to_json`, once they have been encoded.
        between: the stones that are not clearly on one point.
    """

    t: float
    points: tuple[PointSight, ...]
    lids: tuple[LidSight, ...] = ()
    name: str | None = None
    packed: str | None = field(default=None, compare=False, repr=False)
    between: tuple[OffGridStone, ...] = ()

    @property
    def lines(self) -> int:
        """Return the lines a side of its board, which is square."""
        return isqrt(len(self.points))

    @property
    def is_bare(self) -> bool:
        """Return True if almost no stone is seen: the board has been cleared."""
        return all(sight[0] > 0.5 for sight in self.points)
