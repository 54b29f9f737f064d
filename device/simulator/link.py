"""The box's client of a simulated table: its camera, its buttons and its clock."""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Sequence
from multiprocessing.connection import Connection
from pathlib import Path

from device.panel import rim
from device.panel.panel import Edge, Hear, Panel
from device.panel.signals import Signal
from device.simulator.messages import ASK, read_message, write_lamps, write_rim
from device.system import system
from vision.camera.frame import Frame
from vision.errors import CameraLost

log = logging.getLogger("shinpan")
PATIENCE = 5.0
"""Wall seconds to wait for a table that does not answer."""
RETRY = 0.1
"""Wall seconds between two attempts to connect."""


class VirtualTable:
    """A live camera over the simulated table that is served at a path, and its buttons.

    `handle` is called by a thread of its own, in simulated time: an edge always before a frame captured after it. If
    the table's process ends, the client reconnects; a table that was restarted begins at time 0.

    path: of the table's socket
    handle: called with each edge
    patience: wall seconds to wait for a table that does not answer, before the camera counts as lost
    lamps: the lamps last shown on a previous connection
    over: whether the script has ended
    """

    def __init__(self, path: str | Path, handle: Hear, patience: float = PATIENCE, lamps: Signal | None = None) -> None:
        self._path, self._handle_edge, self._patience = Path(path), handle, patience
        self._changed = threading.Condition()
        self._connection: Connection | None = None
        self._is_asked = False
        self._rim = b""
        self.lamps = lamps
        self._frame: Frame | None = None
        self._lost_reason: str | None = None
        self._closed = threading.Event()
        self._now = 0.0
        self.over = False
        threading.Thread(target=self._attend_table, name="virtual table", daemon=True).start()

    def newest(self, timeout: float) -> Frame | None:
        """Return the newest frame that was not returned yet, t in simulated seconds; None after `timeout` wall seconds.

        Raises CameraLost if there is no table at the path, or no longer one.
        """
        with self._changed:
            self._request_frame()
            self._changed.wait_for(lambda: self._frame or self._lost_reason or self._closed.is_set(), timeout)
            frame, self._frame = self._frame, None
            if frame is None and self._lost_reason is not None:
                raise CameraLost(self._lost_reason)
            return frame

    def now(self) -> float:
        """Return the last known simulated time in seconds: the box's clock in a simulated game."""
        return self._now

    @property
    def is_closed(self) -> bool:
        """Return True if the connection was closed."""
        return self._closed.is_set()

    def show(self, signal: Signal) -> None:
        """Show the box's lamps to the simulated players."""
        with self._changed:
            self.lamps = signal
            self._send_message(write_lamps(signal))

    def light(self, frame: rim.Frame, edges: Sequence[str]) -> None:
        """Show the lights of the rim at these edges."""
        data = write_rim(frame, edges)
        with self._changed:
            if data != self._rim:
                self._rim = data
                self._send_message(data)

    def close(self) -> None:
        """Disconnect from the table; pending `newest` calls return None."""
        with self._changed:
            self._closed.set()
            if self._connection is not None:
                system.shut_socket(self._connection.fileno())
            self._changed.notify_all()

    # The listening thread

    def _attend_table(self) -> None:
        try:
            while not self._closed.is_set():
                self._listen_to(self._connect_table())
        except Exception as error:
            if not isinstance(error, CameraLost | ValueError):
                log.exception("The drawn table's pictures and buttons can no longer be heard.")
            with self._changed:
                self._lost_reason = str(error) or type(error).__name__
                self._changed.notify_all()

    def _connect_table(self) -> Connection:
        until = time.monotonic() + self._patience
        while True:
            try:
                return system.connect_locally(self._path)
            except OSError as error:
                if time.monotonic() >= until or self._closed.wait(RETRY):
                    sentence = f"{self._path}: no virtual table answers there; start one, or name a camera."
                    raise CameraLost(sentence) from error

    def _listen_to(self, connection: Connection) -> None:
        with connection:
            self._join_connection(connection)
            try:
                while True:
                    self._receive_message(connection)
            except (EOFError, OSError):
                pass
            except ValueError as error:
                sentence = f"{self._path}: what answers there is no virtual table; name the path of one."
                raise CameraLost(sentence) from error
            finally:
                self._join_connection(None)

    def _join_connection(self, connection: Connection | None) -> None:
        """Replace the connection, and send it what the last one still owes; None if it is lost."""
        with self._changed:
            self._connection = connection
            if self.lamps is not None:
                self._send_message(write_lamps(self.lamps))
            if self._rim:
                self._send_message(self._rim)
            if self._is_asked:
                self._send_message(ASK)
            if connection is not None and self._closed.is_set():
                system.shut_socket(connection.fileno())

    def _request_frame(self) -> None:
        """Request a frame, unless one is on its way or not fetched yet."""
        if not self._is_asked and self._frame is None:
            self._is_asked = True
            self._send_message(ASK)

    def _send_message(self, message: bytes) -> None:
        """Send a message. If the table is gone, it is sent again after reconnecting."""
        if self._connection is not None:
            with contextlib.suppress(OSError):
                self._connection.send_bytes(message)

    def _receive_message(self, connection: Connection) -> None:
        message = read_message(connection.recv_bytes())
        if isinstance(message, Edge):
            self._now = message.t
            self._handle_edge(message)
            return
        frame = Frame(message.pixels(connection.recv_bytes()), message.t)
        with self._changed:
            self._frame, self._is_asked = frame, False
            self._now, self.over = message.t, message.over
            self._changed.notify_all()


class Seat:
    """A box's client of a simulated table, across reconnections."""

    def __init__(self, path: str | Path, handle: Hear) -> None:
        self._path, self._handle_edge = path, handle
        self._table = VirtualTable(path, handle)

    def open_table(self) -> VirtualTable:
        """Return the table, connected again if it was closed."""
        if self._table.is_closed:
            self._table = VirtualTable(self._path, self._handle_edge, lamps=self._table.lamps)
        return self._table

    def now(self) -> float:
        """Return the last known simulated time in seconds: the box's clock in a simulated game."""
        return self._table.now()

    @property
    def is_over(self) -> bool:
        """Return True if the script has ended."""
        return self._table.over

    def show(self, signal: Signal) -> None:
        """Show the box's lamps to the simulated players."""
        self._table.show(signal)

    def light(self, frame: rim.Frame, edges: Sequence[str]) -> None:
        """Show the lights of the rim at these edges."""
        self._table.light(frame, edges)


class SimulatedLights:
    """Lights along two edges of a simulated board, which its camera sees."""

    def __init__(self, seat: Seat, edges: Sequence[str]) -> None:
        self._seat, self._edges = seat, edges

    def show(self, frame: rim.Frame) -> None:
        """Show a frame."""
        self._seat.light(frame, self._edges)

    def close(self) -> None:
        """Do nothing: the lights go dark when the box disconnects."""


class SimulatedPanel:
    """A panel at a simulated table, whose players see its lamps."""

    def __init__(self, panel: Panel, seat: Seat) -> None:
        self._panel, self._seat = panel, seat
        self.sound, self.say, self.close = panel.sound, panel.say, panel.close

    def show(self, signal: Signal) -> None:
        """Set the lamps."""
        self._panel.show(signal)
        self._seat.show(signal)
