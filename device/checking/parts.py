"""Checks of what the machine is given: eyes, panel, camera, page."""

from __future__ import annotations

import errno
import json
import socket
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing
from http.client import HTTPException
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from device.checking.check import Check, Mark
from device.panel.choose import NoPins, down_from_the_start, machine_pins, on_pins
from device.settings import Camera, Page, Panel
from referee.board import Colour
from vision.errors import VisionError
from vision.live import PICAMERA, Wanted, open_live
from vision.reading import read_frame
from vision.render.looks import club_look
from vision.render.scene import Scene, lid_stone
from vision.render.table import Table

PATIENCE = 10.0
"""Seconds in which a camera has to give a picture."""
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
"""What lies on the drawn board."""


def eyes() -> Check:
    """Whether OpenCV and both nets read a drawn board and its lids right."""
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


def panel(settings: Panel, factory: Callable[[], Any] = machine_pins) -> Iterator[Check]:
    """Whether lamps and buttons can be used."""
    if settings.kind in ("none", "terminal"):
        yield Check(Mark.OK, "panel", f"The settings want the panel {settings.kind}.")
        return
    try:
        opened = on_pins(lambda edge: None, time.monotonic, factory)
    except NoPins as error:
        mark = Mark.WRONG if settings.kind == "gpio" else Mark.NOTE
        yield Check(mark, "panel", f"{error} Without them the terminal shows the lamps.")
        return
    opened.panel.close()
    yield Check(Mark.OK, "panel", "Lamps, buttons and buzzer are on the pins.")
    yield from (
        Check(Mark.WRONG, "panel", f"{down_from_the_start(*key)} Let it go, or look for a lead to ground.")
        for key in opened.held
    )


def camera(settings: Camera, devices: Path = Path("/dev")) -> Check:
    """Whether the camera gives a picture."""
    if settings.source.startswith("virtual:"):
        return Check(Mark.NOTE, "camera", "The settings want a drawn table; no camera was tried.")
    try:
        with closing(open_live(settings.source, _wanted(settings), time.monotonic)) as eye:
            frame = eye.newest(PATIENCE)
    except VisionError as error:
        return Check(Mark.WRONG, "camera", f"{error}{_cameras(devices)}")
    if frame is None:
        return Check(Mark.WRONG, "camera", f"{settings.source}: no picture in {PATIENCE:.0f} seconds; check its cable.")
    height, width = frame.pixels.shape[:2]
    return Check(Mark.OK, "camera", f"{settings.source} gives pictures of {width} x {height}.")


def _wanted(settings: Camera) -> Wanted:
    return Wanted(settings.width, settings.height, settings.rate, settings.hold)


def _cameras(devices: Path) -> str:
    """What else could be named."""
    there = sorted(str(path) for path in devices.glob("video*"))
    there += [PICAMERA] if find_spec("picamera2") is not None else []
    return f" There are: {', '.join(there)}." if there else ""


def page(settings: Page) -> Check:
    """Whether the page can be served where the settings want it."""
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
    """Whether the one who has the port is a running box."""
    host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(settings.host, settings.host)
    try:
        with urllib.request.urlopen(f"http://{host}:{settings.port}/health", timeout=2) as answer:
            return "sight" in json.load(answer)
    except (OSError, ValueError, HTTPException, TypeError):
        return False
