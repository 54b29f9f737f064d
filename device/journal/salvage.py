"""Salvage of a damaged journal: its sound beginning goes on under its name, the original is set aside.

A process killed at any step leaves the sound part to be found: the next start goes on with it. The loss stays in the
journal, as an entry that every replay reports.
"""

from __future__ import annotations

from contextlib import closing, suppress
from functools import partial
from itertools import takewhile
from pathlib import Path

from device.journal.event_log import HEAD, UNWRITABLE, reason_of, sibling_path
from device.journal.head import read_newest_head
from device.journal.repair import finish_repair, read_damaged, repair_file, set_aside
from device.journal.store import (
    SCHEMA,
    START,
    Entry,
    Journal,
    JournalContents,
    JournalError,
    Kind,
    Row,
    last_alive,
    read_contents,
    start_of,
    verify_entries,
)
from device.machine.identity import Identity
from referee.codec import message_to_json
from referee.game.messages import Message


def salvage_journal(path: Path, why: Message, identity: Identity | None = None) -> JournalContents | None:
    """Replace a damaged journal by its sound beginning, with `why` as its last entry, and set the original aside.

    Returns None if no entry is sound; then all of it is set aside. Raises JournalError if that fails.
    """
    try:
        if not finish_repair(path):
            contents = _read_sound(path)
            if not contents.entries:
                set_aside(path)
                return None
            repair_file(path, partial(_write_salvaged, contents, last_alive(path), why, identity))
    except UNWRITABLE as error:
        raise JournalError(f"{path}: it is damaged and cannot be set aside ({reason_of(error)}).") from error
    return read_contents(path)


def sound_entries(path: Path) -> list[Entry]:
    """Return all entries of a journal, or its sound beginning if it is damaged; nothing is changed. Raises OSError."""
    try:
        return read_contents(path).entries
    except JournalError:
        return _read_sound(path).entries


def _write_salvaged(
    contents: JournalContents, alive: float | None, why: Message, identity: Identity | None, draft: Path
) -> None:
    last = contents.entries[-1]
    with closing(Journal(draft, identity, contents.start)) as journal:
        journal.write([*contents.entries, Entry(Kind.LOST, last.t, {"message": message_to_json(why)}, last.wall)])
        if alive is not None:
            journal.write_heartbeat(alive)


def _read_sound(path: Path) -> JournalContents:
    """Return the longest sound beginning that can be read."""
    best = max((_read_beginning(path, rows) for rows in read_damaged(path, SCHEMA)), key=lambda one: len(one.entries))
    head = read_newest_head(sibling_path(path, HEAD))
    return best if head is None else JournalContents(best.entries, head, best.start)


def _read_beginning(path: Path, rows: list[Row]) -> JournalContents:
    rows = [row for _, row in takewhile(lambda one: one[0] == one[1][0], enumerate(rows, 1))]
    start, entries = start_of(rows) if rows else START, list[Entry]()
    with suppress(JournalError):
        for entry in verify_entries(path, rows, start):
            entries.append(entry)
    return JournalContents(entries, None, start)
