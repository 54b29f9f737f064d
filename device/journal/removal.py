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
import re
import sqlite3
import unicodedata
import zlib
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path

from device.files import is_stored, open_own, read_stored, write_whole
from device.journal.event_log import UNREADABLE, EventLog
from device.journal.names import by_age
from device.journal.replay import check_record, record_of, render_record, replay
from device.journal.store import ENDING, PATIENCE_S, SCHEMA, JournalError, mark_removed, read_rows, reading
from device.machine.identity import Identity
from referee.game.errors import RefereeError
from vision.input_files import file_mode
from web.language import english

NOBODY = "N.N."
"""The text in place of a removed name."""
SHORTEST_NAME, LONGEST_NAME = 2, 200
TEXTS = (".sgf", ".jsonl", ".json", ".csv", ".xml", ".txt", ".html", ".md", ".toml", ".log", ".log.1", ".log.2")
"""Endings of files of text."""
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
            raise BadName(f"A name has {SHORTEST_NAME} to {LONGEST_NAME} letters; write it as the records have it.")
        forms = {unicodedata.normalize(form, plain) for form in ("NFC", "NFD")}
        escaped = {json.dumps(form)[1:-1] for form in forms} | {html.escape(form) for form in forms}
        escaped |= {_ESCAPED_SGF.sub(r"\\\1", form) for form in forms}
        longest_first = sorted(forms | escaped, key=len, reverse=True)
        self._pattern = re.compile("|".join(rf"(?<!\w){re.escape(one)}(?!\w)" for one in longest_first), re.IGNORECASE)

    def remove_from(self, text: str) -> str:
        """Return the text without the name."""
        return self._pattern.sub(NOBODY, text)

    def remove_from_bytes(self, data: bytes) -> bytes:
        """Return UTF-8 without the name; other bytes stay."""
        return self.remove_from(data.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")


@dataclass
class Removed:
    """The outcome. changed: files that had the name; left: sentences about those that could not be rewritten."""

    changed: list[Path] = field(default_factory=list)
    left: list[str] = field(default_factory=list)


def remove_name(name: Name, folder: Path, identity: Identity) -> Removed:
    """Remove the name from all files of a folder and those in it. identity: of the box that signs its journals."""
    removed = Removed()
    for path in _files(folder):
        try:
            if _remove_from_file(name, path, identity):
                removed.changed.append(path)
        except (RefereeError, *UNREADABLE, OSError) as error:
            why = english(error) if isinstance(error, RefereeError) else f"{path}: {error}."
            removed.left.append(why)
    return removed


def _files(folder: Path) -> Iterator[Path]:
    """Yield the files that may hold names, the records of journals left out, because those are made again."""
    for path in sorted(folder.rglob("*")):
        if is_stored(path) and not (path.suffix in (".sgf", ".jsonl") and is_stored(path.with_suffix(ENDING))):
            yield path


def _remove_from_file(name: Name, path: Path, identity: Identity) -> bool:
    """Remove the name from a file; return True if it was there."""
    with path.open("rb") as file:
        is_base = file.read(len(_SQLITE)) == _SQLITE
    if is_base:
        return _remove_from_match(name, path, identity) if _is_match(path) else _remove_from_base(name, path)
    if not path.name.endswith(TEXTS):
        return False
    data = read_stored(path, LARGEST)
    without = name.remove_from_bytes(data)
    if without == data:
        return False
    if ".log" in path.suffixes:
        _overwrite(path, without)
    else:
        write_whole(path, without, mode=file_mode(path) & 0o777)
    return True


def _overwrite(path: Path, data: bytes) -> None:
    """Write a log in place, because a program may be appending to it."""
    with open_own(path) as file:
        written = 0
        while written < len(data):
            written += file.write(data[written:])
        file.truncate()


def _is_match(path: Path) -> bool:
    with suppress(*UNREADABLE), reading(path) as base:
        return bool(base.execute("SELECT 1 FROM sqlite_master WHERE name = 'head'").fetchone())
    return False


def _remove_from_match(name: Name, path: Path, identity: Identity) -> bool:
    """Remove the name from a match's journal and its record. Raises JournalError."""
    with reading(path) as base:
        rows = [row for row in read_rows(base) if name.remove_from(row[4]) != row[4]]
    beside_it = record_of(path)
    is_in_record = beside_it is not None and name.remove_from_bytes(data := read_stored(beside_it, LARGEST)) != data
    if not rows and not is_in_record:
        return False
    replayed = replay(path)
    if replayed.match.record.result is None and by_age(path.parent.glob(f"[0-9]*{ENDING}"))[-1:] == [path]:
        raise JournalError(f"{path}: this game is not over; remove the name again afterwards.")
    if replayed.head is None or replayed.head.key != identity.public:
        raise JournalError(f"{path}: another box has signed it, or none; remove the name at that box, or delete it.")
    check_record(path)
    marked = [(mark_removed(row, name.remove_from(row[4]), identity), row[0]) for row in rows]
    with closing(EventLog(path, SCHEMA, PATIENCE_S)) as log:
        log.erase([("UPDATE entries SET body = ? WHERE number = ?", marked)])
    if beside_it is not None:
        write_whole(beside_it, render_record(path))
    return True


def _remove_from_base(name: Name, path: Path) -> bool:
    """Remove the name from every text of an SQLite file, also of compressed ones."""
    with closing(sqlite3.connect(path, PATIENCE_S, isolation_level=None)) as base:
        base.execute("PRAGMA secure_delete=ON")
        base.execute("BEGIN IMMEDIATE")
        tables = [table for (table,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        before = base.total_changes
        for table in tables:
            _remove_from_table(name, base, table)
        is_changed = base.total_changes > before
        base.execute("COMMIT")
        if is_changed:
            base.execute("VACUUM")
            base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return is_changed


def _remove_from_table(name: Name, base: sqlite3.Connection, table: str) -> None:
    columns = [row[1] for row in base.execute(f'PRAGMA table_info("{table}")')]
    for column in columns:
        changed = [
            (without, row)
            for row, value in base.execute(f'SELECT rowid, "{column}" FROM "{table}"')
            if (without := _without(name, value)) != value
        ]
        base.executemany(f'UPDATE "{table}" SET "{column}" = ? WHERE rowid = ?', changed)


def _without(name: Name, value: object) -> object:
    if isinstance(value, str):
        return name.remove_from(value)
    if isinstance(value, bytes):
        with suppress(zlib.error):
            plain = zlib.decompressobj().decompress(value, LARGEST)
            without = name.remove_from_bytes(plain)
            return zlib.compress(without) if without != plain else value
    return value
