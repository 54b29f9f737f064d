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
from device.files import LOG_FILE, can_log_to, delete_drafts, lock_folder, log_to_file, unwritable_sentence
from device.journal.archive import Archive, Copier, newest_bundled
from device.journal.entries import Terms
from device.journal.evidence import FAULTS, Evidence
from device.journal.keyframes import KeyFrames
from device.journal.removal import folders_with_names
from device.journal.replay import Folder
from device.journal.store import JournalError
from device.machine.health import Health
from device.machine.identity import hall_secret
from device.machine.label import address_for_others, address_here, describe_addresses, is_here_alone
from device.machine.mdns import Announcement
from device.machine.pin import Pin
from device.match.adjournment_code import AdjournedGame
from device.panel.factory import OpenedPanel, add_lights, open_panel
from device.panel.panel import Edge, button_fault, down_from_the_start
from device.panel.phone_presses import PhonePresses
from device.panel.rim_driver import open_rim
from device.panel.signals import signal_of
from device.phones.pairing import Pairings
from device.phones.phones import Phones
from device.settings import Page, Settings, Voice, expand_home
from device.simulator.link import Seat, SimulatedLights, SimulatedPanel
from device.table.adjournment import current_code, find_photograph, resumed_message
from device.table.camera_worker import CameraWorker, Pictures
from device.table.certificate import Certificates, Certification
from device.table.controller import TableController
from device.table.count_proposals import count_proposals
from device.table.director import Director
from device.table.event_loop import EventLoop
from device.table.exactness import exactness_checks
from device.table.game_library import GameLibrary
from device.table.match_config import check_sizes, check_terms, describe_choices, players_who_enrol, terms_of
from device.table.name_removal import NameRemover
from device.table.presets import PresetChoice, choose_preset, preset_notice, sentence_of, with_preset
from device.table.stone_marker import StoneMarker
from device.table.worker import BackgroundWorker
from device.threads import log_failures_of_threads
from device.voice.speaker import CLIPS, recordings_folder, speaker_of
from referee.game.coordinates import Coordinates
from referee.game.errors import RefereeError
from referee.game.messages import Message, error_message, message
from referee.table.display_state import Phase, Sight, TableSnapshot
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


