"""The entries of a match in SQLite, append-only and chained by hashes, as device/journal/__init__.py promises."""

from __future__ import annotations

import hashlib
import json
import math
import shutil
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path

from device.files import sync_folder
from device.journal.head import Head, HeadFile, head_in, kept_alive, kept_head
from device.machine.identity import Identity, short_form
from referee.errors import RefereeError
from referee.messages import message
from vision.named import NO_FILE, mode_of, unreadable

ENDING = ".journal"
LOG, INDEX, HEAD = "-wal", "-shm", "-head"
BESIDE = (LOG, INDEX, HEAD)
"""What is kept beside a journal belongs to it, and must not meet another of its name."""
PATIENCE = 0.25
"""Seconds for which the box waits for somebody who reads the journal."""
SETTLED_AFTER = 1.0
"""Seconds for which a write stays in SQLite's log alone."""
_TABLES = """
CREATE TABLE IF NOT EXISTS entries (
    number INTEGER PRIMARY KEY, t REAL NOT NULL, wall TEXT NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL,
    hash TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS head (only INTEGER PRIMARY KEY CHECK (only = 1), line TEXT NOT NULL);
"""
_OLDER = "CREATE TABLE alive (only INTEGER PRIMARY KEY CHECK (only = 1), t REAL NOT NULL);"
"""Where version 0.2 kept when the box was last alive."""
_ALL = "SELECT number, t, wall, kind, body, hash FROM entries ORDER BY number"
BEFORE_HEADS = hashlib.sha256(b"shinpan journal 1").hexdigest()
START = hashlib.sha256(b"shinpan journal 2").hexdigest()
"""What the first entry is chained to; the journals of versions 0.1 and 0.2 have no heads."""
UNREADABLE = (sqlite3.Error, UnicodeDecodeError)
"""What reading a damaged database raises: its own words may be damaged too."""
Row = tuple[int, float, str, str, str, str]


class JournalError(RefereeError):
    """A journal that cannot be opened, written or believed; one sentence says why and what to do."""


class Kind(StrEnum):
    """What an entry tells: the match's terms, where board and lids lie, a look, a press, what was said about the count
    or the end, what was done about time, a ruling, another answer, a restart, that entries after it were lost."""

    MATCH = "match"
    PLACED = "placed"
    SEEN = "seen"
    PRESSED = "pressed"
    SAID = "said"
    TIMED = "timed"
    RULED = "ruled"
    ANSWERED = "answered"
    RESUMED = "resumed"
    LOST = "lost"


@dataclass(frozen=True)
class Entry:
    """One entry. t: seconds on the box's clock. body: what JSON can hold. wall: the time of day, a label only."""

    kind: Kind
    t: float
    body: dict[str, object]
    wall: str = ""


@dataclass(frozen=True)
class Kept:
    """All of a journal. head: how far it goes; None where a version wrote it that kept none. start: of its chain."""

    entries: list[Entry]
    head: Head | None
    start: str


