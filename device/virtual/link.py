"""The box's end of a virtual table: its camera, its buttons and its time."""

from __future__ import annotations

import contextlib
import logging
import os
import socket
import threading
import time
from collections.abc import Sequence
from multiprocessing.connection import Client, Connection
from pathlib import Path

from device.panel import rim
from device.panel.panel import Edge, Hear, Panel
from device.panel.signals import Signal
from device.virtual.messages import ASK, read_message, write_lamps, write_rim
from vision.errors import CameraLost
from vision.frame import Frame

log = logging.getLogger("shinpan")
PATIENCE = 5.0
"""Wall seconds for which a table that does not answer is waited for."""
RETRY = 0.1
"""Wall seconds between two tries to connect."""


class VirtualTable:
    """A live camera over the virtual table that is served at a path; `hear` is told of its buttons' edges.

    `hear` is called by a thread of its own, in the order of the world's time: an edge always before a frame taken after
    it. When the table's process ends it is looked for again; a table that was started anew begins at time 0. patience:
    wall seconds for which a table that does not answer is waited for, before the camera counts as lost. lamps: what was
    shown last on a connection that was left. over: the script has been played to its end.
    """

    def __init__(self, path: str | Path, hear: Hear, patience: float = PATIENCE, lamps: Signal | None = None) -> None:
        self._path, self._hear, self._patience = Path(path), hear, patience
        self._changed = threading.Condition()
        self._connection: Connection | None = None
        self._asked = False
        self._rim = b""
        self.lamps = lamps
        self._frame: Frame | None = None
        self._lost: str | None = None
        self._closed = threading.Event()
        self._now = 0.0
        self.over = False
        threading.Thread(target=self._attend, name="virtual table", daemon=True).start()

    def newest(self, timeout: float) -> Frame | None:
        """The newest frame that was not handed out yet, t in the world's seconds; None if none came in `timeout` wall
        seconds. Raises CameraLost when there is no table at the path, or none any more."""
        with self._changed:
            self._ask()
            self._changed.wait_for(lambda: self._frame or self._lost or self._closed.is_set(), timeout)
            frame, self._frame = self._frame, None
            if frame is None and self._lost is not None:
                raise CameraLost(self._lost)
            return frame

    def now(self) -> float:
        """The world's time as last heard, seconds: the box's clock in a virtual game."""
        return self._now

    @property
    def closed(self) -> bool:
        """Whether it has been left."""
        return self._closed.is_set()

    def show(self, signal: Signal) -> None:
        """Let who sits at the table see the box's lamps."""
        with self._changed:
            self.lamps = signal
            self._send(write_lamps(signal))

    def light(self, frame: rim.Frame, edges: Sequence[str]) -> None:
        """Let the lights of the rim at these edges be seen."""
        said = write_rim(frame, edges)
        with self._changed:
            if said != self._rim:
                self._rim = said
                self._send(said)

    def close(self) -> None:
        """Leave the table; whoever waits for a frame gets none."""
        with self._changed:
            self._closed.set()
            if self._connection is not None:
                _shut(self._connection)
            self._changed.notify_all()

    # The thread that listens

    def _attend(self) -> None:
        try:
            while not self._closed.is_set():
                self._listen(self._connected())
        except Exception as error:
            if not isinstance(error, CameraLost | ValueError):
                log.exception("The drawn table's pictures and buttons can no longer be heard.")
            with self._changed:
                self._lost = str(error) or type(error).__name__
                self._changed.notify_all()

    def _connected(self) -> Connection:
        until = time.monotonic() + self._patience
        while True:
            try:
                return Client(str(self._path), family="AF_UNIX")
            except OSError as error:
                if time.monotonic() >= until or self._closed.wait(RETRY):
                    sentence = f"{self._path}: no virtual table answers there; start one, or name a camera."
                    raise CameraLost(sentence) from error

    def _listen(self, connection: Connection) -> None:
        with connection:
            self._join(connection)
            try:
                while True:
                    self._take(connection)
            except (EOFError, OSError):
                pass
            except ValueError as error:
                sentence = f"{self._path}: what answers there is no virtual table; name the path of one."
                raise CameraLost(sentence) from error
            finally:
                self._join(None)

    def _join(self, connection: Connection | None) -> None:
        """There is a new connection, which is asked for what the old one still owes; or there is none."""
        with self._changed:
            self._connection = connection
            if self.lamps is not None:
                self._send(write_lamps(self.lamps))
            if self._rim:
                self._send(self._rim)
            if self._asked:
                self._send(ASK)
            if connection is not None and self._closed.is_set():
                _shut(connection)

    def _ask(self) -> None:
        """Ask for a frame, unless one is on its way or waits to be handed out."""
        if not self._asked and self._frame is None:
            self._asked = True
            self._send(ASK)

    def _send(self, message: bytes) -> None:
        """Say it. Where that fails the table is gone: it is said again when there is one."""
        if self._connection is not None:
            with contextlib.suppress(OSError):
                self._connection.send_bytes(message)

    def _take(self, connection: Connection) -> None:
        message = read_message(connection.recv_bytes())
        if isinstance(message, Edge):
            self._now = message.t
            self._hear(message)
            return
        frame = Frame(message.pixels(connection.recv_bytes()), message.t)
        with self._changed:
            self._frame, self._asked = frame, False
            self._now, self.over = message.t, message.over
            self._changed.notify_all()


class Seat:
    """A box's place at a drawn table, whichever connection is in use."""

    def __init__(self, path: str | Path, hear: Hear) -> None:
        self._path, self._hear = path, hear
        self._table = VirtualTable(path, hear)

    def opened(self) -> VirtualTable:
        """The table, connected anew where it was left."""
        if self._table.closed:
            self._table = VirtualTable(self._path, self._hear, lamps=self._table.lamps)
        return self._table

    def now(self) -> float:
        """The world's time as last heard, seconds: the box's clock in a virtual game."""
        return self._table.now()

    @property
    def over(self) -> bool:
        """Whether the script has been played to its end."""
        return self._table.over

    def show(self, signal: Signal) -> None:
        """Let who sits at the table see the box's lamps."""
        self._table.show(signal)

    def light(self, frame: rim.Frame, edges: Sequence[str]) -> None:
        """Let the lights of the rim at these edges be seen."""
        self._table.light(frame, edges)


class SeenLights:
    """Lights along two edges of a drawn board, which its camera sees."""

    def __init__(self, seat: Seat, edges: Sequence[str]) -> None:
        self._seat, self._edges = seat, edges

    def show(self, frame: rim.Frame) -> None:
        """Light them so."""
        self._seat.light(frame, self._edges)

    def close(self) -> None:
        """They go dark with the box."""


class SeenPanel:
    """A panel that stands on a drawn table, whose players see its lamps."""

    def __init__(self, panel: Panel, seat: Seat) -> None:
        self._panel, self._seat = panel, seat
        self.sound, self.say, self.close = panel.sound, panel.say, panel.close

    def show(self, signal: Signal) -> None:
        """Light the lamps so."""
        self._panel.show(signal)
        self._seat.show(signal)


def _shut(connection: Connection) -> None:
    """End a connection that another thread listens to: closing alone would not wake it."""
    with socket.socket(fileno=os.dup(connection.fileno())) as end:
        end.shutdown(socket.SHUT_RDWR)
