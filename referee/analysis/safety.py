"""Chains that live as long as each of the other's moves next to their eyes is answered: two ways to the eyes, miai.

Benson's unconditional life asks which chains live if their owner, "we" below, never plays again; safety under
alternating play (Müller, Playing it safe, 1997) asks which live if we answer. Here an answer is one of two points:

Miai are a set A of our chains with two empty points, either of which makes A, with the stone there, live
unconditionally, the walls found before taken as living; the zone is both points with the eyes that A needs then. When
the other plays in the zone, we take the point (one of the points) that is left. That is enough, because

- before, no move captures any of A: each chain of it has two liberties in the zone, and the zone was not played in;
- it is life: one more stone of the other's in an eye leaves fewer empty points that have to be liberties. Our stone may
capture; so an eye beside it must have every point, stones or not, next to the chain whose eye it is. In an eye that is
not beside our stone nothing is captured, and the stones there have a liberty there;
- answers do not disturb each other: eyes and points are in none of the other miai's zones, and the points are in no eye
that the unconditionally living need. No loose stone of ours is in an eye or next to a point, so none that the other
captures counts;
- the other's moves outside the zone change nothing in it: an eye is bounded by A, the walls and the stone alone.

Until it is played in or we have taken a point, we play nothing else in the parts of the board that the zone meets.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from itertools import combinations
from operator import or_
from typing import NamedTuple

from referee.analysis.benson import alive_beside, split_parts, unconditionally_alive
from referee.game.board import Board, Mask, points_of

MOST_CANDIDATES = 100
"""The number of pairs of points that are tried for further miai, those that save most first."""


class Miai(NamedTuple):
    """Chains that live by either of two points.

    Attributes:
        chains: the chains.
        points: the two points, as masks.
        eyes: the eyes that the chains need after each.
    """

    chains: Mask
    points: tuple[Mask, Mask]
    eyes: tuple[Mask, Mask]

    @property
    def zone(self) -> Mask:
        """Return the points where a move of the other's is answered."""
        return self.points[0] | self.points[1] | self.eyes[0] | self.eyes[1]


class Stronghold(NamedTuple):
    """Chains that live because each move of the other's in a zone is answered there.

    Attributes:
        chains: the chains.
        zone: the points where moves of the other's are answered, none with a stone of ours.
        is_owned: by these answers all points of the zone become ours.
    """

    chains: Mask
    zone: Mask
    is_owned: bool


class Safety(NamedTuple):
    """The living stones of a player.

    Attributes:
        alive: the unconditionally living.
        eyes: the eyes that they need.
        pairs: the miai, in an order in which each depends on those before it.
        strongholds: the strongholds, likewise; among pairs and strongholds none depends on a later one.
    """

    alive: Mask
    eyes: Mask
    pairs: tuple[Miai, ...]
    strongholds: tuple[Stronghold, ...] = ()

    @property
    def walls(self) -> Mask:
        """Return all chains that live."""
        chains = [*(pair.chains for pair in self.pairs), *(one.chains for one in self.strongholds)]
        return reduce(or_, chains, self.alive)

    @property
    def variants(self) -> tuple[Safety, ...]:
        """Return this, and the same without answers if that leaves walls; nothing if there are no walls."""
        unconditional = self._replace(pairs=(), strongholds=())
        return (self, unconditional) if self != unconditional and self.alive else (self,) if self.walls else ()

    @property
    def stronghold_zones(self) -> Mask:
        """Return the zones of the strongholds."""
        return reduce(or_, (one.zone for one in self.strongholds), 0)

    @property
    def zones(self) -> Mask:
        """Return the points where moves of the other's are answered."""
        return reduce(or_, (pair.zone for pair in self.pairs), self.stronghold_zones)


def find_safety(board: Board, own: Mask, other: Mask) -> Safety:
    """Return the player's own stones that live under alternating play, the other to move, as far as miai go."""
    alive = unconditionally_alive(board, own, other)
    eyes = needed_eyes(board, alive, other, 0, 0)
    assert eyes is not None
    return with_miai(board, own, other, Safety(alive, eyes, ()))


