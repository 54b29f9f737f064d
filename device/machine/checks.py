"""Checks of the machine and its peripherals: Python, disk, clock, memory, network, vision, panel, camera, page."""

from __future__ import annotations

import errno
import json
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from enum import StrEnum
from http.client import HTTPException
from math import ceil
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from device.camera import PHONE, VIRTUAL, wanted_of
from device.files import check_locks_in, dead_link
from device.installation import PACKAGES, find_shadowed, find_shared
from device.machine.label import address_here
from device.machine.wifi import IN_NONE, NoNetwork, NotThere, describe_networks
from device.panel.factory import TWO, NoPins, lacking_buttons, machine_pins, open_pin_panel
from device.panel.keyboard import NoKeys
from device.panel.keymap import BadKeys, read_keys
from device.panel.keys import Keyboards
from device.panel.panel import down_from_the_start
from device.panel.rim_driver import BadRim, SpiLights, chain_of
from device.settings import Camera, Page, PanelSettings, RimSettings
from referee.game.board import Colour
from referee.game.messages import Message, message
from vision.board.field_of_view import FINE_PX, TableCoverage, measure_coverage, visible_margin_mm
from vision.board.glare import glare_notes
from vision.board.select_board import find_first
from vision.camera.camera_models import find_camera_model
from vision.camera.frame import Frame, Image
from vision.camera.live import FIRST_PICTURE_TIMEOUT_S, no_picture, open_live
from vision.camera.network_camera import public_name
from vision.errors import UnusableNetwork, VisionError
from vision.input_files import os_error_text
from vision.network import runtime_name
from vision.render.looks import club_look
from vision.render.scene import Scene, lid_stone
from vision.render.table import Table
from vision.tracking.reading import read_frame
from web.language import ENGLISH, find_translator, to_english
from web.language_traits import CODES

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


def check_eyes() -> Check:
    """Check that the nets read a simulated board and its lids correctly."""
    rng = np.random.default_rng(1)
    prisoners = (lid_stone((), Colour.WHITE, rng),), (lid_stone((), Colour.BLACK, rng),)
    rendering = Table(club_look(1, 9, 1280, 720)).draw(Scene(ROWS, prisoners))
    started_at = time.perf_counter()
    try:
        reading = read_frame(rendering.pixels, rendering.truth.grid, tuple(lid.box for lid in rendering.truth.lids))
    except (cv2.error, UnusableNetwork) as error:
        return Check(Mark.WRONG, "eyes", f"{runtime_name()} cannot run the nets ({error}); {AGAIN}.")
    spent = (time.perf_counter() - started_at) * 1000
    lids = [(lid.black, lid.white) for lid in reading.lids]
    if reading.rows() != rendering.truth.rows or lids != [(lid.black, lid.white) for lid in rendering.truth.lids]:
        return Check(Mark.WRONG, "eyes", f"{runtime_name()} reads a drawn table wrong; {AGAIN}.")
    return Check(Mark.OK, "eyes", f"{runtime_name()} read a drawn board and two lids in {spent:.0f} ms.")


def check_panel(
    settings: PanelSettings, folder: Path, factory: Callable[..., Any] = machine_pins, players: int = 2
) -> Iterator[Check]:
    """Check that lamps and buttons work, and that each of the players has buttons.

    settings: of the panel
    folder: where the keymap is stored
    factory: builds the pin factory
    players: their number
    """
    if settings.kind in ("none", "phone", "terminal"):
        yield Check(Mark.OK, "panel", f"The settings want the panel {settings.kind}.")
        yield from _check_buttons(TWO if settings.kind == "terminal" else None, players)
        return
    if settings.kind == "keys":
        yield from check_keys(folder)
        with suppress(BadKeys):
            yield from _check_buttons(read_keys(folder).sides, players, keys=True)
        return
    try:
        opened_panel = open_pin_panel(lambda edge: None, time.monotonic, factory, settings.chips)
    except NoPins as error:
        mark = Mark.WRONG if settings.kind == "gpio" else Mark.NOTE
        yield Check(mark, "panel", f"{to_english(error)} Without them the terminal shows the lamps.")
        yield from _check_buttons(TWO, players)
        return
    opened_panel.panel.close()
    yield Check(Mark.OK, "panel", "Lamps, buttons and buzzer are on the pins.")
    yield from (
        Check(
            Mark.WRONG,
            "panel",
            f"{ENGLISH.sentence(down_from_the_start(*key))} Let it go, or look for a lead to ground.",
        )
        for key in opened_panel.held_keys
    )
    yield from _check_buttons(opened_panel.sides, players)


