"""The entries of a match in SQLite, append-only and chained by hashes, as device/journal/__init__.py promises."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable
from contextlib import closing, suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from referee.errors import RefereeError
from referee.messages import message

ENDING = ".journal"
_TABLE = """
CREATE TABLE IF NOT EXISTS entries (
    number INTEGER PRIMARY KEY, t REAL NOT NULL, wall TEXT NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL,
    hash TEXT NOT NULL)
"""
_ALIVE = "CREATE TABLE IF NOT EXISTS alive (only INTEGER PRIMARY KEY CHECK (only = 1), t REAL NOT NULL)"
_ALL = "SELECT number, t, wall, kind, body, hash FROM entries ORDER BY number"
_START = hashlib.sha256(b"shinpan journal 1").hexdigest()


class JournalError(RefereeError):
    """A journal that cannot be opened, written or believed; one sentence says why and what to do."""


class Kind(StrEnum):
    """What an entry tells: the match's terms, where board and lids lie, a look, a press, what was said about the count
    or the end, what was done about time, a ruling, another answer, a restart."""

    MATCH = "match"
    PLACED = "placed"
    SEEN = "seen"
    PRESSED = "pressed"
    SAID = "said"
    TIMED = "timed"
    RULED = "ruled"
    ANSWERED = "answered"
    RESUMED = "resumed"


@dataclass(frozen=True)
class Entry:
    """One entry. t: seconds on the box's clock. body: what JSON can hold. wall: the time of day, a label only."""

    kind: Kind
    t: float
    body: dict[str, object]
    wall: str = ""


class Journal:
    """One match's journal file, used by one thread at a time. entries: how many there are."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._base = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            self._base.execute("PRAGMA journal_mode=WAL")
            self._base.execute("PRAGMA synchronous=FULL")
            self._base.execute(_TABLE)
            self._base.execute(_ALIVE)
            last = self._base.execute("SELECT number, hash FROM entries ORDER BY number DESC LIMIT 1").fetchone()
        except sqlite3.Error as error:
            raise JournalError(message("journal.cannot-open", journal=str(path), error=str(error))) from error
        self.entries: int = last[0] if last else 0
        self._hash: str = last[1] if last else _START

    def write(self, entries: Iterable[Entry]) -> None:
        """Append all of them or none; they are on disk when this returns. Raises JournalError."""
        number, chain, rows = self.entries, self._hash, []
        for entry in entries:
            number += 1
            body = json.dumps(entry.body, separators=(",", ":"), sort_keys=True)
            chain = _link(chain, number, entry, body)
            rows.append((number, entry.t, entry.wall, entry.kind.value, body, chain))
        try:
            self._base.execute("BEGIN IMMEDIATE")
            self._base.executemany("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?)", rows)
            self._base.execute("COMMIT")
        except sqlite3.Error as error:
            self._undo()
            raise JournalError(message("journal.cannot-write", journal=str(self.path), error=str(error))) from error
        self.entries, self._hash = number, chain

    def alive(self, t: float) -> None:
        """Note that the box is alive at t, outside the chain: after a power cut the clocks stand as they were then."""
        try:
            self._base.execute("INSERT OR REPLACE INTO alive VALUES (1, ?)", (t,))
        except sqlite3.Error as error:
            raise JournalError(message("journal.cannot-write", journal=str(self.path), error=str(error))) from error

    def close(self) -> None:
        """Close the file; a journal that was not closed is as good."""
        self._base.close()

    def _undo(self) -> None:
        if self._base.in_transaction:
            self._base.execute("ROLLBACK")


def read_journal(path: Path) -> list[Entry]:
    """All entries of a journal, its chain of hashes checked; none where the plug was pulled before the first.

    Raises JournalError naming the first that is not right.
    """
    if not path.is_file():
        raise JournalError(f"{path}: there is no such journal; give a file that ends in {ENDING}.")
    try:
        with closing(sqlite3.connect(path)) as base:
            begun = base.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone()
            rows = base.execute(_ALL).fetchall() if begun else []
    except sqlite3.Error as error:
        raise JournalError(message("journal.not-one", journal=str(path), error=str(error), ending=ENDING)) from error
    return list(_checked(path, rows))


def sound_entries(path: Path) -> list[Entry]:
    """The entries of a journal up to the first that is not right or cannot be read."""
    rows: list[tuple[int, float, str, str, str, str]] = []
    with suppress(sqlite3.Error), closing(sqlite3.connect(path)) as base:
        for row in base.execute(_ALL):
            rows.append(row)
    entries: list[Entry] = []
    with suppress(JournalError):
        for entry in _checked(path, rows):
            entries.append(entry)
    return entries


def last_alive(path: Path) -> float | None:
    """When the box was last noted to be alive, None where it never was."""
    try:
        base = sqlite3.connect(path)
        rows = base.execute("SELECT t FROM alive").fetchall()
        base.close()
    except sqlite3.Error:
        return None
    return float(rows[0][0]) if rows else None


def _checked(path: Path, rows: list[tuple[int, float, str, str, str, str]]) -> Iterable[Entry]:
    chain = _START
    for count, (number, t, wall, kind, body, written) in enumerate(rows, 1):
        try:
            entry = Entry(Kind(kind), t, json.loads(body), wall)
        except ValueError as error:
            raise JournalError(message("journal.damaged", journal=str(path), entry=number, error=str(error))) from error
        chain = _link(chain, number, entry, body)
        if number != count or chain != written:
            raise JournalError(message("journal.changed", journal=str(path), entry=number))
        yield entry


def _link(chain: str, number: int, entry: Entry, body: str) -> str:
    text = json.dumps([chain, number, float(entry.t), entry.wall, entry.kind.value, body])
    return hashlib.sha256(text.encode()).hexdigest()


DAMAGED = ".damaged"
BESIDE = ("", "-wal", "-shm")
"""What SQLite keeps beside a file belongs to it, and must not meet another of its name."""


def salvage(path: Path) -> list[Entry]:
    """Set a damaged journal aside, and leave its sound entries at its path, where there are any."""
    entries, alive = sound_entries(path), last_alive(path)
    if not entries:
        set_aside(path)
        return []
    draft = path.with_name(f".{path.name}")
    remove(draft)
    journal = Journal(draft)
    journal.write(entries)
    if alive is not None:
        journal.alive(alive)
    journal.close()
    set_aside(path)
    draft.rename(path)
    return entries


def set_aside(path: Path) -> Path:
    """Give the journal another name, under which nobody takes it up; returns it."""
    aside, count = path.with_suffix(DAMAGED), 1
    while aside.exists():
        count += 1
        aside = path.with_name(f"{path.stem}_{count}{DAMAGED}")
    try:
        for ending in BESIDE:
            part = path.with_name(path.name + ending)
            if part.exists():
                part.rename(aside.with_name(aside.name + ending))
    except OSError as error:
        raise JournalError(f"{path}: it is damaged and cannot be set aside ({error.strerror}).") from error
    return aside


def remove(path: Path) -> None:
    """Take a journal away that holds nothing."""
    for ending in BESIDE:
        path.with_name(path.name + ending).unlink(missing_ok=True)
