"""The likelihoods of one look at the board, in a form that is quick to compare, and what the look excludes."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from operator import or_

from referee.game.board import COLOURS, Board, Colour, Mask, Position, points_of
from referee.game.observation import OffGridStone, PointSight

CONTRADICTS = 0.05
"""The probability below which a look excludes a content."""
DOUBTFUL = 0.8
"""The probability of the likeliest content below which a point is doubtful."""
TOO_DOUBTFUL = 1 / 6
"""The fraction of doubtful points above which a look shows nothing (a hand, a lamp, the wrong place)."""
_LEAST = 1e-6

UnliftedStones = tuple[Mask, ...]
"""The captured stones, by player, that may still be on the board though the record has removed them.

NONE_LEFT: no such stones
"""
NONE_LEFT: UnliftedStones = ()


def collect_unlifted(masks: Iterable[Mask]) -> UnliftedStones:
    """Return these stones, by player, as `UnliftedStones`."""
    left = tuple(masks)
    return left if any(left) else NONE_LEFT


def merge_unlifted(one: UnliftedStones, other: UnliftedStones) -> UnliftedStones:
    """Return the union of both."""
    return collect_unlifted(map(or_, one, other)) if one and other else one or other


def unlifted_stones_of(left: UnliftedStones, player: int) -> Mask:
    """Return the stones of one player, by number from 0."""
    return left[player] if left else 0


def all_unlifted(left: UnliftedStones) -> Mask:
    """Return the stones of all players."""
    return reduce(or_, left, 0)


@dataclass(frozen=True)
class BoardLikelihoods:
    """The likelihoods of one look at the board.

    logs: log probabilities (empty, and each player's stone) by point
    may: the points that may be empty, and that may hold each player's stone
    likeliest: the position with each point's likeliest content
    doubtful: the points whose likeliest content is not likely enough
    between: the stones that lie between points
    """

    board: Board
    logs: tuple[tuple[float, ...], ...]
    may: tuple[Mask, ...]
    likeliest: Position
    doubtful: Mask
    between: tuple[OffGridStone, ...] = ()

    @classmethod
    def from_sights(
        cls, board: Board, points: tuple[PointSight, ...], between: tuple[OffGridStone, ...] = (), players: int = 2
    ) -> BoardLikelihoods:
        """Return the look with these probabilities, row by row.

        points: the sights; an invalid probability vector counts as no information on its point
        between: the stones that lie between points
        players: number of players
        """
        contents = range(1 + players)
        may, likeliest, logs, doubtful = [0] * len(contents), [0] * len(contents), [], 0
        for point, sight in enumerate(points):
            bit, chances = 1 << point, _normalise_chances(sight, len(contents))
            for content in contents:
                may[content] |= bit if chances[content] >= CONTRADICTS else 0
            best = max(contents, key=chances.__getitem__)
            likeliest[best] |= bit
            doubtful |= bit if chances[best] < DOUBTFUL else 0
            logs.append(tuple([math.log(chance) for chance in chances]))
        return cls(board, tuple(logs), tuple(may), Position(board, tuple(likeliest[1:])), doubtful, between)

    @property
    def is_too_doubtful(self) -> bool:
        """Return True if so many points are doubtful that nothing should be concluded."""
        return self.doubtful.bit_count() > max(3, TOO_DOUBTFUL * len(self.logs))

    def find_misfits(self, position: Position) -> Mask:
        """Return the points whose content in this position the look excludes."""
        fits = ~position.occupied & self.may[0]
        for stones, may in zip(position.stones, self.may[1:], strict=True):
            fits |= stones & may
        return self.board.full & ~fits

    def find_unset_stones(self, position: Position, left: UnliftedStones = NONE_LEFT) -> tuple[OffGridStone, ...]:
        """Return the stones between points that are neither this position's nor captured ones still on the board.

        Those were pushed a little since they were placed, and their points are known.
        """
        known_points = position.occupied | all_unlifted(left)
        return tuple(stone for stone in self.between if not known_points >> stone.point & 1)

    def is_inconsistent_with(self, position: Position, points: Mask) -> bool:
        """Return True if the look excludes the position, or reads one of these points differently."""
        differs = sum(1 << p for p in points_of(points) if position.colour_at(p) is not self.likeliest.colour_at(p))
        return bool(differs or self.find_misfits(position))

    def likelihood_loss(self, position: Position) -> float:
        """Return the log-likelihood ratio of this position to the likeliest one, 0 or below."""
        total = 0.0
        for point in points_of(find_differences(position, self.likeliest)):
            content = next((n for n, stones in enumerate(position.stones, 1) if stones >> point & 1), 0)
            total += self.logs[point][content] - max(self.logs[point])
        return total

    def find_standing_stones(self, left: UnliftedStones, position: Position) -> UnliftedStones:
        """Return the captured stones that seem to be still there, on points that this position has empty."""
        if left == NONE_LEFT:
            return left
        empty = position.empty
        return collect_unlifted(
            sum(1 << p for p in points_of(mask & empty) if self.logs[p][content] > self.logs[p][0])
            for content, mask in enumerate(left, 1)
        )

    def count_required_stones(self, position: Position, colour: Colour, left: UnliftedStones = NONE_LEFT) -> int:
        """Return the number of points that must have received a stone of this colour since the position.

        left: captured stones, which may still be there
        """
        own = COLOURS.index(colour)
        only = self.may[own + 1] & ~position.stones[own] & ~unlifted_stones_of(left, own)
        for content, may in enumerate(self.may):
            only &= ~may if content != own + 1 else only
        return only.bit_count()


def find_differences(one: Position, other: Position) -> Mask:
    """Return the points where these positions differ."""
    difference = 0
    for stones, others in zip(one.stones, other.stones, strict=True):
        difference |= stones ^ others
    return difference


def _normalise_chances(sight: PointSight, contents: int) -> list[float]:
    chances = [value if math.isfinite(value) and value > _LEAST else _LEAST for value in sight]
    total = sum(chances)
    if len(chances) != contents or total < 0.5:
        return [1 / contents] * contents
    return [chance / total for chance in chances]
