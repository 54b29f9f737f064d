"""The store of held-back news, and of the newest published news; in SQLite, so that no crash publishes early or loses
any.

Time is the hall's running time: the seconds that it has run in total, by a monotonic clock. If the hall is stopped, or
the wall clock is set, news comes later, never earlier.
"""

from __future__ import annotations

import logging
import sqlite3
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from device.hall.event_log import unusable_error
from device.journal.event_log import UNWRITABLE, EventLog, Schema
from device.journal.repair import is_sound, set_aside
from referee.game.messages import Message, message
from web.gallery.publication import News, ResultNews, What
from web.hmac_auth import new_secret
from web.language import ENGLISH

FILE = "public.journal"
MOST_AT_ONCE = 500
"""Maximum number of news published in one transaction."""
_TABLES = """
CREATE TABLE IF NOT EXISTS news (
    number INTEGER PRIMARY KEY AUTOINCREMENT, place TEXT NOT NULL, kind TEXT NOT NULL, mark TEXT NOT NULL,
    heard REAL NOT NULL, due REAL, body BLOB NOT NULL, out INTEGER UNIQUE, sent INTEGER NOT NULL DEFAULT 0);
CREATE INDEX IF NOT EXISTS waiting ON news (due) WHERE out IS NULL;
CREATE TABLE IF NOT EXISTS hall (one INTEGER PRIMARY KEY CHECK (one = 1), hall TEXT NOT NULL, ran REAL NOT NULL);
"""
_SCHEMA = Schema(_TABLES, "news", "number, place, kind, mark, heard, due, body")
_DUE = "SELECT number FROM news WHERE out IS NULL AND due <= ? ORDER BY due, number LIMIT ?"
_OUT = "UPDATE news SET out = (SELECT COALESCE(MAX(out), 0) + 1 FROM news) WHERE number = ?"
_OLD = """
DELETE FROM news WHERE out IS NOT NULL AND sent >= ? AND EXISTS (SELECT 1 FROM news AS later
    WHERE later.place = news.place AND later.kind = news.kind AND later.out > news.out)
"""
_READ = "SELECT out, place, body FROM news WHERE out > ? AND sent <= ? ORDER BY out LIMIT ?"
_NEWEST = "SELECT place, kind, mark FROM news ORDER BY number"
_ALL = "SELECT place, kind, mark, heard, due, out, sent, body FROM news"
_Ran = Annotated[float, Meta(ge=0, le=1e11)]
_Row = tuple[str, str, str, _Ran, float | None, int | None, int, bytes]
log = logging.getLogger("shinpan")


@dataclass(frozen=True)
class QueuedNews:
    """A piece of a table's news, before it is due.

    kind: replaces earlier news of the same table and kind
    mark: equal for news that need not be published again
    heard_at: running time in seconds
    """

    table: str
    kind: str
    mark: str
    heard_at: float
    what: What


