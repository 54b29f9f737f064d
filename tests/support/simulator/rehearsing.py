"""A rehearsal at a drawn table, from pictures and buttons alone, and what the box is certified for by it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from device.cli.rehearse import script_of
from device.journal.entries import Terms, as_journaled
from device.journal.replay import Folder
from device.panel.panel import Edge, NoPanel
from device.panel.signals import Signal
from device.simulator.messages import Lamps
from device.simulator.script import Script
from device.simulator.stage import Photographer
from device.simulator.table import RATE, Happening, Performance, SimulatedFrame, StepTruth, Tempo
from device.table.certificate import Certificate, Certificates, Certification
from device.table.controller import TableController
from referee.game.actor import Actor
from referee.game.board import Colour
from referee.game.messages import Message, message
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.table.display_state import Sight
from referee.table.events import Remark
from referee.table.table import TableConfig
from tests.support.vision.troubles import Trouble
from vision.camera.frame import Frame
from vision.render.looks import Appearance
from vision.render.table import Table
from vision.tracking.tracker import BoardTracker, TrackerConfig

RULES, NOW = "chinese", datetime(2026, 11, 22, 19, 30, tzinfo=UTC)
TEMPO, WAITS = Tempo(RATE, 2.0), 4.0


class SeenLamps(NoPanel):
    """Lamps that the players see. lamps: what they show now."""

    def __init__(self) -> None:
        self.lamps: Lamps | None = None

    def show(self, signal: Signal) -> None:
        """They show this from now on."""
        self.lamps = Lamps(tuple(map(str, signal.sides)), str(signal.table))


class Rehearsing:
    """One table with its box. asked: what the players were asked to do, in order. troubles: laid over the pictures.
    t: seconds since the first frame."""

    def __init__(
        self, folder: Path, look: Appearance, troubles: Sequence[Trouble] = (), script: Script | None = None
    ) -> None:
        self.table, self._troubles = Table(look), troubles
        self._photographer = Photographer(self.table)
        self._script = script or script_of(look.size, 0, WAITS)
        self.asked: list[Message] = []
        self.kept = Certificates(folder, lambda: NOW)
        self.panel = SeenLamps()
        terms = Terms(Setup(rule_set(RULES)), TableConfig(refereed=True))
        self.box = TableController(
            terms, Folder(folder), self.panel, lambda snapshot: None, certification=Certification(self.kept)
        )
        self._observer, self._begun = BoardTracker(TrackerConfig()), False
        self._frames = 0

    @property
    def t(self) -> float:
        """The newest frame's time."""
        return self._frames / RATE

    def play(self) -> Certificate | None:
        """Let hands do what is asked for, to the end of the script."""
        for _ in self.act(Performance(self._script, self.table, TEMPO, spreads=self._who_spreads)):
            pass
        return self.kept.find_todays()

    def _who_spreads(self) -> Colour | None:
        """Return the player who is asked to spread the stones in their lid, None if nobody is."""
        asks = self.box.snapshot.asks
        return Colour(dict(asks.args)["player"]) if asks is not None and asks.key == "rehearsal.spread" else None

    def act(self, performance: Performance) -> Iterator[Happening]:
        """Let hands act a script out, from now on; what happens, once the box has heard it."""
        begun = self.t
        for happening in performance.happenings():
            moved = replace(happening, t=begun + happening.t)
            match moved:
                case Edge():
                    self.box.take_edge(moved)
                case SimulatedFrame():
                    self._see(self._frame(moved))
                case StepTruth():
                    pass
            yield moved

    def _frame(self, view: SimulatedFrame) -> Frame:
        picture = self._photographer.picture(view.scene, self._frames)
        for trouble in self._troubles:
            picture = trouble.over(picture, view.t)
        self._frames += 1
        return Frame(picture, view.t)

    def _see(self, frame: Frame) -> None:
        self.box.tick(frame.t)
        agreed, place = self._observer.see(frame), self._observer.place
        if place is not None and place != self.box.place:
            self.box.handle_positions(place, frame.t)
        if place is not None and not self._begun:
            self._begun = True
            self.box.begin_rehearsal(Remark(frame.t, message("director.rehearse"), Actor.BOX))
        self.box.sight(Sight.SEARCHING if place is None else Sight.SEEN, frame.t)
        observation = agreed or self._observer.standing
        if observation is not None:
            self.box.handle_observation(as_journaled(observation))
        asks = self.box.snapshot.asks
        if asks is not None and asks not in self.asked[-1:]:
            self.asked.append(asks)
