"""Checks of the machine and its peripherals: Python, disk, clock, memory, network, vision, panel, camera, page."""

from __future__ import annotations

import errno
import json
import shutil
import socket
import sqlite3
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from enum import StrEnum
from http.client import HTTPException
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from device.camera import VIRTUAL, wanted_of
from device.machine.label import address_here
from device.machine.wifi import IN_NONE, NoNetwork, NotThere, networks
from device.panel.factory import TWO, NoPins, lacking_buttons, machine_pins, on_pins
from device.panel.keyboard import NoKeys
from device.panel.keymap import BadKeys, read_keys
from device.panel.keys import Keyboards
from device.panel.panel import down_from_the_start
from device.panel.rim_chain import BadRim
from device.panel.rim_driver import SpiLights, chain_of
from device.settings import Camera, Page, PanelSettings, RimSettings
from referee.game.board import Colour
from referee.game.messages import Message, message
from vision.camera.frame import Frame, is_picture
from vision.camera.live import PATIENCE, no_picture, open_live
from vision.camera.network_camera import named
from vision.errors import VisionError
from vision.render.looks import club_look
from vision.render.scene import Scene, lid_stone
from vision.render.table import Table
from vision.tracking.reading import read_frame
from web.language import ENGLISH, english

AGAIN = "install shinpan again"
ROWS = (
    ".........",
    "..X...O..",
    "...O.X...",
    ".........",
    "..OX.....",
    ".......X.",
    "..X.O.O..",
    "......X..",
    ".........",
)
"""The position on the simulated board."""
PYTHON = (3, 11)
"""The oldest supported Python."""
LITTLE_SPACE, NO_SPACE = 1000, 100
"""Free megabytes on the disk: below the first the check gives a note, below the second it fails."""
LITTLE_MEMORY, NO_MEMORY = 400, 200
"""Available megabytes of memory: below the first a note, below the second a failure."""
WARM, HOT = 70, 80
"""Degrees Celsius: from the first a note, from the second a failure; at 80 a Raspberry Pi slows down."""
SLOW_COMMIT = 0.1
"""Seconds of a commit above which the disk is slow."""
DAY = 86400


class Mark(StrEnum):
    """The outcome of a check: passed; passed with a note; failed."""

    OK = "ok"
    NOTE = "note"
    WRONG = "WRONG"


@dataclass(frozen=True)
class Check:
    """A check's result.

    mark: its outcome
    what: the subject
    sentence: what was found, and what to do about it
    """

    mark: Mark
    what: str
    sentence: str


def eyes() -> Check:
    """Check that OpenCV and both nets read a simulated board and its lids correctly."""
    rng = np.random.default_rng(1)
    prisoners = (lid_stone((), Colour.WHITE, rng),), (lid_stone((), Colour.BLACK, rng),)
    drawn = Table(club_look(1, 9, 1280, 720)).draw(Scene(ROWS, prisoners))
    started = time.perf_counter()
    try:
        reading = read_frame(drawn.pixels, drawn.truth.grid, tuple(lid.box for lid in drawn.truth.lids))
    except cv2.error as error:
        return Check(Mark.WRONG, "eyes", f"OpenCV {cv2.__version__} cannot run the nets ({error.err}); {AGAIN}.")
    spent = (time.perf_counter() - started) * 1000
    lids = [(lid.black, lid.white) for lid in reading.lids]
    if reading.rows() != drawn.truth.rows or lids != [(lid.black, lid.white) for lid in drawn.truth.lids]:
        return Check(Mark.WRONG, "eyes", f"OpenCV {cv2.__version__} reads a drawn table wrong; {AGAIN}.")
    return Check(Mark.OK, "eyes", f"OpenCV {cv2.__version__} read a drawn board and two lids in {spent:.0f} ms.")


def panel(
    settings: PanelSettings, folder: Path, factory: Callable[..., Any] = machine_pins, players: int = 2
) -> Iterator[Check]:
    """Check that lamps and buttons work, and that each of the players has buttons.

    settings: of the panel
    folder: where the keymap is stored
    factory: builds the pin factory
    players: their number
    """
    if settings.kind in ("none", "terminal"):
        yield Check(Mark.OK, "panel", f"The settings want the panel {settings.kind}.")
        yield from _without_buttons(TWO if settings.kind == "terminal" else None, players)
        return
    if settings.kind == "keys":
        yield from keys(folder)
        with suppress(BadKeys):
            yield from _without_buttons(read_keys(folder).sides, players, keys=True)
        return
    try:
        opened = on_pins(lambda edge: None, time.monotonic, factory, settings.chips)
    except NoPins as error:
        mark = Mark.WRONG if settings.kind == "gpio" else Mark.NOTE
        yield Check(mark, "panel", f"{english(error)} Without them the terminal shows the lamps.")
        yield from _without_buttons(TWO, players)
        return
    opened.panel.close()
    yield Check(Mark.OK, "panel", "Lamps, buttons and buzzer are on the pins.")
    yield from (
        Check(
            Mark.WRONG,
            "panel",
            f"{ENGLISH.sentence(down_from_the_start(*key))} Let it go, or look for a lead to ground.",
        )
        for key in opened.held
    )
    yield from _without_buttons(opened.sides, players)


