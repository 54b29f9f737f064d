"""A match at a true table for tests: it is looked at and pressed, at side 1 Black."""

from __future__ import annotations

from collections.abc import Callable

from device.journal.entries import as_kept
from device.match.match import EventOutcome
from referee.game.observation import Observation
from referee.game.record import GameRecord
from referee.umpire.events import Button, Pressed
from tests.support.table import TrueTable


class Hands(TrueTable):
    """Tells `handle` what a camera and buttons would."""

    def __init__(self, record: GameRecord, handle: Callable[[Observation | Pressed], EventOutcome]) -> None:
        super().__init__(record)
        self.handle = handle

    def look(self, after: float = 1.0) -> EventOutcome:
        return self.handle(as_kept(self.seen(after)))

    def press(self, side: int, button: Button = Button.DONE, held: bool = False) -> EventOutcome:
        self.t += 1.0
        return self.handle(Pressed(self.t, side, button, held))

    def done(self, side: int) -> EventOutcome:
        """Press `done`, then look; the look's answer."""
        assert self.press(side).rulings == ()
        return self.look()
