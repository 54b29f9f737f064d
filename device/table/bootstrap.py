"""The composition root of a box: it builds camera, match, journal, panel and page, starts them and stops them."""

from __future__ import annotations

import logging
import secrets
import socket
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

from device.camera import PHONE, VIRTUAL, check_camera, opens
from device.files import LOG_FILE, can_log_to, locked, logging_to, sweep, unwritable
from device.journal.archive import Archive, Copier, newest_bundled
from device.journal.entries import Terms
from device.journal.evidence import FAULTS, Evidence
from device.journal.keyframes import KeyFrames
from device.journal.removal import folders_with_names
from device.journal.replay import Folder
from device.journal.store import JournalError
from device.machine.health import Health
from device.machine.identity import hall_secret
from device.machine.label import address_for_others, address_here, addresses, is_here_alone
from device.machine.mdns import Announced
from device.machine.pin import Pin
from device.match.adjournment_code import AdjournedGame
from device.panel.factory import Opened, open_panel, with_lights
from device.panel.panel import Edge, button_fault, down_from_the_start
from device.panel.phone import PhonePresses
from device.panel.rim_driver import open_rim
from device.panel.signals import signal_of
from device.phones.pairing import Pairings
from device.phones.phones import Phones
from device.settings import Page, Settings, Voice, expand_home
from device.simulator.link import Seat, SeenLights, SeenPanel
from device.table.adjournment import current_code, photograph, resumed_message
from device.table.camera_worker import CameraWorker, Pictures
from device.table.certificate import Certificates, Certifying
from device.table.controller import TableController
from device.table.count_proposals import count_proposals
from device.table.director import Director
from device.table.event_loop import EventLoop
from device.table.exactness import exactness_checks
from device.table.game_library import GameLibrary
from device.table.match_config import check_sizes, check_terms, choices, players_who_enrol, terms_of
from device.table.name_removal import NameRemover
from device.table.presets import Chosen, choose, preset_notice, sentence_of, with_preset
from device.table.worker import BackgroundWorker
from device.threads import log_failures_of_threads
from device.voice.speaker import CLIPS, recordings_folder, speaker_of
from referee.game.coordinates import Coordinates
from referee.game.errors import RefereeError
from referee.game.messages import Message, message, said_by
from referee.umpire.table_state import Phase, Sight, TableSnapshot
from vision.board.calibration_fit import fitting_calibration
from vision.camera.live import LiveCamera
from vision.errors import VisionError
from vision.tracking.tracker import TrackerConfig
from web.backend import HOME, Backend, DirectorBackend, LatestValue, PhoneBackend
from web.errors import WebError
from web.language import ENGLISH
from web.server.ipc import WebConfig
from web.server.listening import listen_at
from web.server.supervisor import WebProcess
from web.server.tls_files import TlsFiles, fingerprint_of

if TYPE_CHECKING:
    from device.machine.tls import PageCertificate

log = logging.getLogger("shinpan")
EVERYONE = "0.0.0.0"
"""The address of all networks, for the page over TLS."""


def uses_phones(settings: Settings) -> bool:
    """Return True if phones are camera or panel of this table."""
    return settings.camera.source == PHONE or settings.panel.kind == PHONE


class SteadyClock:
    """A clock that counts on from a given time, on the monotonic clock: changes of the time of day do not matter."""

    def __init__(self, start: float = 0.0) -> None:
        self._ahead = start - time.monotonic()

    def now(self) -> float:
        """Return the time in seconds; it never goes back while the box runs."""
        return time.monotonic() + self._ahead


@dataclass(frozen=True)
class _Resumed:
    """The match that is resumed, if any, and the clock that counts on from it.

    clock: the box's clock.
    take_up: resumes the match on a box.
    begun: True if something was played in it.
    terms: its own, None if no match is resumed.
    """

    clock: SteadyClock
    take_up: Callable[[TableController], None]
    begun: bool = False
    terms: Terms | None = None

    def yields_to(self, terms: Terms) -> bool:
        """Return True if a match on these terms begins instead.

        They name the rules, and the resumed match has none named and nothing played.
        """
        mine = self.terms
        return terms.setup.rules.named and mine is not None and not mine.setup.rules.named and not self.begun