def has_phones(settings: Settings) -> bool:
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

    def should_yield_to(self, terms: Terms) -> bool:
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
        self._exit_stack = ExitStack()
        self._choice_edges: SimpleQueue[Edge] | None = None
        self._renewed_certificate: PageCertificate | None = None
        self._phones: Phones | None = None
        try:
            folder = Folder(expand_home(settings.data.folder))
            self._exit_stack.callback(lock_folder(folder.path).close)
            delete_drafts(folder.path)
            self._exit_stack.callback(log_to_file(folder.path / LOG_FILE))
            self._build_parts(settings, preset, folder, new, adjourned)
        except BaseException as error:
            if not isinstance(error, RefereeError | VisionError | WebError | KeyboardInterrupt):
                log.exception("This is a fault in shinpan: the box cannot start.")
            self._exit_stack.close()
            raise

    def start(self) -> None:
        """Start all parts."""
        self.event_loop.start(self._box)
        self._exit_stack.callback(self.event_loop.stop)
        self._camera_worker.start()
        self._exit_stack.callback(self._camera_worker.stop)

    def stop(self) -> None:
        """Stop all parts; return when the journal is closed."""
        self._exit_stack.close()

    @property
    def round_counts(self) -> tuple[int, int]:
        """Return the rounds of the referee's loop and of the camera's, which go on after a recording's end too."""
        return (
            self.event_loop.rounds,
            self.event_loop.rounds if self._camera_worker.has_ended else self._camera_worker.rounds,
        )

    @property
    def address(self) -> str:
        """Return the page's URL for a browser on this machine."""
        return address_here(self._served_page)

    @property
    def addresses(self) -> str:
        """Return the page's URLs in words: on this machine, and for phones if they are let in."""
        return describe_addresses(self._served_page)

    @property
    def is_page_answering(self) -> bool:
        """Return True if the page, which takes longer to start than the box, answers at once."""
        return self._web_process.is_answering

    def start_message(self, is_stored: bool = False) -> str:
        """Return the start message: the page's URLs and, shown only once, a newly generated PIN.

        is_stored: True if the message is stored where others may read it; the PIN is then left out.
        """
        pin_text = (
            f"is {self._new_pin}; it is shown only once" if not is_stored else "is made and shown by: sudo shinpan pin"
        )
        pin = f"shinpan: the director's PIN {pin_text}.\n" if self._new_pin else ""
        phones = (
            f"shinpan: for phones it is at {self._secure_address}; its certificate's fingerprint (SHA-256) is "
            f"{self._fingerprint}.\n"
            if self._secure_address
            else ""
        )
        return f"{pin}{phones}shinpan: the page is at {self.addresses}; Ctrl-C ends."

    # Construction

    def _build_parts(
        self, settings: Settings, preset: str | None, folder: Folder, new: bool, adjourned: AdjournedGame | None
    ) -> None:
        page = settings.page
        listening_socket = listen_at(page.host, page.port)
        tls_socket, tls = self._open_tls(settings, folder.path)
        page_address = address_for_others(Page(*listening_socket.getsockname()[:2])) or self._secure_address
        web_config = WebConfig(
            page.viewers, page.names, page.kept, directed=True, address=page_address, box=folder.identity.public
        )
        web_config = replace(web_config, voice=folder.path / CLIPS, recordings=recordings_folder(settings.voice))
        web_config = replace(web_config, tls=tls, secure_address=self._secure_address, phones=has_phones(settings))
        self._web_process = self._exit_stack.enter_context(
            WebProcess(web_config, listening_socket, self._set_page_fault, tls_socket)
        )
        source, resumed = settings.camera.source, _resume_match(folder, new, adjourned)
        self.table = Seat(source.removeprefix(VIRTUAL), self._handle_edge) if source.startswith(VIRTUAL) else None
        self.clock = self.table or resumed.clock
        self.event_loop, self.board = EventLoop(self.clock.now), LatestValue()
        self._stone_marker = StoneMarker(self.board.publish)
        self._worker = BackgroundWorker()
        self._exit_stack.enter_context(log_failures_of_threads(self.event_loop.show_briefly))
        opened_panel = open_panel(
            settings.panel.kind,
            self._handle_edge,
            self.clock.now,
            chips=settings.panel.chips,
            folder=folder.path,
            tell=self.event_loop.set_fault,
        )
        opened_panel = add_lights(
            opened_panel, settings.panel.lights, settings.panel.leds, self.event_loop.set_fault, time.monotonic
        )
        self._exit_stack.callback(opened_panel.panel.close)
        rim_lights = SimulatedLights(self.table, settings.rim.edges) if self.table is not None else None
        self._rim = open_rim(settings.rim, rim_lights, self.event_loop.set_fault, self.clock.now)
        if self._rim is not None:
            self._exit_stack.callback(self._rim.close)
        chosen_preset = self._choose_preset(opened_panel, settings) if preset is None else PresetChoice(preset)
        settings = with_preset(settings, chosen_preset.name)
        self._box = self._build_controller(settings, folder, opened_panel, chosen_preset, resumed)
        self._phones = self._with_phones(settings, folder.path)
        self._camera_worker = self._build_camera_worker(settings, Evidence(folder.path / FAULTS))
        self._health_checks = Health(folder.path, lambda: self.round_counts)
        pin = Pin(folder.path)
        self._new_pin = pin.make() if pin.stamp is None else None
        self._web_process.open(
            self._build_backend(folder.path, folders_with_names(settings.data), Coordinates(settings.table.coordinates))
        )
        if page.announced:
            announcement = Announcement(page.host, self._served_page.port, folder.identity.public, settings.match.table)
            self._exit_stack.callback(announcement.close)

    def _open_tls(self, settings: Settings, folder: Path) -> tuple[socket.socket | None, TlsFiles | None]:
        """Open the port for TLS, with its certificate, if it is wanted; raise RefereeError, or CannotServe."""
        page, self._secure_address, self._fingerprint = settings.page, "", ""
        if not (page.tls or has_phones(settings)):
            return None, None
        # Certificates and their library are loaded only where phones or the settings want them.
        from device.machine.tls import FOLDER, BadCertificate, PageCertificate, address_for_phones, files_of

        files = files_of(page)
        if files is None:
            page_certificate = PageCertificate(folder, page.names)
            try:
                page_certificate.renew()
            except OSError as error:
                raise BadCertificate(unwritable_sentence(folder / FOLDER, error)) from error
            self._renewed_certificate, files = page_certificate, page_certificate.files
        tls_socket = listen_at(EVERYONE if is_here_alone(page.host) else page.host, page.tls_port)
        self._secure_address = address_for_phones(tls_socket.getsockname()[1])
        self._fingerprint = fingerprint_of(files.certificate)
        return tls_socket, files

    def _with_phones(self, settings: Settings, folder: Path) -> Phones | None:
        """Return the phones of the table; None if there are none."""
        if self._renewed_certificate is not None:
            from device.machine.tls import CertificateRenewal

            self._exit_stack.callback(CertificateRenewal(self._renewed_certificate, self.event_loop.set_fault).close)
        if not has_phones(settings):
            return None
        sides = tuple(range(1, len(settings.game.players) + 1))
        presses = PhonePresses(secrets.token_hex(4), self.clock.now(), self.event_loop.press)
        pairings = Pairings(folder, sides)
        pairings.follow(self.board.newest)
        phones = Phones(
            pairings,
            presses,
            self.clock.now,
            lambda: self._camera_worker.newest_place,
            self.event_loop.set_fault,
            self.event_loop.remark,
            settings.camera.rate,
        )
        self._exit_stack.callback(phones.close)
        return phones

    @property
    def _served_page(self) -> Page:
        return Page(self._web_process.host, self._web_process.port)

    def _set_page_fault(self, away: bool) -> None:
        self.event_loop.set_fault("page", message("fault.page") if away else None)

    def _build_controller(
        self,
        settings: Settings,
        folder: Folder,
        opened_panel: OpenedPanel,
        chosen_preset: PresetChoice,
        resumed: _Resumed,
    ) -> TableController:
        """Build the box with everything known at the start, which lamps and page show."""
        frames = KeyFrames(
            folder.path, lambda t: self._camera_worker.frame_at(t), settings.data.frames, self.event_loop.set_fault
        )
        self._exit_stack.callback(frames.close)
        panel = opened_panel.panel if self.table is None else SimulatedPanel(opened_panel.panel, self.table)
        publish, terms = self._with_copies(folder.path, settings.data.copies), terms_of(settings)
        publish = self._with_exactness(self._add_voice(settings.voice, folder.path, publish))
        box = TableController(
            terms,
            folder,
            panel,
            publish,
            frames.queue_frame,
            certification=Certification(Certificates(folder.path)),
            coordinates=Coordinates(settings.table.coordinates),
            hold_lids=lambda contents, t: self._camera_worker.hold_lids(contents, t),
        )
        taken_up = resumed.begun or (chosen_preset.name is None and not resumed.should_yield_to(terms))
        played_terms = resumed.terms if taken_up and resumed.terms is not None else terms
        self.plays = message("run.goes-on") if resumed.begun else preset_notice(played_terms, f"{self.address}{HOME}")
        box.set_fault("identity", folder.identity.fault)
        log_path = folder.path / LOG_FILE
        box.set_fault("log", None if can_log_to(log_path) else message("fault.log", file=str(log_path)))
        # Every side of a simulated table has buttons.
        lacking = opened_panel.lacking(len(settings.game.players)) if self.table is None else None
        _tell_faults(box, opened_panel, chosen_preset, lacking)
        if chosen_preset.name is not None:
            box.tell_players(sentence_of(chosen_preset.name, terms, resumed.begun))
        self._stone_marker.publish(box.snapshot)
        if taken_up:
            resumed.take_up(box)
        panel.show(signal_of(box.snapshot))
        return box

    def _add_voice(
        self, voice: Voice, folder: Path, publish: Callable[[TableSnapshot], None]
    ) -> Callable[[TableSnapshot], None]:
        """Return a publisher that also speaks, if the box has a voice."""
        speaker = speaker_of(voice, folder, self.clock.now, self.event_loop.set_fault)
        if speaker is None:
            return publish
        self._exit_stack.callback(speaker.close)

        def publish_and_speak(snapshot: TableSnapshot) -> None:
            publish(snapshot)
            speaker.show(snapshot)

        return publish_and_speak

    def _with_exactness(self, publish: Callable[[TableSnapshot], None]) -> Callable[[TableSnapshot], None]:
        """Return a publisher that also proposes a count, or checks whether a proposed one is exact."""
        exactness = exactness_checks(self._worker, lambda: self._box.journal, self.event_loop.remark)
        proposals = count_proposals(self._worker, self.event_loop.queue_proposal)

        def publish_and_ask(snapshot: TableSnapshot) -> None:
            publish(snapshot)
            exactness.show(snapshot)
            proposals.show(snapshot)

        return publish_and_ask

    def _with_copies(self, folder: Path, to: str | None) -> Callable[[TableSnapshot], None]:
        """Return a publisher that also copies the games to a stick once a result is final, if copies are configured."""
        if to is None:
            return self._publish_snapshot
        copier, phases = Copier(folder, expand_home(to)), deque[Phase](maxlen=1)
        self._exit_stack.callback(copier.close)

        def publish_and_copy(snapshot: TableSnapshot) -> None:
            self._publish_snapshot(snapshot)
            if snapshot.phase is Phase.FINAL and Phase.FINAL not in phases:
                copier.copy()
            phases.append(snapshot.phase)

        return publish_and_copy

    def _publish_snapshot(self, snapshot: TableSnapshot) -> None:
        if self._phones is not None:
            self._phones.pairings.follow(snapshot)
        if self._rim is not None:
            self._rim.show(snapshot)
        self._stone_marker.publish(snapshot)

    def _handle_edge(self, edge: Edge) -> None:
        self.event_loop.queue_edge(edge)
        if (choosing := self._choice_edges) is not None:  # The start's thread may end it meanwhile.
            choosing.put(edge)

    def _choose_preset(self, opened_panel: OpenedPanel, settings: Settings) -> PresetChoice:
        """Return the preset whose button is held now."""
        edges = self._choice_edges = SimpleQueue[Edge]()
        try:
            return choose_preset(
                opened_panel.held_keys, settings.presets, opened_panel.panel, partial(_next_edge, edges), self.clock.now
            )
        finally:
            self._choice_edges = None

    def _build_camera_worker(self, settings: Settings, evidence: Evidence) -> CameraWorker:
        camera, size, record = settings.camera, settings.game.size, self._box.table.record
        calibration = fitting_calibration(Path(camera.calibration), size) if camera.calibration else None
        board_size = record.position.board.cols if record.number else size
        last_place, enrolling_players = None if calibration else self._box.place, players_who_enrol(settings)
        tracker_config = TrackerConfig(
            False, board_size, calibration, last_place, settings.table.steady, enrolling_players
        )
        open_camera: Callable[[], LiveCamera]
        if self._phones is not None and camera.source == PHONE:
            open_camera, once = self._phones.pictures.open_camera, False
        else:
            open_camera, once = (self.table.open_table, False) if self.table else opens(camera, self.clock.now)
        show_stone = self._stone_marker.show_stone
        return CameraWorker(
            open_camera, tracker_config, self.event_loop, self.clock.now, once, evidence, show_stone=show_stone
        )

    def _build_backend(self, folder: Path, folders: Sequence[Path], coordinates: Coordinates) -> Backend:
        archive = Archive(folder)
        library = GameLibrary(self._worker, folder, lambda: self._box.running_journal, coordinates=coordinates)
        return Backend(
            lambda: self.board.newest,
            self.board.wait,
            Pictures(self._camera_worker, self.event_loop.set_fault),
            lambda: self._box.sgf_record,
            self._health_report,
            archive.list_games,
            archive.read_record,
            self._build_director_backend(archive, folder, folders),
            library.list_games,
            library.replay,
            self._build_phone_backend(),
            library.film,
            library.thumbnail,
        )

    def _build_phone_backend(self) -> PhoneBackend | None:
        phones = self._phones
        return None if phones is None else PhoneBackend(*(getattr(phones, one.name) for one in fields(PhoneBackend)))

    def _build_director_backend(self, archive: Archive, folder: Path, folders: Sequence[Path]) -> DirectorBackend:
        camera_worker, box, pin = self._camera_worker, self._box, Pin(folder)
        director = Director(self.event_loop, self.clock.now, camera_worker.calibrate)
        return DirectorBackend(
            pin.is_right,
            lambda: pin.stamp,
            director.act,
            lambda: camera_worker.placement_report,
            describe_choices,
            archive.copy_journal,
            lambda: newest_bundled(folder),
            archive.list_frames,
            archive.read_frame,
            partial(hall_secret, folder),
            partial(current_code, box),
            partial(find_photograph, folder),
            NameRemover(self._worker, folders, self.event_loop).ask,
        )

    # Queries of the page

    def _health_report(self) -> Mapping[str, object]:
        snapshot, box = self.board.newest, self._box
        lacks = self._health_checks.faults(box.journal)
        able = not snapshot.unable and snapshot.sight is not Sight.LOST
        well = box.is_written and able and not self.event_loop.failed.is_set()
        return {
            "ok": well and not lacks,
            "phase": snapshot.phase.value,
            "turn": snapshot.game.turn,
            "sight": snapshot.sight.value,
            "frames": self._camera_worker.frames,
            "seconds": round(self.clock.now(), 1),
            "faults": [ENGLISH.sentence(fault) for fault in (*snapshot.faults, *lacks)],
        }


