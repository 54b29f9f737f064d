"""The box that is connected to a served table: it gets the newest frame it has not had, and every edge.

When the world goes on the wall clock decides, and at high speeds the box that watches.
"""

from __future__ import annotations

import contextlib
import json
import os
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Client, Connection, Listener
from pathlib import Path

from device.panel.panel import Edge
from device.virtual.messages import (
    DARK,
    LONGEST_QUESTION,
    Glows,
    Header,
    Lamps,
    edge_as_json,
    read_lamps,
    read_rim,
    write_header,
)
from vision.errors import BadSource
from vision.frame import Image

FREE = 3.0
"""Up to this speed the world never waits for anybody; and it is no faster while nobody watches."""
ATTENTION = 60.0
"""Wall seconds after its last question for which a box counts as watching; an emulated processor looks for ten."""
CATCH_UP = 0.2
"""Wall seconds that the world may be late and still make up for."""


@dataclass(frozen=True)
class Watcher:
    """The box that watches. taken: it has the newest frame. asked: wall time of its last question."""

    taken: bool
    asked: float


class Pace:
    """Turns the world's seconds into wall seconds. speed: how many of the former go into one of the latter at most."""

    def __init__(self, speed: float, now: float) -> None:
        self._speed, self._t, self._due = speed, 0.0, now

    def wait(self, t: float, now: float, watcher: Watcher | None) -> float:
        """Wall seconds until the world's time may be t, if nothing changes before; 0 or less when it may now."""
        patience = watcher.asked + ATTENTION - now if watcher is not None else 0.0
        if self._speed > FREE and watcher is not None and patience > 0 and not watcher.taken:
            return patience
        speed = self._speed if patience > 0 else min(self._speed, FREE)
        return self._due + (t - self._t) / speed - now

    def reached(self, t: float, now: float) -> None:
        """The world's time is t."""
        self._due = max(self._due + (t - self._t) / self._speed, now - CATCH_UP)
        self._t = t


@dataclass(frozen=True, eq=False)
class Picture:
    """The newest frame."""

    header: Header
    pixels: Image


def listen_at(path: Path) -> Listener:
    """A socket at the path that nobody but this user may connect to; raises BadSource where there can be none."""
    try:
        if path.is_socket() and not _answers(path):
            path.unlink()
        mask = os.umask(0o077)
        try:
            return Listener(str(path), family="AF_UNIX", backlog=8)
        finally:
            os.umask(mask)
    except OSError as error:
        sentence = f"{path}: no table can be served there ({error.strerror or error}); choose another path."
        raise BadSource(sentence) from error


def _answers(path: Path) -> bool:
    """Whether somebody serves there, or the socket was only left behind."""
    try:
        Client(str(path), family="AF_UNIX").close()
    except ConnectionRefusedError:
        return False
    return True


class Hub:
    """Hands frames and edges to one box after the other. clock: wall seconds.

    A lock guards all of it; `changed` is told whenever a box comes, asks, has had a frame, or goes. begun: some box has
    had a frame, be it gone since.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self.changed = threading.Condition()
        self.clock = clock
        self.newest: Picture | None = None
        self.begun = False
        self._box: Served | None = None
        self._lit = False

    def admit(self, listener: Listener) -> None:
        """Let boxes in, for as long as the process lives; the next one once the one before has left."""
        threading.Thread(target=self._admit, args=(listener,), daemon=True).start()

    def _admit(self, listener: Listener) -> None:
        while True:
            with contextlib.suppress(OSError), listener.accept() as connection:
                box = Served(connection, self)
                self._swap(box)
                box.serve()
            self._swap(None)

    def _swap(self, box: Served | None) -> None:
        with self.changed:
            self._box = box
            self.changed.notify_all()

    def show(self, picture: Picture | None) -> None:
        """There is a new frame; None when it was not drawn, for there is nobody to see it."""
        with self.changed:
            self.newest = picture
            self.changed.notify_all()

    def push(self, edge: Edge) -> None:
        """A button moved; where no box is connected nobody hears it."""
        with self.changed:
            if self._box is not None:
                self._box.edges.append(edge)
            self.changed.notify_all()

    @property
    def empty(self) -> bool:
        """Whether no box is connected."""
        return self._box is None

    def lit(self, box: Served, lamps: Lamps) -> None:
        """A box's lamps show something else."""
        with self.changed:
            box.lamps, self._lit = lamps, True
            self.changed.notify_all()

    @property
    def lamps(self) -> Lamps | None:
        """What the box's lamps show; None as long as no box has shown any."""
        with self.changed:
            if not self._lit:
                return None
            return self._box.lamps if self._box is not None else DARK

    @property
    def glows(self) -> Glows:
        """The lights of the rim that are lit."""
        box = self._box
        return box.glows if box is not None else ()

    def watcher(self) -> Watcher | None:
        """The box by which the world goes."""
        box = self._box
        if box is None or self.newest is None:
            return None
        return Watcher(box.had == self.newest.header.number, box.asked)


class Served:
    """One connection. A thread of its own hears its questions, while the hub's answers."""

    def __init__(self, connection: Connection, hub: Hub) -> None:
        self._connection, self._hub = connection, hub
        self.edges: deque[Edge] = deque()
        self.lamps = DARK
        self.glows: Glows = ()
        self.had = -1
        self.asked = hub.clock()
        self._wants = False
        self._gone = False

    def serve(self) -> None:
        """Send what it asks for until it leaves."""
        hearing = threading.Thread(target=self._hear, daemon=True)
        hearing.start()
        with contextlib.suppress(OSError):
            while not self._gone:
                self._send(*self._next())
        hearing.join()

    def _hear(self) -> None:
        with contextlib.suppress(OSError, EOFError, ValueError):
            while True:
                self._heard(self._connection.recv_bytes(LONGEST_QUESTION))
        with self._hub.changed:
            self._gone = True
            self._hub.changed.notify_all()

    def _heard(self, said: bytes) -> None:
        glows = read_rim(said)
        if glows is not None:
            with self._hub.changed:
                self.glows = glows
                self._hub.changed.notify_all()
        elif (lamps := read_lamps(said)) is not None:
            self._hub.lit(self, lamps)
        else:
            self._ask()

    def _ask(self) -> None:
        with self._hub.changed:
            self._wants, self.asked = True, self._hub.clock()
            self._hub.changed.notify_all()

    def _next(self) -> tuple[list[Edge], Picture | None]:
        """What is to be sent, as soon as there is anything: the edges that came, and the frame if one is wanted."""
        with self._hub.changed:
            self._hub.changed.wait_for(lambda: self._gone or self.edges or self._wanted())
            edges, picture = list(self.edges), self._wanted()
            self.edges.clear()
            return edges, picture

    def _wanted(self) -> Picture | None:
        newest = self._hub.newest
        return newest if self._wants and newest is not None and newest.header.number > self.had else None

    def _send(self, edges: list[Edge], picture: Picture | None) -> None:
        for edge in edges:
            self._connection.send_bytes(json.dumps(edge_as_json(edge)).encode())
        if picture is None:
            return
        with self._hub.changed:
            self._wants = False
        self._connection.send_bytes(write_header(picture.header))
        self._connection.send_bytes(picture.pixels.data.cast("B"))
        with self._hub.changed:
            self.had, self._hub.begun = picture.header.number, True
            self._hub.changed.notify_all()
