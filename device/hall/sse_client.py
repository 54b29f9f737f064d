"""A client of one box's event stream, in its own thread, for as long as the hall runs."""

from __future__ import annotations

import random
from collections.abc import Callable
from threading import Event

import msgspec

from device.hall.box_client import signed_headers
from device.hall.box_connection import BoxConnection, OtherKey, Unreadable
from device.hall.rate import Rate
from device.hall.tables import TableEntry
from device.threads import leave, start_supervised_thread
from web.hall.contents import check_status
from web.hall.tiles import Trouble
from web.hall_api import EVENTS
from web.hmac_auth import is_sealed, new_secret
from web.openapi import Status

SOONEST, LATEST = 0.5, 3.0
"""Seconds before it is tried again, at first and at most; with jitter between half of it and all."""
EVENTS_AT_ONCE, EVENTS_A_SECOND, PIECE = 40.0, 10.0, 32 * 1024
"""Events that are taken at once, and each second after that; each so many bytes of one count as another. The rest waits
in the connection."""
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
    handle_status: called with the status at every change, with None for a keep-alive
    handle_loss: called with the reason when the box is lost
    thread: its own
    chance: the source of the jitter
    pace: the limit of events; None for the usual one
    """

    def __init__(
        self,
        table: TableEntry,
        handle_status: Heard,
        handle_loss: Lost,
        chance: random.Random,
        pace: Rate | None = None,
    ) -> None:
        self._table, self._handle_status, self._handle_loss, self._chance = table, handle_status, handle_loss, chance
        self._pace = pace or Rate(EVENTS_AT_ONCE, EVENTS_A_SECOND)
        self._over, self._connection = Event(), BoxConnection(table)
        self._wait = SOONEST
        self.thread = start_supervised_thread(f"table {table.table}", self._follow_box)

    def end(self) -> None:
        """Stop following without waiting; `close` waits."""
        self._over.set()
        self._connection.cut()

    def close(self) -> None:
        """Stop following, and wait for the thread."""
        self.end()
        leave([self.thread])

    def _follow_box(self) -> None:
        while not self._over.is_set():
            try:
                self._read_stream()
                trouble = Trouble.GONE
            except NotTheBox as error:
                trouble = error.trouble
            except OtherKey:
                trouble = Trouble.OTHER_KEY
            except Unreadable:
                trouble = Trouble.UNREADABLE
            except OSError:
                trouble = Trouble.GONE
            finally:
                self._connection.close()
            if not self._over.is_set():
                self._handle_loss(self._table, trouble)
            self._over.wait(self._wait * self._chance.uniform(0.5, 1.0))
            self._wait = min(2 * self._wait, LATEST)

    def _read_stream(self) -> None:
        """Read the stream until it ends."""
        nonce = new_secret()
        headers = signed_headers(self._connection, self._table.secret, EVENTS, nonce)
        code, events = self._connection.events("/events", headers)
        if code != 200:
            raise NotTheBox(Trouble.REFUSES)
        for number, event in enumerate(events):
            self._handle_event(event, nonce, str(number))
            if self._over.wait(self._pace.pause(1 + len(event) / PIECE)):
                return

    def _handle_event(self, event: str, nonce: str, number: str) -> None:
        text, _, sealed = event.rpartition("seal: ")
        if not is_sealed(self._table.secret, sealed.strip(), nonce, number, f"{text}\n"):
            raise NotTheBox(Trouble.UNSEALED)
        self._wait = SOONEST
        data = next((line[6:] for line in text.splitlines() if line.startswith("data: ")), "")
        status = parse_status(data, self._table.box) if "event: status" in text else None
        self._handle_status(self._table, status)


def parse_status(data: str, box: str) -> Status:
    """Return the status in this text; raise NotTheBox if it is unreadable, or another box's than that of this key."""
    try:
        status = _DECODER.decode(data)
        check_status(status)
    except (msgspec.DecodeError, ValueError) as error:
        raise NotTheBox(Trouble.UNREADABLE) from error
    if status["box"] != box:
        raise NotTheBox(Trouble.OTHER_BOX)
    return status