class Journal:
    """One match's journal file, used by one thread at a time.

    head: how far it goes. identity: whose key signs that; None: nobody's. start: of the chain of a new journal.
    """

    def __init__(self, path: Path, identity: Identity | None = None, start: str = START) -> None:
        self.path, self._identity = path, identity
        try:
            self._base = sqlite3.connect(path, PATIENCE, isolation_level=None, check_same_thread=False)
            self._base.execute("PRAGMA journal_mode=WAL")
            self._base.execute("PRAGMA synchronous=FULL")
            self._base.executescript(_TABLES)
            last = self._base.execute("SELECT number, hash FROM entries ORDER BY number DESC LIMIT 1").fetchone()
            self._beside = HeadFile(beside(path, HEAD))
            sync_folder(path.parent)
        except (sqlite3.Error, OSError) as error:
            raise JournalError(message("journal.cannot-open", journal=str(path), error=str(error))) from error
        self.head = Head(*last) if last else Head(0, start)
        self._unsettled: float | None = -math.inf

    @property
    def entries(self) -> int:
        """How many there are."""
        return self.head.entries

    def write(self, entries: Iterable[Entry]) -> None:
        """Append all of them or none; they are on disk when this returns. Raises JournalError."""
        number, chain, rows = self.head.entries, self.head.hash, list[Row]()
        for entry in entries:
            number += 1
            body = json.dumps(entry.body, separators=(",", ":"), sort_keys=True)
            chain = _link(chain, number, entry, body)
            rows.append((number, entry.t, entry.wall, entry.kind.value, body, chain))
        head = Head(number, chain).signed_by(self._identity)
        try:
            self._base.execute("BEGIN IMMEDIATE")
            self._base.executemany("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?)", rows)
            self._base.execute("INSERT OR REPLACE INTO head VALUES (1, ?)", (head.line,))
            self._base.execute("COMMIT")
        except sqlite3.Error as error:
            self._undo()
            raise self._cannot_write(error) from error
        self.head = head
        if self._unsettled is None:
            self._unsettled = rows[0][1]
        with suppress(OSError):  # `settle` tries again, and says so.
            self._beside.put(head)

    def settle(self, t: float = math.inf) -> None:
        """Make the file itself whole, without SQLite's log, and the head safe, as soon as a write is a second old.

        What was written is safe without it: it is for when the lamps are lit. Raises JournalError.
        """
        if self._unsettled is None or t - self._unsettled < SETTLED_AFTER:
            return
        try:
            (busy, *_) = self._base.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            self._beside.put(self.head)
            self._beside.sync()
        except (sqlite3.Error, OSError) as error:
            raise self._cannot_write(error) from error
        self._unsettled = t if busy else None

    def alive(self, t: float) -> None:
        """Note that the box is alive at t, outside the chain: after a power cut the clocks stand as they were then."""
        try:
            self._beside.alive(t)
        except OSError as error:
            raise self._cannot_write(error) from error

    def close(self) -> None:
        """Close the file; a journal that was not closed is as good."""
        with suppress(JournalError):
            self.settle()
        self._base.close()
        self._beside.close()

    def _undo(self) -> None:
        if self._base.in_transaction:
            self._base.execute("ROLLBACK")

    def _cannot_write(self, error: Exception) -> JournalError:
        return JournalError(message("journal.cannot-write", journal=str(self.path), error=str(error)))


def beside(path: Path, what: str) -> Path:
    """The file that is kept beside a journal."""
    return path.with_name(path.name + what)


def read_journal(path: Path) -> list[Entry]:
    """All entries of a journal, as `kept` checks them."""
    return kept(path).entries


def kept(path: Path) -> Kept:
    """All of a journal, its chain of hashes, its head and its signature checked, and nothing in its folder changed.

    Without entries where the plug was pulled before the first. Raises JournalError naming the first that is not right,
    or how many are missing at the end.
    """
    before = kept_head(beside(path, HEAD))  # It may go on meanwhile.
    reason = unreadable(path)
    if reason and before is not None and not mode_of(path):
        raise JournalError(message("journal.gone", journal=str(path), entries=before.entries))
    if reason:
        reason = "there is no such journal" if reason == NO_FILE else reason
        raise JournalError(f"{path}: {reason}; give a file that ends in {ENDING}.")
    try:
        with reading(path) as base:
            rows = list(rows_in(base)) if _is_begun(base) else []
            within = _head_within(base)
    except UNREADABLE as error:
        raise JournalError(message("journal.not-one", journal=str(path), error=str(error), ending=ENDING)) from error
    start = start_of(rows)
    entries = list(checked(path, rows, start))
    heads = [head for head in (within, before) if head is not None]
    _compare(path, [row[5] for row in rows], heads, start)
    return Kept(entries, max(heads, key=lambda head: head.entries, default=None), start)


def sealed(path: Path, seal: str) -> int | None:
    """After which entry the journal had this seal, None where it never had. Of a journal that `kept` has checked."""
    with reading(path) as base:
        rows = base.execute("SELECT number, hash FROM entries ORDER BY number").fetchall()
    return next((int(number) for number, written in rows if short_form(written) == seal), None)


def last_alive(path: Path) -> float | None:
    """When the box was last noted to be alive, None where it never was."""
    noted = kept_alive(beside(path, HEAD))
    if noted is not None:
        return noted
    with suppress(*UNREADABLE), reading(path) as base:
        row = base.execute("SELECT t FROM alive").fetchone()
        return float(row[0]) if row else None
    return None


@contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """The journal's database, to be read only: as it is now while a box writes it, and from any medium."""
    if not any(beside(path, part).exists() for part in (LOG, INDEX)):
        with closing(_connected(path, "mode=ro&immutable=1")) as base:
            yield base
        return
    with tempfile.TemporaryDirectory(prefix="shinpan-journal-") as scratch:
        try:
            where = path if path.stat().st_size else _copied(path, Path(scratch))  # Beside nothing the log is deleted.
            base = _connected(where, "mode=ro")
        except sqlite3.OperationalError:  # A log that nobody can take into account there.
            base = _connected(_copied(path, Path(scratch)), "mode=rw")
        with closing(base):
            yield base


def _connected(path: Path, mode: str) -> sqlite3.Connection:
    base = sqlite3.connect(f"{path.absolute().as_uri()}?{mode}", uri=True)
    try:
        check_tables(base)
    except UNREADABLE:
        base.close()
        raise
    return base


def check_tables(base: sqlite3.Connection) -> None:
    """Raise DatabaseError where anything is there but the tables that shinpan makes.

    Reading a view, or a column that is worked out, can take for ever, and nothing ends that.
    """
    if not {sql for (sql,) in base.execute("SELECT sql FROM sqlite_master")} <= _made():
        raise sqlite3.DatabaseError("its tables are not those of a journal")


@cache
def _made() -> set[str]:
    """How every table that a version makes is described by SQLite."""
    with closing(sqlite3.connect(":memory:")) as base:
        base.executescript(_TABLES + _OLDER)
        return {sql for (sql,) in base.execute("SELECT sql FROM sqlite_master")}


def rows_in(base: sqlite3.Connection) -> Iterator[Row]:
    """The rows of all entries, up to the first of a wrong number: pages that lead to one page again have no end."""
    for count, row in enumerate(base.execute(_ALL), 1):
        yield row
        if row[0] != count:
            return


def _copied(path: Path, to: Path) -> Path:
    for part in (path, beside(path, LOG)):
        if part.exists():
            shutil.copyfile(part, to / part.name)
    return to / path.name


def _is_begun(base: sqlite3.Connection) -> bool:
    return base.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone() is not None


def _head_within(base: sqlite3.Connection) -> Head | None:
    try:
        row = base.execute("SELECT line FROM head").fetchone()
    except UNREADABLE:
        return None
    return head_in(row[0]) if row and isinstance(row[0], str | bytes) else None


def start_of(rows: list[Row]) -> str:
    """What the first entry is chained to."""
    with suppress(ValueError, TypeError):
        number, t, wall, kind, body, written = rows[0] if rows else (0, 0.0, "", "", "", "")
        if _link(BEFORE_HEADS, number, Entry(Kind(kind), t, {}, wall), body) == written:
            return BEFORE_HEADS
    return START


def checked(path: Path, rows: list[Row], start: str) -> Iterator[Entry]:
    """The entries in order; raises JournalError at the first that is not right."""
    chain = start
    for count, (number, t, wall, kind, body, written) in enumerate(rows, 1):
        try:
            entry = Entry(Kind(kind), t, json.loads(body), wall)
            chain = _link(chain, number, entry, body)
        except (ValueError, TypeError) as error:
            raise JournalError(message("journal.damaged", journal=str(path), entry=count, error=str(error))) from error
        if number != count or chain != written:
            raise JournalError(message("journal.changed", journal=str(path), entry=count))
        yield entry


def _compare(path: Path, hashes: list[str], heads: list[Head], start: str) -> None:
    """What the heads say against what is there. One of the two may be gone or a write behind, not both."""
    for head in heads:
        if head.entries > len(hashes):
            lost = head.entries - len(hashes)
            raise JournalError(message("journal.lost", journal=str(path), entries=len(hashes), n=lost))
        if head.entries and hashes[head.entries - 1] != head.hash:
            raise JournalError(message("journal.changed", journal=str(path), entry=head.entries))
        if not head.is_genuine:
            raise JournalError(message("journal.forged", journal=str(path)))
    reached = max((head.entries for head in heads), default=0 if start == START else len(hashes))
    if reached < len(hashes):
        raise JournalError(message("journal.no-head", journal=str(path), entry=reached + 1))


def _link(chain: str, number: int, entry: Entry, body: str) -> str:
    text = json.dumps([chain, number, float(entry.t), entry.wall, entry.kind.value, body])
    return hashlib.sha256(text.encode()).hexdigest()
