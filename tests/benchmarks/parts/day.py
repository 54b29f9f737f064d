"""A long day at a table: games one after the other in one process, with idle hours between, time passed in.

The hands of a drawn table play seeded games of Ultimate Go with every kind of slip; what lies on the table is told to
the box as a look would tell it, and every button's edge. The box keeps its journals, records and pictures in its folder
and publishes to a page that is asked again and again. Each game's rulings and result have to be its script's, and after
the first games the process may neither grow nor keep files open.
"""

from __future__ import annotations

import gc
import os
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from device.journal.entries import Terms, as_journaled
from device.journal.keyframes import CapturedFrame, KeyFrames
from device.journal.replay import Folder
from device.panel.panel import Edge, NoPanel
from device.simulator.games import ActedGame, ultimate_game
from device.simulator.table import Performance, SimulatedFrame, Tempo, table_of
from device.table.controller import TableController
from referee.game.board import Colour
from referee.game.observation import LidSight
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.table.display_state import Phase, Sight, TableSnapshot
from referee.table.table import TableConfig
from referee.time.controls import read_control
from tests.support.referee.looks import lid, look
from tests.support.simulator.watched import said_of, wanted_of
from vision.camera.frame import Frame
from web.page.headline import headline_of
from web.page.status import status_of

SIZES = (9, 9, 13, 19)
WARM = 20
"""Games after which the process is as large as it may become."""
IDLE = 3 * 3600.0
TICK = 2.0
"""Seconds between two ticks of an idle box."""
PAGE = os.sysconf("SC_PAGE_SIZE")
PIXELS = np.zeros((72, 128, 3), np.uint8)


@dataclass
class Day:
    """A box, what it shows, and how it fared. sizes: resident bytes after each game; handles: open files."""

    folder: Path
    t: float = 0.0
    wrong: list[str] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    handles: list[int] = field(default_factory=list)
    newest: TableSnapshot | None = None

    def __post_init__(self) -> None:
        config = TableConfig(True, control=read_control("1h+5x60s"))
        self.frames = KeyFrames(self.folder, lambda t: CapturedFrame(Frame(PIXELS, t), None), 300)
        terms = Terms(Setup(rule_set("ultimate")), config)
        self.box = TableController(terms, Folder(self.folder), NoPanel(), self._show, self.frames.queue_frame)

    def _show(self, snapshot: TableSnapshot) -> None:
        """Build from a snapshot all that the page's threads would build."""
        self.newest = snapshot
        status_of(snapshot)
        headline_of(snapshot)

    def play(self, number: int) -> None:
        """One game to its agreed result, then an idle table, cleared."""
        game = ultimate_game(SIZES[number % len(SIZES)], number + 1, refereed=True)
        self._act_out(game)
        self._compare(game, number)
        self._idle(game)
        self._measure()

    def _act_out(self, game: ActedGame) -> None:
        script, began = game.script, self.t
        performance = Performance(script, table_of(script, 160, 90), Tempo(4))
        for happening in performance.happenings():
            if isinstance(happening, Edge):
                self.t = began + happening.t
                self.box.take_edge(Edge(happening.side, happening.button, happening.down, self.t))
            elif isinstance(happening, SimulatedFrame):
                self.t = began + happening.t
                self._see(performance, covered=happening.scene.hand is not None)
        self._see(performance, covered=False)

    def _see(self, performance: Performance, covered: bool) -> None:
        world = performance.world
        self.box.sight(Sight.COVERED if covered else Sight.SEEN, self.t)
        if not covered:
            one, two = (_sight(world.lids[side]) for side in (0, 1))
            self.box.handle_observation(as_journaled(look(world.position, self.t, (one, two))))
        self.box.tick(self.t)

    def _compare(self, game: ActedGame, number: int) -> None:
        assert self.newest is not None
        status = status_of(self.newest)
        rulings = status["rulings"]
        assert isinstance(rulings, list)
        actual = [said_of(ruling) for ruling in reversed(rulings)]
        wanted = [wanted_of(expected) for expected in game.expected][-len(actual) :]
        if actual != wanted or status["result"] != game.result or self.newest.phase is not Phase.FINAL:
            self.wrong.append(f"game {number}: {status['result']} {status['phase']}, {len(actual)} of {len(wanted)}")

    def _idle(self, game: ActedGame) -> None:
        """Hours pass over the final position; then the board is cleared for the next game."""
        until = self.t + IDLE
        while self.t < until:
            self.t += TICK
            self.box.tick(self.t)
        start = Setup(rule_set("ultimate"), size=(game.board.cols,) * 2).record()
        for _ in range(2):
            self.t += 1
            self.box.handle_observation(as_journaled(look(start.position, self.t, (lid(0, 1), lid(1, 0)))))

    def _measure(self) -> None:
        gc.collect()
        self.sizes.append(int(Path("/proc/self/statm").read_text().split()[1]) * PAGE)
        self.handles.append(sum(1 for _ in Path("/proc/self/fd").iterdir()))

    def close(self) -> None:
        """The day is over."""
        self.box.close()
        self.frames.close()

    @property
    def growth(self) -> float:
        """The process's size in the end, as a multiple of its size when it was warm."""
        warm = self.sizes[min(WARM, len(self.sizes) - 1)]
        return max(self.sizes[-5:]) / warm


def _sight(stones: tuple[object, ...]) -> LidSight:
    colours = [getattr(stone, "colour", None) for stone in stones]
    return lid(colours.count(Colour.BLACK), colours.count(Colour.WHITE))