def _check_buttons(sides: tuple[int, ...] | None, players: int, keys: bool = False) -> Iterator[Check]:
    lacking = lacking_buttons(sides, players, keys)
    if lacking is not None:
        yield Check(Mark.WRONG, "panel", ENGLISH.sentence(lacking))


def check_stones(players: int | None) -> Iterator[Check]:
    """Yield a note about the stones for more than two players; `None` players have black and white stones."""
    if players is not None:
        yield Check(Mark.NOTE, "stones", ENGLISH.sentence(message("run.stones", players=players)))


def check_rim(settings: RimSettings) -> Iterator[Check]:
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
        yield Check(Mark.WRONG, "rim", to_english(error))
    else:
        yield Check(Mark.OK, "rim", "The lights can be sent to; shinpan panel --test shows whether they shine.")


def check_keys(folder: Path, factory: Callable[..., Keyboards] = Keyboards) -> Iterator[Check]:
    """Check that the keyboards whose keys are buttons are plugged in, and that none of the keys is down."""
    faults: dict[str, Message | None] = {}
    try:
        keyboards = factory(read_keys(folder), lambda edge: None, faults.__setitem__, time.monotonic)
    except (NoKeys, BadKeys) as error:
        yield Check(Mark.WRONG, "panel", to_english(error))
        return
    keyboards.close()
    down = (down_from_the_start(*key) for key in keyboards.held_keys)
    wrong = [ENGLISH.sentence(fault) for fault in (*faults.values(), *down) if fault is not None]
    yield from (Check(Mark.WRONG, "panel", sentence) for sentence in wrong)
    if not wrong:
        yield Check(Mark.OK, "panel", "All keyboards whose keys are buttons are plugged in.")


def check_camera(settings: Camera) -> tuple[Check, Frame | None]:
    """Check that the camera gives a picture; return that picture too."""
    if settings.source == PHONE:
        sentence = "A phone is to be the camera; it is paired on the desk (docs/phones.md), so none was tried."
        return Check(Mark.NOTE, "camera", sentence), None
    if settings.source.startswith(VIRTUAL):
        return Check(Mark.NOTE, "camera", "The settings want a drawn table; no camera was tried."), None
    try:
        with closing(open_live(settings.source, wanted_of(settings), time.monotonic)) as live_camera:
            frame = live_camera.newest(FIRST_PICTURE_TIMEOUT_S)
    except VisionError as error:
        return Check(Mark.WRONG, "camera", to_english(error)), None
    if frame is None or not frame.is_picture:
        return Check(Mark.WRONG, "camera", ENGLISH.sentence(no_picture(settings.source))), None
    if frame.note is not None:
        return Check(Mark.NOTE, "camera", ENGLISH.sentence(frame.note)), frame
    height, width = frame.size
    return Check(Mark.OK, "camera", f"{public_name(settings.source)} gives pictures of {width} x {height}."), frame


def check_page(settings: Page) -> Check:
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


def check_python(version: tuple[int, ...] = sys.version_info[:3]) -> Check:
    """Check the version of Python."""
    name = ".".join(map(str, version))
    if version >= PYTHON:
        return Check(Mark.OK, "Python", f"{name}.")
    return Check(Mark.WRONG, "Python", f"{name} is too old: install Python {PYTHON[0]}.{PYTHON[1]} or newer.")


def check_packages() -> Iterator[Check]:
    """Check that no other program's packages stand in the place of ours."""
    sentences = [*find_shadowed(), *find_shared()]
    yield from (Check(Mark.WRONG, "packages", sentence) for sentence in sentences)
    if not sentences:
        yield Check(Mark.OK, "packages", f"{', '.join(PACKAGES)} are shinpan's own.")


