"""The count that the box proposes after the passes that end play, computed in the background, once for a position."""

from __future__ import annotations

from collections.abc import Callable

from device.table.background_question import BackgroundQuestion
from device.table.worker import BackgroundWorker, Lane
from referee.analysis.proposal import Proposal, propose_dead
from referee.game.board import Position
from referee.table.display_state import TableSnapshot

WITHIN_S = 60.0
"""Time limit of a proposal; without one the players name the dead stones, as always."""


def count_proposals(
    worker: BackgroundWorker, tell: Callable[[Position, Proposal], None]
) -> BackgroundQuestion[Position, Proposal]:
    """Return the question which stones of a finished position are dead; none are if play seems not to have ended.

    worker: finds them.
    tell: receives the position and its proposal.
    """

    def find_proposal(position: Position) -> Proposal | None:
        proposal = worker.run(Lane.COUNT, propose_for, position, WITHIN_S)
        return proposal if proposal.ended else None

    return BackgroundQuestion("count-proposals", position_to_count, find_proposal, tell)


def position_to_count(snapshot: TableSnapshot) -> Position | None:
    """Return the position for which a proposal is wanted, if one is."""
    return snapshot.game.position if snapshot.game.counting.wants_proposal else None


def propose_for(position: Position) -> Proposal:
    """Return the dead stones proposed for a position of two players."""
    black, white = position.stones
    return propose_dead(position.board, (black, white))
