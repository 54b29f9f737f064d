"""The folder of matches, a journal and a game record each; replay and verification of a match."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path

from device.files import is_stored, read_stored, unwritable_sentence
from device.journal.entries import Terms, answered_entry, from_entry, new_match, placed_of, ruled_entry, terms_of
from device.journal.event_log import HEAD, delete_log
from device.journal.head import Head
from device.journal.names import age_key, by_age, next_name
from device.journal.repair import set_aside
from device.journal.salvage import salvage_journal
from device.journal.store import (
    ENDING,
    Entry,
    Journal,
    JournalContents,
    JournalError,
    Kind,
    find_seal,
    last_alive,
    read_contents,
)
from device.machine.identity import Identity
from device.match.game_files import INFO, LARGEST_SGF, start_of
from device.match.record_writer import write_record
from referee.codec import read_message
from referee.game.errors import BadRecord, RefereeError
from referee.game.messages import Message, error_message, message
from referee.game.record import GameRecord
from referee.game.ruling import Ruling
from referee.sgf.records import is_whole, without_words
from referee.table.outcome import Outcome
from referee.table.table import Table
from vision.calibration.model import Calibration
from vision.input_files import os_error_text
from web.formats import FORMATS, SGF, format_of
from web.language import to_english

_SEAL = re.compile(rb"SEAL\[([A-Z2-7-]+)\]")


@dataclass(frozen=True)
class ReplayedMatch:
    """A match restored from its journal.

    terms: of the match
    table: its state at the end
    place: the last positions of board and lids
    t: when the box was last alive, in seconds on its clock
    entries: their number
    rulings: all of them
    differs: the first difference between this version's rulings and the journal, None if there is none
    lost: what was lost, until a box has reported it
    gaps: numbers of entries after which others were lost, now or earlier
    head: of the journal
    removed: numbers of entries from which a name was removed
    """

    terms: Terms
    table: Table
    place: Calibration | None
    t: float
    entries: int
    rulings: tuple[Ruling, ...]
    differs: Message | None
    lost: Message | None = None
    gaps: tuple[int, ...] = ()
    head: Head | None = None
    removed: tuple[int, ...] = ()


def replay_journal(path: Path, unwritten: Sequence[Entry] = ()) -> ReplayedMatch:
    """Replay a journal's inputs, then the entries that could not be written yet.

    Raises JournalError if it is damaged or holds no match.
    """
    contents = read_contents(path)
    return _replay_contents(path, replace(contents, entries=[*contents.entries, *unwritten]))


def check_record(path: Path) -> None:
    """Compare the game record beside a journal with the replay of the entries up to the record's seal.

    Raises JournalError if they differ; a missing record, or a journal without a head, is not an error.
    """
    contents, record_path = read_contents(path), record_of(path)
    if contents.head is None or record_path is None:
        return
    data = _read_record(record_path)
    seal = _read_seal(data)
    upto = find_seal(path, seal) if seal else None
    replayed = _replay_contents(path, replace(contents, entries=contents.entries[:upto])) if upto is not None else None
    if replayed is None or not _is_same(data, write_record(replayed.table, seal)):
        raise JournalError(message("journal.other-record", record=str(record_path)))


def render_record(path: Path) -> bytes:
    """Return the game record beside a journal as its entries give it now, up to the record's seal. Raises
    JournalError."""
    contents, record_path = read_contents(path), record_of(path)
    seal = _read_seal(_read_record(record_path)) if record_path is not None else ""
    upto = find_seal(path, seal) if seal else None
    return write_record(_replay_contents(path, replace(contents, entries=contents.entries[:upto])).table, seal)


def older_record(path: Path) -> bytes | None:
    """Return the game record beside a journal of version 0.1 or 0.2, made again if it is not the one of the replay.

    None for a journal with a head, and without a record. Raises JournalError.
    """
    contents, record_path = read_contents(path), record_of(path)
    if contents.head is not None or record_path is None:
        return None
    data, rendered = _read_record(record_path), write_record(_replay_contents(path, contents).table)
    return data if _is_same(data, rendered) else rendered


def _read_record(path: Path) -> bytes:
    try:
        return read_stored(path, LARGEST_SGF)
    except OSError as error:
        raise JournalError(f"{path}: the record cannot be read ({os_error_text(error)}).") from error


def record_of(path: Path) -> Path | None:
    """Return the game record beside a journal, None if there is none."""
    candidates = (path.with_suffix(one.ending) for one in FORMATS)
    return next((record for record in candidates if is_stored(record)), None)


def _read_seal(record: bytes) -> str:
    """Return the seal in a record, empty if it has none."""
    if format_of(record) is SGF:
        match = _SEAL.search(record)
        return match[1].decode() if match is not None else ""
    with suppress(BadRecord):
        return str(start_of(record).get(INFO, {}).get("seal", ""))
    return ""


def _is_same(data: bytes, expected: bytes) -> bool:
    """Return True if a record is the given one, apart from another version's wording."""
    if data == expected or format_of(expected) is not SGF:
        return data == expected
    return is_whole(data) and without_words(data) == without_words(expected)