def _resume_match(folder: Folder, new: bool, adjourned: AdjournedGame | None = None) -> _Resumed:
    try:
        newest_match = None if new else folder.find_newest_match()
    except JournalError as error:
        fault = error_message(error) + message("journal.set-aside")
        return _Resumed(SteadyClock(), lambda box: box.set_fault("resume", fault))
    if adjourned is not None and (newest_match is None or newest_match[1].terms.adjourned != adjourned):
        return _Resumed(SteadyClock(), lambda box: box.take_up(adjourned, resumed_message(adjourned)), True)
    if newest_match is None:
        return _Resumed(SteadyClock(), lambda box: None)
    path, replayed = newest_match
    if replayed.terms.rehearsal:  # Nobody resumes a rehearsal: it is done again.
        return _Resumed(SteadyClock(), lambda box: None)
    clock, record = SteadyClock(replayed.t + 1), replayed.table.record
    clocks = replayed.table.snapshot.clocks
    begun = bool(record.number) or record.ended or (clocks is not None and clocks.begun)
    return _Resumed(
        clock, lambda box: box.resume_match(folder.open_journal(path), replayed, replayed.t), begun, replayed.terms
    )


def _tell_faults(
    box: TableController, opened_panel: OpenedPanel, chosen_preset: PresetChoice, lacking: Message | None
) -> None:
    """Report the panel's faults and the buttons still down from the start. lacking: the sides without buttons."""
    for number, sentence in enumerate((*opened_panel.faults, *((lacking,) if lacking is not None else ()))):
        box.set_fault(f"panel {number}", sentence)
    for key in opened_panel.held_keys if not chosen_preset.let_go else ():
        box.set_fault(button_fault(*key), down_from_the_start(*key))


def _next_edge(edges: SimpleQueue[Edge], within: float) -> Edge | None:
    try:
        return edges.get(timeout=within)
    except Empty:
        return None