def with_miai(board: Board, own: Mask, other: Mask, safe: Safety) -> Safety:
    """Return the safety with all further miai."""
    while (pair := _next_miai(board, own, other, safe)) is not None:
        safe = safe._replace(pairs=(*safe.pairs, pair))
    return safe


def needed_eyes(board: Board, walls: Mask, other: Mask, safe: Mask, stone: Mask) -> Mask | None:
    """Return enough eyes for each chain of the walls to have two; None if there are not enough.

    Eyes that are not needed are left out: large ones first, and those of least use as territory.

    Args:
        board: the board.
        walls: the chains.
        other: the other's stones.
        safe: chains that live without these eyes.
        stone: the stone beside which each point of an eye has to be next to its chain.
    """
    near = [board.adjacent_to(chain) for chain in split_parts(board, walls) if not chain & safe]
    eyes = [(eye, _find_wards(board, eye, near, other, stone)) for eye in split_parts(board, board.full & ~walls)]
    eyes = [(eye, wards) for eye, wards in eyes if wards]
    counts = [sum(index in wards for _, wards in eyes) for index in range(len(near))]
    if any(count < 2 for count in counts):
        return None
    needed = 0
    for eye, wards in sorted(eyes, key=lambda one: _missed_points_key(one[0], near)):
        if all(counts[index] > 2 for index in wards):
            for index in wards:
                counts[index] -= 1
        else:
            needed |= eye
    return needed


def _find_wards(board: Board, eye: Mask, near: list[Mask], other: Mask, stone: Mask) -> frozenset[int]:
    """Return the indices of the chains whose eye a part is."""
    space = eye if board.adjacent_to(eye) & stone else eye & ~other
    return frozenset(index for index, neighbours in enumerate(near) if space and not space & ~neighbours)


def _missed_points_key(eye: Mask, near: list[Mask]) -> tuple[bool, int]:
    """Return a sort key: first those parts that could not be filled except for a point, and large ones."""
    return all(not eye & ~neighbours for neighbours in near if neighbours & eye), -eye.bit_count()


def _next_miai(board: Board, own: Mask, other: Mask, safe: Safety) -> Miai | None:
    walls, zones = safe.walls, safe.zones
    saves = _find_saves(board, own, other, walls, zones | safe.eyes)
    for first, second in _list_candidates(saves):
        pair = _find_miai(board, own, other, walls, (1 << first, 1 << second), saves[first] & saves[second])
        if pair is not None and not pair.zone & zones:
            return pair
    return None


def _find_saves(board: Board, own: Mask, other: Mask, walls: Mask, barred: Mask) -> dict[int, Mask]:
    """Return, for each empty point that may be taken, the chains that come to live by a stone there."""
    saves = {}
    for part in split_parts(board, board.full & ~walls):
        for point in points_of(part & ~(own | other | barred)) if part & own else ():
            saved_chains = alive_beside(board, own & part | 1 << point, other, walls, part) & own
            if saved_chains:
                saves[point] = saved_chains
    return saves


def _list_candidates(saves: dict[int, Mask]) -> Iterator[tuple[int, int]]:
    pairs = [(first, second) for first, second in combinations(saves, 2) if saves[first] & saves[second]]
    pairs.sort(key=lambda pair: -(saves[pair[0]] & saves[pair[1]]).bit_count())
    return iter(pairs[:MOST_CANDIDATES])


def _find_miai(
    board: Board, own: Mask, other: Mask, walls: Mask, points: tuple[Mask, Mask], chains: Mask
) -> Miai | None:
    """Return the miai of these chains, or of those among them that need none of the others."""
    both = points[0] | points[1]
    while chains:
        left = chains
        for point in points:
            left &= alive_beside(board, chains | point, other, walls, board.full & ~walls)
        if left == chains:
            break
        chains = left
    if not chains or board.adjacent_to(both) & own & ~(walls | chains):
        return None
    first, second = (needed_eyes(board, walls | chains | point, other, walls, point) for point in points)
    if first is None or second is None:
        return None
    pair = Miai(chains, points, (first, second))
    free = pair.zone & ~other
    is_held = all((board.adjacent_to(chain) & free).bit_count() > 1 for chain in split_parts(board, chains))
    return pair if is_held else None
