"""Moves that players take back without a referee: the search for the earlier position from which play went on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, pairwise

from referee.game.board import Position
from referee.game.likelihoods import differ
from referee.game.observation import Observation
from referee.game.record import GameRecord
from referee.umpire.referee import Referee, TableConfig

# Chosen by hand.
FARTHEST = 30
"""Maximum number of turns taken back at once."""
MOST_ANEW = 8
"""Maximum number of turns played since then."""


@dataclass(frozen=True)
class Way:
    """An explanation by moves taken back.

    earlier: the record to return to
    anew: number of turns played from there
    position: the position on the board
    """

    earlier: GameRecord
    anew: int
    position: Position


def way_back(record: GameRecord, seen: Observation, laid: Position) -> Way | None:
    """Find the fewest turns to take back so that legal turns, or none, lead to the position; None if nothing is found.

    record: the record
    seen: the observation
    laid: the position in it
    """
    earlier = list(islice(_before(record), FARTHEST))
    same = next((one for one in earlier if one.position == laid), None)
    if same is not None:
        return Way(same, 0, laid)
    return next((way for one in earlier if (way := _onward(one, seen, laid)) is not None), None)


def reaches(record: GameRecord, seen: Observation, laid: Position) -> int | None:
    """Return how many legal turns lead from the record to the position; None if none do."""
    if record.position == laid:
        return 0
    if not _may_lead(record.position, laid):
        return None
    probe = Referee(record, TableConfig(to_play_said=True, waits_for_lids=False))
    probe.receive(Observation(seen.t, seen.points, (), between=seen.between))
    found = probe.record
    turns = found.number - record.number
    return turns if turns > 0 and found.position == laid and found.start is record.start else None


def _onward(earlier: GameRecord, seen: Observation, laid: Position) -> Way | None:
    turns = reaches(earlier, seen, laid)
    return Way(earlier, turns, laid) if turns else None


def _before(record: GameRecord) -> Iterator[GameRecord]:
    """Yield the records before this one, the newest first, except an empty board, where another game begins."""
    return (before for _, before in pairwise(record.back()) if before.number or before.position.occupied)


def _may_lead(position: Position, laid: Position) -> bool:
    """Return True if a few turns may lead from one to the other: few stones are new, and the others mostly stay."""
    new = sum((now & ~was).bit_count() for now, was in zip(laid.stones, position.stones, strict=True))
    gone = differ(position, laid) & position.occupied
    return 0 < new <= MOST_ANEW and gone.bit_count() * 2 <= position.occupied.bit_count()
