"""Endings on small boards, and the expedited count of each beside its exact worth.

They are drawn at random: what strong players would never leave is among them, and what seldom comes up.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations

from referee.analysis.exact_count import Checked, Valuer, check_count
from referee.analysis.figures import Worth
from referee.analysis.worth import worth
from referee.game.board import COLOURS, Colour, Mask, points_of
from referee.game.count_result import winning_result
from referee.game.errors import BadCount, BadSetup
from referee.game.prisoners import bowls_of
from referee.game.record import GameRecord
from referee.game.regions import check_dead_stones, find_chains, find_regions
from referee.game.turns import Delay
from referee.rules.legality import judge
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.score.orders import played_out, result_at_end
from referee.score.procedure import Amendments, open_table

SIDES = (5, 6, 7, 8, 9), (2, 3, 4)
"""Columns and rows that a board can have."""
LIBERTIES = 2
"""Liberties that every chain has, at least, if players would count."""
FRIEND, FOE = 0.5, 0.05
"""Probabilities that a point behind a wall has a stone of its owner's, of the other's."""
MOST_PRISONERS = 2
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
        return winning_result(self.worth.score)


def endings(seed: int, budget: Budget) -> Iterator[Ending]:
    """The ending of this number where its score is found within the budget: before the first delay, and after it where
    it cost nothing."""
    record = walled(random.Random(seed))
    if record is None or not looks_settled(record):
        return
    value = worth(record, budget())
    if value.score is None:
        return
    yield Ending(record, value, delayed=False)
    after = judge(record, Delay(record.to_play)).after if value.level == 0 else None
    if after is not None:
        then = worth(after, budget())
        if then.score is not None:
            yield Ending(after, then, delayed=True)


def walled(chance: random.Random) -> GameRecord | None:
    """A board cut in two by walls that wind from the top to the bottom, with dame between them, stones of both colours
    behind them, and prisoners in the bowls; None where no game can come to it."""
    cols, rows = chance.choice(SIDES[0]), chance.choice(SIDES[1])
    border, lines = cols // 2, []
    for _ in range(rows):
        border = min(max(border + chance.choice((-1, 0, 0, 1)), 1), cols - 2)
        dame = chance.choice((0, 0, 1)) if border + 1 < cols - 1 else 0
        left = "".join(_behind(chance, "XO") for _ in range(border - 1))
        right = "".join(_behind(chance, "OX") for _ in range(cols - border - 1 - dame))
        lines.append(f"{left}X{'.' * dame}O{right}")
    black, white = chance.randint(0, MOST_PRISONERS), chance.randint(0, MOST_PRISONERS)
    bowls = bowls_of({"B": {"W": black}, "W": {"B": white}})
    to_play = chance.choice(COLOURS[:2])
    try:
        return Setup(rule_set("fundamental"), board=tuple(lines), bowls=bowls, to_play=to_play).record()
    except BadSetup:
        return None


def _behind(chance: random.Random, colours: str) -> str:
    roll = chance.random()
    return colours[0] if roll < FRIEND else colours[1] if roll < FRIEND + FOE else "."


def looks_settled(record: GameRecord) -> bool:
    """Return True if players would think of counting: both have stones, none in atari, and no large region is open."""
    position = record.position
    if not all(position.stones):
        return False
    all_chains = [chain for stones in position.stones for chain in find_chains(position, stones)]
    if any(position.liberties_of(chain).bit_count() < LIBERTIES for chain in all_chains):
        return False
    return all(region.points.bit_count() <= LIBERTIES for region in find_regions(position) if len(region.colours) != 1)


def procedure(ending: Ending, dead: Mask = 0, one_sided: tuple[Mask, Mask] = (0, 0)) -> str:
    """Return the result that the count comes to."""
    return result_at_end(played_out(open_table(ending.record, dead, _amendments(ending, one_sided)))[1])


def examined(ending: Ending, valuer: Valuer) -> Checked | None:
    """The count beside the exact result, with the move of the procedure that changes it."""
    return check_count(ending.record, 0, _amendments(ending, (0, 0)), valuer)


def _amendments(ending: Ending, one_sided: tuple[Mask, Mask]) -> Amendments:
    return Amendments(one_sided, first_delay=not ending.delayed)


def dead_sets(record: GameRecord) -> list[Mask]:
    """The sets of whole chains that can be dead, the smallest first."""
    position = record.position
    all_chains = [chain for stones in position.stones for chain in find_chains(position, stones)]
    sets = [sum(some) for many in range(len(all_chains)) for some in combinations(all_chains, many)]
    return [dead for dead in sets if _may_be_dead(record, dead)]


def _may_be_dead(record: GameRecord, dead: Mask) -> bool:
    try:
        check_dead_stones(record.position, dead)
    except BadCount:
        return False
    return True


def one_sided_dame(record: GameRecord) -> tuple[Mask, Mask]:
    """The points between the colours that only Black, only White can fill without being put in atari."""
    position = record.position
    between = sum(region.points for region in find_regions(position) if len(region.colours) > 1)
    black, white = (
        sum(1 << point for point in points_of(between) if _safe(record, colour, point)) for colour in COLOURS[:2]
    )
    return black & ~white, white & ~black


def _safe(record: GameRecord, colour: Colour, point: int) -> bool:
    after = record.position.place(colour, point).position
    return after.liberties_of(after.chain_at(point)).bit_count() >= LIBERTIES
