"""A real box with its thread, journal, PIN and page, before a true 5x5 table, with a clock that is moved by hand."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

import pytest
from flask.testing import FlaskClient

from device.journal.archive import Archive, newest_bundled
from device.journal.entries import Terms, as_journaled
from device.journal.replay import Folder
from device.journal.store import Entry, read_journal
from device.machine.identity import Identity, hall_secret
from device.machine.pin import Pin
from device.panel.panel import NoPanel
from device.table.adjournment import current_code, find_photograph
from device.table.controller import TableController
from device.table.director import Director
from device.table.event_loop import EventLoop
from device.table.game_library import GameLibrary
from device.table.match_config import describe_choices
from device.table.name_removal import NameRemover
from device.table.worker import BackgroundWorker
from referee.game.messages import error_message
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.table.display_state import TableSnapshot
from referee.table.table import TableConfig
from referee.time.controls import read_control
from tests.support.table import TrueTable
from tests.support.waiting import PATIENCE_S
from tests.support.wording import english
from vision.calibration.model import Calibration
from web.app import create_app
from web.backend import Backend, DirectorBackend, LatestValue
from web.errors import BadAct
from web.page_config import PageIdentity

ORIGIN = {"Origin": "http://localhost"}
PICTURE = {False: b"\xff\xd8plain", True: b"\xff\xd8drawn"}


class DirectedTable(TrueTable):
    """A table whose box has done what `act` tells it before `act` returns. looks: the table has been seen. players: who
    plays. also: more folders in which it keeps games."""

    def __init__(
        self,
        folder: Path,
        rules: str | None = "ultimate",
        control: str | None = None,
        looks: bool = True,
        players: str = "BW",
        also: Sequence[Path] = (),
        **terms: Any,
    ) -> None:
        setup = Setup(rule_set(rules), size=(5, 5), players=players)
        super().__init__(setup.record(), t=10.0)
        self.page, self.calibrated = LatestValue(), list[Calibration]()
        time_control = read_control(control) if control else None
        terms = {"names": ("",) * len(players), **terms}
        config = TableConfig(True, 1, control=time_control)
        self.box = TableController(Terms(setup, config, **terms), Folder(folder), NoPanel(), self.page.publish)
        self.page.publish(self.box.snapshot)
        self.event_loop = EventLoop(lambda: self.t)
        self.event_loop.start(self.box)
        self.archive, self.pin = Archive(folder), Pin(folder)
        self.worker = BackgroundWorker()
        self.director = Director(self.event_loop, lambda: self.t, self.calibrated.append)
        self.also = also
        self.backend = self._backend(folder)
        self.public, self.secret = Identity(folder).public, hall_secret(folder)
        self.app = create_app(self.backend, PageIdentity(box=self.public))
        if looks:
            self.look()

    def _backend(self, folder: Path) -> Backend:
        place = {"width": 1280, "height": 720, "size": 5, "corners": [], "lids": []}
        mine = DirectorBackend(
            self.pin.is_right,
            lambda: self.pin.stamp,
            self.director.act,
            lambda: place,
            describe_choices,
            self.archive.copy_journal,
            lambda: newest_bundled(folder),
            self.archive.list_frames,
            self.archive.read_frame,
            lambda: hall_secret(folder),
            lambda: current_code(self.box),
            lambda name: find_photograph(folder, name),
            NameRemover(self.worker, [folder, *self.also], self.event_loop).ask,
        )
        library = GameLibrary(self.worker, folder, lambda: self.box.journal, within=PATIENCE_S)
        return Backend(
            lambda: self.page.newest,
            self.page.wait,
            PICTURE.get,
            lambda: self.box.sgf_record,
            lambda: {"ok": True, "seconds": self.t},
            self.archive.list_games,
            self.archive.read_record,
            mine,
            library.list_games,
            library.replay,
        )

    @property
    def now(self) -> TableSnapshot:
        return self.page.newest

    @property
    def entries(self) -> list[Entry]:
        """The newest journal."""
        return read_journal(self.journals[-1])

    @property
    def journals(self) -> list[Path]:
        return sorted(self.archive._folder.glob("*.journal"))

    def look(self) -> Self:
        self.lids = self.box.table.record.bowls
        self.event_loop.handle_observation(as_journaled(self.observe()))
        self.event_loop.settle()
        return self

    def act(self, act: str, **fields: object) -> str:
        """Do it in a later second, whatever is lost by it; what was said."""
        self.t += 1.0
        return " ".join(map(english, self.director.act({"act": act, "sure": True, **fields})))

    def refused(self, act: str, **fields: object) -> str:
        """Try it in a later second, in vain; why."""
        with pytest.raises(BadAct) as caught:
            self.act(act, **fields)
        return english(error_message(caught.value))

    def inside(self) -> tuple[FlaskClient, dict[str, str]]:
        """A browser that came in by the PIN, and the headers that its acts carry."""
        client = self.app.test_client()
        answer = client.post("/director/session", json={"pin": self.pin.make()}, headers=ORIGIN)
        return client, {**ORIGIN, "X-Token": answer.get_json()["token"]}

    def close(self) -> None:
        self.event_loop.stop()
