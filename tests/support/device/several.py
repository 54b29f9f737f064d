"""A box at a table of several players under Kee's rules, before a true 5x5 board and with its page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from device.panel.panel import Edge
from referee.game.board import COLOURS, Colour
from referee.game.game_info import GameInfo
from referee.umpire.events import Button
from referee.umpire.table_state import Phase, Sight
from tests.support.device.directed import Directed

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Fay")
HELD = 0.1
"""Seconds for which a button is down."""


class SeveralPlayers(Directed):
    """Black sits at side 1. Hands put stones and press; each act is judged before it returns. Where there are clocks
    White has started them."""

    def __init__(self, folder: Path, players: int = 4, control: str | None = None, **how: Any) -> None:
        terms = {"names": NAMES[:players], "game_info": GameInfo("Spring Cup", "2", "7"), **how}
        super().__init__(folder, "kee", control, players="".join(COLOURS[:players]), **terms)
        self.appliance.sight(Sight.SEEN, self.t)
        self.appliance.settle()
        if control is not None:
            self.press(self.playing[1])

    @property
    def playing(self) -> tuple[Colour, ...]:
        return self.now.players

    def press(self, colour: Colour, button: Button = Button.DONE, looks: bool = True) -> None:
        """A button of this player's, and a look after it, unless nothing is to be seen."""
        side = COLOURS.index(colour) + 1
        for seconds, down in ((1.0, True), (HELD, False)):
            self.t += seconds
            self.appliance.edge(Edge(side, button, down, self.t))
        self.t += HELD
        self.appliance.settle()
        if looks and self.now.phase is not Phase.FINAL:
            self.look()

    def place(self, colour: Colour, point: str) -> None:
        """A stone of this player's, and `done`."""
        self.put(colour, point)
        self.press(colour)

    def pass_out(self) -> None:
        """Everybody passes until play has ended and is counted."""
        while not self.now.game.ended:
            mover = self.now.game.to_play
            self.press(mover, Button.CALL)
            self.press(mover)

    def agree(self) -> None:
        """Everybody agrees to the result."""
        for colour in self.playing:
            self.press(colour)

    def finish_unagreed(self) -> None:
        """A short game to its result, which nobody has agreed to: everybody places one stone."""
        for colour, point in zip(self.playing, ("A1", "E5", "A5", "E1", "C3", "C1"), strict=False):
            self.place(colour, point)
        self.pass_out()

    def finish(self) -> None:
        """The same to its end: it is final."""
        self.finish_unagreed()
        self.agree()
