"""`shinpan demo`: a game on a simulated table, refereed as a real one would be."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TextIO

import click

from device.camera import VIRTUAL
from device.cli.console import count_in_words
from device.cli.options import FILE, PORT, TEXT, Exit, NumberRange, coordinates_option, declare_command, print_aside
from device.settings import Camera, Data, Page, PanelSettings, RimSettings, Settings, override_from_cli, settings_of
from device.simulator.hub import FREE
from device.simulator.script import open_script
from device.simulator.serve import DEMO, SPEEDS, TableProcess
from device.table.bootstrap import Application
from device.threads import install_signal_handlers
from referee.game.errors import BadRecord
from referee.game.ruling import Status
from referee.table.display_state import Phase, TableSnapshot
from referee.table.snapshot import Snapshot
from web.language import ENGLISH
from web.page import labels

AFTER_THE_END = 20.0
"""Seconds on the table's clock to wait after the script's end."""
LOOK_AGAIN = 0.05
"""Polling interval, in wall seconds."""
REHEARSAL = DEMO.with_name("rehearsal.script")
AS_FAST_AS_IT_CAN = 1000.0
LATE = 60.0
"""Wall seconds after which the page's URL is printed even if it does not answer yet."""
SCRIPTS = {"ultimate": DEMO, "chinese": DEMO.with_name("chinese.script")}
"""The games that are made up for the demo, by their rules."""
USUAL = "chinese"
"""The rules of the game that is played when nobody asks for others."""
TERMS: dict[Path, dict[str, dict[str, object]]] = {
    SCRIPTS[USUAL]: {"game": {"names": ["Kuro, 1d", "Shiro, 1k"]}, "time": {"control": "20m+5x30s"}}
}
"""What is agreed for a made-up game besides its rules, as a settings file has it."""
OPENER = "xdg-open"
"""The program that opens a URL in a desktop's browser."""


@declare_command(
    "demo",
    "Referee a game on a simulated table, as a real one would be.",
    ("demo", "a game under Chinese rules at the pace of people"),
    ("demo --rules ultimate --speed 20", "a game of Ultimate Go, up to twenty times as fast"),
    ("demo --stay --port 8001", "leave the page open afterwards, at another port"),
)
@click.option(
    "--speed", type=NumberRange(*SPEEDS), default=1.0, metavar="X", help="So many times as fast, if it follows."
)
@click.option("--port", type=PORT, default=Page().port, metavar="N", help="The page's port.")
@click.option(
    "--rules",
    type=click.Choice(tuple(SCRIPTS)),
    help="Play the game that is made up for these rules; chinese when left out.",
)
@click.option("--script", type=FILE, metavar="FILE", help="Play this script.")
@coordinates_option
@click.option("--fields", is_flag=True, help="Prisoners lie on printed fields, not in lids.")
@click.option("--rehearsal", is_flag=True, help="Play the game that a new version has to referee well.")
@click.option("--panel", is_flag=True, help="Show lamps, sounds and rulings here too, not on the page alone.")
@click.option("--data", type=TEXT, metavar="FOLDER", help="Keep journal and game record here.")
@click.option("--stay", is_flag=True, help="Leave the page open after the game, until Ctrl-C.")
@click.option("--no-browser", is_flag=True, help="With --stay: do not open the page in a desktop's browser.")
def demo_command(
    speed: float,
    port: int,
    rules: str | None,
    script: Path | None,
    coordinates: str | None,
    fields: bool,
    rehearsal: bool,
    panel: bool,
    data: str | None,
    stay: bool,
    no_browser: bool,
) -> int:
    """Play the demo to its end; return 0 if both agreed to a result or --stay was ended by hand, else 1.

    The simulated table reports its own errors; its exit status is then the demo's.
    """
    if rules and (script or rehearsal):
        raise BadRecord("--rules chooses the demo's own game; leave it out beside --script and --rehearsal.")
    stop = threading.Event()
    install_signal_handlers(stop)
    path, speed = (REHEARSAL, AS_FAST_AS_IT_CAN) if rehearsal else (script or SCRIPTS[rules or USUAL], speed)
    field_options = ("--fields",) if fields else ()
    with tempfile.TemporaryDirectory(prefix="shinpan-") as scratch:
        socket = Path(scratch) / "table"
        with TableProcess(socket, "--speed", str(speed), "--script", str(path), *field_options) as table:
            while not socket.exists() and not stop.wait(LOOK_AGAIN):
                if table.status is not None:
                    return table.status
            settings = demo_settings(socket, port, data or f"{scratch}/games", speed, path, panel)
            settings = override_from_cli(settings, {"coordinates": coordinates})
            running = Application(settings, new=True)
            return _DemoRun(running, table, stop, stay, rehearsal, stay and not no_browser and is_watched()).status()


