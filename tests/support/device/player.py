"""A box without threads or camera before a true 5x5 table, its panel, its journal and its buttons."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Self

from device.journal.entries import Terms, as_journaled
from device.journal.replay import Folder
from device.journal.store import read_journal
from device.panel.panel import Edge, NoPanel
from device.panel.signals import Signal
from device.table.controller import TableController
from referee.game.board import COLOURS, Colour
from referee.game.game_info import GameInfo
from referee.rules.sets import DEFAULT, rule_set
from referee.rules.setup import Setup
from referee.table.display_state import Phase, Sight, TableSnapshot
from referee.table.events import Button
from referee.table.snapshot import Clocks
from referee.table.table import TableConfig
from referee.time.controls import read_control
from tests.support.device.directed import DirectedTable
from tests.support.play import start_game
from tests.support.table import TrueTable

# A box at a table of several players under Kee's rules, before a true 5x5 board and with its page.

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Fay")
HELD = 0.1
"""Seconds for which a button is down."""


class SeveralPlayers(DirectedTable):
    """Black sits at side 1. Hands put stones and press; each act is judged before it returns. Where there are clocks
    White has started them."""

    def __init__(self, folder: Path, players: int = 4, control: str | None = None, **how: Any) -> None:
        terms = {"names": NAMES[:players], "game_info": GameInfo("Spring Cup", "2", "7"), **how}
        super().__init__(folder, "kee", control, players="".join(COLOURS[:players]), **terms)
        self.event_loop.sight(Sight.SEEN, self.t)
        self.event_loop.settle()
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
            self.event_loop.queue_edge(Edge(side, button, down, self.t))
        self.t += HELD
        self.event_loop.settle()
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


PRESS = 0.15


class Lamps(NoPanel):
    """A panel that notes how many journal entries there were when it was lit."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.lit = folder, list[tuple[int, Signal]]()

    def show(self, signal: Signal) -> None:
        journals = sorted(self.folder.glob("*.journal"))
        self.lit.append((len(read_journal(journals[-1])) if journals else 0, signal))


class Player(TrueTable):
    """A box, a true 5x5 table before it, and hands that move stones and press buttons."""

    def __init__(
        self,
        folder: Path,
        refereed: bool = True,
        rules: str | None = "ultimate",
        size: int | None = 5,
        control: str | None = None,
        procedures: bool = True,
        panel: NoPanel | None = None,
    ) -> None:
        self.folder = Folder(folder)
        setup = Setup(rule_set(rules), size=(size, size) if size else None)
        time_control = read_control(control) if control else None
        self.terms = Terms(setup, TableConfig(refereed, 1, control=time_control, procedures=procedures))
        self.lamps = Lamps(folder)
        self.panel = panel or self.lamps
        self.snapshots: list[TableSnapshot] = []
        super().__init__(start_game(rules or DEFAULT, size=(5, 5)))
        self.box = TableController(self.terms, self.folder, self.panel, self.snapshots.append)

    @property
    def now(self) -> TableSnapshot:
        return self.box.snapshot

    @property
    def journal(self) -> Path:
        return self.folder.list_journals()[-1]

    def look(self, after: float = 1.0) -> Self:
        observation = as_journaled(self.observe(after))
        self.box.sight(Sight.SEEN, observation.t)
        self.box.handle_observation(observation)
        return self

    def press(
        self, side: int, button: Button = Button.DONE, lasting: float = PRESS, before: float = 1.0, after: float = PRESS
    ) -> Self:
        """A press so long; before, after: seconds without a press around it."""
        self.t += before
        self.box.take_edge(Edge(side, button, True, self.t))
        self.box.tick(self.t + lasting)
        self.t += lasting
        self.box.take_edge(Edge(side, button, False, self.t))
        self.t += after
        self.box.tick(self.t)
        return self

    def wait(self, seconds: float) -> Self:
        """Time passes, and the box is ticked as often as it asks for."""
        until = self.t + seconds
        while (due := self.box.deadline) is not None and due <= until:
            self.t = max(due, self.t + 0.01)
            self.box.tick(self.t)
        self.t = until
        self.box.tick(self.t)
        return self

    @property
    def clocks(self) -> Clocks:
        clocks = self.box.table.snapshot.clocks
        assert clocks is not None
        return clocks

    def restarted(self) -> Self:
        """Return the table before a new box, which takes up the match from the journal."""
        self.box.close()
        newest = self.folder.find_newest_match()
        assert newest is not None
        self.box = TableController(self.terms, self.folder, self.panel, self.snapshots.append)
        self.box.resume_match(self.folder.open_journal(newest[0]), newest[1], newest[1].t)
        return self
