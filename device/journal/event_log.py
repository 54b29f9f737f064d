"""A log of entries in one SQLite file, to which entries are appended: the journals of a match and of the hall, the
hall's public news and a watched evening are kept in one each.

Durability. A transaction is on disk when it returns: WAL with synchronous=FULL survives a power cut. After a kill at
any moment the file is as after a whole transaction.

Locks. SQLite would ask a disk that gives none, as a network drive may do in mid-game, for ten seconds in vain; so a
file of the log's own, of which nobody sees the name, is asked first.

Reading. A file is read where it is without being changed: while it is written, from any medium, and as a kill left it.
"""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from device.file_errors import OtherTables
from device.files import check_locks, check_no_link, copy_stored, open_own, sync_folder
from device.system import system
from vision.input_files import os_error_text

LOG, INDEX, ROLLBACK, HEAD = "-wal", "-shm", "-journal", "-head"
BESIDE = (LOG, INDEX, ROLLBACK, HEAD)
"""Files beside an event log that belong to it, and must not be mixed with another of its name."""
PATIENCE_S = 5.0
"""Seconds to wait for another process that uses the file."""
UNREADABLE = (sqlite3.Error, UnicodeDecodeError)
"""Errors of reading a damaged file: its texts may be damaged too."""
UNWRITABLE = (sqlite3.Error, OSError)
"""Errors of opening and writing a file."""
Row = tuple[Any, ...]
Statement = tuple[str, Sequence[Row]]
"""An SQL statement that writes, and the rows for which it is executed."""


@dataclass(frozen=True)
class Schema:
    """The tables of an event log.

    tables: the SQL that creates them
    table: the name of the table of entries
    columns: its columns, of which the first is the entry's number
    earlier: the SQL of tables that earlier versions created besides
    """

    tables: str
    table: str
    columns: str
    earlier: str = ""

    @property
    def insert(self) -> str:
        """Return the statement that appends an entry."""
        places = ", ".join("?" for _ in self.columns.split(","))
        return f"INSERT INTO {self.table} ({self.columns}) VALUES ({places})"

    def select(self, backwards: bool = False) -> str:
        """Return the query for all entries in order."""
        number, way = self.columns.partition(",")[0], "DESC" if backwards else "ASC"
        return f"SELECT {self.columns} FROM {self.table} ORDER BY {number} {way}"

    def check(self, base: sqlite3.Connection) -> None:
        """Raise DatabaseError if there is anything but the tables that shinpan creates.

        Reading a view or a generated column can take forever, and cannot be interrupted.
        """
        if not {sql for (sql,) in base.execute("SELECT sql FROM sqlite_master")} <= _read_definitions(self):
            raise OtherTables


@cache
def _read_definitions(schema: Schema) -> set[str]:
    """Return SQLite's descriptions of the tables that any version creates."""
    with closing(sqlite3.connect(":memory:")) as base:
        base.executescript(schema.tables + schema.earlier)
        return {sql for (sql,) in base.execute("SELECT sql FROM sqlite_master")}


