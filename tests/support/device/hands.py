"""A match at a true table for tests: stones and prisoners moved by hand, looked at and pressed, at side 1 Black."""

from __future__ import annotations

from collections.abc import Callable

from device.journal.entries import as_kept
from device.match import Heard
from referee.board import Colour, Position
from referee.bowls import Bowls
from referee.events import Button, Observed, Pressed
from referee.record import GameRecord
from tests.support.referee.looks import lids_of, look

B, W = Colour.BLACK, Colour.WHITE


class Hands:
    """Moves stones and tells `hear` what a camera and buttons would."""

    def __init__(self, record: GameRecord, hear: Callable[[Observed | Pressed], Heard]) -> None:
        self.board = record.position.board
        self.position: Position = record.position
        self.lids: Bowls = record.bowls
        self.hear = hear
        self.t = 0.0

    def put(self, colour: Colour, *points: str) -> Hands:
        for name in points:
            self.position = self.position.put(colour, 1 << self.board.point(name))
        return self

    def lift(self, *points: str) -> Hands:
        for name in points:
            self.position = self.position.without(1 << self.board.point(name))
        return self

    def lid(self, owner: Colour, colour: Colour, change: int) -> Hands:
        self.lids = self.lids.moved(owner, colour, change)
        return self

    def look(self, after: float = 1.0) -> Heard:
        self.t += after
        return self.hear(as_kept(look(self.position, self.t, lids_of(self.lids))))

    def press(self, side: int, button: Button = Button.DONE, held: bool = False) -> Heard:
        self.t += 1.0
        return self.hear(Pressed(self.t, side, button, held))

    def done(self, side: int) -> Heard:
        """Press `done`, then look; the look's answer."""
        assert self.press(side).rulings == ()
        return self.look()