def _without_buttons(sides: tuple[int, ...] | None, players: int, keys: bool = False) -> Iterator[Check]:
    lacking = lacking_buttons(sides, players, keys)
    if lacking is not None:
        yield Check(Mark.WRONG, "panel", ENGLISH.sentence(lacking))


def stones(players: int | None) -> Iterator[Check]:
    """Yield a note about the stones for more than two players; `None` players have black and white stones."""
    if players is not None:
        yield Check(Mark.NOTE, "stones", ENGLISH.sentence(message("run.stones", players=players)))


def rim(settings: RimSettings) -> Iterator[Check]:
    """Check that the lights of the rim can be written to, if there are any. Whether they shine cannot be sensed."""
    if settings.kind != "spi":
        return
    try:
        SpiLights(chain_of(settings), settings.port).close()
    except ImportError:
        yield Check(Mark.WRONG, "rim", ENGLISH.sentence(message("rim.library")))
    except OSError:
        yield Check(Mark.WRONG, "rim", ENGLISH.sentence(message("rim.away")))
    except BadRim as error:
        yield Check(Mark.WRONG, "rim", english(error))
    else:
        yield Check(Mark.OK, "rim", "The lights can be sent to; shinpan panel --test shows whether they shine.")


def keys(folder: Path, made: Callable[..., Keyboards] = Keyboards) -> Iterator[Check]:
    """Check that the keyboards whose keys are buttons are plugged in, and that none of the keys is down."""
    told: dict[str, Message | None] = {}
    try:
        found = made(read_keys(folder), lambda edge: None, told.__setitem__, time.monotonic)
    except (NoKeys, BadKeys) as error:
        yield Check(Mark.WRONG, "panel", english(error))
        return
    found.close()
    down = (down_from_the_start(*key) for key in found.held)
    wrong = [ENGLISH.sentence(said) for said in (*told.values(), *down) if said is not None]
    yield from (Check(Mark.WRONG, "panel", sentence) for sentence in wrong)
    if not wrong:
        yield Check(Mark.OK, "panel", "All keyboards whose keys are buttons are plugged in.")


def camera(settings: Camera) -> tuple[Check, Frame | None]:
    """Check that the camera gives a picture; return that picture too."""
    if settings.source.startswith(VIRTUAL):
        return Check(Mark.NOTE, "camera", "The settings want a drawn table; no camera was tried."), None
    try:
        with closing(open_live(settings.source, wanted_of(settings), time.monotonic)) as eye:
            frame = eye.newest(PATIENCE)
    except VisionError as error:
        return Check(Mark.WRONG, "camera", english(error)), None
    if frame is None or not is_picture(frame.pixels):
        return Check(Mark.WRONG, "camera", ENGLISH.sentence(no_picture(settings.source))), None
    if frame.note is not None:
        return Check(Mark.NOTE, "camera", ENGLISH.sentence(frame.note)), frame
    height, width = frame.pixels.shape[:2]
    return Check(Mark.OK, "camera", f"{named(settings.source)} gives pictures of {width} x {height}."), frame


def page(settings: Page) -> Check:
    """Check that the page can be served at the configured address."""
    where = f"{settings.host}, port {settings.port}"
    try:
        family, *_, address = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM)[0]
        socket.create_server(address, family=family).close()
    except OSError as error:
        if error.errno == errno.EADDRINUSE and _is_shinpan(settings):
            return Check(Mark.NOTE, "page", f"A running shinpan serves the page at {where}.")
        return Check(Mark.WRONG, "page", f"It cannot be served at {where} ({error.strerror}); name another in [page].")
    except UnicodeError:
        return Check(
            Mark.WRONG, "page", f"It cannot be served at {where}, which is no address; name another in [page]."
        )
    return Check(Mark.OK, "page", f"It can be served at {where}.")


def _is_shinpan(settings: Page) -> bool:
    """Return True if the port is used by a running box."""
    try:
        with urllib.request.urlopen(f"{address_here(settings)}/health", timeout=2) as answer:
            return "sight" in json.load(answer)
    except (OSError, ValueError, HTTPException, TypeError):
        return False


def python(version: tuple[int, ...] = sys.version_info[:3]) -> Check:
    """Check the version of Python."""
    name = ".".join(map(str, version))
    if version >= PYTHON:
        return Check(Mark.OK, "Python", f"{name}.")
    return Check(Mark.WRONG, "Python", f"{name} is too old: install Python {PYTHON[0]}.{PYTHON[1]} or newer.")


