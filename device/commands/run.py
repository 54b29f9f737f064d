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
from device.running import Running
from device.settings import Settings, read_settings
from referee.errors import RefereeError
from referee.standing import Phase
from vision.errors import VisionError
from web.language import english

FAILED = 1


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
    """Run the box until Ctrl-C or SIGTERM; 0, or 1 when it stopped by itself."""
    service, told = Service(), threading.Event()
    while not told.is_set():
        try:
            settings = read_settings(args.settings) if args.settings else Settings()
            running = Running(with_options(settings, args.camera, args.port, args.data), args.new, args.preset)
        except (RefereeError, VisionError) as error:
            if not service.active:
                raise
            from device.machine.safe import Watch, page_of, serve_until  # A box that starts need not wait for Flask.

            _end_by_signal(told)
            service.ready()
            service.status(english(error))
            serve_until(english(error), page_of(args.settings, args.port), Watch(args.settings, service, told))
        else:
            _end_by_signal(told)
            return stay(running, service, told)
    return 0


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


def stay(running: Running, service: Service, told: threading.Event) -> int:
    """Start the box and wait until it is told to stop or cannot go on; its exit status."""
    print(running.greeting(service.journaled), file=sys.stderr, flush=True)
    running.start()
    service.ready()
    service.status(f"The page is at {running.address}.")
    try:
        while not told.wait(0.2):
            service.beat(running.beats, time.monotonic())
            if running.appliance.failed.is_set():
                print(
                    "shinpan: the box has stopped; its log says why, and the game is in its journal.", file=sys.stderr
                )
                return FAILED
        return 0
    finally:
        service.stopping()
        running.stop()
        _report(running)


def _report(running: Running) -> None:
    showing = running.board.newest
    if showing.phase in (Phase.RESULT, Phase.FINAL):
        print(f"shinpan: the result is {showing.game.result}.", file=sys.stderr)
