"""The hall's journal: calls and who answered them, incidents, results and what became of them; append-only, in
SQLite."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path
from threading import RLock
from typing import Annotated, Any, NotRequired, TypedDict

import msgspec
from msgspec import Meta

from device.hall.sentences import hall_sentence, sentence_body
from device.journal.event_log import UNWRITABLE, EventLog, Row, Schema, reason_of
from device.journal.repair import DAMAGED, finish_repair, is_sound, read_damaged, repair_file
from referee.game.errors import RefereeError
from referee.game.messages import message
from web.hall.sentences import TableUsage

FILE = "hall.journal"
_TABLES = """
CREATE TABLE IF NOT EXISTS entries (
    number INTEGER PRIMARY KEY, at REAL NOT NULL, kind TEXT NOT NULL, place TEXT NOT NULL, once TEXT UNIQUE,
    body TEXT NOT NULL);
"""
_SCHEMA = Schema(_TABLES, "entries", "number, at, kind, place, once, body")
_TRY = "PRAGMA user_version = 0"
"""Writes a page though nothing changes: it fails while there is no room."""
log = logging.getLogger("shinpan")


class EventLogError(RefereeError):
    """A hall's journal that cannot be opened, read or written; one sentence says why and what to do."""


def unusable_error(path: Path, error: Exception) -> EventLogError:
    """Return the error for a journal that cannot be opened, read or written."""
    do = "see that the disk is there and has room, or name another `folder` in the list of tables"
    return EventLogError(f"{path}: the hall's journal cannot be used ({reason_of(error)}); {do}.")


class Note(StrEnum):
    """The kind of an entry.

    CALLED, COMES, ANSWERED: a table called, somebody said that they come, the call ended.
    MET: a box was heard for the first time.
    INCIDENT: a ruling that a director wants to know of.
    RESULT: a result is final.
    ALARM: another box answered, or one whose identity cannot be verified.
    HANDED, SENT, TAKEN, REFUSED, WITHDRAWN: a match was assigned to a table; its box is asked to set it up; has done
        so; has refused; the director took it back.
    ENTERED: the pairing program has been read with a result.
    LOST: entries before this one were lost.
    """

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
    LOST = "lost"


class _Named(TypedDict):
    event: str
    round: str
    table: str
    black: str
    white: str


class _Comes(TypedDict):
    by: str


class _Met(TypedDict):
    box: str
    before: list[str]


class _Incident(TypedDict):
    game: str
    turn: int
    text: str
    message: NotRequired[str]
    usage: NotRequired[TableUsage]


class _Result(TypedDict):
    box: NotRequired[str]
    game: str
    result: str | dict[str, int]
    players: list[str]
    round: str
    table: str
    rows: NotRequired[list[str]]
    last_move: NotRequired[str | None]
    rules: NotRequired[str]
    turn: NotRequired[int]


class _Handed(TypedDict):
    act: _Named
    box: str
    by: str


class _Sent(TypedDict):
    handed: int
    game: str


class _Over(TypedDict):
    handed: int
    why: NotRequired[str]
    message: NotRequired[str]
    usage: NotRequired[TableUsage]


class _Entered(TypedDict):
    result: int


class _Lost(TypedDict):
    text: str
    message: NotRequired[str]
    usage: NotRequired[TableUsage]


_BODIES: Mapping[Note, Any] = {
    Note.COMES: _Comes,
    Note.MET: _Met,
    Note.INCIDENT: _Incident,
    Note.RESULT: _Result,
    Note.HANDED: _Handed,
    Note.SENT: _Sent,
    Note.TAKEN: _Over,
    Note.REFUSED: _Over,
    Note.WITHDRAWN: _Over,
    Note.ENTERED: _Entered,
    Note.LOST: _Lost,
}
"""The shape of an entry's body, by its kind."""
_Day = Annotated[float, Meta(ge=0, lt=2.5e11)]
"""A Unix time in seconds, up to the last year that can be formatted."""


@dataclass(frozen=True)
class Noted:
    """One entry.

    at: Unix time in seconds
    table: its name in the list of tables
    body: a JSON object
    """

    number: int
    at: float
    kind: Note
    table: str
    body: Mapping[str, Any]