class NewsStore:
    """The news in a folder, for one thread at a time.

    event: the name of the event
    delays: seconds, by public table; news of other tables stays held
    sends: keep published news until it was sent, too
    damage: a message if the file was damaged and replaced; news published again is then later, never earlier

    Raises EventLogError.
    """

    def __init__(self, folder: Path, event: str, delays: Mapping[str, float], sends: bool = False) -> None:
        self._event, self._delays, self._sends, self._path = event, delays, sends, folder / FILE
        with self._explaining_failures():
            self.damage = _set_aside_damaged(self._path)
            self._log = EventLog(self._path, _SCHEMA)
            with self._log.open_transaction() as base:
                base.execute("INSERT OR IGNORE INTO hall VALUES (1, ?, 0.0)", (new_secret(),))
                self._delay_anew(base)
            self.hall: str
            self.ran: float
            ((self.hall, self.ran),) = self._log.find_rows("SELECT hall, ran FROM hall")

    def _delay_anew(self, base: sqlite3.Connection) -> None:
        """Recompute when the waiting news is due, from the current list of tables."""
        base.execute("UPDATE news SET due = NULL WHERE out IS NULL")
        late = "UPDATE news SET due = heard + ? WHERE out IS NULL AND place = ? AND kind NOT LIKE 'result%'"
        base.executemany(late, [(delay, table) for table, delay in self._delays.items()])
        soon = "UPDATE news SET due = heard WHERE out IS NULL AND place = ? AND kind LIKE 'result%'"
        base.executemany(soon, [(table,) for table in self._delays])

    def newest(self) -> dict[tuple[str, str], str]:
        """Return the mark of the newest news of each table and kind, published or not."""
        with self._explaining_failures():
            return {(table, kind): mark for table, kind, mark in self._log.find_rows(_NEWEST)}

    def is_due(self, ran: float) -> bool:
        """Return True if some news is due at this running time."""
        with self._explaining_failures():
            return bool(self._log.find_rows(_DUE, (ran, 1)))

    def turn(self, queued_news: Sequence[QueuedNews], ran: float) -> list[News]:
        """Hold these, and publish what is due, in the order in which it became due. One transaction."""
        with self._explaining_failures(), self._log.open_transaction() as base:
            base.executemany(_SCHEMA.insert, map(self._build_row, queued_news))
            base.execute("UPDATE hall SET ran = MAX(ran, ?)", (ran,))
            due = base.execute(_DUE, (ran, MOST_AT_ONCE)).fetchall()
            if not due:
                return []
            last_number = base.execute("SELECT COALESCE(MAX(out), 0) FROM news").fetchone()[0]
            base.executemany(_OUT, due)
            base.execute(_OLD, (int(self._sends),))
            return list(self._read_news(last_number, 1, MOST_AT_ONCE))

    def out(self) -> list[News]:
        """Return all published news that is still stored, the oldest first."""
        with self._explaining_failures():
            return list(self._read_news(0, 1, -1))

    def unsent(self, most: int) -> list[News]:
        """Return published news that was not sent, the oldest first."""
        with self._explaining_failures():
            return list(self._read_news(0, 0, most))

    def mark_sent(self, number: int) -> None:
        """Mark all news up to this number as sent."""
        with self._explaining_failures(), self._log.open_transaction() as base:
            base.execute("UPDATE news SET sent = 1 WHERE out <= ?", (number,))
            base.execute(_OLD, (int(self._sends),))

    def close(self) -> None:
        """Close the file."""
        self._log.close()

    def _build_row(self, one: QueuedNews) -> tuple[None, str, str, str, float, float | None, bytes]:
        delay = self._delays.get(one.table)
        due_at = None if delay is None else one.heard_at + (0.0 if isinstance(one.what, ResultNews) else delay)
        return None, one.table, one.kind, one.mark, one.heard_at, due_at, zlib.compress(msgspec.json.encode(one.what))

    def _read_news(self, last_number: int, sent: int, most: int) -> Iterator[News]:
        for number, table, body in self._log.find_rows(_READ, (last_number, sent, most)):
            if table in self._delays:
                what = msgspec.json.decode(zlib.decompress(body), type=What)
                yield News(number, self.hall, self._event, table, self._delays[table], what)

    @contextmanager
    def _explaining_failures(self) -> Iterator[None]:
        try:
            yield
        except (*UNWRITABLE, ValueError, zlib.error) as error:
            raise unusable_error(self._path, error) from error


def _set_aside_damaged(path: Path) -> Message | None:
    """Set a damaged journal aside and return a message; None if it is sound."""
    if is_sound(path, _SCHEMA, _are_sound):
        return None
    damage = message("hall.gallery-anew", file=str(path), aside=set_aside(path).name)
    log.warning(ENGLISH.sentence(damage))
    return damage


def _are_sound(base: sqlite3.Connection) -> bool:
    """Return True if all news can be read, and none was heard later than the hall has run: it would be published
    early."""
    try:
        halls = msgspec.convert(base.execute("SELECT hall, ran FROM hall").fetchall(), list[tuple[str, _Ran]])
        rows = [msgspec.convert(row, _Row) for row in base.execute(_ALL)]
        for row in rows:
            msgspec.json.decode(zlib.decompress(row[-1]), type=What)
    except (ValueError, RecursionError, zlib.error):
        return False
    return all(row[3] <= halls[0][1] for row in rows) if halls else not rows
