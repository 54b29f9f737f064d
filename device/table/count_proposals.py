"""The count that the box proposes after the passes that end play, computed in the background, once for a position."""

from __future__ import annotations

import logging
from collections.abc import Callable
from queue import SimpleQueue

from device.table.worker import BackgroundWorker, Lane
from device.threads import start_supervised_thread
from referee.analysis.proposal import Proposal, propose
from referee.game.board import Position
from referee.umpire.table_state import TableSnapshot

log = logging.getLogger("shinpan")
WITHIN_S = 60.0
"""Time limit of a proposal; without one the players name the dead stones, as always."""


class CountProposals:
    """A thread that has the dead stones of a finished position found, and passes them on.

    worker: finds them.
    tell: receives the position and its proposal; the match hears it only if nothing has changed meanwhile.
    """

    def __init__(self, worker: BackgroundWorker, tell: Callable[[Position, Proposal], None]) -> None:
        self._worker, self._tell = worker, tell
        self._asked: Position | None = None
        self._to_do = SimpleQueue[Position]()
        start_supervised_thread("count-proposals", self._find_all)

    def show(self, showing: TableSnapshot) -> None:
        """Take the newest Showing, and queue its position if a proposal is wanted."""
        asked = showing.game.position if showing.game.counting.wants_proposal else None
        if asked is not None and asked != self._asked:
            self._to_do.put(asked)
        self._asked = asked

    def find(self, position: Position) -> None:
        """Find a position's dead stones and pass them on, unless play seems not to have ended."""
        if position != self._asked:
            return
        try:
            found = self._worker.run(Lane.COUNT, propose_for, position, WITHIN_S)
        except Exception:
            log.exception("The dead stones of a finished game cannot be found.")
            return
        if found.ended:
            self._tell(position, found)

    def _find_all(self) -> None:
        while True:
            self.find(self._to_do.get())


def propose_for(position: Position) -> Proposal:
    """Return the dead stones proposed for a position of two players."""
    black, white = position.stones
    return propose(position.board, (black, white))
