"""The entries of a match in SQLite, append-only and hash-chained, as device/journal/__init__.py promises.

A journal has to answer one question long after the match: is this what happened? Its file lies on a card that anybody
can copy, edit or cut off, and its box may lose power at any moment. Three means work together:

- The chain. The hash of an entry covers the one before it (`_hash_entry`), so that an entry that is changed, removed or
  inserted breaks the chain at its place. A chain says nothing about its own end: if entries are cut off, the rest is
  whole.
- The head therefore says how many entries there are, and the last one's hash. It is written in the journal in the same
  transaction as the entries, and again in a file beside it (`head.py`): the one inside cannot show that the whole file
  was put back to an earlier state, and the one beside may miss the newest write, since power can be lost between the
  two. So either may be missing or behind, not both, and neither may promise more than the entries bear out
  (`_compare_heads`).
- The head's signature is the box's. Somebody who edits a journal can compute the chain and both heads again, but cannot
  sign them. A box without a key signs nothing; then damage is found, and forgery is not.

These rules hold:

- `write` appends all entries that it is given or none, and they are on disk when it returns, because lamps and page
  show only what is in the journal. `settle` does later what can wait: it moves SQLite's log into the file and pushes
  the head beside it to the disk.
- An entry is hashed as it is written, text and all: the reader hashes the text that it finds. So a later version may
  write its bodies in another form, and still reads old journals.
- Reading changes nothing, not even in the folder. A wrong number ends the reading of rows, because damaged pages can
  link back to one another without end.
- A heartbeat is no entry; a clock that runs for hours would fill the journal with them. It lies beside the journal, in
  the head's file, and the newest may be lost.

A person's name can be removed after a match (device/journal/removal.py), which an append-only chain does not provide
for. The body loses the name, the row keeps the hash of the old text, and a mark in the body carries the box's signature
of the new one. The reader takes that hash as given if the signature is genuine (`_without_mark`), and the box is the
one that signed the heads (`_compare_removals`). So the chain holds, but for such an entry the box vouches instead of
the hash.

What is implicit. `read_contents` reads the head beside the journal first: a match may be running, and a head that is
read after the entries could promise more than they were. Journals of versions 0.1 and 0.2 begin with another hash
(`BEFORE_HEADS`) and need no head; `start_of` tells them by their first entry. A file without tables is no error: power
was lost before the first entry.

What is ugly: the signature of a removed name covers the body as this version encodes it (`_removal_bytes`), so that the
form of bodies is free everywhere but there. `_unsettled` is three things in one: None if nothing has to be moved, the
time of the oldest write that has, or of the last attempt that a reader prevented, and minus infinity before the first
`settle`, which moves what an earlier run left.
`Journal.entries` is a number and `JournalContents.entries` a list.
"""

from __future__ import annotations

import hashlib
import json
import math
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from device.file_errors import reason_for
from device.files import sync_folder
from device.journal.event_log import (
    HEAD,
    UNREADABLE,
    UNWRITABLE,
    EventLog,
    Schema,
    is_begun,
    reason_of,
    sibling_path,
)
from device.journal.event_log import open_for_reading as reading_log
from device.journal.head import Head, HeadFile, parse_head, read_last_heartbeat, read_newest_head
from device.machine.identity import Identity, is_signed, short_form
from referee.game.errors import RefereeError
from referee.game.messages import message
from vision.input_files import file_mode, open_regular