class EventLog:
    """A file that is open for writing, created if need be; used by one thread at a time.

    path: the file
    patience_s: seconds to wait for another process that uses it
    is_exclusive: nobody else may open it; its lock is held until it is closed

    Raises sqlite3.Error and OSError.
    """

    def __init__(self, path: Path, schema: Schema, patience_s: float = PATIENCE_S, is_exclusive: bool = False) -> None:
        self.path, self._schema, self._is_exclusive = path, schema, is_exclusive
        check_no_link(path)
        with ExitStack() as stack:
            self._locks = stack.enter_context(tempfile.TemporaryFile(dir=path.parent))
            check_locks(self._locks)
            # Closed after SQLite's own: closing it ends the process's locks on the file.
            self._file = stack.enter_context(open_own(path))
            base = sqlite3.connect(path, patience_s, isolation_level=None, check_same_thread=False)
            self._base = stack.enter_context(closing(base))
            if is_exclusive:
                base.execute("PRAGMA locking_mode=EXCLUSIVE")
            base.execute("PRAGMA journal_mode=WAL")
            base.execute("PRAGMA synchronous=FULL")
            for pragma in system.SQLITE_PRAGMAS:
                base.execute(pragma)
            base.executescript(schema.tables)
            sync_folder(path.parent)
            self._stack = stack.pop_all()

    @contextmanager
    def open_transaction(self) -> Iterator[sqlite3.Connection]:
        """Write all that the block executes, or nothing; it is on disk at the block's end."""
        self._check_locks()
        self._base.execute("BEGIN IMMEDIATE")
        try:
            yield self._base
            self._base.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):  # SQLite may have rolled it back by itself.
                self._base.execute("ROLLBACK")
            raise

    def append_rows(self, rows: Iterable[Row], *more: Statement) -> None:
        """Append entries and execute more statements, in one transaction."""
        with self.open_transaction() as base:
            base.executemany(self._schema.insert, rows)
            for sql, parameters in more:
                base.executemany(sql, parameters)

    def erase_texts(self, statements: Iterable[Statement]) -> None:
        """Execute these in one transaction, and leave nothing of the old texts in the file or its log."""
        self._base.execute("PRAGMA secure_delete=ON")
        with self.open_transaction() as base:
            for sql, parameters in statements:
                base.executemany(sql, parameters)
        self._base.execute("VACUUM")
        self._base.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def read_rows(self) -> list[Row]:
        """Return all entries in order."""
        return self.find_rows(self._schema.select())

    def read_last_row(self) -> Row | None:
        """Return the last entry, None if there is none."""
        return next(iter(self.find_rows(f"{self._schema.select(backwards=True)} LIMIT 1")), None)

    def find_rows(self, sql: str, parameters: Sequence[object] = ()) -> list[Row]:
        """Return the rows that a query finds."""
        self._check_locks()
        return self._base.execute(sql, parameters).fetchall()

    def checkpoint(self) -> bool:
        """Move SQLite's log into the file, which is then complete by itself; return False if somebody reads it now.

        The disk is waited for once: SQLite would also sync its log, of which each transaction was synced already. The
        log is cut off only after the file is on disk.
        """
        self._check_locks()
        self._base.execute("PRAGMA synchronous=OFF")
        try:
            (_, logged, moved) = self._base.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        finally:
            self._base.execute("PRAGMA synchronous=FULL")
        system.sync_data(self._file.fileno())
        if moved < logged:
            return False
        (busy, *_) = self._base.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return not busy

    def close(self) -> None:
        """Close the file; one that was not closed is still valid."""
        self._stack.close()

    def _check_locks(self) -> None:
        if not self._is_exclusive:
            check_locks(self._locks)


def reason_of(error: Exception) -> str:
    """Return the reason why a file cannot be opened or written, for a sentence."""
    return os_error_text(error) if isinstance(error, OSError) else str(error)


def sibling_path(path: Path, ending: str) -> Path:
    """Return the path of a file beside an event log."""
    return path.with_name(path.name + ending)


def delete_log(path: Path) -> None:
    """Delete an event log."""
    for part in (path, *(sibling_path(path, ending) for ending in BESIDE)):
        part.unlink(missing_ok=True)


@contextmanager
def open_for_reading(path: Path, schema: Schema, patience_s: float = PATIENCE_S) -> Iterator[sqlite3.Connection]:
    """Open an event log read-only: its current state while it is written, and from any medium."""
    with ExitStack() as stack:
        if not any(sibling_path(path, part).exists() for part in (LOG, INDEX)):
            base = _connect_checked(path, "mode=ro&immutable=1", schema, patience_s)
        else:
            base = _connect_to_written(path, schema, patience_s, stack)
        yield stack.enter_context(closing(base))


def _connect_to_written(path: Path, schema: Schema, patience_s: float, stack: ExitStack) -> sqlite3.Connection:
    """Open a file that is being written, or that was not closed, or else a copy; `stack` deletes it."""
    # SQLite deletes an empty file's log.
    if path.stat().st_size:
        with suppress(sqlite3.OperationalError):  # The log cannot be read where it is.
            return _connect_checked(path, "mode=ro", schema, patience_s)
    scratch = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="shinpan-journal-")))
    return _connect_checked(_copy_with_log(path, scratch), "mode=rw", schema, patience_s)


def _connect_checked(path: Path, mode: str, schema: Schema, patience_s: float) -> sqlite3.Connection:
    base = sqlite3.connect(f"{path.absolute().as_uri()}?{mode}", patience_s, uri=True)
    try:
        schema.check(base)
    except UNREADABLE:
        base.close()
        raise
    return base


def _copy_with_log(path: Path, to: Path) -> Path:
    for part in (path, sibling_path(path, LOG)):
        if part.exists():
            copy_stored(part, to / part.name)
    return to / path.name


def is_begun(base: sqlite3.Connection) -> bool:
    """Return True if there are tables: False if power was lost before there was any."""
    return base.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone() is not None
