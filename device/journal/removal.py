"""The removal of a person's name from all that a box or a hall has kept, on their request.

A match's journal is a chain of hashes, and its seals are hashes of that chain. So an entry whose text loses a name
keeps the hash of the text that it had: every later hash, the head and every seal stay what they were. What the entry
says now is signed with the box's key instead, together with that hash, and `verify` names such entries. Nobody else
can put a text in their place, and nobody can find the name by its hash alone but by guessing the whole old text.

Other files, the hall's journal among them, have no such chain and are rewritten. Nothing is left in free pages.
"""

from __future__ import annotations

import html
import json
import os
import re
import sqlite3
import unicodedata
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from pathlib import Path
from threading import Lock

from device.file_errors import reason_for
from device.files import is_stored, open_own, read_stored, write_whole
from device.journal.event_log import UNREADABLE, EventLog
from device.journal.names import by_age
from device.journal.replay import check_record, record_of, render_record, replay_journal
from device.journal.store import ENDING, PATIENCE_S, SCHEMA, JournalError, mark_removed, open_for_reading, read_rows
from device.machine.identity import Identity
from device.machine.versions import BACKUPS
from device.settings import Data, expand_home
from referee.game.errors import RefereeError
from referee.game.messages import Message, error_message, message
from vision.input_files import file_mode
from web.backend import NameRemoval
from web.errors import BadAct
from web.formats import FORMATS

NOBODY = "N.N."
"""The text in place of a removed name."""
SHORTEST_NAME, LONGEST_NAME = 2, 200
FIND, REMOVE = "find", "remove"
"""The two acts of a page that removes a name."""
TEXTS = (".sgf", ".jsonl", ".json", ".csv", ".xml", ".txt", ".html", ".md", ".toml", ".log", ".log.1", ".log.2")
"""Endings of files of text."""
RECORDS = tuple(one.ending for one in FORMATS)
LARGEST = 1 << 26
_SQLITE = b"SQLite format 3\0"
_ESCAPED_SGF = re.compile(r"([\]\\:])")


class BadName(RefereeError):
    """A name that cannot be removed; one sentence says why."""