class Application:
    """A running box. Raises RefereeError, VisionError or WebError in one sentence when it cannot start."""

    def __init__(
        self, settings: Settings, new: bool = False, preset: str | None = None, adjourned: AdjournedGame | None = None
    ) -> None:
        """Build the box; its parts run from `start` on.

        settings: of the box.
        new: True to resume no interrupted match.
        preset: the match's, whatever button is held.
        adjourned: a game to be resumed, unless it was resumed here before.
        """
        check_terms(settings)
        check_sizes(settings)
        with_preset(settings, preset)
        check_camera(settings.camera)
        self._held = ExitStack()
        self._choosing: SimpleQueue[Edge] | None = None
        self._renewing: PageCertificate | None = None
        self._phones: Phones | None = None
        try:
            folder = Folder(expand_home(settings.data.folder))
            self._held.callback(locked(folder.path).close)
            sweep(folder.path)
            self._held.callback(logging_to(folder.path / LOG_FILE))
            self._put_together(settings, preset, folder, new, adjourned)
        except BaseException as error:
            if not isinstance(error, RefereeError | VisionError | WebError | KeyboardInterrupt):
                log.exception("This is a fault in shinpan: the box cannot start.")
            self._held.close()
            raise

    def start(self) -> None:
        """Start all parts."""
        self.appliance.start(self._box)
        self._held.callback(self.appliance.stop)
        self._eyes.start()
        self._held.callback(self._eyes.stop)

    def stop(self) -> None:
        """Stop all parts; return when the journal is closed."""
        self._held.close()

    @property
    def beats(self) -> tuple[int, int]:
        """Return the rounds of the referee's loop and of the camera's, which go on after a recording's end too."""
        return self.appliance.rounds, self.appliance.rounds if self._eyes.has_ended else self._eyes.rounds

    @property
    def address(self) -> str:
        """Return the page's URL for a browser on this machine."""
        return address_here(self._at)

    @property
    def addresses(self) -> str:
        """Return the page's URLs in words: on this machine, and for phones if they are let in."""
        return addresses(self._at)

    @property
    def page_answers(self) -> bool:
        """Return True if the page, which takes longer to start than the box, answers at once."""
        return self._served.answers

    def greeting(self, kept: bool = False) -> str:
        """Return the start message: the page's URLs and, shown only once, a newly generated PIN.

        kept: True if the message is stored where others may read it; the PIN is then left out.
        """
        told = f"is {self._new_pin}; it is shown only once" if not kept else "is made and shown by: sudo shinpan pin"
        pin = f"shinpan: the director's PIN {told}.\n" if self._new_pin else ""
        phones = (
            f"shinpan: for phones it is at {self._secure_address}; its certificate's fingerprint (SHA-256) is "
            f"{self._fingerprint}.\n"
            if self._secure_address
            else ""
        )
        return f"{pin}{phones}shinpan: the page is at {self.addresses}; Ctrl-C ends."

    # Construction

    def _put_together(
        self, settings: Settings, preset: str | None, folder: Folder, new: bool, adjourned: AdjournedGame | None
    ) -> None:
        page = settings.page
        listening = listen_at(page.host, page.port)
        secure, tls = self._open_tls(settings, folder.path)
        found = address_for_others(Page(*listening.getsockname()[:2])) or self._secure_address
        serving = WebConfig(
            page.viewers, page.names, page.kept, directed=True, address=found, box=folder.identity.public
        )
        serving = replace(serving, voice=folder.path / CLIPS, recordings=recordings_folder(settings.voice))
        serving = replace(serving, tls=tls, secure_address=self._secure_address, phones=uses_phones(settings))
        self._served = self._held.enter_context(WebProcess(serving, listening, self._page_is, secure))
        source, resumed = settings.camera.source, _resume(folder, new, adjourned)
        self.table = Seat(source.removeprefix(VIRTUAL), self._hear) if source.startswith(VIRTUAL) else None
        self.clock = self.table or resumed.clock
        self.appliance, self.board = EventLoop(self.clock.now), LatestValue()
        self._worker = BackgroundWorker()
        self._held.enter_context(log_failures_of_threads(self.appliance.passing))
        opened = open_panel(
            settings.panel.kind,
            self._hear,
            self.clock.now,
            chips=settings.panel.chips,
            folder=folder.path,
            tell=self.appliance.fault,
        )
        opened = with_lights(opened, settings.panel.lights, settings.panel.leds, self.appliance.fault, time.monotonic)
        self._held.callback(opened.panel.close)
        lit = SeenLights(self.table, settings.rim.edges) if self.table is not None else None
        self._rim = open_rim(settings.rim, lit, self.appliance.fault, self.clock.now)
        if self._rim is not None:
            self._held.callback(self._rim.close)
        chosen = self._chosen(opened, settings) if preset is None else Chosen(preset)
        settings = with_preset(settings, chosen.name)
        self._box = self._build_controller(settings, folder, opened, chosen, resumed)
        self._phones = self._with_phones(settings, folder.path)
        self._eyes = self._camera(settings, Evidence(folder.path / FAULTS))
        self._condition = Health(folder.path, lambda: self.beats)
        pin = Pin(folder.path)
        self._new_pin = pin.make() if pin.stamp is None else None
        self._served.open(
            self._desk(folder.path, folders_with_names(settings.data), Coordinates(settings.table.coordinates))
        )
        if page.announced:
            told = Announced(page.host, self._at.port, folder.identity.public, settings.match.table)
            self._held.callback(told.close)

    def _open_tls(self, settings: Settings, folder: Path) -> tuple[socket.socket | None, TlsFiles | None]:
        """Open the port for TLS, with its certificate, if it is wanted; raise RefereeError, or CannotServe."""
        page, self._secure_address, self._fingerprint = settings.page, "", ""
        if not (page.tls or uses_phones(settings)):
            return None, None
        # Certificates and their library are loaded only where phones or the settings want them.
        from device.machine.tls import FOLDER, BadCertificate, PageCertificate, address_for_phones, files_of

        files = files_of(page)
        if files is None:
            made = PageCertificate(folder, page.names)
            try:
                made.renew()
            except OSError as error:
                raise BadCertificate(unwritable(folder / FOLDER, error)) from error
            self._renewing, files = made, made.files
        secure = listen_at(EVERYONE if is_here_alone(page.host) else page.host, page.tls_port)
        self._secure_address = address_for_phones(secure.getsockname()[1])
        self._fingerprint = fingerprint_of(files.certificate)
        return secure, files

    def _with_phones(self, settings: Settings, folder: Path) -> Phones | None:
        """Return the phones of the table; None if there are none."""
        if self._renewing is not None:
            from device.machine.tls import CertificateRenewal

            self._held.callback(CertificateRenewal(self._renewing, self.appliance.fault).close)
        if not uses_phones(settings):
            return None
        sides = tuple(range(1, len(settings.game.players) + 1))
        presses = PhonePresses(secrets.token_hex(4), self.clock.now(), self.appliance.press)
        pairings = Pairings(folder, sides)
        pairings.follow(self.board.newest)
        phones = Phones(
            pairings,
            presses,
            self.clock.now,
            lambda: self._eyes.placed,
            self.appliance.fault,
            self.appliance.remark,
            settings.camera.rate,
        )
        self._held.callback(phones.close)
        return phones

    @property
    def _at(self) -> Page:
        return Page(self._served.host, self._served.port)

    def _page_is(self, away: bool) -> None:
        self.appliance.fault("page", message("fault.page") if away else None)

    def _build_controller(
        self, settings: Settings, folder: Folder, opened: Opened, chosen: Chosen, resumed: _Resumed
    ) -> TableController:
        """Build the box with everything known at the start, which lamps and page show."""
        frames = KeyFrames(folder.path, lambda t: self._eyes.taken_at(t), settings.data.frames, self.appliance.fault)
        self._held.callback(frames.close)
        panel = opened.panel if self.table is None else SeenPanel(opened.panel, self.table)
        publish, terms = self._copied_when_final(folder.path, settings.data.copies), terms_of(settings)
        publish = self._with_exactness(self._add_voice(settings.voice, folder.path, publish))
        box = TableController(
            terms,
            folder,
            panel,
            publish,
            frames.keep,
            certifying=Certifying(Certificates(folder.path)),
            coordinates=Coordinates(settings.table.coordinates),
        )
        taken_up = resumed.begun or (chosen.name is None and not resumed.yields_to(terms))
        plays = resumed.terms if taken_up and resumed.terms is not None else terms
        self.plays = message("run.goes-on") if resumed.begun else preset_notice(plays, f"{self.address}{HOME}")
        box.fault("identity", folder.identity.fault)
        kept = folder.path / LOG_FILE
        box.fault("log", None if can_log_to(kept) else message("fault.log", file=str(kept)))
        # Every side of a simulated table has buttons.
        lacking = opened.lacking(len(settings.game.players)) if self.table is None else None
        _tell_faults(box, opened, chosen, lacking)
        if chosen.name is not None:
            box.tell(sentence_of(chosen.name, terms, resumed.begun))
        self.board.publish(box.showing)
        if taken_up:
            resumed.take_up(box)
        panel.show(signal_of(box.showing))
        return box

    def _add_voice(
        self, voice: Voice, folder: Path, publish: Callable[[TableSnapshot], None]
    ) -> Callable[[TableSnapshot], None]:
        """Return a publisher that also speaks, if the box has a voice."""
        speaker = speaker_of(voice, folder, self.clock.now, self.appliance.fault)
        if speaker is None:
            return publish
        self._held.callback(speaker.close)

        def spoken(showing: TableSnapshot) -> None:
            publish(showing)
            speaker.show(showing)

        return spoken

    def _with_exactness(self, publish: Callable[[TableSnapshot], None]) -> Callable[[TableSnapshot], None]:
        """Return a publisher that also proposes a count, or checks whether a proposed one is exact."""
        exactness = exactness_checks(self._worker, lambda: self._box.journal, self.appliance.remark)
        proposals = count_proposals(self._worker, self.appliance.propose)

        def proved(showing: TableSnapshot) -> None:
            publish(showing)
            exactness.show(showing)
            proposals.show(showing)

        return proved

    def _copied_when_final(self, folder: Path, to: str | None) -> Callable[[TableSnapshot], None]:
        """Return a publisher that also copies the games to a stick once a result is final, if copies are configured."""
        if to is None:
            return self._publish
        copier, phases = Copier(folder, expand_home(to)), deque[Phase](maxlen=1)
        self._held.callback(copier.close)

        def publish(showing: TableSnapshot) -> None:
            self._publish(showing)
            if showing.phase is Phase.FINAL and Phase.FINAL not in phases:
                copier.copy()
            phases.append(showing.phase)

        return publish

    def _publish(self, showing: TableSnapshot) -> None:
        if self._phones is not None:
            self._phones.pairings.follow(showing)
        if self._rim is not None:
            self._rim.show(showing)
        self.board.publish(showing)

    def _hear(self, edge: Edge) -> None:
        self.appliance.edge(edge)
        if (choosing := self._choosing) is not None:  # The start's thread may end it meanwhile.
            choosing.put(edge)

    def _chosen(self, panel: Opened, settings: Settings) -> Chosen:
        """Return the preset whose button is held now."""
        edges = self._choosing = SimpleQueue[Edge]()
        try:
            return choose(panel.held, settings.presets, panel.panel, partial(_next_edge, edges), self.clock.now)
        finally:
            self._choosing = None

    def _camera(self, settings: Settings, evidence: Evidence) -> CameraWorker:
        camera, size, record = settings.camera, settings.game.size, self._box.match.record
        given = fitting_calibration(Path(camera.calibration), size) if camera.calibration else None
        playing = record.position.board.cols if record.number else size
        last, shown = None if given else self._box.place, players_who_enrol(settings)
        looking = TrackerConfig(False, playing, given, last, settings.table.steady, shown)
        opened: Callable[[], LiveCamera]
        if self._phones is not None and camera.source == PHONE:
            opened, once = self._phones.pictures.opened, False
        else:
            opened, once = (self.table.open_table, False) if self.table else opens(camera, self.clock.now)
        return CameraWorker(opened, looking, self.appliance, self.clock.now, once, evidence)

    def _desk(self, folder: Path, folders: Sequence[Path], coordinates: Coordinates) -> Backend:
        archive = Archive(folder)
        kept = GameLibrary(self._worker, folder, lambda: self._box.playing, coordinates=coordinates)
        return Backend(
            lambda: self.board.newest,
            self.board.wait,
            Pictures(self._eyes, self.appliance.fault),
            lambda: self._box.sgf,
            self._health,
            archive.names,
            archive.record,
            self._directors_desk(archive, folder, folders),
            kept.list_games,
            kept.replay,
            self._phones_desk(),
            kept.film,
            kept.thumbnail,
        )

    def _phones_desk(self) -> PhoneBackend | None:
        phones = self._phones
        return None if phones is None else PhoneBackend(*(getattr(phones, one.name) for one in fields(PhoneBackend)))

    def _directors_desk(self, archive: Archive, folder: Path, folders: Sequence[Path]) -> DirectorBackend:
        eyes, box, pin = self._eyes, self._box, Pin(folder)
        director = Director(self.appliance, self.clock.now, eyes.calibrate)
        return DirectorBackend(
            pin.matches,
            lambda: pin.stamp,
            director.act,
            lambda: eyes.lies,
            choices,
            archive.journal,
            lambda: newest_bundled(folder),
            archive.frames,
            archive.frame,
            partial(hall_secret, folder),
            partial(current_code, box),
            partial(photograph, folder),
            NameRemover(self._worker, folders, self.appliance).ask,
        )

    # Queries of the page

    def _health(self) -> Mapping[str, object]:
        showing, box = self.board.newest, self._box
        lacks = self._condition.faults(box.journal)
        able = not showing.unable and showing.sight is not Sight.LOST
        well = box.is_written and able and not self.appliance.failed.is_set()
        return {
            "ok": well and not lacks,
            "phase": showing.phase.value,
            "turn": showing.game.turn,
            "sight": showing.sight.value,
            "frames": self._eyes.frames,
            "seconds": round(self.clock.now(), 1),
            "faults": [ENGLISH.sentence(fault) for fault in (*showing.faults, *lacks)],
        }


