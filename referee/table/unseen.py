"""Turns that no look showed: a stone that was placed and captured between two looks, or whose point was filled again.

Where a look shows several turns at once, looks were left out, and more may have been played than they show. Such turns
wait for a look that tells; where none does they are written as uncertain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from referee.board import Position
from referee.record import GameRecord
from referee.table.inference import MARGIN, Consensus, Explanation
from referee.table.look import Look, differ
from referee.table.ways import loss_of
from referee.turns import Placement, Turn

SEVERAL = 2
"""Where a look shows so many turns, others may have been made that it does not show."""
MOST_WAITING = 4
"""So many turns wait at most for a look that tells whether there were more."""
NOTHING = Consensus(Explanation((), (), (), 0.0))


@dataclass(frozen=True)
class Unseen:
    """Turns that wait, for others may have been made that no look showed. through: what the looks since have shown."""

    found: Consensus = NOTHING
    through: tuple[Position, ...] = ()

    def longer(self, found: Consensus, look: Look) -> Unseen:
        """With one more look; found: what explains all of them. Its turns are uncertain."""
        unsure = replace(found, orders=(True,) * len(found.explanation.records))
        return Unseen(unsure, (*self.through, look.likeliest))

    @property
    def is_too_long(self) -> bool:
        """Whether it is no use to wait for more."""
        return len(self.found.orders) > MOST_WAITING

    def is_on(self, way: Explanation) -> bool:
        """Whether it leads through all that was shown."""
        return {record.position for record in way.records}.issuperset(self.through)


def may_hide_turns(found: Consensus, delay_seen: Turn | None) -> bool:
    """Whether more may have been played than a look shows: it shows several turns, or not the delay that was seen."""
    best = found.explanation
    several = len(best.records) >= SEVERAL or delay_seen not in (None, *best.turns[:1])
    return bool(several and best.records) and best.refused is None and not best.any_order and found.rivals == 1


def leads_past(best: Explanation, record: GameRecord, astray: Position, look: Look) -> bool:
    """Whether these turns do not lead through what an earlier look showed, which nothing explained then (`astray`),
    though all that was new in it is still there."""
    stays = not differ(astray, look.likeliest) & differ(astray, record.position)
    return stays and all(after.position != astray for after in best.records)


def hold_others(best: Explanation, ways: Sequence[Explanation]) -> bool:
    """Whether one of these ways fits the look as well, and has a stone placed that the best one does not."""
    placed = {turn for turn in best.turns if isinstance(turn, Placement)}
    return any(
        one.refused is None
        and loss_of(one) > loss_of(best) - MARGIN
        and not placed.issuperset(turn for turn in one.turns if isinstance(turn, Placement))
        for one in ways
    )
