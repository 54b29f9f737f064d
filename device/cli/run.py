"""`shinpan run`: the box at a table, until it is stopped."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from device.camera import PHONE
from device.cli.options import (
    PORT,
    TEXT,
    Exit,
    camera_option,
    coordinates_option,
    data_option,
    declare_command,
    print_aside,
    print_note,
    settings_option,
)
from device.machine.service import Service
from device.machine.start_counter import SOON, StartCounter, folder_of
from device.machine.versions import FAILED_STARTS, WELL
from device.match.adjournment_code import AdjournedGame
from device.settings import Settings, override_from_cli
from device.system import system
from device.table.adjournment import read_adjourned
from device.table.bootstrap import Application
from device.table.match_config import read_checked_settings
from device.threads import install_signal_handlers
from referee.game.errors import RefereeError
from referee.game.messages import Message
from referee.rules.sets import DEFAULT, resolve_rules
from referee.table.display_state import Phase, Sight, TableSnapshot
from vision.errors import VisionError
from vision.network import use_one_thread
from web.errors import WebError
from web.language import ENGLISH, to_english
from web.page import labels

USUAL_RULES = (DEFAULT, "japanese", "chinese", "aga", "ing")
"""The rules that are offered by number; any other is taken by its name."""
PHONES = {"camera": PHONE, "panel": PHONE, "tls": True}
"""The options that --phones stands for."""


class StoppedSoon(RefereeError):
    """The box stopped by itself shortly after its start."""


@dataclass(frozen=True)
class RunOptions:
    """The command line's options; the settings hold for the rest."""

    settings: Path | None
    new: bool
    preset: str | None
    adjourned: AdjournedGame | None
    others: Mapping[str, Any]
    """By the names of device/settings.OPTIONS; None if not given."""

    def over(self, settings: Settings) -> Settings:
        """Return the settings overridden by the options; raise BadSettings."""
        return override_from_cli(settings, self.others, self.preset)


@declare_command(
    "run",
    "Referee the table before the camera until Ctrl-C.",
    ("run", "with camera 0; the page is at http://127.0.0.1:8000"),
    ("run --phones", "with a phone as the camera and another as the clock; the desk shows their codes"),
    ("run --settings club.toml", "with the rules, the clock and the names of a file"),
    ("run --take-up adjourned.txt", "an adjourned game goes on here, by the text of its page's code"),
    ("run --camera 2 --rules chinese --time 30m+5x30s", "with another camera, other rules and clocks"),
    looks=True,
)
@camera_option
@settings_option
@click.option("--rules", metavar="NAME", help="The rule set; shinpan rules lists them.")
@click.option("--size", metavar="N", help="Lines a side; the board that is seen when left out.")
@click.option("--komi", metavar="K", help="Komi, in points or as the rule set counts it.")
@click.option("--handicap", metavar="N", help="Handicap, in stones.")
@click.option("--time", metavar="CONTROL", help="The time of each player, such as 45m or 30m+5x30s.")
@click.option("--names", nargs=2, metavar="BLACK WHITE", help="Who plays.")
@coordinates_option
@click.option("--host", metavar="ADDRESS", help="Who may see the page: 0.0.0.0 for all in the same network.")
@click.option("--port", type=PORT, metavar="N", help="The page's port.")
@click.option("--tls", is_flag=True, default=None, help="Serve the page over TLS too, for phones, at port 8443.")
@click.option("--phones", is_flag=True, help="A phone is the camera, and phones are clock and buttons; with --tls.")
@data_option
@click.option("--new", is_flag=True, help="Begin a new match though the last one was broken off.")
@click.option("--preset", type=TEXT, metavar="NAME", help="The match of this preset of the settings.")
@click.option(
    "--take-up",
    metavar="FILE",
    help="Take up an adjourned game: the text of its code, a picture of its page, or its journal.",
)
def run_command(
    settings: Path | None, new: bool, preset: str | None, take_up: str | None, phones: bool, **others: Any
) -> int:
    """Run the box until Ctrl-C or SIGTERM; return 0, or 1 if it stopped by itself.

    A service that cannot start, or stops soon after its start, serves a page with the reason. Then it tries again; or
    it
    exits if the fault is shinpan's own: it is restarted, and a version that never starts is rolled back.
    """
    system.return_freed_memory()
    use_one_thread()
    adjourned = read_adjourned(take_up) if take_up is not None else None
    others |= PHONES if phones else {}
    service, stop = click.get_current_context().find_object(Service) or Service(), threading.Event()
    if others["rules"] is None and settings is None and adjourned is None and not service.is_active:
        others["rules"] = ask_rules()
    options = RunOptions(settings, new, preset, adjourned, others)
    starts = StartCounter(folder_of(options.settings, options.others["data"])) if service.is_active else None
    if starts is not None and starts.failed >= FAILED_STARTS:
        why = f"The box has ended shortly after each of its last {starts.failed} starts. {starts.why}"
        _serve_safe_page(why, options, service, stop)
    while not stop.is_set():
        try:
            return _run_once(options, service, stop, starts)
        except (RefereeError, VisionError, WebError) as error:
            if starts is None and not isinstance(error, StoppedSoon):
                raise
            why, ours = to_english(error), isinstance(error, StoppedSoon)
        except Exception as error:
            ours = True
            why = f"The box cannot start, by a fault in shinpan ({type(error).__name__}: {error})."
        if starts is None:
            print_note(why)
            return Exit.NOT_WELL
        starts.fail(why)
        _serve_safe_page(why, options, service, stop)
        if ours and not stop.is_set():
            return Exit.NOT_WELL
    return Exit.DONE


