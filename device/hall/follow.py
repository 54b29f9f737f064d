"""Follows one box's event stream in a thread of its own, for as long as the hall runs."""

from __future__ import annotations

import random
import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse
from threading import Event

import msgspec

from device.hall.tables import Paired
from device.threads import lasting
from web.hall.tiles import Trouble
from web.openapi import Status
from web.sealing import HALL, SEAL, is_sealed, new_secret, seal

SILENT = 45.0
"""Seconds without a word after which a connection is given up; a box says something every 15."""
SOONEST, LATEST = 0.5, 3.0
"""Seconds until it is tried again, at first and at last; each time by lot between half of it and all."""
CONNECTS_WITHIN = 3.0
"""Seconds; a system left alone tries for minutes, with ever longer rests, and is late when the line is back."""
KEPT_ALIVE = {"TCP_KEEPIDLE": 3, "TCP_KEEPINTVL": 1, "TCP_KEEPCNT": 3}
"""After so many seconds of silence the system asks whether the line is there, so often: a line that was cut is given up
after six, and what the box says when it is back does not wait for a system's next try."""
LONGEST = 4 * 1024 * 1024
"""Bytes of a line that no box says."""
_DECODER = msgspec.json.Decoder(Status)
Heard = Callable[[Paired, Status | None], None]
Lost = Callable[[Paired, Trouble], None]


class NotTheBox(Exception):
    """What answers is not the box that was paired, or says what cannot be read."""

    def __init__(self, trouble: Trouble) -> None:
        super().__init__(trouble)
        self.trouble = trouble


class Follower:
    """Tells what a box says: its status with every change, None where it only says that it lives; and that it was lost,
    and why. Begins anew each time."""

    def __init__(self, table: Paired, heard: Heard, lost: Lost, chance: random.Random) -> None:
        self._table, self._heard, self._lost, self._chance = table, heard, lost, chance
        self._over, self._connection = Event(), HTTPConnection(*table.listens, timeout=CONNECTS_WITHIN)
        self._wait = SOONEST
        self._socket: socket.socket | None = None
        self._thread = lasting(f"table {table.table}", self._follow)

    def end(self) -> None:
        """Follow it no more; `close` waits for it."""
        self._over.set()
        if self._socket is not None:
            with suppress(OSError):  # It may be lost already.
                self._socket.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Follow it no more, and wait until that is so."""
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
        """Until it ends."""
        asked = new_secret()
        headers = {HALL: asked, SEAL: seal(self._table.secret, "events", asked)}
        self._connection.connect()
        self._socket = self._connection.sock  # Which a connection forgets once the answer has begun.
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
    """The events of a stream as they were sent, each without the empty line at its end."""
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
