"""Turns that no look showed: a stone placed and captured between two looks, or a point filled again.

If a look shows several turns at once, looks were missed, and more may have been played than it shows. Such turns wait
for a look that decides; if none does, they are written as uncertain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from referee.game.board import Position
from referee.game.likelihoods import BoardLikelihoods, differ
from referee.game.record import GameRecord
from referee.game.turns import Placement, Turn
from referee.umpire.hypotheses import loss_of
from referee.umpire.inference import MARGIN, Consensus, Explanation

SEVERAL = 2
"""The number of turns in one look from which others may have been made unseen."""
MOST_WAITING = 4
"""The maximum number of turns that wait for a deciding look."""
NOTHING = Consensus(Explanation((), (), (), 0.0))


@dataclass(frozen=True)
class PendingMoves:
    """Turns that wait because others may have been made that no look showed.

    through: the positions shown by the looks since
    """

    found: Consensus = NOTHING
    through: tuple[Position, ...] = ()

    def longer(self, found: Consensus, look: BoardLikelihoods) -> PendingMoves:
        """Return the waiting turns after one more look, as uncertain.

        found: the explanation of all looks so far
        """
        unsure = replace(found, orders=(True,) * len(found.explanation.records))
        return PendingMoves(unsure, (*self.through, look.likeliest))

    @property
    def is_too_long(self) -> bool:
        """Return True if there are too many turns to wait for more."""
        return len(self.found.orders) > MOST_WAITING

    def is_on(self, way: Explanation) -> bool:
        """Return True if the explanation passes through all positions shown."""
        return {record.position for record in way.records}.issuperset(self.through)


def may_hide_turns(found: Consensus, delay_seen: Turn | None) -> bool:
    """Return True if more may have been played than a look shows.

    It shows several turns, or lacks the delay that was seen.
    """
    best = found.explanation
    several = len(best.records) >= SEVERAL or delay_seen not in (None, *best.turns[:1])
    return bool(several and best.records) and best.refused is None and not best.any_order and found.rivals == 1


def leads_past(best: Explanation, record: GameRecord, astray: Position, look: BoardLikelihoods) -> bool:
    """Return True if these turns bypass an earlier look although all that was new in it is still there.

    astray: the position of that look, which nothing explained then
    """
    stays = not differ(astray, look.likeliest) & differ(astray, record.position)
    return stays and all(after.position != astray for after in best.records)


def hold_others(best: Explanation, ways: Sequence[Explanation]) -> bool:
    """Return True if an alternative fits the look as well, and places a stone that the best one does not."""
    placed = {turn for turn in best.turns if isinstance(turn, Placement)}
    return any(
        one.refused is None
        and loss_of(one) > loss_of(best) - MARGIN
        and not placed.issuperset(turn for turn in one.turns if isinstance(turn, Placement))
        for one in ways
    )
