"""What the hall keeps: calls and who answered them, incidents, results and what became of them; SQLite, append-only."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from threading import Lock
from typing import Any

from device.files import sync_folder
from referee.errors import RefereeError

FILE = "hall.journal"
_TABLES = """
CREATE TABLE IF NOT EXISTS entries (
    number INTEGER PRIMARY KEY, at REAL NOT NULL, kind TEXT NOT NULL, place TEXT NOT NULL, once TEXT UNIQUE,
    body TEXT NOT NULL);
"""
_WRITE = "INSERT INTO entries (at, kind, place, once, body) VALUES (?, ?, ?, ?, ?)"
_ONCE = "SELECT once FROM entries WHERE once IS NOT NULL"
_READ = "SELECT number, at, kind, place, body FROM entries ORDER BY number"


class BookError(RefereeError):
    """The hall's journal cannot be opened, read or written; one sentence says why."""


class Note(StrEnum):
    """What an entry tells: somebody was called, said that they come, the call ended; a box was heard for the first
    time; something was ruled that a director wants to know; a result is final; another box answered, or one that nobody
    can tell for the right one. A match was handed to a table; its box is asked to set it up; has done so; has refused;
    the director took it back. The pairing program has been read with a result."""

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


@dataclass(frozen=True)
class Noted:
    """One entry. at: the time of day in seconds. table: as in the list. body: what JSON can hold."""

    number: int
    at: float
    kind: Note
    table: str
    body: Mapping[str, Any]


class Book:
    """The journal in a folder; from any thread. Raises BookError."""

    def __init__(self, folder: Path) -> None:
        self._lock = Lock()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._base = sqlite3.connect(folder / FILE, isolation_level=None, check_same_thread=False)
            self._base.execute("PRAGMA journal_mode=WAL")
            self._base.execute("PRAGMA synchronous=FULL")
            self._base.executescript(_TABLES)
            sync_folder(folder)
            self.entries = [_entry(*row) for row in self._base.execute(_READ)]
            self._once: set[str | None] = {once for (once,) in self._base.execute(_ONCE)}
        except (sqlite3.Error, OSError, ValueError) as error:
            raise BookError(f"The hall's journal {folder / FILE} cannot be used: {error}.") from error

    def write(
        self, at: float, kind: Note, table: str, body: Mapping[str, Any], once: str | None = None
    ) -> Noted | None:
        """Append an entry; it is on disk when this returns. once: what is written once only, however often it is heard;
        None is returned where it was written before."""
        with self._lock:
            if once in self._once:
                return None
            try:
                found = self._base.execute(_WRITE, (at, kind.value, table, once, json.dumps(body)))
            except sqlite3.Error as error:
                raise BookError(f"The hall's journal cannot be written: {error}.") from error
            if once is not None:
                self._once.add(once)
            entry = Noted(found.lastrowid or 0, at, kind, table, body)
            self.entries.append(entry)
            return entry

    def close(self) -> None:
        """Give the file back."""
        with self._lock:
            self._base.close()


def _entry(number: int, at: float, kind: str, table: str, body: str) -> Noted:
    return Noted(number, at, Note(kind), table, json.loads(body))
