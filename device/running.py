"""Puts a box together from its settings: camera, match, journal, panel and page; starts it and stops it."""

from __future__ import annotations

import fcntl
import logging
import logging.handlers
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Protocol, TextIO

from flask import Flask

from device.appliance import Appliance, Board
from device.box import Box, button_fault
from device.director import Director
from device.eyes import Eyes, Pictures, Taken
from device.journal.archive import Archive, Copier, newest_bundled
from device.journal.entries import Terms
from device.journal.keyframes import KeyFrames
from device.journal.replay import Folder
from device.journal.store import Journal, JournalError
from device.machine.pin import Pin
from device.panel.choose import Opened, down_from_the_start, open_panel
from device.panel.panel import Edge, Panel
from device.panel.signals import Signal, signal_of
from device.presets import Chosen, choose, sentence_of, with_preset
from device.settings import BadSettings, Settings
from device.terms import choices
from device.virtual.link import VirtualTable
from referee.errors import RefereeError
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.snapshot import Phase, Showing, Sight
from referee.table.referee import Manner
from referee.time.controls import read_control
from vision.calibrating import fitting_calibration
from vision.live import PICAMERA, LiveCamera, Wanted, open_live
from vision.observer import Looking
from web.app import create_app
from web.desk import Desk, DirectorsDesk
from web.server import Served, listen_at

log = logging.getLogger("shinpan")
VIRTUAL = "virtual:"


class InUse(RefereeError):
    """Another box uses the same folder."""


class Clock(Protocol):
    """The box's clock."""

    def now(self) -> float:
        """Seconds; they never go back while the box runs."""


class SteadyClock:
    """Counts on from a time, on the machine's monotonic clock: what becomes of the time of day does not matter."""

    def __init__(self, start: float = 0.0) -> None:
        self._ahead = start - time.monotonic()

    def now(self) -> float:
        """Seconds."""
        return time.monotonic() + self._ahead


class _TableClock:
    """The time of a drawn table, whichever connection to it is in use."""

    def __init__(self, running: Running) -> None:
        self._running = running

    def now(self) -> float:
        """Seconds."""
        return self._running.table.now() if self._running.table else 0.0


class _SeenPanel:
    """A panel that stands on a drawn table, whose players see its lamps."""

    def __init__(self, panel: Panel, table: Callable[[], VirtualTable | None]) -> None:
        self._panel, self._table = panel, table
        self.sound, self.say, self.close = panel.sound, panel.say, panel.close

    def show(self, signal: Signal) -> None:
        """Light the lamps so."""
        self._panel.show(signal)
        table = self._table()
        if table is not None:
            table.show(signal)


def terms_of(settings: Settings) -> Terms:
    """What the settings say of a match; raises BadSetup."""
    game = settings.game
    size = (game.size, game.size) if game.size is not None else None
    setup = Setup(rule_set(game.rules, game.options), size=size, komi=game.komi, handicap=game.handicap)
    setup.record()
    control = settings.time.control
    manner = Manner(
        settings.table.turns == "done",
        game.black_side,
        control=read_control(control) if control is not None else None,
        procedures=settings.time.procedures,
        amendments=game.amendments,
    )
    return Terms(setup, manner)


def check_terms(settings: Settings) -> None:
    """Raises BadSetup or BadSettings where the match that the settings name cannot be played, or one of the presets."""
    terms_of(settings)
    for name in settings.presets:
        try:
            terms_of(with_preset(settings, name))
        except RefereeError as error:
            raise BadSettings(f"[presets.{name}]: {error}") from error


@dataclass(frozen=True)
class _Resumed:
    """The match that is taken up, if any, and the clock that counts on from it. begun: something was played in it."""

    clock: Clock
    take_up: Callable[[Box], None]
    begun: bool = False


