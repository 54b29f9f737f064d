"""Endings of games on small boards, and the expedited count of each beside its exact worth.

Random play until both sides have borders: what strong players would never do is among it, and what seldom comes up.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations

from referee.analysis.worth import Worth, worth
from referee.board import COLOURS, Colour, Mask, points_of
from referee.counted import won_by
from referee.errors import BadCount
from referee.legality import delays, judge, legal_placements
from referee.record import GameRecord
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.score.procedure import Amendments
from referee.score.proved import Checked, Valuer, checked
from referee.score.regions import chains, check, regions
from referee.turns import Delay, Placement

SIZES = ((5, 1), (6, 1), (7, 1), (8, 1), (4, 2), (3, 2), (3, 3), (5, 2), (4, 3), (6, 2), (5, 3), (4, 4))
LIBERTIES = 2
"""What every chain has where players would count."""
Budget = Callable[[], Callable[[], bool]]


@dataclass(frozen=True)
class Ending:
    """A position where players may count. delayed: the first delay has just been made, and was optimal."""

    record: GameRecord
    worth: Worth
    delayed: bool

    @property
    def exact(self) -> str:
        """The result that play leads to, as a count of Fundamental Go writes it."""
        assert self.worth.score is not None
        return won_by(self.worth.score)


def endings(seed: int, budget: Budget) -> Iterator[Ending]:
    """The endings of one random game that are solved within the budget; counting begins before the first delay, or
    after one that cost nothing."""
    chance = random.Random(seed)
    for record in played(chance):
        if not looks_settled(record):
            continue
        found = worth(record, budget())
        if not found.exact:
            continue
        yield Ending(record, found, delayed=False)
        if found.level == 0 and delays(record):
            after = judge(record, Delay(record.to_play)).after
            then = worth(after, budget()) if after is not None else found
            if after is not None and then.exact:
                yield Ending(after, then, delayed=True)
        return


def played(chance: random.Random) -> Iterator[GameRecord]:
    """A random game of Fundamental Go after each of its turns; eyes are filled only where nothing else is left."""
    record = Setup(rule_set("fundamental"), size=chance.choice(SIZES)).record()
    while record.number < 3 * record.position.board.points:
        points = list(points_of(legal_placements(record)))
        wise = [point for point in points if not _fills_eye(record, point)]
        if not wise:
            return
        after = judge(record, Placement(record.to_play, chance.choice(wise))).after
        assert after is not None
        yield (record := after)


def _fills_eye(record: GameRecord, point: int) -> bool:
    around = record.position.board.beside(1 << point)
    return not around & ~record.position.of(record.to_play)


def looks_settled(record: GameRecord) -> bool:
    """Whether players would think of counting: both have stones, none of them in atari, and no large region is open."""
    position = record.position
    if not all(position.stones):
        return False
    found = [chain for stones in position.stones for chain in chains(position, stones)]
    if any(position.liberties(chain).bit_count() < LIBERTIES for chain in found):
        return False
    return all(region.points.bit_count() <= LIBERTIES for region in regions(position) if len(region.colours) != 1)


def counted(ending: Ending, valuer: Valuer, dead: Mask = 0, one_sided: tuple[Mask, Mask] = (0, 0)) -> Checked | None:
    """The count beside the exact result."""
    return checked(ending.record, dead, Amendments(one_sided, first_delay=not ending.delayed), valuer)


def dead_sets(record: GameRecord) -> list[Mask]:
    """The sets of whole chains that can be dead, the smallest first."""
    position = record.position
    found = [chain for stones in position.stones for chain in chains(position, stones)]
    sets = [sum(some) for many in range(len(found)) for some in combinations(found, many)]
    return [dead for dead in sets if _may_be_dead(record, dead)]


def _may_be_dead(record: GameRecord, dead: Mask) -> bool:
    try:
        check(record.position, dead)
    except BadCount:
        return False
    return True


def one_sided_dame(record: GameRecord) -> tuple[Mask, Mask]:
    """The points between the colours that only Black, only White can fill without being put in atari."""
    position = record.position
    between = sum(region.points for region in regions(position) if len(region.colours) > 1)
    black, white = (
        sum(1 << point for point in points_of(between) if _safe(record, colour, point)) for colour in COLOURS[:2]
    )
    return black & ~white, white & ~black


def _safe(record: GameRecord, colour: Colour, point: int) -> bool:
    after = record.position.place(colour, point).position
    return after.liberties(after.chain(point)).bit_count() >= LIBERTIES
