"""Salvage of a damaged journal: its sound beginning goes on under its name, the original is set aside.

A process killed at any step leaves the sound part to be found: the next start goes on with it. The loss stays in the
journal, as an entry that every replay reports.
"""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

from device.files import copy_stored, read_stored, sync_folder
from device.journal.head import kept_head
from device.journal.store import (
    BESIDE,
    ENDING,
    HEAD,
    INDEX,
    LOG,
    START,
    UNREADABLE,
    Entry,
    Journal,
    JournalContents,
    JournalError,
    Kind,
    Row,
    beside,
    check_tables,
    last_alive,
    read_contents,
    read_rows,
    start_of,
    verify_entries,
)
from device.machine.identity import Identity
from referee.codec import message_to_json
from referee.game.messages import Message

DAMAGED = ".damaged"
KEPT = (LOG, HEAD, "")
"""The files set aside; the index can be rebuilt."""
SCRATCH = "shinpan-salvage-"
PAGE = 4096
SIZE_VALID_FOR = 92
"""Offset of the `version-valid-for` number, which says whether the size in the header is right (SQLite's file
format, 1.3)."""


def salvage(path: Path, why: Message, identity: Identity | None = None) -> JournalContents | None:
    """Replace a damaged journal by its sound beginning, with `why` as its last entry, and set the original aside.

    Returns None if no entry is sound; then all of it is set aside. Raises JournalError if that fails.
    """
    try:
        sound = _sound(path)
        if not sound.entries:
            set_aside(path)
            return None
        draft = path.with_name(f".{path.name}")
        if not _is_whole(draft, len(sound.entries)):
            _write_draft(draft, sound, last_alive(path), why, identity)
        _put_in_place(draft, path)
    except OSError as error:
        raise JournalError(f"{path}: it is damaged and cannot be set aside ({error.strerror or error}).") from error
    return read_contents(path)


def sound_entries(path: Path) -> list[Entry]:
    """Return all entries of a journal, or its sound beginning if it is damaged; nothing is changed. Raises OSError."""
    try:
        return read_contents(path).entries
    except JournalError:
        return _sound(path).entries


def set_aside(path: Path) -> Path:
    """Rename the journal so that nobody opens it; return the new path."""
    aside = _copy_aside(path)
    remove(path)
    sync_folder(path.parent)
    return aside


def remove(path: Path) -> None:
    """Delete a journal."""
    for part in (path, *(beside(path, ending) for ending in BESIDE)):
        part.unlink(missing_ok=True)


def _is_whole(draft: Path, entries: int) -> bool:
    """Return True if the draft is complete: left by a process that was killed before it was moved into place."""
    try:
        return len(read_contents(draft).entries) > entries
    except JournalError:
        return False


def _write_draft(
    draft: Path, sound: JournalContents, alive: float | None, why: Message, identity: Identity | None
) -> None:
    remove(draft)
    last = sound.entries[-1]
    with closing(Journal(draft, identity, sound.start)) as journal:
        journal.write([*sound.entries, Entry(Kind.LOST, last.t, {"message": message_to_json(why)}, last.wall)])
        if alive is not None:
            journal.alive(alive)


def _put_in_place(draft: Path, path: Path) -> None:
    """Move the draft into place; at every moment there is the draft, or a sound journal at the path."""
    _copy_aside(path)
    for part in (LOG, INDEX):
        beside(path, part).unlink(missing_ok=True)
    if beside(draft, HEAD).exists():
        beside(draft, HEAD).replace(beside(path, HEAD))
    draft.replace(path)
    sync_folder(path.parent)


def _copy_aside(path: Path) -> Path:
    aside, count = path.with_suffix(DAMAGED), 1
    while any(beside(aside, ending).exists() for ending in KEPT):
        count += 1
        aside = path.with_name(f"{path.stem}_{count}{DAMAGED}")
    for ending in KEPT:
        if beside(path, ending).exists():
            _linked_entries(beside(path, ending), beside(aside, ending))
    return aside


def _linked_entries(path: Path, to: Path) -> None:
    try:
        to.hardlink_to(path)
    except OSError:  # A file system without hard links.
        copy_stored(path, to)


def _sound(path: Path) -> JournalContents:
    """Return the longest readable sound beginning, with the log or without, with the first page or a new one."""
    with tempfile.TemporaryDirectory(prefix=SCRATCH) as scratch:
        found = [_beginning(path, copy) for copy in _readings(path, Path(scratch))]
    head = kept_head(beside(path, HEAD))
    best = max(found, key=lambda one: len(one.entries))
    return best if head is None else JournalContents(best.entries, head, best.start)


def _readings(path: Path, scratch: Path) -> Iterator[Path]:
    """Yield copies that SQLite may read differently."""
    fresh = scratch / f"fresh{ENDING}"
    Journal(fresh).close()
    return readings(path, fresh, scratch)


def readings(path: Path, fresh: Path, scratch: Path) -> Iterator[Path]:
    """Yield copies that SQLite may read differently: with the log or without, with the first page or that of a fresh
    journal."""
    data, first = read_stored(path) if path.exists() else b"", bytearray(fresh.read_bytes()[:PAGE])
    first[SIZE_VALID_FOR : SIZE_VALID_FOR + 4] = b"\xff" * 4  # Makes SQLite use the size of the file.
    for name, pages in (("as it is", data), ("first page anew", bytes(first) + data[PAGE:])):
        for log in (True, False):
            yield copy_journal(path, pages, log, scratch / f"{name} {log}{ENDING}")


def copy_journal(path: Path, pages: bytes, log: bool, to: Path) -> Path:
    """Write these pages as a copy of a journal, with its log if wanted and there."""
    to.write_bytes(pages)
    if log and beside(path, LOG).exists():
        copy_stored(beside(path, LOG), beside(to, LOG))
    return to


def _beginning(path: Path, copy: Path) -> JournalContents:
    rows, entries = list[Row](), list[Entry]()
    with suppress(*UNREADABLE), closing(sqlite3.connect(copy)) as base:
        check_tables(base)
        for row in read_rows(base):
            rows.append(row)
    start = start_of(rows) if rows else START
    with suppress(JournalError):
        for entry in verify_entries(path, rows, start):
            entries.append(entry)
    return JournalContents(entries, None, start)