def ask_rules() -> str | None:
    """Ask a person at a terminal for the rules, and return their name; None if nobody can be asked."""
    if not (sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()):
        return None
    usual = ", ".join(f"{number} {name}" for number, name in enumerate(USUAL_RULES, 1))
    print_aside(ENGLISH("run.which-rules", rules=usual))
    while True:
        wanted = click.prompt(ENGLISH("run.rules"), default=USUAL_RULES[0], err=True).strip()
        if wanted.isdecimal() and 1 <= int(wanted[:3]) <= len(USUAL_RULES):
            return USUAL_RULES[int(wanted) - 1]
        try:
            resolve_rules(wanted)
        except RefereeError as error:
            print_note(to_english(error))
        else:
            return wanted


def _run_once(options: RunOptions, service: Service, stop: threading.Event, starts: StartCounter | None) -> int:
    """Run the box once and return the exit status. Raises any error that prevents the start, and StoppedSoon."""
    if starts is not None:
        starts.begin()
    settings = read_checked_settings(options.settings) if options.settings else Settings()
    running = Application(options.over(settings), options.new, options.preset, options.adjourned)
    install_signal_handlers(stop)
    return run_until_stopped(running, service, stop, starts)


def _serve_safe_page(why: str, options: RunOptions, service: Service, stop: threading.Event) -> None:
    """Serve this sentence until another try is worthwhile."""
    from device.machine.safe import Watch, page_of, serve_until  # A box that starts need not wait for Flask.

    install_signal_handlers(stop)
    service.ready()
    service.status(why)
    page = page_of(options.settings, options.others["host"], options.others["port"])
    serve_until(why, page, Watch(options.settings, service, stop))


class CameraReporter:
    """A reporter that prints once why the camera gives nothing, and when it works again."""

    def __init__(self) -> None:
        self._reported: Message | None = None

    def tell(self, snapshot: TableSnapshot) -> None:
        """Print news about the camera on stderr."""
        if snapshot.sight is Sight.LOST and snapshot.blind not in (None, self._reported):
            self._reported = snapshot.blind
            print_note(ENGLISH.sentence(snapshot.blind))
        elif snapshot.sight is Sight.SEEN and self._reported is not None:
            self._reported = None
            print_note(labels.sight_text(snapshot))


def run_until_stopped(
    running: Application, service: Service, stop: threading.Event, starts: StartCounter | None
) -> int:
    """Start the box, wait for the stop event, and return the exit status.

    If the box cannot go on, it ends with NOT_WELL, to be restarted at once, or raises StoppedSoon.
    """
    print_aside(running.start_message(service.is_journaled))
    print_note(ENGLISH.sentence(running.plays))
    start_t, is_well, camera = time.monotonic(), False, CameraReporter()
    try:
        running.start()
        service.ready()
        service.status(f"The page is at {running.addresses}.")
        while not stop.wait(0.2):
            now = time.monotonic()
            service.beat(running.round_counts, now)
            camera.tell(running.board.newest)
            if running.event_loop.failed.is_set():
                return _report_failure(running, None if is_well else starts, now - start_t)
            if now - start_t > WELL and not is_well:
                is_well = True
                if starts is not None:
                    starts.well()
        camera.tell(running.board.newest)  # News since the last beat.
        if starts is not None:
            starts.end()
        return Exit.DONE
    finally:
        if stop.is_set():
            service.stopping()
        running.stop()
        tell_result(running.board.newest)


def _report_failure(running: Application, starts: StartCounter | None, after: float) -> int:
    """Report a box that stopped that many seconds after its start.

    running: the box.
    starts: the start counter, None if this is no failed start.
    after: seconds since the start.
    """
    reason = running.event_loop.why
    why = f"The box has stopped by a fault in shinpan ({reason}); its log says where, and the game is safe."
    if after < SOON:
        raise StoppedSoon(why)
    if starts is not None:
        starts.fail(why)
    print_note(why)
    return Exit.NOT_WELL


def tell_result(snapshot: TableSnapshot) -> None:
    """Write the result, if there is one, to the terminal."""
    if snapshot.phase in (Phase.RESULT, Phase.FINAL) and snapshot.game.result is not None:
        print_note(f"the result is {ENGLISH.in_sentence(snapshot.game.result)}.")