def check_version(environment: Path = Path(sys.prefix)) -> Iterator[Check]:
    """Check which of the versions installed side by side this is; yield nothing for another kind of installation."""
    home = environment.parent.parent
    if environment.parent.name != "versions" or not (home / "current").is_symlink():
        return
    previous, taken_back = home / "before", home / "taken-back"
    versions = f"{environment.name}; " + (
        f"before it {previous.resolve().name}." if previous.is_dir() else "none before it."
    )
    if not taken_back.is_symlink():
        yield Check(Mark.OK, "version", versions)
        return
    failure = f"{taken_back.readlink().name} failed to start three times, and this one was taken back"
    yield Check(Mark.NOTE, "version", f"{versions} {failure}; see: sudo journalctl -u shinpan")


def check_data(folder: Path) -> Iterator[Check]:
    """Check that the folder of journals is writable, durable, and has room."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        spent, is_durable = _time_commit(folder)
    except (OSError, sqlite3.Error) as error:
        reason = dead_link(folder) or (os_error_text(error) if isinstance(error, OSError) else error)
        yield Check(Mark.WRONG, "data", f"{folder} cannot be written to ({reason}); name another folder in [data].")
        return
    if not is_durable:
        yield Check(Mark.WRONG, "data", f"{folder} is on a disk that keeps no journal safe; name another in [data].")
    elif spent > SLOW_COMMIT:
        yield Check(Mark.NOTE, "data", f"{folder} is slow: a journal entry takes {spent * 1000:.0f} ms to be safe.")
    else:
        yield Check(Mark.OK, "data", f"{folder}: a journal entry is safe on the disk in {spent * 1000:.1f} ms.")
    yield check_space(shutil.disk_usage(folder).free)


def _time_commit(folder: Path) -> tuple[float, bool]:
    """Return the seconds that a journal's commit takes there, and whether it survives a power cut."""
    check_locks_in(folder)
    with (
        tempfile.TemporaryDirectory(dir=folder, prefix=".doctor-") as scratch,
        closing(sqlite3.connect(Path(scratch) / "try", isolation_level=None)) as base,
    ):
        mode = base.execute("PRAGMA journal_mode=WAL").fetchone()[0]
        base.execute("PRAGMA synchronous=FULL")
        base.execute("CREATE TABLE entries (body TEXT)")
        started_at = time.perf_counter()
        base.execute("INSERT INTO entries VALUES ('a turn')")
        return time.perf_counter() - started_at, mode == "wal"


def check_space(free: int) -> Check:
    """Check that so many free bytes are enough."""
    megabytes = free // 1_000_000
    if megabytes < NO_SPACE:
        return Check(Mark.WRONG, "disk", f"Only {megabytes} MB are free: delete something, or use a larger disk.")
    if megabytes < LITTLE_SPACE:
        return Check(Mark.NOTE, "disk", f"{megabytes} MB are free: enough for some games; make room soon.")
    return Check(Mark.OK, "disk", f"{megabytes / 1000:.0f} GB are free.")


def check_clock(now: float, built: float = Path(__file__).stat().st_mtime) -> Check:
    """Check that the time of day is plausible. Clocks and turns do not need it; dates of games do."""
    date = time.strftime("%Y-%m-%d %H:%M", time.localtime(now))
    if now < built - DAY:
        return Check(Mark.NOTE, "clock", f"It says {date}, which is over: set it, or games carry a wrong date.")
    return Check(Mark.OK, "clock", f"{date}.")


def check_memory(free: int) -> Check:
    """Check that so many free bytes of memory are enough."""
    megabytes = free // 1_000_000
    if megabytes < LITTLE_MEMORY:
        mark = Mark.WRONG if megabytes < NO_MEMORY else Mark.NOTE
        return Check(mark, "memory", f"Only {megabytes} MB are left: stop other programs, or use a larger machine.")
    return Check(Mark.OK, "memory", f"{megabytes} MB are left.")


def check_heat(degrees: float) -> Check:
    """Check that a machine whose hottest part has so many degrees is not too hot."""
    if degrees >= WARM:
        mark = Mark.WRONG if degrees >= HOT else Mark.NOTE
        return Check(mark, "heat", f"{degrees:.0f} °C: give it air or a fan; it slows down when it is too hot.")
    return Check(Mark.OK, "heat", f"{degrees:.0f} °C.")


