"""A client of one box's event stream, in its own thread, for as long as the hall runs."""

from __future__ import annotations

import random
import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse
from threading import Event

import msgspec

from device.hall.tables import TableEntry
from device.threads import start_supervised_thread
from web.hall.tiles import Trouble
from web.hmac_auth import HALL, SEAL, is_sealed, new_secret, seal
from web.openapi import Status

SILENT = 45.0
"""Seconds of silence before a connection is given up; a box sends something every 15."""
SOONEST, LATEST = 0.5, 3.0
"""Seconds before it is tried again, at first and at most; with jitter between half of it and all."""
CONNECTS_WITHIN = 3.0
"""Seconds; by default a system tries for minutes with ever longer pauses, and notices late that the connection is
back."""
KEPT_ALIVE = {"TCP_KEEPIDLE": 3, "TCP_KEEPINTVL": 1, "TCP_KEEPCNT": 3}
"""TCP keep-alive after so many seconds of silence, at this interval, so often: a cut connection is given up after
six seconds, and need not wait for the system's own retransmission when it is back."""
LONGEST = 4 * 1024 * 1024
"""Upper bound of a line in bytes."""
_DECODER = msgspec.json.Decoder(Status)
Heard = Callable[[TableEntry, Status | None], None]
Lost = Callable[[TableEntry, Trouble], None]


class NotTheBox(Exception):
    """An answer that is not from the paired box, or is unreadable."""

    def __init__(self, trouble: Trouble) -> None:
        super().__init__(trouble)
        self.trouble = trouble


class Follower:
    """A reconnecting client of a box's event stream.

    table: the table
    heard: called with the status at every change, with None for a keep-alive
    lost: called with the reason when the box is lost
    chance: the source of the jitter
    """

    def __init__(self, table: TableEntry, heard: Heard, lost: Lost, chance: random.Random) -> None:
        self._table, self._heard, self._lost, self._chance = table, heard, lost, chance
        self._over, self._connection = Event(), HTTPConnection(*table.listens, timeout=CONNECTS_WITHIN)
        self._wait = SOONEST
        self._socket: socket.socket | None = None
        self._thread = start_supervised_thread(f"table {table.table}", self._follow)

    def end(self) -> None:
        """Stop following without waiting; `close` waits."""
        self._over.set()
        if self._socket is not None:
            with suppress(OSError):  # It may be lost already.
                self._socket.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Stop following, and wait for the thread."""
        self.end()
        self._thread.join()

    def _follow(self) -> None:
        while not self._over.is_set():
            try:
                self._stream()
                trouble = Trouble.GONE
            except NotTheBox as error:
                trouble = error.trouble
            except (OSError, HTTPException):
                trouble = Trouble.GONE
            finally:
                self._connection.close()
            if not self._over.is_set():
                self._lost(self._table, trouble)
            self._over.wait(self._wait * self._chance.uniform(0.5, 1.0))
            self._wait = min(2 * self._wait, LATEST)

    def _stream(self) -> None:
        """Read the stream until it ends."""
        asked = new_secret()
        headers = {HALL: asked, SEAL: seal(self._table.secret, "events", asked)}
        self._connection.connect()
        self._socket = self._connection.sock  # Stored, because HTTPConnection drops it once the response has begun.
        _watch_over(self._socket)
        if self._over.is_set():
            return
        self._connection.request("GET", "/events", headers=headers)
        answer = self._connection.getresponse()
        if answer.status != 200:
            raise NotTheBox(Trouble.REFUSES)
        for number, block in enumerate(_blocks(answer)):
            self._take(block, asked, str(number))
            if self._over.is_set():
                return

    def _take(self, block: str, asked: str, number: str) -> None:
        said, _, sealed = block.rpartition("seal: ")
        if not is_sealed(self._table.secret, sealed.strip(), asked, number, f"{said}\n"):
            raise NotTheBox(Trouble.UNSEALED)
        self._wait = SOONEST
        data = next((line[6:] for line in said.splitlines() if line.startswith("data: ")), "")
        self._heard(self._table, self._status(data) if "event: status" in said else None)

    def _status(self, data: str) -> Status:
        try:
            status = _DECODER.decode(data)
        except (msgspec.DecodeError, ValueError) as error:
            raise NotTheBox(Trouble.UNREADABLE) from error
        if status["box"] != self._table.box:
            raise NotTheBox(Trouble.OTHER_BOX)
        return status


def _watch_over(line: socket.socket) -> None:
    line.settimeout(SILENT)
    line.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in KEPT_ALIVE.items():
        if hasattr(socket, name):  # Not every system has all of them.
            line.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


def _blocks(answer: HTTPResponse) -> Iterator[str]:
    """Yield the events of a stream as they were sent, each without the empty line at its end."""
    lines: list[str] = []
    while line := answer.readline(LONGEST):
        if not line.endswith(b"\n"):
            raise NotTheBox(Trouble.UNREADABLE)
        text = line.decode("utf-8", "replace")
        if text != "\n":
            lines.append(text)
        elif lines:
            yield "".join(lines)
            lines = []
