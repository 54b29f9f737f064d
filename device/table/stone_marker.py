"""The mark of a stone that a single frame shows: it goes from the camera past the box straight to the page's board.

It is for eyes only: the one thing shown that is not in the journal. The match, its clocks, lamps and voice do not hear
of it, and nothing of it is left after a restart. A stone that the next frame confirms gets no mark, because each change
of the board is fetched by every open page. Two threads call: the box's owner with each snapshot, and the camera's with
each frame that tells nothing new. The page gets the snapshots of both, with one growing number.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from threading import Lock

from referee.table.display_state import Sight, TableSnapshot
from vision.tracking.glimpses import UnconfirmedStone
from web.page.unconfirmed import mark_stone

MARKED_AFTER_S = 0.15
"""Seconds for which a stone has to stay unconfirmed, more than lie between two of ten frames a second."""


class StoneMarker:
    """A publisher of snapshots that adds the mark of an unconfirmed stone. Safe to use from any thread.

    publish: receives the snapshots, with the mark and without.
    """

    def __init__(self, publish: Callable[[TableSnapshot], None]) -> None:
        self._publish, self._lock = publish, Lock()
        self._newest: TableSnapshot | None = None
        self._marked: UnconfirmedStone | None = None
        self._unconfirmed: UnconfirmedStone | None = None
        self._since = 0.0
        self._added = 0

    def publish(self, snapshot: TableSnapshot) -> None:
        """Publish the box's snapshot, with the mark while it may be the next turn's stone."""
        with self._lock:
            self._newest = snapshot
            if self._marked is not None and not _may_be_next(self._marked, snapshot):
                self._marked = None
            self._publish_newest(snapshot)

    def show_stone(self, stone: UnconfirmedStone | None, t: float) -> None:
        """Take the stone that is unconfirmed at t, and mark it if it may be the next turn's; None: there is none."""
        with self._lock:
            if stone != self._unconfirmed:
                self._unconfirmed, self._since = stone, t
            newest = self._newest
            if newest is None:
                return
            is_due = stone is not None and t - self._since >= MARKED_AFTER_S and _may_be_next(stone, newest)
            marked = stone if is_due else None
            if marked != self._marked:
                self._marked = marked
                self._added += 1
                self._publish_newest(newest)

    def _publish_newest(self, snapshot: TableSnapshot) -> None:
        if self._added:
            snapshot = replace(snapshot, number=snapshot.number + self._added)
        self._publish(
            snapshot if self._marked is None else mark_stone(snapshot, self._marked.colour, self._marked.point)
        )


def _may_be_next(stone: UnconfirmedStone, snapshot: TableSnapshot) -> bool:
    """Return True if the camera saw last what the game has, which goes on, and this may be the next turn's stone."""
    game, seen_position = snapshot.game, snapshot.seen_position
    position, board = game.position, game.position.board
    is_watched = snapshot.sight in (Sight.SEEN, Sight.COVERED)
    is_open = is_watched and not (snapshot.paused or snapshot.trouble or game.ended)
    is_next = stone.colour is game.to_play and (stone.size, stone.size) == (board.cols, board.rows)
    return is_open and is_next and seen_position == position and bool(position.empty >> stone.point & 1)
