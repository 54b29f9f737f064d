"""A rehearsal at a drawn table, from pictures and buttons alone, and what the box is certified for by it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from device.box import Box
from device.certificate import Certificate, Certificates, Certifying
from device.journal.entries import Terms, as_kept
from device.journal.replay import Folder
from device.panel.panel import Edge, NoPanel
from device.virtual.rehearsed import script_of
from device.virtual.script import Script
from device.virtual.table import RATE, Performance, Shown, Tempo
from referee.authors import Author
from referee.events import Remark
from referee.messages import Message, message
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.standing import Sight
from referee.table.referee import Manner
from tests.support.vision.troubles import Trouble
from vision.frame import Frame
from vision.observer import Looking, Observer
from vision.render.looks import Look
from vision.render.table import Table

RULES, NOW = "chinese", datetime(2026, 11, 22, 19, 30, tzinfo=UTC)
TEMPO, WAITS = Tempo(RATE, 2.0), 4.0


class Rehearsing:
    """One table with its box. asked: what the players were asked to do, in order. troubles: laid over the pictures."""

    def __init__(
        self, folder: Path, look: Look, troubles: Sequence[Trouble] = (), script: Script | None = None
    ) -> None:
        self._table, self._troubles = Table(look), troubles
        self._script = script or script_of(look.size, 0, WAITS)
        self.asked: list[Message] = []
        self.kept = Certificates(folder, lambda: NOW)
        terms = Terms(Setup(rule_set(RULES)), Manner(refereed=True))
        self.box = Box(terms, Folder(folder), NoPanel(), lambda showing: None, certifying=Certifying(self.kept))
        self._observer, self._begun = Observer(Looking()), False

    def play(self) -> Certificate | None:
        """Let hands do what is asked for, to the end of the script."""
        for number, happening in enumerate(Performance(self._script, self._table, TEMPO).happenings()):
            if isinstance(happening, Edge):
                self.box.edge(happening)
            elif isinstance(happening, Shown):
                picture = self._table.draw(happening.scene, number).pixels
                for trouble in self._troubles:
                    picture = trouble.over(picture, happening.t)
                self._see(Frame(picture, happening.t))
        return self.kept.today()

    def _see(self, frame: Frame) -> None:
        self.box.tick(frame.t)
        agreed, place = self._observer.see(frame), self._observer.place
        if place is not None and place != self.box.place:
            self.box.placed(place, frame.t)
        if place is not None and not self._begun:
            self._begun = True
            self.box.rehearse(Remark(frame.t, message("director.rehearse"), Author.BOX))
        self.box.sight(Sight.SEARCHING if place is None else Sight.SEEN, frame.t)
        seen = agreed or self._observer.standing
        if seen is not None:
            self.box.seen(as_kept(seen))
        asks = self.box.showing.asks
        if asks is not None and asks not in self.asked[-1:]:
            self.asked.append(asks)
