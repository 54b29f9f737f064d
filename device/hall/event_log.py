"""The hall's journal: calls and who answered them, incidents, results and what became of them; append-only, in
SQLite."""

from __future__ import annotations

import json
import logging
import sqlite3
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from threading import Lock
from typing import Annotated, Any, NotRequired, TypedDict

import msgspec
from msgspec import Meta

from device.files import sync_folder
from device.hall.repair import Row, Shape, are_sound, finish, is_whole, opened, salvage
from device.journal.salvage import DAMAGED
from referee.game.errors import RefereeError

FILE = "hall.journal"
_TABLES = """
CREATE TABLE IF NOT EXISTS entries (
    number INTEGER PRIMARY KEY, at REAL NOT NULL, kind TEXT NOT NULL, place TEXT NOT NULL, once TEXT UNIQUE,
    body TEXT NOT NULL);
"""
_WRITE = "INSERT INTO entries (at, kind, place, once, body) VALUES (?, ?, ?, ?, ?)"
_PUT = "INSERT OR IGNORE INTO entries VALUES (?, ?, ?, ?, ?, ?)"
_READ = "SELECT number, at, kind, place, once, body FROM entries ORDER BY number {}"
log = logging.getLogger("shinpan")


class BookError(RefereeError):
    """A hall's journal that cannot be opened, read or written; one sentence says why and what to do."""


def unusable(path: Path, error: Exception) -> BookError:
    """Return the error for a journal that cannot be opened, read or written."""
    do = "see that the disk is there and has room, or name another `folder` in the list of tables"
    return BookError(f"{path}: the hall's journal cannot be used ({error}); {do}.")


class Note(StrEnum):
    """The kind of an entry.

    CALLED, COMES, ANSWERED: a table called, somebody said that they come, the call ended.
    MET: a box was heard for the first time.
    INCIDENT: a ruling that a director wants to know of.
    RESULT: a result is final.
    ALARM: another box answered, or one whose identity cannot be verified.
    HANDED, SENT, TAKEN, REFUSED, WITHDRAWN: a match was assigned to a table; its box is asked to set it up; has done
        so; has refused; the director took it back.
    ENTERED: the pairing program has been read with a result.
    LOST: entries before this one were lost.
    """

    CALLED = "called"
    COMES = "comes"
    ANSWERED = "answered"
    MET = "met"
    INCIDENT = "incident"
    RESULT = "result"
    ALARM = "alarm"
    HANDED = "handed"
    SENT = "sent"
    TAKEN = "taken"
    REFUSED = "refused"
    WITHDRAWN = "withdrawn"
    ENTERED = "entered"
    LOST = "lost"


class _Named(TypedDict):
    event: str
    round: str
    table: str
    black: str
    white: str


class _Comes(TypedDict):
    by: str


class _Met(TypedDict):
    box: str
    before: list[str]


class _Incident(TypedDict):
    game: str
    turn: int
    text: str


class _Result(TypedDict):
    box: NotRequired[str]
    game: str
    result: str | dict[str, int]
    players: list[str]
    round: str
    table: str


class _Handed(TypedDict):
    act: _Named
    box: str
    by: str


class _Sent(TypedDict):
    handed: int
    game: str


class _Over(TypedDict):
    handed: int
    why: NotRequired[str]


class _Entered(TypedDict):
    result: int


class _Lost(TypedDict):
    text: str


_BODIES: Mapping[Note, Any] = {
    Note.COMES: _Comes,
    Note.MET: _Met,
    Note.INCIDENT: _Incident,
    Note.RESULT: _Result,
    Note.HANDED: _Handed,
    Note.SENT: _Sent,
    Note.TAKEN: _Over,
    Note.REFUSED: _Over,
    Note.WITHDRAWN: _Over,
    Note.ENTERED: _Entered,
    Note.LOST: _Lost,
}
"""The shape of an entry's body, by its kind."""
_Day = Annotated[float, Meta(ge=0, lt=2.5e11)]
"""A Unix time in seconds, up to the last year that can be formatted."""


@dataclass(frozen=True)
class Noted:
    """One entry.

    at: Unix time in seconds
    table: its name in the list of tables
    body: a JSON object
    """

    number: int
    at: float
    kind: Note
    table: str
    body: Mapping[str, Any]


class HallEventLog:
    """The journal in a folder, safe to use from any thread.

    If the file is damaged, all readable entries are kept, followed by one that says so.

    wall: returns the Unix time in seconds

    Raises BookError.
    """

    def __init__(self, folder: Path, wall: Callable[[], float] = time.time) -> None:
        self._lock, self._path = Lock(), folder / FILE
        try:
            folder.mkdir(parents=True, exist_ok=True)
            _mend(self._path, wall())
            self._base = opened(self._path, _TABLES)
            sync_folder(folder)
            rows = self._base.execute(_READ.format("ASC")).fetchall()
            self.entries = [_entry(row) for row in rows]
            self._once: set[str | None] = {row[4] for row in rows if row[4] is not None}
        except (sqlite3.Error, OSError, ValueError) as error:
            raise unusable(self._path, error) from error

    def write(
        self, at: float, kind: Note, table: str, body: Mapping[str, Any], once: str | None = None
    ) -> Noted | None:
        """Append an entry; it is on disk when this returns.

        once: a key that is written only once; if it was written before, None is returned
        """
        with self._lock:
            if once in self._once:
                return None
            try:
                found = self._base.execute(_WRITE, (at, kind.value, table, once, json.dumps(body)))
            except sqlite3.Error as error:
                raise unusable(self._path, error) from error
            if once is not None:
                self._once.add(once)
            entry = Noted(found.lastrowid or 0, at, kind, table, body)
            self.entries.append(entry)
            return entry

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._base.close()


def _entry(row: Row) -> Noted:
    """Parse a row; raise ValueError if it is not a valid entry."""
    number, at, kind, table, _, body = msgspec.convert(row, tuple[int, _Day, Note, str, str | None, str])
    read = json.loads(body)
    msgspec.convert(read, _BODIES.get(kind, dict[str, Any]))
    return Noted(number, at, kind, table, read)


def _is_sound(row: Row) -> bool:
    try:
        _entry(row)
    except (ValueError, RecursionError):
        return False
    return True


_SHAPE = Shape(_TABLES, _READ, _PUT, _is_sound)


def _mend(path: Path, at: float) -> None:
    """Salvage the sound entries of a damaged journal, and report it in the log and in an entry."""
    finish(path)
    if is_whole(path, lambda base: are_sound(base, _SHAPE)):
        return
    text = (
        f"{path}: the hall's journal was damaged. It was set aside under a name that ends in {DAMAGED}, and the hall "
        "goes on with what can be read of it. Please compare the results, and hand out again what no box has taken."
    )
    salvage(path, _SHAPE, (None, at, Note.LOST.value, "", None, json.dumps({"text": text})))
    log.warning(text)
