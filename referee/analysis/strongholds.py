"""Chains that live by answers in a zone, where no pair of points is enough: each is proved by a search (`answers`).

The search takes all outside the zone as the other's and not to be captured, except chains that live by answers
elsewhere. So the answers hold whatever is played there. They join the strategy of `safety`, because

- zones and needed eyes share no point, so that no move asks for two answers, and none of ours takes an eye;
- no stone of ours in a zone or in the chains that live is ever lost. So each answer puts a stone where we have none
now, beside walls that stay: by `bounds.Freshness` no board repeats;
- in the parts of the board that a zone meets we play nothing but answers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from referee.analysis.answers import Area, Effort, needed_zone
from referee.analysis.benson import split_parts
from referee.analysis.safety import Safety, Stronghold, with_miai
from referee.analysis.territory import is_fillable
from referee.game.board import Board, Mask, points_of

NODES = 250
"""The number of positions that all searches of one player's strongholds may look at, for each point of the board."""
ROUNDS = (
    *((True, 1, 100), (True, 2, 400), (True, 3, 1000), (False, 1, 100), (False, 2, 400), (False, 3, 1500)),
    *((True, 4, 5000), (False, 4, 5000), (False, 5, 15_000)),
)
"""The kinds of search, those with more effort when the others find no more: whether the region is to become ours, the
highest number of answers, and that of positions."""
MOST_EMPTY = 20
"""The highest number of empty points of a region that is searched."""
MOST_PIECE = 10
"""The same of a piece of a large area."""
STEPS = 3
"""The number of steps from a chain within which points are taken from an open area."""
LARGE = 5
"""The least number of stones of the other's that are taken as a border of the areas in which we look for life."""


def with_strongholds(board: Board, own: Mask, other: Mask, safe: Safety, go_on: Callable[[], bool]) -> Safety:
    """Return the safety with the strongholds that are found, and further miai beside these."""
    return _Finder(board, own, other, go_on).add_strongholds(safe)


