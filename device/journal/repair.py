"""Repair of a damaged event log: what can be read of it goes on under its name, and the damaged file is set aside.

A process killed at any step leaves the damaged file, or a whole new one that the next start puts in its place.
"""

from __future__ import annotations

import errno
import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path

from device.files import copy_stored, is_stored, read_stored, sync_folder
from device.journal.event_log import (
    BESIDE,
    HEAD,
    INDEX,
    LOG,
    PATIENCE_S,
    ROLLBACK,
    UNREADABLE,
    EventLog,
    Row,
    Schema,
    delete_log,
    is_begun,
    open_for_reading,
    sibling_path,
)

DAMAGED = ".damaged"
DRAFT, READY = ".part", ".repaired"
"""Endings of the new file, hidden while it is written, and once it is whole."""
SCRATCH = "shinpan-salvage-"
PAGE = 4096
SIZE_VALID_FOR = 92
"""Offset of the `version-valid-for` number, which says whether the size in the header is right (SQLite's file
format, 1.3)."""
_KEPT = (LOG, ROLLBACK, HEAD, "")
"""The files set aside; the index can be rebuilt."""
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


def is_sound(
    path: Path,
    schema: Schema,
    check: Callable[[sqlite3.Connection], bool] = lambda base: True,
    patience_s: float = PATIENCE_S,
) -> bool:
    """Return True if an event log is missing, or undamaged and passes the check; it is not changed.

    patience_s: seconds to wait for another process that uses it

    Raises sqlite3.Error and OSError if the disk does not let it be read.
    """
    if not path.exists() or not path.stat().st_size:
        return True
    try:
        with open_for_reading(path, schema, patience_s) as base:
            is_whole = base.execute("PRAGMA integrity_check(1)").fetchone() == ("ok",)
            return not is_begun(base) or (is_whole and check(base))
    except UNREADABLE as error:
        if is_from_elsewhere(error):
            raise
        return False


def is_from_elsewhere(error: Exception) -> bool:
    """Return True if the disk or another program caused an error, not the contents of the file."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in _ELSEWHERE


def repair_file(path: Path, write: Callable[[Path], None]) -> None:
    """Put a new file in place of a damaged one, which is set aside.

    write: writes the new file at a path

    Raises sqlite3.Error and OSError.
    """
    draft, ready = _hidden_path(path, DRAFT), _hidden_path(path, READY)
    delete_log(draft)
    write(draft)
    if sibling_path(draft, LOG).exists():  # SQLite had no room to make the file complete.
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(draft))
    if sibling_path(draft, HEAD).exists():
        sibling_path(draft, HEAD).replace(sibling_path(ready, HEAD))
    draft.replace(ready)
    sync_folder(path.parent)
    finish_repair(path)


def finish_repair(path: Path) -> bool:
    """Put a repaired file in place, if a process was killed before it had done so; return True if there was one."""
    ready = _hidden_path(path, READY)
    if not is_stored(ready):
        return False
    _copy_aside(path)
    for part in (LOG, INDEX, ROLLBACK):
        sibling_path(path, part).unlink(missing_ok=True)
    if sibling_path(ready, HEAD).exists():
        sibling_path(ready, HEAD).replace(sibling_path(path, HEAD))
    ready.replace(path)
    sync_folder(path.parent)
    return True


def set_aside(path: Path) -> Path:
    """Rename an event log so that nobody opens it; return the new path."""
    aside = _copy_aside(path)
    delete_log(path)
    sync_folder(path.parent)
    return aside


def read_damaged(path: Path, schema: Schema) -> Iterator[list[Row]]:
    """Yield the rows that can be reached, by number, for each way in which SQLite may read a damaged file: with its log
    or without, with its first page or that of a fresh file."""
    with tempfile.TemporaryDirectory(prefix=SCRATCH) as folder:
        scratch = Path(folder)
        EventLog(scratch / "fresh", schema).close()
        data, first = read_stored(path) if path.exists() else b"", bytearray((scratch / "fresh").read_bytes()[:PAGE])
        first[SIZE_VALID_FOR : SIZE_VALID_FOR + 4] = b"\xff" * 4  # Makes SQLite use the size of the file.
        for name, pages in (("as it is", data), ("first page anew", bytes(first) + data[PAGE:])):
            for log in (True, False):
                yield _read_rows(_copy_pages(path, pages, log, scratch / f"{name} {log}"), schema)


def _hidden_path(path: Path, ending: str) -> Path:
    return path.with_name(f".{path.name}{ending}")


def _copy_aside(path: Path) -> Path:
    aside, count = path.with_suffix(DAMAGED), 1
    while any(sibling_path(aside, ending).exists() for ending in (*BESIDE, "")):
        count += 1
        aside = path.with_name(f"{path.stem}_{count}{DAMAGED}")
    for ending in _KEPT:
        if sibling_path(path, ending).exists():
            _link_or_copy(sibling_path(path, ending), sibling_path(aside, ending))
    return aside


def _link_or_copy(path: Path, to: Path) -> None:
    try:
        to.hardlink_to(path)
    except OSError:  # A file system without hard links.
        copy_stored(path, to)


def _copy_pages(path: Path, pages: bytes, log: bool, to: Path) -> Path:
    """Write these pages as a copy of an event log, with SQLite's log if wanted and there."""
    to.write_bytes(pages)
    if log and sibling_path(path, LOG).exists():
        copy_stored(sibling_path(path, LOG), sibling_path(to, LOG))
    return to


def _read_rows(copy: Path, schema: Schema) -> list[Row]:
    """Return all rows that can be reached from either end, ordered by number."""
    rows_by_number = dict[int, Row]()
    for backwards in (False, True):
        with suppress(*UNREADABLE), closing(sqlite3.connect(copy)) as base:
            schema.check(base)
            for row in in_order(base.execute(schema.select(backwards))):
                rows_by_number[row[0]] = row
    return [rows_by_number[number] for number in sorted(rows_by_number)]


def in_order(rows: Iterable[Row]) -> Iterator[Row]:
    """Yield the rows up to the first repeated number: pages that link back to one another would never end."""
    numbers = set[object]()
    for row in rows:
        if row[0] in numbers:
            return
        numbers.add(row[0])
        yield row