class Running:
    """A running box. Raises RefereeError, VisionError or WebError in one sentence when it cannot start."""

    def __init__(self, settings: Settings, new: bool = False, preset: str | None = None) -> None:
        """new: a match that was broken off is not taken up. preset: the match's, whatever button is held."""
        check_terms(settings)
        with_preset(settings, preset)
        self._held = ExitStack()
        self._choosing: SimpleQueue[Edge] | None = None
        try:
            folder = Folder(Path(settings.data.folder).expanduser())
            self._held.callback(_locked(folder.path).close)
            self._held.callback(_logging_to(folder.path / "shinpan.log"))
            pin = Pin(folder.path)
            self._new_pin = pin.make() if pin.stamp is None else None
            self._put_together(settings, preset, folder, new)
        except BaseException:
            self._held.close()
            raise

    def start(self) -> None:
        """Let all parts run."""
        self.appliance.start(self._box)
        self._held.callback(self.appliance.stop)
        self._eyes.start()
        self._held.callback(self._eyes.stop)

    def stop(self) -> None:
        """Stop all parts; returns when the journal is closed."""
        self._held.close()

    @property
    def beats(self) -> tuple[int, int]:
        """How often the referee's loop and the camera's have gone round. A recording that has ended goes round too."""
        return self.appliance.rounds, self.appliance.rounds if self._eyes.ended else self._eyes.rounds

    @property
    def address(self) -> str:
        """Where the page is."""
        return f"http://{self._served.host}:{self._served.port}"

    @property
    def greeting(self) -> str:
        """What is said when it starts: where the page is and, told this once, a PIN that was made."""
        pin = f"shinpan: the director's PIN is {self._new_pin}; it is told this once.\n" if self._new_pin else ""
        return f"{pin}shinpan: the page is at {self.address}; Ctrl-C ends."

    # Putting it together

    def _put_together(self, settings: Settings, preset: str | None, folder: Folder, new: bool) -> None:
        listening = self._held.enter_context(listen_at(settings.page.host, settings.page.port))
        source = settings.camera.source
        virtual = source.removeprefix(VIRTUAL) if source.startswith(VIRTUAL) else None
        self.table = VirtualTable(virtual, self._hear) if virtual is not None else None
        resumed = self._resumed(folder, new)
        self.clock: Clock = _TableClock(self) if self.table else resumed.clock
        self.appliance = Appliance(self.clock.now)
        panel = open_panel(settings.panel.kind, self._hear, self.clock.now)
        self._held.callback(panel.panel.close)
        chosen = self._chosen(panel, settings) if preset is None else Chosen(preset)
        settings = with_preset(settings, chosen.name)
        self.board = Board()
        shown = panel.panel if self.table is None else _SeenPanel(panel.panel, lambda: self.table)
        frames = KeyFrames(folder.path, self._taken_at, settings.data.frames)
        self._held.callback(frames.close)
        publish = self._copied_when_final(folder.path, settings.data.copies)
        self._box = box = Box(terms_of(settings), folder, shown, publish, frames.keep)
        _tell_faults(box, panel, chosen)
        if chosen.name is not None:
            box.tell(sentence_of(chosen.name, terms_of(settings), resumed.begun))
        self.board.publish(box.showing)
        if resumed.begun or chosen.name is None:
            resumed.take_up(box)
        shown.show(signal_of(box.showing))
        self._eyes = self._camera(settings, box)
        self._served = Served(self._page(settings, box), listening)
        self._held.callback(self._served.close)

    def _copied_when_final(self, folder: Path, to: str | None) -> Callable[[Showing], None]:
        """Publishes what is shown; where games are copied to a stick as well, that is done once a result is final."""
        if to is None:
            return self.board.publish
        copier, phases = Copier(folder, Path(to).expanduser()), deque[Phase](maxlen=1)
        self._held.callback(copier.close)

        def publish(showing: Showing) -> None:
            self.board.publish(showing)
            if showing.phase is Phase.FINAL and Phase.FINAL not in phases:
                copier.copy()
            phases.append(showing.phase)

        return publish

    def _taken_at(self, t: float) -> Taken | None:
        return self._eyes.taken_at(t)

    def _hear(self, edge: Edge) -> None:
        self.appliance.edge(edge)
        if self._choosing is not None:
            self._choosing.put(edge)

    def _chosen(self, panel: Opened, settings: Settings) -> Chosen:
        """The preset whose button is held now."""
        edges = self._choosing = SimpleQueue[Edge]()
        try:
            return choose(panel.held, settings.presets, panel.panel, partial(_next_edge, edges), self.clock.now)
        finally:
            self._choosing = None

    def _resumed(self, folder: Folder, new: bool) -> _Resumed:
        try:
            found = None if new else folder.newest()
        except JournalError as error:
            sentence = f"{error} It was set aside, and a new match begins."
            return _Resumed(SteadyClock(), lambda box: box.fault("resume", sentence))
        if found is None:
            return _Resumed(SteadyClock(), lambda box: None)
        path, replayed = found
        clock, record = SteadyClock(replayed.t + 1), replayed.match.record
        begun = bool(record.number) or record.ended
        return _Resumed(clock, lambda box: box.resume(Journal(path), replayed, replayed.t), begun)

    def _camera(self, settings: Settings, box: Box) -> Eyes:
        camera, size = settings.camera, settings.game.size
        given = fitting_calibration(Path(camera.calibration), size) if camera.calibration else None
        playing = box.match.record.position.board.cols if box.match.record.number else size
        looking = Looking(False, playing, given, None if given else box.place, settings.table.steady)
        wanted = Wanted(camera.width, camera.height, camera.rate, camera.hold)

        def opened() -> LiveCamera:
            if self.table is None:
                return open_live(camera.source, wanted, self.clock.now)
            if self.table.closed:
                path, lamps = camera.source.removeprefix(VIRTUAL), self.table.lamps
                self.table = VirtualTable(path, self._hear, lamps=lamps)
            return self.table

        return Eyes(opened, looking, self.appliance, self.clock.now, once=_is_recording(camera.source))

    def _page(self, settings: Settings, box: Box) -> Flask:
        folder = Path(settings.data.folder).expanduser()
        archive, pictures = Archive(folder), Pictures(self._eyes)
        desk = Desk(
            lambda: self.board.newest,
            self.board.wait,
            pictures,
            lambda: box.match.sgf,
            self._health,
            archive.names,
            archive.record,
            self._directors_desk(box, archive, folder),
        )
        return create_app(desk, settings.page.viewers)

    def _directors_desk(self, box: Box, archive: Archive, folder: Path) -> DirectorsDesk:
        eyes, board, pin = self._eyes, self.board, Pin(folder)
        director = Director(self.appliance, board, self.clock.now, lambda: box.match.manner, eyes.calibrate)
        return DirectorsDesk(
            pin.matches,
            lambda: pin.stamp,
            director.act,
            lambda: eyes.lies,
            choices,
            archive.journal,
            lambda: newest_bundled(folder),
        )

    # What the page asks

    def _health(self) -> Mapping[str, object]:
        showing = self.board.newest
        return {
            "ok": not self.appliance.failed.is_set() and showing.sight is not Sight.LOST,
            "phase": showing.phase.value,
            "turn": showing.game.turn,
            "sight": showing.sight.value,
            "frames": self._eyes.frames,
            "seconds": round(self.clock.now(), 1),
            "faults": list(showing.faults),
        }