class _Finder:
    """A search for the strongholds of a player."""

    def __init__(self, board: Board, own: Mask, other: Mask, go_on: Callable[[], bool]) -> None:
        self._board, self._own, self._other = board, own, other
        self._nodes, self._go_on = NODES * board.points, go_on
        self._failures: dict[Area, int] = {}

    def add_strongholds(self, safe: Safety) -> Safety:
        """Return the safety with all strongholds that are found, easy ones first."""
        left = list(ROUNDS)
        while left and self._nodes > 0 and self._go_on():
            before, (is_owned, answers, nodes) = safe, left[0]
            safe = self._with_living(safe, is_owned, answers, nodes)
            safe = with_miai(self._board, self._own, self._other, safe)
            if safe == before and is_owned:
                safe = self._with_areas(safe, answers, nodes)
            left = left[1:] if safe == before else list(ROUNDS)
        return safe

    def _with_living(self, safe: Safety, is_owned: bool, answers: int, nodes: int) -> Safety:
        """Return the safety with strongholds of chains that were not known to live, the largest first."""
        for chain in sorted(split_parts(self._board, self._own & ~safe.walls), key=lambda one: -one.bit_count()):
            if chain & safe.walls:
                continue
            regions = self._whole_areas(safe, chain) if is_owned else self._all_areas(safe, chain)
            for region in dict.fromkeys(regions):
                found = self._find_stronghold(safe, region, is_owned, answers, nodes)
                if found is not None:
                    safe = safe._replace(strongholds=(*safe.strongholds, found))
                    break
        return safe

    def _all_areas(self, safe: Safety, chain: Mask) -> Iterator[Mask]:
        yield from self._whole_areas(safe, chain)
        yield from self._cut_areas(safe, chain)

    def _with_areas(self, safe: Safety, answers: int, nodes: int) -> Safety:
        """Return the safety with the areas that become ours though no fill can be counted on in them as they are."""
        board, stones = self._board, (self._own, self._other)
        for area in split_parts(board, board.full & ~safe.walls):
            if area & (safe.zones | safe.eyes | self._own) or is_fillable(board, area, safe, stones):
                continue
            found = self._find_stronghold(safe, area, True, answers, nodes)
            if found is not None:
                safe = safe._replace(strongholds=(*safe.strongholds, found))
        return safe

    def _find_stronghold(
        self, safe: Safety, region: Mask, is_owned: bool, answers: int, nodes: int
    ) -> Stronghold | None:
        """Return a stronghold in a region if a search finds one."""
        board, chains, zone = self._board, self._own & region, region & ~self._own
        if self._count_empty(zone) > MOST_EMPTY or not self._go_on():
            return None
        if is_owned and board.adjacent_to(zone) & ~(region | safe.walls):
            return None
        area = Area(region, self._other, self._own, safe.walls, is_owned)
        question = area._replace(walls=safe.walls & board.adjacent_to(region))
        if self._failures.get(question, 0) >= nodes:
            return None
        needed = self._search_zone(area, answers, nodes)
        if needed is None:
            self._failures[question] = nodes
            return None
        if not is_owned and needed != zone:
            # With fewer points all others are the other's.
            smaller = area._replace(region=chains | needed)
            if self._search_zone(smaller, answers, nodes) is not None:
                zone = needed & ~self._own
        return Stronghold(chains, zone, is_owned)

    def _search_zone(self, area: Area, answers: int, nodes: int) -> Mask | None:
        effort = Effort(min(nodes, self._nodes), self._go_on)
        before = effort.nodes
        zone = needed_zone(self._board, area, answers, effort)
        self._nodes -= before - effort.nodes
        return zone

    def _whole_areas(self, safe: Safety, chain: Mask) -> Iterator[Mask]:
        """Yield a chain with more and more of the areas beside it, the smallest first.

        First with all chains that these touch, then without other chains.
        """
        board, loose = self._board, self._own & ~safe.walls
        areas = split_parts(board, board.full & ~(self._own | safe.eyes | safe.zones))
        areas.sort(key=lambda area: area.bit_count())
        for joined in (loose, chain):
            region = chain
            while True:
                size = self._count_empty(region)
                beside = (area for area in areas if area & ~region and board.adjacent_to(area) & region)
                area = next((one for one in beside if size + self._count_empty(one) <= MOST_EMPTY), None)
                if area is None:
                    break
                region |= area
                region |= board.flood(board.adjacent_to(region) & joined, joined)
                yield region

    def _cut_areas(self, safe: Safety, chain: Mask) -> Iterator[Mask]:
        """Yield a chain, with and without the chains beside, and the nearest points that the other does not hold."""
        board, loose, free = self._board, self._own & ~safe.walls, self._nearer_points(safe)
        near = chain
        for _ in range(STEPS):
            near |= board.adjacent_to(near) & free
            for zone in dict.fromkeys(self._list_pieces(near & free)):
                yield chain | zone
                yield chain | zone | board.flood(board.adjacent_to(zone) & loose, loose)

    def _list_pieces(self, near: Mask) -> Iterator[Mask]:
        """Yield the smaller areas of some points together, each area, and pieces of the large ones."""
        board, together = self._board, 0
        areas = sorted(split_parts(board, near), key=lambda area: area.bit_count())
        for area in areas:
            if self._count_empty(together | area) <= MOST_EMPTY:
                together |= area
        yield together
        for area in areas[::-1]:
            yield area
            if self._count_empty(area) > MOST_PIECE:
                for seed in list(points_of(area))[::4]:
                    piece = 1 << seed
                    while self._count_empty(wider := piece | board.adjacent_to(piece) & area) <= MOST_PIECE:
                        piece = wider
                    yield piece

    def _count_empty(self, points: Mask) -> int:
        return (points & ~(self._own | self._other)).bit_count()

    def _nearer_points(self, safe: Safety) -> Mask:
        """Return the free points that are nearer to our stones than to large chains of the other's, or beside both."""
        board, own = self._board, self._own
        free = board.full & ~(own | safe.eyes | safe.zones)
        foes = sum(chain for chain in split_parts(board, self._other) if chain.bit_count() >= LARGE)
        free &= ~foes
        ours, theirs, reached = own, foes, 0
        while more := board.adjacent_to(ours) & free & ~(theirs | ours):
            reached |= more
            ours |= more
            theirs |= board.adjacent_to(theirs) & free & ~ours
        return reached