class HallEventLog:
    """The journal in a folder, safe to use from any thread.

    If the file is damaged, all readable entries are kept, followed by one that says so. What the disk refuses of `keep`
    waits in order and is written as soon as there is room.

    wall: returns the Unix time in seconds
    entries: those on disk
    folder: where it is
    trouble: why the newest entry could not be written; empty once all are

    Raises EventLogError.
    """

    def __init__(self, folder: Path, wall: Callable[[], float] = time.time) -> None:
        self._lock, self.folder, self._path, self.trouble = RLock(), folder, folder / FILE, ""
        self._waiting: list[_Draft] = []
        self._batch: list[_Draft] | None = None
        try:
            folder.mkdir(parents=True, exist_ok=True)
            _salvage_entries(self._path, wall())
            self._log = EventLog(self._path, _SCHEMA)
            rows = self._log.read_rows()
            self.entries = [_parse_entry(row) for row in rows]
            self._once: set[str | None] = {row[4] for row in rows if row[4] is not None}
        except (*UNWRITABLE, ValueError) as error:
            raise unusable_error(self._path, error) from error

    @property
    def waiting(self) -> list[Noted]:
        """Return the entries that the disk refused so far, the oldest first."""
        with self._lock:
            return [draft.entry for draft in self._waiting]

    def write(
        self, at: float, kind: Note, table: str, body: Mapping[str, Any], once: str | None = None
    ) -> Noted | None:
        """Append an entry; it is on disk when this returns. Raises EventLogError; then it is not kept at all.

        once: a key that is written only once; if it was written before, None is returned
        """
        with self._lock:
            if once in self._once:
                return None
            draft = self._build_draft(at, kind, table, body, once)
            self._store_drafts([draft])
            return draft.entry

    def write_together(self, at: float, kind: Note, bodies: Mapping[str, Mapping[str, Any]]) -> list[Noted]:
        """Append an entry for each of these tables, all or none, as `write` does."""
        with self._lock:
            first_number = self._build_draft(at, kind, "", {}).entry.number
            entries = [
                Noted(first_number + more, at, kind, table, body) for more, (table, body) in enumerate(bodies.items())
            ]
            self._store_drafts([_Draft(entry) for entry in entries])
            return entries

    def keep(self, at: float, kind: Note, table: str, body: Mapping[str, Any], once: str | None = None) -> Noted | None:
        """Append an entry as `write` does; what the disk refuses waits until there is room."""
        with self._lock:
            if once in self._once:
                return None
            draft = self._build_draft(at, kind, table, body, once)
            self._once |= {once} - {None}
            if self._batch is None:
                self._store_or_queue([draft])
            else:
                self._batch.append(draft)
            return draft.entry

    @contextmanager
    def together(self) -> Iterator[None]:
        """Append what the block keeps in one transaction at its end; nothing else may be written within."""
        with self._lock:
            self._batch = []
            try:
                yield
            finally:
                drafts, self._batch = self._batch, None
                self._store_or_queue(drafts)

    def mend(self) -> bool:
        """Write what waits if there is room; return True if something was written."""
        with self._lock:
            if not self._waiting and not self.trouble:
                return False
            has_waited = bool(self._waiting)
            with suppress(EventLogError):
                self._store_drafts([])
            return has_waited and not self._waiting

    def close(self) -> None:
        """Close the file, once more trying to write what waits; the log says what is lost."""
        self.mend()
        with self._lock:
            self._log.close()
            if self._waiting:
                many = "1 entry" if len(self._waiting) == 1 else f"{len(self._waiting)} entries"
                log.warning("%s could not be written to the hall's journal and is lost: %s", many, self.trouble)

    # Internals; the caller holds the lock.

    def _build_draft(
        self, at: float, kind: Note, table: str, body: Mapping[str, Any], once: str | None = None
    ) -> _Draft:
        last_entries = [draft.entry for draft in (self._batch or self._waiting)[-1:]] or self.entries[-1:]
        return _Draft(Noted(last_entries[-1].number + 1 if last_entries else 1, at, kind, table, body), once)

    def _store_or_queue(self, drafts: list[_Draft]) -> None:
        if drafts:
            try:
                self._store_drafts(drafts)
            except EventLogError:
                self._waiting += drafts

    def _store_drafts(self, drafts: list[_Draft]) -> None:
        """Write what waits and then these, in one transaction. Raises EventLogError; then nothing was written."""
        drafts = [*self._waiting, *drafts]
        try:
            with self._log.open_transaction() as base:
                if self.trouble:
                    base.execute(_TRY)
                base.executemany(_SCHEMA.insert, [draft.row for draft in drafts])
        except UNWRITABLE as error:
            book_error = unusable_error(self._path, error)
            self.trouble = f"{book_error}"
            raise book_error from error
        self._waiting, self.trouble = [], ""
        self._once |= {draft.once for draft in drafts} - {None}
        self.entries += [draft.entry for draft in drafts]


@dataclass(frozen=True)
class _Draft:
    """An entry to be written.

    once: a key that is written only once
    """

    entry: Noted
    once: str | None = None

    @property
    def row(self) -> Row:
        """Return its row of the file."""
        one = self.entry
        return one.number, one.at, one.kind.value, one.table, self.once, json.dumps(one.body)


def _parse_entry(row: Row) -> Noted:
    """Parse a row; raise ValueError if it is not a valid entry."""
    number, at, kind, table, _, body = msgspec.convert(row, tuple[int, _Day, Note, str, str | None, str])
    parsed = json.loads(body)
    msgspec.convert(parsed, _BODIES.get(kind, dict[str, Any]))
    return Noted(number, at, kind, table, parsed)


def _is_sound(row: Row) -> bool:
    try:
        _parse_entry(row)
    except (ValueError, RecursionError):
        return False
    return True


def _salvage_entries(path: Path, at: float) -> None:
    """Salvage the sound entries of a damaged journal, and report it in the log and in an entry."""
    finish_repair(path)
    if is_sound(path, _SCHEMA, lambda base: all(map(_is_sound, base.execute(_SCHEMA.select())))):
        return
    sentence = hall_sentence(message("hall.journal-damaged", file=str(path), ending=DAMAGED))
    sound_rows = max(([*filter(_is_sound, rows)] for rows in read_damaged(path, _SCHEMA)), key=len)
    repair_file(
        path,
        partial(_write_rows, [*sound_rows, (None, at, Note.LOST.value, "", None, json.dumps(sentence_body(sentence)))]),
    )
    log.warning(sentence.text)


def _write_rows(rows: Sequence[Row], path: Path) -> None:
    with closing(EventLog(path, _SCHEMA)) as event_log:
        event_log.append_rows(rows)
