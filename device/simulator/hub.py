"""The server's connection to a box: it sends the newest frame that the box has not had, and every edge.

The simulation advances by the wall clock, and at high speeds as fast as the box takes frames.
"""

from __future__ import annotations

import contextlib
import json
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection, Listener
from pathlib import Path

from device.panel.panel import Edge
from device.simulator.messages import (
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
from device.system import system
from vision.camera.frame import Image
from vision.errors import BadSource

FREE = 3.0
"""The speed up to which the simulation never waits for a box, and its maximum while no box is watching."""
ATTENTION = 60.0
"""Wall seconds after its last request for which a box counts as watching; an observation on an emulated processor
takes ten."""
CATCH_UP = 0.2
"""Maximum lag in wall seconds that the simulation catches up."""


@dataclass(frozen=True)
class Watcher:
    """The state of the watching box.

    has_newest: whether it has the newest frame
    asked_at: wall time of its last request
    """

    has_newest: bool
    asked_at: float


class Pace:
    """The conversion of simulated to wall seconds.

    speed: maximum simulated seconds per wall second
    now: wall time at the start
    """

    def __init__(self, speed: float, now: float) -> None:
        self._speed, self._t, self._due = speed, 0.0, now

    def wait(self, t: float, now: float, watcher: Watcher | None) -> float:
        """Return the wall seconds until simulated time t, if nothing changes before; 0 or less if it is due."""
        patience = watcher.asked_at + ATTENTION - now if watcher is not None else 0.0
        if self._speed > FREE and watcher is not None and patience > 0 and not watcher.has_newest:
            return patience
        speed = self._speed if patience > 0 else min(self._speed, FREE)
        return self._due + (t - self._t) / speed - now

    def note_time(self, t: float, now: float) -> None:
        """Record that simulated time t was reached."""
        self._due = max(self._due + (t - self._t) / self._speed, now - CATCH_UP)
        self._t = t


@dataclass(frozen=True, eq=False)
class Picture:
    """The newest frame."""

    header: Header
    pixels: Image


def listen_at(path: Path) -> Listener:
    """Open a socket that only this user may connect to; raises BadSource if that fails."""
    try:
        return system.listen_locally(path, backlog=8)
    except OSError as error:
        sentence = f"{path}: no table can be served there ({error.strerror or error}); choose another path."
        raise BadSource(sentence) from error


class Hub:
    """The distributor of frames and edges to one box after the other.

    A lock guards everything; `changed` is notified whenever a box connects, requests, receives a frame, or leaves.

    clock: returns wall seconds
    newest: the newest frame
    begun: whether any box has received a frame, even if it has left
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self.changed = threading.Condition()
        self.clock = clock
        self.newest: Picture | None = None
        self.begun = False
        self._box: HubConnection | None = None
        self._lit = False

    def admit(self, listener: Listener) -> None:
        """Accept boxes for as long as the process lives, one at a time."""
        threading.Thread(target=self._serve_boxes, args=(listener,), daemon=True).start()

    def _serve_boxes(self, listener: Listener) -> None:
        while True:
            with contextlib.suppress(OSError), listener.accept() as connection:
                assert isinstance(connection, Connection)  # No pipe of Windows's.
                box = HubConnection(connection, self)
                self._swap_box(box)
                box.serve()
            self._swap_box(None)

    def _swap_box(self, box: HubConnection | None) -> None:
        with self.changed:
            self._box = box
            self.changed.notify_all()

    def show(self, picture: Picture | None) -> None:
        """Publish a frame; None if it was not rendered because nobody is watching."""
        with self.changed:
            self.newest = picture
            self.changed.notify_all()

    def push(self, edge: Edge) -> None:
        """Send an edge; it is lost if no box is connected."""
        with self.changed:
            if self._box is not None:
                self._box.edges.append(edge)
            self.changed.notify_all()

    @property
    def is_empty(self) -> bool:
        """Return True if no box is connected."""
        return self._box is None

    def note_lamps(self, box: HubConnection, lamps: Lamps) -> None:
        """Record a change of a box's lamps."""
        with self.changed:
            box.lamps, self._lit = lamps, True
            self.changed.notify_all()

    @property
    def lamps(self) -> Lamps | None:
        """Return the box's lamps; None until a box has sent any."""
        with self.changed:
            if not self._lit:
                return None
            return self._box.lamps if self._box is not None else DARK

    @property
    def glows(self) -> Glows:
        """Return the lit lights of the rim."""
        box = self._box
        return box.glows if box is not None else ()

    def watcher(self) -> Watcher | None:
        """Return the state of the connected box, None without one."""
        box = self._box
        if box is None or self.newest is None:
            return None
        return Watcher(box.had == self.newest.header.number, box.asked)


class HubConnection:
    """One connection. One thread reads its requests, and the hub's thread sends."""

    def __init__(self, connection: Connection, hub: Hub) -> None:
        self._connection, self._hub = connection, hub
        self.edges: deque[Edge] = deque()
        self.lamps = DARK
        self.glows: Glows = ()
        self.had = -1
        self.asked = hub.clock()
        self._is_waiting = False
        self._is_gone = False

    def serve(self) -> None:
        """Send what the box requests until it leaves."""
        hearing = threading.Thread(target=self._read_requests, daemon=True)
        hearing.start()
        with contextlib.suppress(OSError):
            while not self._is_gone:
                self._send_news(*self._next_message())
        hearing.join()

    def _read_requests(self) -> None:
        with contextlib.suppress(OSError, EOFError, ValueError):
            while True:
                self._receive_state(self._connection.recv_bytes(LONGEST_QUESTION))
        with self._hub.changed:
            self._is_gone = True
            self._hub.changed.notify_all()

    def _receive_state(self, data: bytes) -> None:
        glows = read_rim(data)
        if glows is not None:
            with self._hub.changed:
                self.glows = glows
                self._hub.changed.notify_all()
        elif (lamps := read_lamps(data)) is not None:
            self._hub.note_lamps(self, lamps)
        else:
            self._note_request()

    def _note_request(self) -> None:
        with self._hub.changed:
            self._is_waiting, self.asked = True, self._hub.clock()
            self._hub.changed.notify_all()

    def _next_message(self) -> tuple[list[Edge], Picture | None]:
        """Wait for edges, or for a frame that is requested, and return them."""
        with self._hub.changed:
            self._hub.changed.wait_for(lambda: self._is_gone or self.edges or self._next_picture())
            edges, picture = list(self.edges), self._next_picture()
            self.edges.clear()
            return edges, picture

    def _next_picture(self) -> Picture | None:
        newest = self._hub.newest
        return newest if self._is_waiting and newest is not None and newest.header.number > self.had else None

    def _send_news(self, edges: list[Edge], picture: Picture | None) -> None:
        for edge in edges:
            self._connection.send_bytes(json.dumps(edge_as_json(edge)).encode())
        if picture is None:
            return
        with self._hub.changed:
            self._is_waiting = False
        self._connection.send_bytes(write_header(picture.header))
        self._connection.send_bytes(picture.pixels.data.cast("B"))
        with self._hub.changed:
            self.had, self._hub.begun = picture.header.number, True
            self._hub.changed.notify_all()
