"""`shinpan demo`: a game on a table that is only drawn, refereed as a real one would be."""

from __future__ import annotations

import argparse
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from device.running import VIRTUAL, Running
from device.settings import Camera, Data, Game, Page, Panel, Settings, Table
from referee.snapshot import Phase, Showing

NO_RESULT = 1
AFTER_THE_END = 20.0
"""Seconds on the table's clock in which a result may still come after the script has been played out."""


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `demo` and its options."""
    parser = commands.add_parser("demo", help="referee a game on a drawn table", description=__doc__)
    parser.add_argument("--speed", type=float, default=1.0, metavar="X", help="so many times as fast, if it can follow")
    parser.add_argument("--port", type=int, default=Page().port, metavar="N", help="the page's port")
    parser.add_argument("--script", type=Path, metavar="FILE", help="play this script")
    parser.add_argument("--data", metavar="FOLDER", help="keep journal and game record here")
    parser.add_argument("--stay", action="store_true", help="leave the page open after the game, until Ctrl-C")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play the demo to its end; 0 when it came to a result, else 1."""
    told = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: told.set())
    with tempfile.TemporaryDirectory(prefix="shinpan-") as scratch:
        socket = Path(scratch) / "table"
        with _table(socket, args.script, args.speed):
            running = Running(_settings(socket, args.port, args.data or f"{scratch}/games"), new=True)
            return _played(running, told, args.stay)


def _played(running: Running, told: threading.Event, stay: bool) -> int:
    print(f"shinpan: the page is at {running.address}; Ctrl-C ends.", file=sys.stderr, flush=True)
    running.start()
    try:
        showing = _until_the_end(running, told)
        if stay and not told.is_set():
            told.wait()
    finally:
        running.stop()
    print(_in_words(showing))
    return 0 if showing.game.result is not None else NO_RESULT


def _until_the_end(running: Running, told: threading.Event) -> Showing:
    """What is shown when both have agreed to the result, or nothing more can come."""
    over_at: float | None = None
    while not told.wait(0.05) and not running.appliance.failed.is_set():
        now, over = running.clock.now(), running.table is not None and running.table.over
        over_at = over_at or (now if over else None)
        if running.board.newest.phase is Phase.FINAL or (over_at is not None and now - over_at > AFTER_THE_END):
            break
    return running.board.newest


def _in_words(showing: Showing) -> str:
    game = showing.game
    if game.result is None:
        return f"The game was broken off after turn {game.turn}, without a result."
    agreed = "agreed by both players" if showing.phase is Phase.FINAL else "not agreed by both players yet"
    return f"Result: {game.result} after {game.turn} turns, {agreed}. {len(game.rulings)} rulings."


def _settings(socket: Path, port: int, data: str) -> Settings:
    return Settings(Game(), Table(), Camera(f"{VIRTUAL}{socket}"), Panel("terminal"), Page(port=port), Data(data))


@contextmanager
def _table(socket: Path, script: Path | None, speed: float) -> Iterator[None]:
    """The drawn table, in a process of its own that ends with this one."""
    command = [sys.executable, "-m", "device.virtual", "serve", str(socket), "--speed", str(speed)]
    if script is not None:
        command += ["--script", str(script)]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as table:
        try:
            yield
        finally:
            table.terminate()