def check_fonts() -> Check | None:
    """Check that this machine can draw every language, for posters as PDF and screens of its own; None if unknown.

    Phones and other screens have fonts of their own.
    """
    listing = shutil.which("fc-list")
    if listing is None:
        return None
    names = [find_translator(code)("language") for code in CODES]
    lacking = [name for name in names if not _can_draw(name, listing)]
    if not lacking:
        return Check(Mark.OK, "fonts", f"Every language can be drawn here: {', '.join(names)}.")
    sentence = f"No font here has the letters of {', '.join(lacking)}: posters as PDF show boxes in their place."
    return Check(Mark.NOTE, "fonts", f"{sentence} For them: sudo apt-get install fonts-noto-cjk.")


def _can_draw(name: str, listing: str) -> bool:
    """Return True if some font has all letters of a language's own name."""
    letters = " ".join(f"{ord(letter):x}" for letter in dict.fromkeys(name))
    result = subprocess.run([listing, f":charset={letters}", "family"], capture_output=True, check=False, timeout=20)
    return bool(result.stdout.strip())


def check_network(page: Page) -> Check:
    """Check which networks the box is in. It passes on a machine without NetworkManager."""
    try:
        sentences = describe_networks(page)
    except NotThere as error:
        return Check(Mark.OK, "network", f"{error} The page needs no more than an address.")
    except NoNetwork as error:
        return Check(Mark.NOTE, "network", str(error))
    return Check(Mark.OK if sentences else Mark.NOTE, "network", " ".join(sentences or [IN_NONE]))


UNSEEN = (
    "No whole board is seen, so neither the field of view nor glare was checked: lay one below the camera. If one lies "
    "there, the camera hangs too low or cuts its picture off (hardware/ASSEMBLY.md has the heights)."
)
GUIDE = "hardware/ASSEMBLY.md has the heights"
CUT = "or, if it hangs as high as it says, the camera cuts its picture off: ask it for another width and height"


def check_view(pixels: Image, model: str) -> Iterator[Check]:
    """Check a picture of the table.

    pixels: the picture
    model: the camera's name as its driver gives it
    """
    place = find_first(pixels, None)
    if place is None:
        yield Check(Mark.NOTE, "view", UNSEEN)
        return
    yield check_field(measure_coverage(place.grid, pixels.shape), model)
    yield from (Check(Mark.NOTE, "light", sentence) for sentence in glare_notes(pixels, place.grid))


def check_field(room: TableCoverage, model: str) -> Check:
    """Check that the picture shows enough of the table."""
    finding = f"The picture shows {_to_cm(room.wide)} x {_to_cm(room.high)} cm at the board{_height_text(model, room)}"
    if not _is_enough(room):
        return Check(Mark.NOTE, "view", f"{finding}, too little for lids beside it: {_advise_room(room)}.")
    if room.cell < FINE_PX:
        remedy = "hang the camera lower, or set a larger width and height in [camera]"
        return Check(Mark.NOTE, "view", f"{finding}, but its lines lie only {room.cell:.0f} pixels apart: {remedy}.")
    return Check(Mark.OK, "view", f"{finding}: enough for lids and mat beside it.")


def _is_enough(room: TableCoverage) -> bool:
    across, along = visible_margin_mm()
    return min(room.left, room.right) >= across and min(room.top, room.bottom) >= along


def _advise_room(room: TableCoverage) -> str:
    """Return what to do to have enough on all sides."""
    wide, high = (side + 2 * margin for side, margin in zip(room.board, visible_margin_mm(), strict=True))
    more = max(wide / room.wide, high / room.high)
    if more > 1:
        rise = f"hang the camera {ceil(100 * (more - 1))}% higher"
        return f"{_to_cm(wide)} x {_to_cm(high)} cm are needed; {rise} ({GUIDE}), {CUT}"
    across, along = (room.right - room.left) / 2, (room.bottom - room.top) / 2
    ways = [(abs(across), "right" if across < 0 else "left"), (abs(along), "bottom" if along < 0 else "top")]
    far, side = max(ways)
    return f"move the camera {_to_cm(far)} cm towards the {side} of its picture"


def _height_text(model: str, room: TableCoverage) -> str:
    """Return how high the camera hangs, if its lens is known."""
    lens = find_camera_model(model)
    return "" if lens is None else f", from {_to_cm(room.wide / 2 / lens.visible_tangents(room.size)[0])} cm above it"


def _to_cm(length: float) -> int:
    return round(length / 10)
