"""`shinpan run`: the box at a table, until it is stopped."""

from __future__ import annotations

import argparse
import signal
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

from device.machine.service import Service
from device.machine.starts import MOST, SOON, WELL, Starts, folder_of
from device.running import Running
from device.settings import Settings, read_settings
from referee.errors import RefereeError
from referee.standing import Phase
from vision.errors import VisionError
from web.errors import WebError
from web.language import english

FAILED = 1


class StoppedSoon(RefereeError):
    """The box has stopped by itself, shortly after it had started."""


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `run` and its options."""
    parser = commands.add_parser("run", help="referee the table before the camera", description=__doc__)
    parser.add_argument("--camera", metavar="SOURCE", help="a camera's number or device, picamera, a video or a folder")
    parser.add_argument("--settings", type=Path, metavar="FILE", help="settings, as TOML")
    parser.add_argument("--port", type=int, metavar="N", help="the page's port")
    parser.add_argument("--data", metavar="FOLDER", help="where journals and game records are kept")
    parser.add_argument("--new", action="store_true", help="begin a new match though the last one was broken off")
    parser.add_argument("--preset", metavar="NAME", help="the match of this preset of the settings")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run the box until Ctrl-C or SIGTERM; 0, or 1 when it stopped by itself.

    A service that cannot start, or stops soon after it has started, serves a page that says so. Then it tries again;
    or, where the fault is shinpan's own, it ends: it is started again, and a version that never starts is taken back.
    """
    service, told = Service(), threading.Event()
    starts = Starts(folder_of(args.settings, args.data)) if service.active else None
    if starts is not None and starts.failed >= MOST:
        why = f"The box has ended shortly after each of its last {starts.failed} starts. {starts.why}"
        _safe(why, args, service, told)
    while not told.is_set():
        try:
            return _run(args, service, told, starts)
        except (RefereeError, VisionError, WebError) as error:
            if starts is None and not isinstance(error, StoppedSoon):
                raise
            why, ours = english(error), isinstance(error, StoppedSoon)
        except Exception as error:
            ours = True
            why = f"The box cannot start, by a fault in shinpan ({type(error).__name__}: {error})."
        if starts is None:
            print(f"shinpan: {why}", file=sys.stderr)
            return FAILED
        starts.fail(why)
        _safe(why, args, service, told)
        if ours and not told.is_set():
            return FAILED
    return 0


def _run(args: argparse.Namespace, service: Service, told: threading.Event, starts: Starts | None) -> int:
    """Run it once; the exit status. Raises whatever keeps it from starting, and StoppedSoon."""
    if starts is not None:
        starts.begin()
    settings = read_settings(args.settings) if args.settings else Settings()
    running = Running(with_options(settings, args.camera, args.port, args.data), args.new, args.preset)
    _end_by_signal(told)
    return stay(running, service, told, starts)


def _safe(why: str, args: argparse.Namespace, service: Service, told: threading.Event) -> None:
    """Serve this sentence until it is worth another try."""
    from device.machine.safe import Watch, page_of, serve_until  # A box that starts need not wait for Flask.

    _end_by_signal(told)
    service.ready()
    service.status(why)
    serve_until(why, page_of(args.settings, args.port), Watch(args.settings, service, told))


def _end_by_signal(told: threading.Event) -> None:
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: told.set())


def with_options(settings: Settings, camera: str | None, port: int | None, data: str | None) -> Settings:
    """The settings with what was said on the command line."""
    if camera is not None:
        settings = replace(settings, camera=replace(settings.camera, source=camera))
    if port is not None:
        settings = replace(settings, page=replace(settings.page, port=port))
    if data is not None:
        settings = replace(settings, data=replace(settings.data, folder=data))
    return settings


def stay(running: Running, service: Service, told: threading.Event, starts: Starts | None) -> int:
    """Start the box and wait until it is told to stop; its exit status. Where it cannot go on, it ends with FAILED, to
    be started again at once, or raises StoppedSoon."""
    print(running.greeting(service.journaled), file=sys.stderr, flush=True)
    began, well = time.monotonic(), False
    try:
        running.start()
        service.ready()
        service.status(f"The page is at {running.addresses}.")
        while not told.wait(0.2):
            now = time.monotonic()
            service.beat(running.beats, now)
            if running.appliance.failed.is_set():
                return _failed(running, None if well else starts, now - began)
            if now - began > WELL and not well:
                well = True
                if starts is not None:
                    starts.well()
        if starts is not None:
            starts.end()
        return 0
    finally:
        if told.is_set():
            service.stopping()
        running.stop()
        _report(running)


def _failed(running: Running, starts: Starts | None, after: float) -> int:
    """It has stopped so many seconds after its start; starts: where that counts as a start that failed."""
    met = running.appliance.why
    why = f"The box has stopped by a fault in shinpan ({met}); its log says where, and the game is safe."
    if after < SOON:
        raise StoppedSoon(why)
    if starts is not None:
        starts.fail(why)
    print(f"shinpan: {why}", file=sys.stderr)
    return FAILED


def _report(running: Running) -> None:
    showing = running.board.newest
    if showing.phase in (Phase.RESULT, Phase.FINAL):
        print(f"shinpan: the result is {showing.game.result}.", file=sys.stderr)