def _tell_faults(box: Box, panel: Opened, chosen: Chosen) -> None:
    """What the panel lacks, and which buttons are still down from the start."""
    for number, sentence in enumerate(panel.faults):
        box.fault(f"panel {number}", sentence)
    for key in panel.held if not chosen.let_go else ():
        box.fault(button_fault(*key), down_from_the_start(*key))


def _next_edge(edges: SimpleQueue[Edge], within: float) -> Edge | None:
    try:
        return edges.get(timeout=within)
    except Empty:
        return None


def _is_recording(source: str) -> bool:
    return not (source == PICAMERA or source.isdigit() or source.startswith((VIRTUAL, "/dev/")))


def _locked(folder: Path) -> TextIO:
    """Hold the folder for this box alone, until the file is closed or the process ends; raises InUse."""
    try:
        lock = (folder / "lock").open("w")
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        lock.close()
        raise InUse(f"{folder}: another box uses this folder; stop it, or name another with --data.") from error
    except OSError as error:
        raise InUse(f"{folder}: cannot be written to ({error.strerror}); name another folder with --data.") from error
    return lock


def _logging_to(path: Path) -> Callable[[], None]:
    """Write the log into a file of at most a megabyte and two older ones; returns what ends that."""
    handler = logging.handlers.RotatingFileHandler(path, maxBytes=1_000_000, backupCount=2, encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    log.addHandler(handler)
    log.setLevel(logging.INFO)

    def end() -> None:
        log.removeHandler(handler)
        handler.close()

    return end