class Name:
    """A name, found in whatever form files have it. Raises BadName."""

    def __init__(self, name: str) -> None:
        plain = " ".join(name.split())
        if not SHORTEST_NAME <= len(plain) <= LONGEST_NAME or not any(letter.isalnum() for letter in plain):
            raise BadName(message("forget.bad-name", shortest=SHORTEST_NAME, longest=LONGEST_NAME))
        forms = {unicodedata.normalize(form, plain) for form in ("NFC", "NFD")}
        escaped = {json.dumps(form)[1:-1] for form in forms} | {html.escape(form) for form in forms}
        escaped |= {_ESCAPED_SGF.sub(r"\\\1", form) for form in forms}
        longest_first = sorted(forms | escaped, key=len, reverse=True)
        self._pattern = re.compile("|".join(rf"(?<!\w){re.escape(one)}(?!\w)" for one in longest_first), re.IGNORECASE)

    def is_in(self, text: str) -> bool:
        """Return True if the text has the name."""
        return self._pattern.search(text) is not None

    def is_in_bytes(self, data: bytes) -> bool:
        """Return True if this UTF-8 has the name."""
        return self.is_in(data.decode("utf-8", "surrogateescape"))

    def remove_from(self, text: str) -> str:
        """Return the text without the name."""
        return self._pattern.sub(NOBODY, text)

    def remove_from_bytes(self, data: bytes) -> bytes:
        """Return UTF-8 without the name; other bytes stay."""
        return self.remove_from(data.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")


class Holding(StrEnum):
    """The kind of a file that holds a name."""

    GAME, BACKUP, EVENING, HALL, GALLERY, OTHER = "game", "backup", "evening", "hall", "gallery", "other"


WATCHED = "watched.sqlite"
"""The file that every folder of a watched evening has."""
HOLDING_OF = {WATCHED: Holding.EVENING, "hall.journal": Holding.HALL, "public.journal": Holding.GALLERY}
"""The kinds of the files that have one name everywhere."""
NOT_REACHED = message("forget.not-reached")
"""The sentence about what no removal reaches."""
MESSAGE_KEYS = tuple(f"forget.{one}" for one in Holding)


@dataclass
class RemovalResult:
    """The outcome. changed: files that had the name; left: sentences about those that could not be rewritten."""

    changed: list[tuple[Path, Holding]] = field(default_factory=list)
    left: list[Message] = field(default_factory=list)


class RemovalProgress:
    """The progress of one removal after another, for a page that looks for a name first; thread-safe."""

    def __init__(self) -> None:
        self._lock, self.state = Lock(), NameRemoval()

    def begin(self, text: str, removes: bool) -> NameRemoval:
        """Note that the name is looked for, or removed. Raises BadAct while another is, or if it was not looked for."""
        with self._lock:
            if self.state.is_busy:
                raise BadAct(message("forget.busy"))
            if removes and (self.state.is_removed or self.state.name != text):
                raise BadAct(message("forget.look-first"))
            self.state = begun_removal = NameRemoval(text, is_busy=True, is_removed=removes)
        return begun_removal

    def finish(self, result: RemovalResult, warnings: Sequence[Message] = ()) -> None:
        """Note what came of it, and no longer the name once it is removed."""
        with self._lock:
            name = "" if self.state.is_removed else self.state.name
            left = (*warnings, *result.left)
            self.state = NameRemoval(name, False, self.state.is_removed, count_holders(result), left)


def count_holders(result: RemovalResult) -> tuple[tuple[str, int], ...]:
    """Return the keys of the kinds of files that have or had the name, and how many of each."""
    counts = Counter(holding for _, holding in result.changed)
    return tuple((f"forget.{holding}", counts[holding]) for holding in Holding if counts[holding])


def folders_with_names(data: Data) -> list[Path]:
    """Return the folders that a box keeps games in: its own, that of its copies, and that of its updates' backups."""
    copies = [expand_home(data.copies)] if data.copies is not None else []
    return [expand_home(data.folder), *copies, *(one for one in (BACKUPS,) if one.is_dir())]


def find_name(
    name: Name, folders: Sequence[Path], identity: Identity | None, playing: Path | None = None
) -> RemovalResult:
    """Return what `remove_name` would change and leave, and change nothing."""
    return _search_folders(name, folders, identity, playing, is_removing=False)


def remove_name(
    name: Name, folders: Sequence[Path], identity: Identity | None, playing: Path | None = None
) -> RemovalResult:
    """Remove the name from all files of these folders and those in them.

    folders: the box's own first; in the others its games are backups.
    identity: of the box that signs its journals; None in a hall's folder, which has no box's.
    playing: the journal that a box is writing, which is left.
    """
    return _search_folders(name, folders, identity, playing, is_removing=True)


def _search_folders(
    name: Name, folders: Sequence[Path], identity: Identity | None, playing: Path | None, is_removing: bool
) -> RemovalResult:
    result = RemovalResult()
    for folder in folders:
        for path in _yield_files(folder, result.left):
            if name.is_in(path.name):
                result.left.append(message("forget.file-name", file=str(path)))
            try:
                removal = _plan_removal(name, path, identity, playing)
                if removal is not None and is_removing:
                    removal()
                if removal is not None:
                    result.changed.append((path, _classify_file(path, folders[0])))
            except RefereeError as error:
                result.left.append(error_message(error))
            except (*UNREADABLE, OSError) as error:
                result.left.append(message("forget.unreadable", file=str(path), why=reason_for(error)))
    return result


def _classify_file(path: Path, own: Path) -> Holding:
    """Return the kind of a file. own: the box's folder."""
    if path.name in HOLDING_OF:
        return HOLDING_OF[path.name]
    if (path.parent / WATCHED).exists():
        return Holding.EVENING
    if path.name[0].isdecimal() and path.suffix in (ENDING, *RECORDS):
        return Holding.GAME if path.parent == own else Holding.BACKUP
    return Holding.OTHER


def _yield_files(folder: Path, left: list[Message]) -> Iterator[Path]:
    """Yield the files that may hold names, the records of journals left out, because those are made again.

    left: gets a sentence about each folder that cannot be read.
    """

    def note_error(error: OSError) -> None:
        key = "forget.absent" if isinstance(error, FileNotFoundError) else "forget.closed"
        left.append(message(key, folder=str(error.filename)))

    for parent, folders, names in os.walk(folder, onerror=note_error):
        folders.sort()
        for path in (Path(parent, name) for name in sorted(names)):
            if is_stored(path) and not (path.suffix in RECORDS and is_stored(path.with_suffix(ENDING))):
                yield path


def _plan_removal(
    name: Name, path: Path, identity: Identity | None, playing: Path | None
) -> Callable[[], object] | None:
    """Return the act that removes the name from a file, None if it is not there. Raises JournalError."""
    with path.open("rb") as file:
        is_base = file.read(len(_SQLITE)) == _SQLITE
    if is_base:
        return _plan_match(name, path, identity, playing) if _is_match(path) else _plan_base(name, path)
    if not path.name.endswith(TEXTS):
        return None
    data = read_stored(path, LARGEST)
    cleaned = name.remove_from_bytes(data)
    if cleaned == data:
        return None
    if ".log" in path.suffixes:
        return partial(_overwrite_log, path, cleaned)
    return partial(write_whole, path, cleaned, mode=file_mode(path) & 0o777)


def _overwrite_log(path: Path, data: bytes) -> None:
    """Write a log in place, because a program may be appending to it."""
    with open_own(path) as file:
        written_count = 0
        while written_count < len(data):
            written_count += file.write(data[written_count:])
        file.truncate()


def _is_match(path: Path) -> bool:
    with suppress(*UNREADABLE), open_for_reading(path) as base:
        return bool(base.execute("SELECT 1 FROM sqlite_master WHERE name = 'head'").fetchone())
    return False


def _plan_match(name: Name, path: Path, identity: Identity | None, playing: Path | None) -> Callable[[], None] | None:
    """Return the act that removes the name from a match's journal and its record. Raises JournalError."""
    with open_for_reading(path) as base:
        rows = [row for row in read_rows(base) if name.is_in(row[4])]
    record_path = record_of(path)
    if not rows and (record_path is None or not name.is_in_bytes(read_stored(record_path, LARGEST))):
        return None
    if path == playing:
        raise JournalError(message("forget.at-table"))
    replayed = replay_journal(path)
    if replayed.table.record.result is None and by_age(path.parent.glob(f"[0-9]*{ENDING}"))[-1:] == [path]:
        raise JournalError(message("forget.not-over", file=str(path)))
    if identity is None or replayed.head is None or replayed.head.key != identity.public:
        raise JournalError(message("forget.foreign", file=str(path)))
    check_record(path)
    marked = [(mark_removed(row, name.remove_from(row[4]), identity), row[0]) for row in rows]
    return partial(_remove_from_match, path, marked, record_path)


def _remove_from_match(path: Path, marked: list[tuple[str, int]], record_path: Path | None) -> None:
    """Write the marked bodies into the entries of these numbers, and the record again."""
    with closing(EventLog(path, SCHEMA, PATIENCE_S)) as log:
        log.erase_texts([("UPDATE entries SET body = ? WHERE number = ?", marked)])
    if record_path is not None:
        write_whole(record_path, render_record(path))


def _plan_base(name: Name, path: Path) -> Callable[[], None] | None:
    """Return the act that removes the name from every text of an SQLite file, None if none has it."""
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", PATIENCE_S, uri=True)) as base:
        is_there = any(rows for _, _, rows in _yield_changes(name, base))
    return partial(_remove_from_base, name, path) if is_there else None


def _remove_from_base(name: Name, path: Path) -> None:
    with closing(sqlite3.connect(path, PATIENCE_S, isolation_level=None)) as base:
        base.execute("PRAGMA secure_delete=ON")
        base.execute("BEGIN IMMEDIATE")
        for table, column, rows in _yield_changes(name, base):
            base.executemany(f'UPDATE "{table}" SET "{column}" = ? WHERE rowid = ?', rows)
        base.execute("COMMIT")
        base.execute("VACUUM")
        base.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _yield_changes(name: Name, base: sqlite3.Connection) -> Iterator[tuple[str, str, list[tuple[object, int]]]]:
    """Yield each table's columns with the values that lose the name, also compressed ones, and their rows."""
    for (table,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
        for column in [row[1] for row in base.execute(f'PRAGMA table_info("{table}")')]:
            values = base.execute(f'SELECT rowid, "{column}" FROM "{table}"')
            yield (
                table,
                column,
                [(new, row) for row, value in values if (new := _remove_from_value(name, value)) != value],
            )


def _remove_from_value(name: Name, value: object) -> object:
    if isinstance(value, str):
        return name.remove_from(value)
    if isinstance(value, bytes):
        with suppress(zlib.error):
            data = zlib.decompressobj().decompress(value, LARGEST)
            cleaned = name.remove_from_bytes(data)
            return zlib.compress(cleaned) if cleaned != data else value
    return value
