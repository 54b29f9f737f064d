"""Fetching of each game's record from its box, authenticated, whenever its board has changed."""

from __future__ import annotations

import logging
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from threading import Condition

from device.hall.box_client import signed_headers
from device.hall.box_connection import Connections, Unreadable
from device.hall.tables import TableEntry
from device.threads import leave, start_supervised_thread
from referee.game.errors import BadRecord
from referee.sgf.records import without_words
from web.formats import SGF, format_of
from web.gallery.publication import BoardNews, RecordNews
from web.hall_api import RECORD
from web.hmac_auth import SEAL, is_sealed, new_secret

log = logging.getLogger("shinpan")
WORKERS = 4
PATIENCE = 5.0
"""Seconds before a box that gave no record is asked again."""
RESTS = 4.0
"""For so many times as long as a record took its box is not asked again, so that none takes the others' workers."""
LONGEST = 4 * 1024 * 1024
"""Upper bound of a record in bytes."""
Receive = Callable[[str, str, RecordNews], None]


@dataclass(frozen=True)
class _Wish:
    table: TableEntry
    mark: str
    board: BoardNews


class Records:
    """A pool of workers that fetch records from boxes, for each table only the newest.

    receive: called with the table, the mark of the request, and the record
    clock: monotonic seconds
    """

    def __init__(self, receive: Receive, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._receive, self._changed, self._over = receive, Condition(), False
        self._wishes = OrderedDict[str, _Wish]()
        self._in_progress, self._rests = set[str](), dict[str, float]()
        self._connections = Connections()
        self._threads = [start_supervised_thread(f"records {number}", self._run) for number in range(WORKERS)]

    def want(self, table: TableEntry, mark: str, board: BoardNews) -> None:
        """Request this game's record; replaces an earlier request for the same table."""
        with self._changed:
            self._wishes[table.table] = _Wish(table, mark, board)
            self._changed.notify()

    def close(self) -> None:
        """Stop fetching, without waiting for any box."""
        with self._changed:
            self._over = True
            self._changed.notify_all()
        self._connections.cut()
        leave(self._threads)

    def _run(self) -> None:
        while (wish := self._next_wish()) is not None:
            begun = self._clock()
            try:
                text = fetch_record(wish.table, self._connections)
                if text is not None:
                    record = RecordNews(wish.board.round, wish.board.game, text)
                    self._receive(wish.table.table, wish.mark, record)
                else:
                    self._retry_later(wish)
            finally:
                with self._changed:
                    self._rest_box(wish, RESTS * max(self._clock() - begun, 0.0))
                    self._in_progress.discard(wish.table.table)
                    self._changed.notify_all()

    def _next_wish(self) -> _Wish | None:
        """Return the next request whose box may be asked; None once closed."""
        with self._changed:
            while not self._over:
                now = self._clock()
                name = next((one for one in self._wishes if self._may_ask(one, now)), None)
                if name is not None:
                    self._in_progress.add(name)
                    return self._wishes.pop(name)
                waits = [self._rests.get(one, now) - now for one in self._wishes if one not in self._in_progress]
                self._changed.wait(min((wait for wait in waits if wait > 0), default=None))
            return None

    def _may_ask(self, name: str, now: float) -> bool:
        return name not in self._in_progress and self._rests.get(name, 0.0) <= now

    def _retry_later(self, wish: _Wish) -> None:
        """Retry later, unless there is a newer request."""
        with self._changed:
            self._rest_box(wish, PATIENCE)
            self._wishes.setdefault(wish.table.table, wish)

    def _rest_box(self, wish: _Wish, seconds: float) -> None:
        table = wish.table.table
        self._rests[table] = max(self._rests.get(table, 0.0), self._clock() + seconds)


def fetch_record(table: TableEntry, connections: Connections) -> str | None:
    """Return the record of a table's current game, without comments; None if it is not available or not signed by
    that box."""
    nonce = new_secret()
    try:
        with connections.to(table) as box:
            headers = signed_headers(box, table.secret, RECORD, nonce)
            answer, data = box.exchange("GET", "/game.sgf", LONGEST, headers)
    except (OSError, Unreadable):
        return None
    signature = answer.headers.get(SEAL, "")
    if answer.status != 200 or not is_sealed(table.secret, signature, nonce, RECORD, sha256(data).hexdigest()):
        return None
    try:
        return (without_words(data) if format_of(data) is SGF else data).decode()
    except (BadRecord, UnicodeDecodeError):
        log.warning("The record of table %s cannot be read.", table.table)
        return None