def _resume(folder: Folder, new: bool, adjourned: AdjournedGame | None = None) -> _Resumed:
    try:
        found = None if new else folder.newest()
    except JournalError as error:
        said = said_by(error) + message("journal.set-aside")
        return _Resumed(SteadyClock(), lambda box: box.fault("resume", said))
    if adjourned is not None and (found is None or found[1].terms.adjourned != adjourned):
        return _Resumed(SteadyClock(), lambda box: box.take_up(adjourned, resumed_message(adjourned)), True)
    if found is None:
        return _Resumed(SteadyClock(), lambda box: None)
    path, replayed = found
    if replayed.terms.rehearsal:  # Nobody resumes a rehearsal: it is done again.
        return _Resumed(SteadyClock(), lambda box: None)
    clock, record = SteadyClock(replayed.t + 1), replayed.match.record
    clocks = replayed.match.snapshot.clocks
    begun = bool(record.number) or record.ended or (clocks is not None and clocks.begun)
    return _Resumed(
        clock, lambda box: box.resume(folder.open_journal(path), replayed, replayed.t), begun, replayed.terms
    )


def _tell_faults(box: TableController, panel: Opened, chosen: Chosen, lacking: Message | None) -> None:
    """Report the panel's faults and the buttons still down from the start. lacking: the sides without buttons."""
    for number, sentence in enumerate((*panel.faults, *((lacking,) if lacking is not None else ()))):
        box.fault(f"panel {number}", sentence)
    for key in panel.held if not chosen.let_go else ():
        box.fault(button_fault(*key), down_from_the_start(*key))


def _next_edge(edges: SimpleQueue[Edge], within: float) -> Edge | None:
    try:
        return edges.get(timeout=within)
    except Empty:
        return None
