"""Looks at a table made from diagrams: exact ones and noisy ones."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from referee.game.board import Colour, Position
from referee.game.diagram import position_of
from referee.game.observation import LidSight, Observation, PointSight
from referee.game.prisoners import Bowls

SURE = 0.999


def sight(content: int, p: float = SURE, other: int | None = None, players: int = 2) -> PointSight:
    """A point seen as that content (0 empty, 1 black, 2 white, and so on) with probability p, the rest on `other` or
    shared."""
    chances = [(1 - p) / players] * (players + 1) if other is None else [0.0] * (players + 1)
    if other is not None:
        chances[other] = 1 - p
    chances[content] = p
    return tuple(chances)


def contents(position: Position) -> list[int]:
    points = range(position.board.cols * position.board.rows)
    return [next((n for n, stones in enumerate(position.stones, 1) if stones >> p & 1), 0) for p in points]


def look(
    position: Position,
    t: float = 0.0,
    lids: tuple[LidSight, ...] = (),
    changed: Mapping[int, PointSight] | None = None,
    name: str | None = None,
) -> Observation:
    """A sure look at the position; changed: sights of single points in place of the true ones."""
    points = [sight(content, players=len(position.stones)) for content in contents(position)]
    for point, point_sight in (changed or {}).items():
        points[point] = point_sight
    return Observation(t, tuple(points), lids, name)


def look_at(rows: Sequence[str], t: float = 0.0, lids: tuple[LidSight, ...] = ()) -> Observation:
    """A sure look at the position drawn."""
    return look(position_of(rows), t, lids)


def noisy_look(position: Position, rng: random.Random, t: float = 0.0, lids: tuple[LidSight, ...] = ()) -> Observation:
    """A look as a good camera has it: most points sure, a few in a hundred doubtful, the truth mostly ahead."""
    points = []
    for content in contents(position):
        p = 1 - 10 ** rng.uniform(-5, -2) if rng.random() > 0.03 else rng.uniform(0.5, 0.95)
        points.append(sight(content, p, rng.choice([c for c in range(3) if c != content])))
    return Observation(t, tuple(points), lids)


def lid(black: int, white: int) -> LidSight:
    """A lid whose stones are counted surely."""
    return LidSight(black, white, (black, black), (white, white), True)


def unsure_lid(black: tuple[int, int], white: tuple[int, int]) -> LidSight:
    """A lid whose counts are only known to lie in ranges."""
    return LidSight(black[0], white[0], black, white, False)


def weighed_lid(black: Mapping[int, float], white: Mapping[int, float]) -> LidSight:
    """A lid that is not counted surely, with how likely each count is; counts in a row."""
    likeliest = [max(chances, key=lambda count: chances[count]) for chances in (black, white)]
    ranges = [(min(chances), max(chances)) for chances in (black, white)]
    chances = tuple(black.values()), tuple(white.values())
    return LidSight(likeliest[0], likeliest[1], ranges[0], ranges[1], False, chances=chances)


def clear_lid(black: int, white: int) -> LidSight:
    """A lid whose counts are plain enough for one who knows the number, and for nobody else."""
    around = [(max(0, count - 2), count + 2) for count in (black, white)]
    return LidSight(black, white, around[0], around[1], False, True)


def lids_of(bowls: Bowls, black_side: int = 1) -> tuple[LidSight, ...]:
    """Both lids, holding what these bowls hold, each counted surely."""
    owners = (Colour.BLACK, Colour.WHITE) if black_side == 1 else (Colour.WHITE, Colour.BLACK)
    return tuple(
        lid(bowls.count_visible_stones(owner, Colour.BLACK), bowls.count_visible_stones(owner, Colour.WHITE))
        for owner in owners
    )