ENDING = ".journal"
PATIENCE_S = 0.25
"""Seconds to wait for another process that is reading the journal."""
SETTLED_AFTER, SETTLED_AT_LATEST = 1.0, 5.0
"""Seconds without a write before all writes are checkpointed from SQLite's log, together; and the most for any."""
_TABLES = """
CREATE TABLE IF NOT EXISTS entries (
    number INTEGER PRIMARY KEY, t REAL NOT NULL, wall TEXT NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL,
    hash TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS head (only INTEGER PRIMARY KEY CHECK (only = 1), line TEXT NOT NULL);
"""
_OLDER = "CREATE TABLE alive (only INTEGER PRIMARY KEY CHECK (only = 1), t REAL NOT NULL);"
"""The table of version 0.2 for the heartbeat."""
SCHEMA = Schema(_TABLES, "entries", "number, t, wall, kind, body, hash", _OLDER)
_PUT_HEAD = "INSERT OR REPLACE INTO head VALUES (1, ?)"
BEFORE_HEADS = hashlib.sha256(b"shinpan journal 1").hexdigest()
REMOVED = "removed"
"""The key in the body of an entry from which a name was removed (device/journal/removal.py)."""
START = hashlib.sha256(b"shinpan journal 2").hexdigest()
"""The hash before the first entry; the journals of versions 0.1 and 0.2 have another, and no heads."""
Row = tuple[int, float, str, str, str, str]


class JournalError(RefereeError):
    """A journal that cannot be opened, written or trusted; one sentence says why and what to do."""


class Kind(StrEnum):
    """The kind of an entry: the match's terms, the positions of board and lids, an observation, a press, a word
    about the count or the end, a step about time, a ruling, another answer, a restart, a loss of the entries after
    it."""

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
    """One entry.

    kind: what it records
    t: seconds on the box's clock
    body: a JSON object
    wall: the time of day, a label only
    removed_by: the key of the box that has removed a name from the body; empty if none was
    """

    kind: Kind
    t: float
    body: dict[str, object]
    wall: str = ""
    removed_by: str = ""


@dataclass(frozen=True)
class JournalContents:
    """The contents of a journal.

    entries: all of them
    head: None if an old version wrote it without one
    start: the hash before the first entry
    """

    entries: list[Entry]
    head: Head | None
    start: str


class Journal:
    """One match's journal file, used by one thread at a time.

    path: the file
    identity: the key that signs the head, None for no signature
    start: the hash before the first entry of a new journal
    head: the current head
    """

    def __init__(self, path: Path, identity: Identity | None = None, start: str = START) -> None:
        self.path, self._identity = path, identity
        try:
            self._log = EventLog(path, SCHEMA, PATIENCE_S)
            last = self._log.read_last_row()
            self._beside = HeadFile(sibling_path(path, HEAD))
            sync_folder(path.parent)
        except UNWRITABLE as error:
            reason = reason_of(error)
            raise JournalError(message("journal.cannot-open", journal=str(path), error=reason)) from error
        self.head = Head(last[0], last[-1]) if last else Head(0, start)
        self._unsettled: float | None = -math.inf
        self._newest = -math.inf

    @property
    def entries(self) -> int:
        """Return the number of entries."""
        return self.head.entries

    def write(self, entries: Iterable[Entry]) -> None:
        """Append all of them or none; they are on disk when this returns. Raises JournalError."""
        number, chain, rows = self.head.entries, self.head.hash, list[Row]()
        for entry in entries:
            number += 1
            body = _body_text(entry.body)
            chain = _hash_entry(chain, number, entry, body)
            rows.append((number, entry.t, entry.wall, entry.kind.value, body, chain))
        head = Head(number, chain).signed_by(self._identity)
        try:
            self._log.append_rows(rows, (_PUT_HEAD, [(head.line,)]))
        except UNWRITABLE as error:
            raise self._cannot_write(error) from error
        self.head = head
        if self._unsettled is None:
            self._unsettled = rows[0][1]
        self._newest = rows[-1][1]
        with suppress(OSError):  # `settle` tries again, and reports a failure.
            self._beside.write(head)

    def checkpoint_if_idle(self, t: float = math.inf) -> None:
        """Checkpoint SQLite's log into the file, once the newest write is a second old, and push the head.

        The entries are safe without it, so it runs after the lamps are lit; and the head is in the file too, so nobody
        waits for the one beside it. Raises JournalError.
        """
        if self._unsettled is None:
            return
        if t - self._newest < SETTLED_AFTER and t - self._unsettled < SETTLED_AT_LATEST:
            return
        try:
            is_done = self._log.checkpoint()
            self._beside.write(self.head)
            self._beside.start_sync()
        except UNWRITABLE as error:
            raise self._cannot_write(error) from error
        self._unsettled = None if is_done else t

    def write_heartbeat(self, t: float) -> None:
        """Write a heartbeat for time t, outside the chain: after a power cut the clocks show what they did then."""
        try:
            self._beside.write_heartbeat(t)
        except OSError as error:
            raise self._cannot_write(error) from error

    def close(self) -> None:
        """Close the file; a journal that was not closed is still valid."""
        with suppress(JournalError):
            self.checkpoint_if_idle()
        self._log.close()
        self._beside.close()

    def _cannot_write(self, error: Exception) -> JournalError:
        return JournalError(message("journal.cannot-write", journal=str(self.path), error=reason_for(error)))


