"""Salvage of a damaged journal of the hall: all readable rows go on under its name, and the damaged file is set aside.

A process killed during the salvage leaves one of the two files in place, or the draft of the new one.
"""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from device.files import read_stored, sync_folder
from device.journal.salvage import SCRATCH, copy_journal, readings, remove, set_aside
from device.journal.store import UNREADABLE

Row = tuple[Any, ...]
_ELSEWHERE = frozenset(
    {
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_AUTH,
    }
)
"""SQLite errors caused by the disk or by other programs, not by the contents of the file."""


@dataclass(frozen=True)
class Shape:
    """The SQL of a journal.

    tables: creates the tables
    read: selects all rows, with the number as first column; `{}` is the direction
    write: inserts such a row unless its number exists
    is_sound: returns True if a row is valid
    """

    tables: str
    read: str
    write: str
    is_sound: Callable[[Row], bool]


def is_whole(path: Path, check: Callable[[sqlite3.Connection], bool]) -> bool:
    """Return True if a journal is missing, or undamaged and passes the check; the file is not changed.

    Raises sqlite3.Error if the disk does not let it be read.
    """
    if not path.exists() or not path.stat().st_size:
        return True
    try:
        with tempfile.TemporaryDirectory(prefix=SCRATCH) as scratch, closing(_copied(path, Path(scratch))) as base:
            if base.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,):
                return True  # Power was lost before there was a table.
            return base.execute("PRAGMA integrity_check(1)").fetchone() == ("ok",) and check(base)
    except UNREADABLE as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in _ELSEWHERE:
            raise
        return False


def are_sound(base: sqlite3.Connection, shape: Shape) -> bool:
    """Return True if all rows are valid."""
    return all(map(shape.is_sound, base.execute(shape.read.format("ASC"))))


def salvage(path: Path, shape: Shape, last: Row) -> None:
    """Rebuild a damaged journal from its sound rows, with `last` after them, and set the damaged file aside.

    Raises sqlite3.Error and OSError if that fails.
    """
    with tempfile.TemporaryDirectory(prefix=SCRATCH) as scratch:
        rows = max((_rows(copy, shape) for copy in _readings(path, shape, Path(scratch))), key=len)
    draft = _draft(path)
    remove(draft)
    with closing(opened(draft, shape.tables)) as base:
        base.execute("BEGIN")
        base.executemany(shape.write, [*rows, last])
        base.execute("COMMIT")
    set_aside(path)
    finish(path)


def finish(path: Path) -> None:
    """Move a draft into place if a process was killed before it did; delete a draft that is of no use."""
    if path.exists():
        remove(_draft(path))
    elif _draft(path).exists():
        _draft(path).replace(path)
        sync_folder(path.parent)


def opened(path: Path, tables: str) -> sqlite3.Connection:
    """Open a journal for writing, from any thread, creating it if need be; a commit is on disk when it returns."""
    base = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    base.execute("PRAGMA journal_mode=WAL")
    base.execute("PRAGMA synchronous=FULL")
    base.executescript(tables)
    return base


def _draft(path: Path) -> Path:
    return path.with_name(f".{path.name}")


def _readings(path: Path, shape: Shape, scratch: Path) -> Iterator[Path]:
    """Yield copies that SQLite may read differently."""
    fresh = scratch / "fresh"
    opened(fresh, shape.tables).close()
    return readings(path, fresh, scratch)


def _copied(path: Path, scratch: Path) -> sqlite3.Connection:
    """Open an unmodified copy, because querying a journal that has a WAL would change it."""
    return sqlite3.connect(copy_journal(path, read_stored(path), True, scratch / path.name))


def _rows(copy: Path, shape: Shape) -> list[Row]:
    """Return all sound rows that can be reached from either end, ordered by number."""
    found = dict[int, Row]()
    for way in ("ASC", "DESC"):
        with suppress(*UNREADABLE), closing(sqlite3.connect(copy)) as base:
            for row in filter(shape.is_sound, _in_order(base.execute(shape.read.format(way)))):
                found[row[0]] = row
    return [found[number] for number in sorted(found)]


def _in_order(rows: Iterable[Row]) -> Iterator[Row]:
    """Yield the rows up to the first repeated number: pages that link back to one another would never end."""
    seen = set[object]()
    for row in rows:
        if row[0] in seen:
            return
        seen.add(row[0])
        yield row