def version(environment: Path = Path(sys.prefix)) -> Iterator[Check]:
    """Check which of the versions installed side by side this is; yield nothing for another kind of installation."""
    home = environment.parent.parent
    if environment.parent.name != "versions" or not (home / "current").is_symlink():
        return
    before, taken_back = home / "before", home / "taken-back"
    known = f"{environment.name}; " + (f"before it {before.resolve().name}." if before.is_dir() else "none before it.")
    if not taken_back.is_file():
        yield Check(Mark.OK, "version", known)
        return
    left = f"{taken_back.read_text(errors='replace')} failed to start three times, and this one was taken back"
    yield Check(Mark.NOTE, "version", f"{known} {left}; see: sudo journalctl -u shinpan")


def data(folder: Path) -> Iterator[Check]:
    """Check that the folder of journals is writable, durable, and has room."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        spent, kept = _commit(folder)
    except (OSError, sqlite3.Error) as error:
        yield Check(Mark.WRONG, "data", f"{folder} cannot be written to ({error}); name another folder in [data].")
        return
    if not kept:
        yield Check(Mark.WRONG, "data", f"{folder} is on a disk that keeps no journal safe; name another in [data].")
    elif spent > SLOW_COMMIT:
        yield Check(Mark.NOTE, "data", f"{folder} is slow: a journal entry takes {spent * 1000:.0f} ms to be safe.")
    else:
        yield Check(Mark.OK, "data", f"{folder}: a journal entry is safe on the disk in {spent * 1000:.1f} ms.")
    yield space(shutil.disk_usage(folder).free)


def _commit(folder: Path) -> tuple[float, bool]:
    """Return the seconds that a journal's commit takes there, and whether it survives a power cut."""
    with (
        tempfile.TemporaryDirectory(dir=folder, prefix=".doctor-") as scratch,
        closing(sqlite3.connect(Path(scratch) / "try", isolation_level=None)) as base,
    ):
        mode = base.execute("PRAGMA journal_mode=WAL").fetchone()[0]
        base.execute("PRAGMA synchronous=FULL")
        base.execute("CREATE TABLE entries (body TEXT)")
        started = time.perf_counter()
        base.execute("INSERT INTO entries VALUES ('a turn')")
        return time.perf_counter() - started, mode == "wal"


def space(free: int) -> Check:
    """Check that so many free bytes are enough."""
    megabytes = free // 1_000_000
    if megabytes < NO_SPACE:
        return Check(Mark.WRONG, "disk", f"Only {megabytes} MB are free: delete something, or use a larger disk.")
    if megabytes < LITTLE_SPACE:
        return Check(Mark.NOTE, "disk", f"{megabytes} MB are free: enough for some games; make room soon.")
    return Check(Mark.OK, "disk", f"{megabytes / 1000:.0f} GB are free.")


def clock(now: float, built: float = Path(__file__).stat().st_mtime) -> Check:
    """Check that the time of day is plausible. Clocks and turns do not need it; dates of games do."""
    told = time.strftime("%Y-%m-%d %H:%M", time.localtime(now))
    if now < built - DAY:
        return Check(Mark.NOTE, "clock", f"It says {told}, which is over: set it, or games carry a wrong date.")
    return Check(Mark.OK, "clock", f"{told}.")


def memory(path: Path = Path("/proc/meminfo")) -> Check | None:
    """Check that enough memory is left; return None if the system does not say."""
    lines = path.read_text().splitlines() if path.exists() else []
    sizes = {name: int(rest.split()[0]) // 1000 for name, _, rest in (line.partition(":") for line in lines)}
    free = sizes.get("MemAvailable")
    if free is None:
        return None
    if free < LITTLE_MEMORY:
        mark = Mark.WRONG if free < NO_MEMORY else Mark.NOTE
        return Check(mark, "memory", f"Only {free} MB are left: stop other programs, or use a larger machine.")
    return Check(Mark.OK, "memory", f"{free} MB are left.")


def heat(folder: Path = Path("/sys/class/thermal")) -> Check | None:
    """Check that the machine is not too hot; return None if the system does not say."""
    told = [_number(path) for path in folder.glob("thermal_zone*/temp")]
    degrees = max((value / 1000 for value in told if value is not None), default=None)
    if degrees is None:
        return None
    if degrees >= WARM:
        mark = Mark.WRONG if degrees >= HOT else Mark.NOTE
        return Check(mark, "heat", f"{degrees:.0f} °C: give it air or a fan; it slows down when it is too hot.")
    return Check(Mark.OK, "heat", f"{degrees:.0f} °C.")


def _number(path: Path) -> int | None:
    try:
        return int(path.read_text())
    except (OSError, ValueError):
        return None


def network(page: Page) -> Check:
    """Check which networks the box is in. It passes on a machine without NetworkManager."""
    try:
        found = networks(page)
    except NotThere as error:
        return Check(Mark.OK, "network", f"{error} The page needs no more than an address.")
    except NoNetwork as error:
        return Check(Mark.NOTE, "network", str(error))
    return Check(Mark.OK if found else Mark.NOTE, "network", " ".join(found or [IN_NONE]))