def _replay_contents(path: Path, contents: JournalContents) -> ReplayedMatch:
    entries = contents.entries
    if not entries or entries[0].kind is not Kind.MATCH:
        raise JournalError(message("journal.no-match", journal=str(path)))
    try:
        removed = tuple(number for number, entry in enumerate(entries, 1) if entry.removed_by)
        return replace(_replay_entries(path, entries), head=contents.head, removed=removed)
    except (KeyError, TypeError, ValueError, AssertionError, RefereeError) as error:
        raise JournalError(message("journal.other-version", journal=str(path), error=to_english(error))) from error


def _replay_entries(path: Path, entries: list[Entry]) -> ReplayedMatch:
    terms = terms_of(entries[0])
    table, place, rulings = new_match(terms, entries[0].wall), None, list[Ruling]()
    expected: list[dict[str, object]] = []
    difference = loss = None
    for number, entry in enumerate(entries, 1):
        if entry.kind is Kind.PLACED:
            place = placed_of(entry)
        elif entry.kind in (Kind.RULED, Kind.ANSWERED):
            same = [_drop_words(body, entry.body) for body in expected[:1]] == [_drop_words(entry.body, entry.body)]
            difference = difference or (None if same else message("journal.otherwise", journal=str(path), entry=number))
            expected = expected[1:]
        elif entry.kind is Kind.LOST:
            loss, expected = read_message(entry.body), []
        elif entry.kind is not Kind.MATCH:
            loss = None if entry.kind is Kind.RESUMED else loss
            difference = difference or _find_unsaid(path, number, expected)
            outcome = table.receive(from_entry(entry, table.record.position.board))
            rulings += outcome.rulings
            expected = [_restore_body(one) for one in said_entries(outcome, table.record)]
    difference = difference or _find_unsaid(path, len(entries), expected)
    last = max([entry.t for entry in entries] + [last_alive(path) or 0.0])
    gaps = tuple(number for number, entry in enumerate(entries) if entry.kind is Kind.LOST)
    return ReplayedMatch(terms, table, place, last, len(entries), tuple(rulings), difference, loss, gaps)


def said_entries(outcome: Outcome, record: GameRecord) -> list[Entry]:
    """Return all rulings and answers as entries."""
    rulings = [ruled_entry(ruling, record) for ruling in outcome.rulings]
    return rulings + [answered_entry(answer) for answer in outcome.replies]


def _find_unsaid(path: Path, number: int, expected: list[dict[str, object]]) -> Message | None:
    return message("journal.silent", journal=str(path), entry=number) if expected else None


def _drop_words(body: dict[str, object], journaled: dict[str, object]) -> dict[str, object]:
    """Return the body without what an older journal does not have: the message (version 0.1 kept a sentence), or the
    author."""
    if "text" not in journaled and ("author" in body) is ("author" in journaled):
        return body
    return {key: body[key] for key in body if key not in ("text", "message", "author")}


def _restore_body(entry: Entry) -> dict[str, object]:
    """Return the body as JSON restores it."""
    body = json.loads(json.dumps(entry.body))
    assert isinstance(body, dict)
    return body


class Folder:
    """The folder of all matches."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise JournalError(unwritable_sentence(path, error, "name another folder for games")) from error

    @cached_property
    def identity(self) -> Identity:
        """Return the key that signs the journals here, created if need be. Raises BadRecord."""
        return Identity(self.path)

    def list_journals(self) -> list[Path]:
        """Return all journals, the oldest first."""
        return by_age(self.path.glob(f"[0-9]*{ENDING}"))

    def create_journal(self, now: datetime) -> Journal:
        """Create a journal that is newer than all others whatever the time of day."""
        try:
            path = self.path / f"{next_name(self.path, now)}{ENDING}"
            return self.open_journal(path)
        except (OSError, BadRecord) as error:
            raise JournalError(
                message("journal.cannot-open", journal=str(self.path), error=to_english(error))
            ) from error
        except JournalError:
            delete_log(path)
            raise

    def open_journal(self, path: Path) -> Journal:
        """Open a journal of this folder for writing."""
        return Journal(path, self.identity)

    def find_newest_match(self) -> tuple[Path, ReplayedMatch] | None:
        """Return the newest match, deleting journals without entries.

        A damaged journal is replaced by its sound part, and the original is set aside. Raises JournalError if no part
        of it is sound.
        """
        path = self._find_newest_journal()
        if path is None:
            return None
        try:
            contents = read_contents(path)
        except JournalError as error:
            salvaged = salvage_journal(path, error_message(error) + message("journal.taken-up"), self.identity)
            if salvaged is None:
                raise
            contents = salvaged
        if not contents.entries:
            delete_log(path)
            return self.find_newest_match()
        try:
            replayed = _replay_contents(path, contents)
        except JournalError:
            set_aside(path)
            raise
        return path, replace(replayed, lost=replayed.lost or _find_clock_warning(path, replayed))

    def _find_newest_journal(self) -> Path | None:
        """Return the newest journal, even if only its head is left."""
        heads = (path.with_name(path.name.removesuffix(HEAD)) for path in self.path.glob(f"[0-9]*{ENDING}{HEAD}"))
        return max([*self.list_journals(), *heads], key=lambda path: age_key(path.stem), default=None)


def _find_clock_warning(path: Path, replayed: ReplayedMatch) -> Message | None:
    """Return the warning that the clock's last seconds are lost; None if there was a heartbeat, or no clock ran."""
    has_heartbeat = replayed.head is None or last_alive(path) is not None
    return (
        None
        if has_heartbeat or not replayed.table.is_clock_running
        else message("journal.clock-behind", journal=str(path))
    )