def read_journal(path: Path) -> list[Entry]:
    """Return all entries of a journal, as checked by `read_contents`."""
    return read_contents(path).entries


def read_contents(path: Path) -> JournalContents:
    """Read a journal, verifying its hash chain, its head and its signature; nothing in its folder is changed.

    There are no entries if power was lost before the first. Raises JournalError naming the first invalid entry, or how
    many are missing at the end.
    """
    outer_head = read_newest_head(sibling_path(path, HEAD))  # Read first, because the journal may be growing.
    try:
        open_regular(path, links=False).close()
    except (OSError, ValueError) as error:
        if outer_head is not None and not file_mode(path):
            raise JournalError(message("journal.gone", journal=str(path), entries=outer_head.entries)) from error
        raise JournalError(
            message("journal.not-one", journal=str(path), error=reason_for(error), ending=ENDING)
        ) from error
    try:
        with open_for_reading(path) as base:
            rows = list(read_rows(base)) if is_begun(base) else []
            inner_head = _read_inner_head(base)
    except UNREADABLE as error:
        raise JournalError(
            message("journal.not-one", journal=str(path), error=reason_for(error), ending=ENDING)
        ) from error
    start = start_of(rows)
    entries = list(verify_entries(path, rows, start))
    heads = [head for head in (inner_head, outer_head) if head is not None]
    _compare_heads(path, [row[5] for row in rows], heads, start)
    _compare_removals(path, entries, heads)
    return JournalContents(entries, max(heads, key=lambda head: head.entries, default=None), start)


def find_seal(path: Path, seal: str) -> int | None:
    """Return the number of the entry at which the journal had this seal, None if there is none. Check the journal
    with `read_contents` before."""
    with open_for_reading(path) as base:
        rows = base.execute("SELECT number, hash FROM entries ORDER BY number").fetchall()
    return next((int(number) for number, row_hash in rows if short_form(row_hash) == seal), None)


def last_alive(path: Path) -> float | None:
    """Return the time of the last heartbeat, None if there was none."""
    heartbeat = read_last_heartbeat(sibling_path(path, HEAD))
    if heartbeat is not None:
        return heartbeat
    with suppress(*UNREADABLE), open_for_reading(path) as base:
        row = base.execute("SELECT t FROM alive").fetchone()
        return float(row[0]) if row else None
    return None


def open_for_reading(path: Path) -> AbstractContextManager[sqlite3.Connection]:
    """Open the journal's database read-only, as `event_log.open_for_reading` does."""
    return reading_log(path, SCHEMA)


def read_rows(base: sqlite3.Connection) -> Iterator[Row]:
    """Yield the rows of all entries, up to the first wrong number: pages that link back to one another would never
    end."""
    for count, row in enumerate(base.execute(SCHEMA.select()), 1):
        yield row
        if row[0] != count:
            return


def _read_inner_head(base: sqlite3.Connection) -> Head | None:
    try:
        row = base.execute("SELECT line FROM head").fetchone()
    except UNREADABLE:
        return None
    return parse_head(row[0]) if row and isinstance(row[0], str | bytes) else None


