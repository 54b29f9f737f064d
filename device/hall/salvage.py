"""What becomes of a damaged journal of the hall: all rows that can still be read go on under its name, and the file as
it was is set aside. A process that ends in the midst of that leaves one of the two in its place, or the draft of it.
"""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from device.files import sync_folder
from device.journal.salvage import SCRATCH, copied, readings, remove, set_aside
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
"""What SQLite says of the disk or of other programs, not of what is in the file."""


@dataclass(frozen=True)
class Shape:
    """How a journal is made. tables: makes them. read: asks for all rows, each with its number first, in the direction
    that is put in. write: puts such a row in, unless its number is there. is_sound: whether a row can be as it is."""

    tables: str
    read: str
    write: str
    is_sound: Callable[[Row], bool]


def is_whole(path: Path, check: Callable[[sqlite3.Connection], bool]) -> bool:
    """Whether a journal is undamaged, and passes the check; one that is not there is. Nothing is changed by it. Raises
    sqlite3.Error where the disk does not let it be read."""
    if not path.exists() or not path.stat().st_size:
        return True
    try:
        with tempfile.TemporaryDirectory(prefix=SCRATCH) as scratch, closing(_copied(path, Path(scratch))) as base:
            if base.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,):
                return True  # The plug was pulled before there was a table.
            return base.execute("PRAGMA integrity_check(1)").fetchone() == ("ok",) and check(base)
    except UNREADABLE as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in _ELSEWHERE:
            raise
        return False


def are_sound(base: sqlite3.Connection, shape: Shape) -> bool:
    """Whether all rows are."""
    return all(map(shape.is_sound, base.execute(shape.read.format("ASC"))))


def salvage(path: Path, shape: Shape, last: Row) -> None:
    """Leave all sound rows of a damaged journal at its path, with this one after them, and set the file as it was
    aside. Raises sqlite3.Error and OSError where that cannot be."""
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
    """Put a draft in its place where a process ended before it had; one that is no use is taken away."""
    if path.exists():
        remove(_draft(path))
    elif _draft(path).exists():
        _draft(path).replace(path)
        sync_folder(path.parent)


def opened(path: Path, tables: str) -> sqlite3.Connection:
    """A journal to be written on, made where there is none: what is committed is on the disk. From any thread."""
    base = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    base.execute("PRAGMA journal_mode=WAL")
    base.execute("PRAGMA synchronous=FULL")
    base.executescript(tables)
    return base


def _draft(path: Path) -> Path:
    return path.with_name(f".{path.name}")


def _readings(path: Path, shape: Shape, scratch: Path) -> Iterator[Path]:
    """Copies that SQLite may read differently."""
    fresh = scratch / "fresh"
    opened(fresh, shape.tables).close()
    return readings(path, fresh, scratch)


def _copied(path: Path, scratch: Path) -> sqlite3.Connection:
    """A copy as it is, for what is asked of the journal itself would change it where it has a log."""
    return sqlite3.connect(copied(path, path.read_bytes(), True, scratch / path.name))


def _rows(copy: Path, shape: Shape) -> list[Row]:
    """All sound rows that can be reached from one end or the other, by their numbers."""
    found = dict[int, Row]()
    for way in ("ASC", "DESC"):
        with suppress(*UNREADABLE), closing(sqlite3.connect(copy)) as base:
            for row in filter(shape.is_sound, _in_order(base.execute(shape.read.format(way)))):
                found[row[0]] = row
    return [found[number] for number in sorted(found)]


def _in_order(rows: Iterable[Row]) -> Iterator[Row]:
    """The rows up to the first whose number was there: pages that lead to one page again have no end."""
    seen = set[object]()
    for row in rows:
        if row[0] in seen:
            return
        seen.add(row[0])
        yield row
