"""The one way to play a table in tests: a true board and true lids, changed by hand, and what a camera makes of them.

Who is told of it is added by those that build on this: a referee, a match, a box or a running appliance.
"""

from __future__ import annotations

from typing import Self

from referee.game.board import Colour, Position
from referee.game.observation import LidSight, Observation
from referee.game.prisoners import Bowls
from referee.game.record import GameRecord
from tests.support.referee.looks import lids_of, look

B, W = Colour.BLACK, Colour.WHITE


class TrueTable:
    """The things on a table at a time `t`, seconds. seats: the side at which Black sits and Black's lid lies."""

    def __init__(self, record: GameRecord, t: float = 0.0) -> None:
        self.board = record.position.board
        self.position: Position = record.position
        self.lids: Bowls = record.bowls
        self.seen_lids: tuple[LidSight, ...] | None = None
        self.seats = 1
        self.t = t

    def put(self, colour: Colour, *points: str) -> Self:
        """Stones onto the board; nothing is taken off."""
        for name in points:
            self.position = self.position.with_stones(colour, 1 << self.board.point(name))
        return self

    def lift(self, *points: str) -> Self:
        """Stones off the board."""
        for name in points:
            self.position = self.position.without_stones(1 << self.board.point(name))
        return self

    def lid(self, owner: Colour, colour: Colour, change: int) -> Self:
        """Stones into (or out of) a lid; an ultimate stone is counted like any other here."""
        self.lids = self.lids.change_count(owner, colour, change)
        return self

    def wait(self, seconds: float) -> Self:
        """Time passes, and nobody does anything."""
        self.t += seconds
        return self

    def observe(self, after: float = 1.0) -> Observation:
        """A sure look at all of it, so many seconds later; the lids may be seen otherwise than they are (seen_lids)."""
        self.t += after
        lids = self.seen_lids if self.seen_lids is not None else lids_of(self.lids, self.seats)
        return look(self.position, self.t, lids if len(self.position.stones) == 2 else ())