def start_of(rows: list[Row]) -> str:
    """Return the hash before the first entry."""
    with suppress(ValueError, TypeError):
        number, t, wall, kind, body, row_hash = rows[0] if rows else (0, 0.0, "", "", "", "")
        if _hash_entry(BEFORE_HEADS, number, Entry(Kind(kind), t, {}, wall), body) == row_hash:
            return BEFORE_HEADS
    return START


def verify_entries(path: Path, rows: list[Row], start: str) -> Iterator[Entry]:
    """Yield the entries in order; raises JournalError at the first invalid one."""
    chain = start
    for count, row in enumerate(rows, 1):
        number, t, wall, kind, body, row_hash = row
        try:
            entry = _without_mark(row, Entry(Kind(kind), t, json.loads(body), wall))
            chain = row_hash if entry.removed_by else _hash_entry(chain, number, entry, body)
        except (ValueError, TypeError) as error:
            raise JournalError(
                message("journal.damaged", journal=str(path), entry=count, error=type(error).__name__)
            ) from error
        if number != count or chain != row_hash:
            raise JournalError(message("journal.changed", journal=str(path), entry=count))
        yield entry


def _compare_removals(path: Path, entries: list[Entry], heads: list[Head]) -> None:
    """Raise JournalError if anybody but the box that signed the heads has removed names."""
    keys = {head.key for head in heads}
    for number, entry in enumerate(entries, 1):
        if entry.removed_by and keys != {entry.removed_by}:
            raise JournalError(message("journal.changed", journal=str(path), entry=number))


def mark_removed(row: Row, body: str, identity: Identity) -> str:
    """Return the body of an entry that lost a name, with the box's signature; its row keeps its hash."""
    content = json.loads(body)
    content.pop(REMOVED, None)
    signature = identity.sign(_removal_bytes(row, content))
    return _body_text({**content, REMOVED: {"key": identity.public, "signature": signature}})


def _without_mark(row: Row, entry: Entry) -> Entry:
    """Return the entry without its mark of a removed name; raise ValueError if the mark's box has not signed it."""
    mark = entry.body.get(REMOVED)
    if mark is None:
        return entry
    content = {key: value for key, value in entry.body.items() if key != REMOVED}
    if not isinstance(mark, dict) or mark.keys() != {"key", "signature"}:
        raise ValueError("the mark of a removed name cannot be read")
    key, signature = str(mark["key"]), str(mark["signature"])
    if not is_signed(_removal_bytes(row, content), signature, key):
        raise ValueError("a name was removed, but not by the box")
    return replace(entry, body=content, removed_by=key)


def _removal_bytes(row: Row, body: dict[str, object]) -> bytes:
    number, t, wall, kind, _, row_hash = row
    text = json.dumps([number, float(t), wall, kind, _body_text(body), row_hash])
    return b"shinpan removed " + hashlib.sha256(text.encode()).digest()


def _body_text(body: dict[str, object]) -> str:
    return json.dumps(body, separators=(",", ":"), sort_keys=True)


def _compare_heads(path: Path, hashes: list[str], heads: list[Head], start: str) -> None:
    """Compare the heads with the entries; raise JournalError. One of the two heads may be missing or a write behind,
    not both."""
    for head in heads:
        if head.entries > len(hashes):
            missing = head.entries - len(hashes)
            raise JournalError(message("journal.lost", journal=str(path), entries=len(hashes), n=missing))
        if head.entries and hashes[head.entries - 1] != head.hash:
            raise JournalError(message("journal.changed", journal=str(path), entry=head.entries))
        if not head.is_genuine:
            raise JournalError(message("journal.forged", journal=str(path)))
    covered = max((head.entries for head in heads), default=0 if start == START else len(hashes))
    if covered < len(hashes):
        raise JournalError(message("journal.no-head", journal=str(path), entry=covered + 1))


def _hash_entry(chain: str, number: int, entry: Entry, body: str) -> str:
    text = json.dumps([chain, number, float(entry.t), entry.wall, entry.kind.value, body])
    return hashlib.sha256(text.encode()).hexdigest()