def is_ruled_correctly(game: Snapshot) -> bool:
    """Return True if the rehearsal's game was ruled correctly: all turns but one are legal, and Black resigned."""
    counts = Counter(ruling.status for ruling in game.rulings)
    return (game.result, game.turn, counts) == ("W+R", 11, {Status.LEGAL: 11, Status.ILLEGAL: 1})


def is_watched(terminal: TextIO = sys.stderr, environment: Mapping[str, str] = os.environ) -> bool:
    """Return True if a person uses this terminal, on a desktop that can open pages."""
    desktop = environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY")
    return bool(desktop) and terminal.isatty() and not environment.get("CI") and shutil.which(OPENER) is not None


def _open_page(address: str) -> None:
    """Open the page in the desktop's browser, and discard the browser's output."""
    quiet = subprocess.DEVNULL
    subprocess.Popen([OPENER, address], stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True)


class _DemoRun:
    """A running demo.

    running: the box.
    table: the simulated table.
    stop: event that ends the demo.
    stay: True to keep the page after the game.
    rehearsal: True if the rehearsal's script is played.
    opens: True to open the page in a browser.
    """

    def __init__(
        self, running: Application, table: TableProcess, stop: threading.Event, stay: bool, rehearsal: bool, opens: bool
    ) -> None:
        self._running, self._table, self._stop, self._stay, self._rehearsal = running, table, stop, stay, rehearsal
        self._opens = opens

    def status(self) -> int:
        """Play the demo to its end and return the exit status."""
        self._running.start()
        try:
            self._print_address()
            snapshot = self._until_the_end()
            print(result_in_words(snapshot), flush=True)
            if self._stay:
                self._stop.wait()
        finally:
            self._running.stop()
        right = snapshot.phase is Phase.FINAL and (not self._rehearsal or is_ruled_correctly(snapshot.game))
        return Exit.DONE if self._stay or right else Exit.NOT_WELL

    def _print_address(self) -> None:
        """Print the page's URL once it answers, or is late."""
        late = time.monotonic() + LATE
        while not self._running.is_page_answering and time.monotonic() < late and not self._stop.wait(LOOK_AGAIN):
            pass
        print_aside(self._running.start_message())
        if self._opens:
            _open_page(self._running.address)

    def _until_the_end(self) -> TableSnapshot:
        """Return the snapshot when both have agreed to the result, or nothing more can come."""
        running, over_at = self._running, None
        while not self._stop.wait(LOOK_AGAIN) and not running.event_loop.failed.is_set() and self._table.status is None:
            now, over = running.clock.now(), running.table is not None and running.table.is_over
            over_at = over_at or (now if over else None)
            if running.board.newest.phase is Phase.FINAL:
                break
            if over_at is not None and now - over_at > AFTER_THE_END:
                running.event_loop.settle()  # The table is faster than a slow disk: its events may still be queued.
                break
        return running.board.newest


def result_in_words(snapshot: TableSnapshot) -> str:
    """Return the game's result in words, and whether all have agreed to it."""
    game, by = snapshot.game, "both players" if len(snapshot.players) == 2 else "all players"
    if game.result is None:
        return f"The game was broken off after turn {game.turn}, without a result."
    short = ENGLISH.outcome(game.result)
    agreed = f"agreed by {by}" if snapshot.phase is Phase.FINAL else f"not agreed by {by} yet"
    return (
        f"{labels.result_text(game)} (result {short}) after {count_in_words('turns', game.turn)}, {agreed}; "
        f"{count_in_words('rulings', len(game.rulings))}."
    )


def demo_settings(
    socket: Path, port: int, data: str, speed: float, script: Path = DEMO, panel: bool = False
) -> Settings:
    """Return the demo's settings, with a panel in the terminal if one is asked for.

    The edge lights are on only if the table runs at wall-clock speed: at a faster one they would lag. Raises BadRecord
    for a script that cannot be played.
    """
    game = open_script(script)
    tables = {"game": {"rules": game.rules, "players": "".join(game.players), "handicap": game.handicap}}
    terms = TERMS.get(script, {})
    tables = {"game": {**tables["game"], **terms.get("game", {})}, "time": terms.get("time", {})}
    return replace(
        settings_of(tables),
        camera=Camera(f"{VIRTUAL}{socket}"),
        panel=PanelSettings("terminal" if panel else "none"),
        rim=RimSettings("drawn" if speed <= FREE else "none"),
        page=Page(port=port),
        data=Data(data),
    )
