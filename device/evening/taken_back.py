"""Moves that players take back while nobody referees: the earlier position that play went on from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, pairwise

from referee.board import Position
from referee.events import Observed
from referee.record import GameRecord
from referee.table.look import differ
from referee.table.referee import Manner, Referee

# Chosen by hand.
FARTHEST = 30
"""So many turns may be taken back at once."""
MOST_ANEW = 8
"""And so many may have been played since the newest of them was."""


@dataclass(frozen=True)
class Way:
    """An earlier record and what led from it to the board as it lies: no turn, or some."""

    earlier: GameRecord
    anew: int
    position: Position


def way_back(record: GameRecord, seen: Observed, laid: Position) -> Way | None:
    """The fewest turns to take back from the record so that legal turns, or none, lead to the board as it is laid; None
    where no such way is known."""
    earlier = list(islice(_before(record), FARTHEST))
    same = next((one for one in earlier if one.position == laid), None)
    if same is not None:
        return Way(same, 0, laid)
    return next((way for one in earlier if (way := _onward(one, seen, laid)) is not None), None)


def reaches(record: GameRecord, seen: Observed, laid: Position) -> int | None:
    """How many legal turns lead from the record to the board as it is laid; None where none do."""
    if record.position == laid:
        return 0
    if not _may_lead(record.position, laid):
        return None
    probe = Referee(record, Manner(to_play_said=True, waits_for_lids=False))
    probe.receive(Observed(seen.t, seen.points, (), between=seen.between))
    found = probe.record
    turns = found.number - record.number
    return turns if turns > 0 and found.position == laid and found.start is record.start else None


def _onward(earlier: GameRecord, seen: Observed, laid: Position) -> Way | None:
    turns = reaches(earlier, seen, laid)
    return Way(earlier, turns, laid) if turns else None


def _before(record: GameRecord) -> Iterator[GameRecord]:
    """The records before this one, the newest first, but for an empty board: from there another game begins."""
    return (before for _, before in pairwise(record.back()) if before.number or before.position.occupied)


def _may_lead(position: Position, laid: Position) -> bool:
    """Whether a few turns may lead from one to the other: few stones are new, and the others mostly stay."""
    new = sum((now & ~was).bit_count() for now, was in zip(laid.stones, position.stones, strict=True))
    gone = differ(position, laid) & position.occupied
    return 0 < new <= MOST_ANEW and gone.bit_count() * 2 <= position.occupied.bit_count()
