"""A look at the board in a form that is quick to weigh: log-likelihoods, and what it excludes."""

from __future__ import annotations

import math
from dataclasses import dataclass

from referee.board import COLOURS, Board, Colour, Mask, Position, points_of
from referee.events import Between, PointSight

CONTRADICTS = 0.05
"""A content less probable than this is excluded by the look."""
DOUBTFUL = 0.8
"""A point whose likeliest content is less probable than this is doubtful."""
TOO_DOUBTFUL = 1 / 6
"""With more than this part of the points doubtful a look shows nothing (a hand, a lamp, the wrong place)."""
_LEAST = 1e-6

Left = tuple[Mask, Mask]
"""Captured stones that may still stand on the board though the record has removed them: black ones, white ones."""
NONE_LEFT: Left = (0, 0)


@dataclass(frozen=True)
class Look:
    """A look at the board in a form that is quick to weigh.

    logs: a triple of log probabilities (empty, black, white) a point. may: the points that may be empty, black, white.
    likeliest: each point read as its likeliest content. doubtful: the points where that is not likely enough. between:
    the stones that lie on no point plainly.
    """

    board: Board
    logs: tuple[tuple[float, float, float], ...]
    may: tuple[Mask, Mask, Mask]
    likeliest: Position
    doubtful: Mask
    between: tuple[Between, ...] = ()

    @classmethod
    def of(cls, board: Board, points: tuple[PointSight, ...], between: tuple[Between, ...] = ()) -> Look:
        """The look with these probabilities, row by row; a sight that is no probabilities says nothing of its point."""
        may, read, logs, doubtful = [0, 0, 0], [0, 0, 0], [], 0
        for point, sight in enumerate(points):
            bit, chances = 1 << point, _normal(sight)
            for content in range(3):
                may[content] |= bit if chances[content] >= CONTRADICTS else 0
            best = max(range(3), key=chances.__getitem__)
            read[best] |= bit
            doubtful |= bit if chances[best] < DOUBTFUL else 0
            logs.append((math.log(chances[0]), math.log(chances[1]), math.log(chances[2])))
        likeliest = Position(board, (read[1], read[2]))
        return cls(board, tuple(logs), (may[0], may[1], may[2]), likeliest, doubtful, between)

    @property
    def too_doubtful(self) -> bool:
        """Whether so many points are doubtful that nothing should be concluded."""
        return self.doubtful.bit_count() > max(3, TOO_DOUBTFUL * len(self.logs))

    def misfits(self, position: Position) -> Mask:
        """The points whose content in this position the look excludes."""
        black, white = position.stones
        empty, stones = ~(black | white) & self.may[0], (black & self.may[1]) | (white & self.may[2])
        return self.board.full & ~(empty | stones)

    def unset(self, position: Position, left: Left = NONE_LEFT) -> tuple[Between, ...]:
        """The stones between points that are none of this position's, nor captured ones that still stand: those were
        pushed a little since they were placed, and it is known whose point is theirs."""
        known = position.occupied | left[0] | left[1]
        return tuple(stone for stone in self.between if not known >> stone.point & 1)

    def shows_other(self, position: Position, points: Mask) -> bool:
        """Whether the look excludes the position, or reads one of these points otherwise."""
        differs = sum(1 << p for p in points_of(points) if position.colour_at(p) is not self.likeliest.colour_at(p))
        return bool(differs or self.misfits(position))

    def loss(self, position: Position) -> float:
        """How much less likely than the likeliest this position is: a log-likelihood ratio, 0 or below."""
        black, white = position.stones
        differs = (black ^ self.likeliest.stones[0]) | (white ^ self.likeliest.stones[1])
        total = 0.0
        for point in points_of(differs):
            content = 1 if black >> point & 1 else 2 if white >> point & 1 else 0
            total += self.logs[point][content] - max(self.logs[point])
        return total

    def standing(self, left: Left, position: Position) -> Left:
        """Which of the captured stones look as if they still stood, on points that this position has empty."""
        if left == NONE_LEFT:
            return left
        empty = position.empty
        black, white = (
            sum(1 << p for p in points_of(mask & empty) if self.logs[p][content] > self.logs[p][0])
            for content, mask in enumerate(left, 1)
        )
        return black, white

    def demands(self, position: Position, colour: Colour) -> int:
        """How many points must have got a stone of this colour since the position."""
        own = COLOURS.index(colour)
        only = self.may[own + 1] & ~self.may[0] & ~self.may[2 - own]
        return (only & ~position.stones[own]).bit_count()


def _normal(sight: PointSight) -> tuple[float, float, float]:
    chances = [value if math.isfinite(value) and value > _LEAST else _LEAST for value in sight]
    total = sum(chances)
    if len(chances) != 3 or total < 0.5:
        return 1 / 3, 1 / 3, 1 / 3
    return chances[0] / total, chances[1] / total, chances[2] / total
