"""The games in the box's folder: reading over the page, copies on a stick, and dispute bundles."""

from __future__ import annotations

import json
import logging
import os
import re
import sqlite3
import tempfile
import threading
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from device.files import give_to_owner, sync_folder, unwritable, write_whole
from device.journal.evidence import FAULTS
from device.journal.keyframes import FRAMES, OVERLAY, PICTURE
from device.journal.names import by_age
from device.journal.replay import record_of
from device.journal.salvage import sound_entries
from device.journal.store import ENDING, HEAD, UNREADABLE, Entry, JournalError, Kind, read_journal, reading
from referee.codec import observed_from_json, read_message
from referee.game.board import board_of
from referee.game.diagram import rows_of
from referee.game.errors import RefereeError
from referee.game.likelihoods import BoardLikelihoods
from referee.game.messages import message
from vision.input_files import missing, unreadable
from web.formats import FORMATS, SGF
from web.language import ENGLISH, english


class Archive:
    """The games in a folder; only names returned by `names` lead to a file, whatever else is asked for."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def names(self) -> Sequence[str]:
        """Return all games with a record, the newest first."""
        records = (path for one in FORMATS for path in self._folder.glob(f"[0-9]*{one.ending}"))
        return list(dict.fromkeys(path.stem for path in reversed(by_age(records))))

    def record_path(self, name: str) -> Path | None:
        """Return the file with the record of a game, None if there is no such game."""
        return record_of(self._folder / f"{name}{ENDING}") if name in self.names() else None

    def record(self, name: str) -> bytes | None:
        """Return the record of a game, None if there is no such game."""
        path = self.record_path(name)
        return path.read_bytes() if path is not None else None

    def journal(self, name: str) -> bytes | None:
        """Return a complete copy of a game's journal, even while it is being written; None if there is no such game."""
        path = self._folder / f"{name}{ENDING}"
        if path.name not in {found.name for found in self._folder.glob(f"[0-9]*{ENDING}")}:
            return None
        with reading(path) as written, closing(sqlite3.connect(":memory:")) as copy:
            written.backup(copy)
            return copy.serialize()

    def frames(self, name: str) -> Sequence[str]:
        """Return the names of a game's frames, in journal order; the one with the reading drawn on it, if there is
        one."""
        if name not in self.names():
            return ()
        found = {path.name for path in (self._folder / f"{name}{FRAMES}").glob(f"*{PICTURE}")}
        drawn = {one.replace(OVERLAY, PICTURE) for one in found if one.endswith(OVERLAY)}
        return sorted(found - drawn)

    def frame(self, name: str, picture: str) -> bytes | None:
        """Return one of a game's frames as JPEG, None for any other name."""
        return (self._folder / f"{name}{FRAMES}" / picture).read_bytes() if picture in self.frames(name) else None

    def parts(self, name: str) -> dict[str, bytes]:
        """Return all files of a game except its frames, by suffix, in the order in which to write them.

        Wherever writing is interrupted, no head is newer than its journal.
        """
        head = self._folder / f"{name}{ENDING}{HEAD}"
        before = head.read_bytes() if head.is_file() else None
        record = self.record_path(name)
        ending = record.suffix if record is not None else SGF.ending
        found = {ending: self.record(name), ENDING: self.journal(name), f"{ENDING}{HEAD}": before}
        return {ending: data for ending, data in found.items() if data is not None}


log = logging.getLogger("shinpan")


class CannotCopy(RefereeError):
    """A place from or to which no game can be copied; one sentence says why and what to do."""


@dataclass(frozen=True)
class Copied:
    """The outcome of a copy.

    new: games that were copied
    same: number of games that were there already
    left: sentences about the others
    """

    new: tuple[str, ...] = ()
    same: int = 0
    left: tuple[str, ...] = ()


def back_up(folder: Path, to: Path) -> Copied:
    """Copy all games that are not there yet or have grown since; also while one is being played.

    Damaged games are not copied. A copy is not overwritten if it has more than the game here (which was damaged since),
    or if it is another box's game of the same name, as happens with boxes whose clocks were never set.
    """
    archive, new, same, left = Archive(folder), list[str](), 0, list[str]()
    _check_folder(to)
    for path in by_age(folder.glob(f"[0-9]*{ENDING}")):
        try:
            entries, parts = _sound(archive, path)
            if (reason := _kept_there(to / path.name, entries)) is not None:
                left.append(f"{to / path.name}: {reason}; name another folder.")
                continue
            changed = _put(to, path.stem, parts)
        except JournalError as error:
            left.append(english(error))
            continue
        except OSError as error:
            raise CannotCopy(unwritable(to / path.stem, error)) from error
        new += [path.stem] if changed else []
        same += not changed
    return Copied(tuple(new), same, tuple(left))


def _check_folder(path: Path) -> None:
    reason = missing(path)
    if reason is None and not path.is_dir():
        raise CannotCopy(f"{path}: it is a file, and no folder; name a folder.")
    if reason is not None:
        raise CannotCopy(f"{path}: {reason.replace('file', 'folder')}; is the stick plugged in?")


def _sound(archive: Archive, path: Path) -> tuple[list[Entry], dict[str, bytes]]:
    """Return a game's entries and files; raise JournalError if it is damaged or cannot be read."""
    try:
        return read_journal(path), archive.parts(path.stem)
    except (OSError, *UNREADABLE) as error:
        reason = getattr(error, "strerror", None) or error
        raise JournalError(f"{path}: the game cannot be read ({reason}); check the disk that it is on.") from error


def _kept_there(path: Path, entries: list[Entry]) -> str | None:
    """Return why a copy must not be overwritten; None if its sound entries are a prefix of these, so that nothing is
    lost."""
    there = sound_entries(path) if path.exists() else []
    if there == entries[: len(there)]:
        return None
    if entries and entries[0] != there[0]:
        return "another game of this name is there already"
    return "the copy there has entries that are missing here, and is kept"


def bring_back(source: Path, folder: Path) -> Copied:
    """Copy games that the folder does not have; existing games are never touched, damaged ones are not copied."""
    _check_folder(source)
    archive, new, same, left = Archive(source), list[str](), 0, list[str]()
    for path in by_age(source.glob(f"[0-9]*{ENDING}")):
        if (folder / path.name).exists():
            same += 1
            continue
        try:
            _, parts = _sound(archive, path)
            _put(folder, path.stem, parts)
            new.append(path.stem)
        except JournalError as error:
            left.append(english(error))
        except OSError as error:
            raise CannotCopy(unwritable(folder / path.stem, error)) from error
    return Copied(tuple(new), same, tuple(left))


class Copier:
    """Copies of a running box's games, made on demand in a thread of its own."""

    def __init__(self, folder: Path, to: Path) -> None:
        self._folder, self._to = folder, to
        self._thread: threading.Thread | None = None

    def copy(self) -> None:
        """Start a copy, unless one is running."""
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self._run, name="copies", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Wait until the running copy is done."""
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        try:
            copied = back_up(self._folder, self._to)
            log.info("%d games were copied to %s.", len(copied.new), self._to)
            for sentence in copied.left:
                log.warning(sentence)
        except CannotCopy as error:
            log.warning(english(error))


def _put(folder: Path, name: str, parts: Mapping[str, bytes]) -> bool:
    """Write all files of a game or none, even on the file systems of sticks; return True if anything changed."""
    files = {folder / f"{name}{ending}": data for ending, data in parts.items()}
    drafts = {path: path.with_name(f".{path.name}.part") for path, data in files.items() if not _holds(path, data)}
    try:
        for path, draft in drafts.items():
            _write(draft, files[path])
        for path, draft in drafts.items():  # Only now: a record without its journal is of no use.
            draft.replace(path)
        if drafts:
            sync_folder(folder)
    finally:
        for draft in drafts.values():
            with suppress(OSError):
                draft.unlink(missing_ok=True)
    return bool(drafts)


def _holds(path: Path, data: bytes) -> bool:
    return path.is_file() and path.read_bytes() == data


def _write(draft: Path, data: bytes) -> None:
    with draft.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    give_to_owner(draft)


SECRET = re.compile(r"(?im)^(\s*\w*(?:pin|secret|password|token)\w*\s*=).*$")
JOURNAL = f"match{ENDING}"
LOG_TAIL = 200_000
MOST_OF_A_PART, MOST_OF_ALL = 256 << 20, 4 << 30
"""Maximum unpacked sizes in bytes. A day with a new observation every second makes half of such a journal. A bundle
is built in the memory of a box, and few boxes have more; frames do not compress in it."""
_BAD_PARTS = (zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError)
"""Errors that zipfile also raises, for damage inside a part or in its compression metadata."""
README = """What shinpan kept of the match {name}.

match.journal    all that was heard and ruled, entry by entry; `shinpan verify` checks it and this whole file
match.journal-head  how far it goes, once more, and when the box was last alive
match.sgf        the game record; of more than two players match.jsonl, which `shinpan judge` reads
rulings.jsonl    every ruling, a line each
readings.jsonl   every look at the table that was news, the likeliest position each
answers.jsonl    what players and director said or did, and what was answered
frames/          the pictures behind the newest rulings, what was read on each, and the doubtful ones with it drawn on
faults/          pictures that could not be looked at, in whatever match, and why; only where there are any
settings.toml    the settings, secrets left out
shinpan.log      the end of the log
"""


class BadBundle(RefereeError):
    """A match that cannot be bundled; one sentence says why and what to do."""


def bundle(folder: Path, name: str, out: Path, settings: Path | None = None) -> list[str]:
    """Write the bundle of a match in the data folder; return the names of its parts."""
    parts = Archive(folder).parts(name)
    journal = parts.get(ENDING)
    if journal is None:
        raise BadBundle(f"{folder}: there is no match {name}; the matches are named by their journals there.")
    made = BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("README.txt", README.format(name=name))
        for ending, data in parts.items():
            file.writestr(f"match{ending}", data)
        for part, lines in _lines(_entries(journal, folder / f"{name}{ENDING}")).items():
            file.writestr(part, "".join(json.dumps(line) + "\n" for line in lines))
        for inside, path in _files(folder, name):
            file.write(path, inside)
        if settings is not None:
            file.writestr("settings.toml", without_secrets(settings.read_text(encoding="utf-8")))
        file.writestr("shinpan.log", _tail(folder / "shinpan.log"))
        names = file.namelist()
    write_whole(out, made.getvalue())
    return names


def newest_bundled(folder: Path) -> bytes | None:
    """Return the bundle of the newest match in the data folder, None if there is no match."""
    journals = by_age(folder.glob(f"[0-9]*{ENDING}"))
    if not journals:
        return None
    with tempfile.TemporaryDirectory(prefix="shinpan-bundle-") as scratch:
        out = Path(scratch) / "bundle.zip"
        bundle(folder, journals[-1].stem, out)
        return out.read_bytes()


def without_secrets(text: str) -> str:
    """Return settings with the values of all secret-sounding keys left out."""
    return SECRET.sub(r"\1 '(left out)'", text)


@contextmanager
def unpacked(path: Path) -> Iterator[Path]:
    """Yield the journal itself, or a copy of the one in a bundle."""
    if unreadable(path) or not zipfile.is_zipfile(path):
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="shinpan-bundle-") as scratch:
        try:
            damaged = _extracted(path, Path(scratch))
        except (KeyError, OSError, zipfile.BadZipFile, *_BAD_PARTS) as error:
            raise JournalError(f"{path}: this is no bundle of a match; give one that shinpan bundle wrote.") from error
        if damaged is not None:
            raise JournalError(message("journal.other-picture", picture=f"{path}, {damaged}"))
        with _named_by(path, Path(scratch) / JOURNAL):
            yield Path(scratch) / JOURNAL


@contextmanager
def _named_by(path: Path, copy: Path) -> Iterator[None]:
    """Name the original in errors about a copy of a journal."""
    try:
        yield
    except JournalError as error:
        raise JournalError(english(error).replace(str(copy), str(path))) from error


def _extracted(path: Path, to: Path) -> str | None:
    """Extract the parts of a bundle that are verified; return the name of a damaged part instead, if there is one."""
    with zipfile.ZipFile(path) as file:
        beside_it = {f"{JOURNAL}{HEAD}", *(f"match{one.ending}" for one in FORMATS)}
        parts = [JOURNAL, *(beside_it & set(file.namelist()))]
        _check_sizes(path, [file.getinfo(part) for part in parts], file.infolist())
        damaged = file.testzip()
        for part in parts if damaged is None else ():
            file.extract(part, to)
    return damaged


def _check_sizes(path: Path, written: Sequence[zipfile.ZipInfo], read: Sequence[zipfile.ZipInfo]) -> None:
    """Raise JournalError if `written` would take too much room to unpack, or `read` too long to read.

    With the two compression types allowed, zipfile never reads beyond the declared size.
    """
    if any(part.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for part in read):
        raise zipfile.BadZipFile("packed otherwise")
    large = [part.filename for part in written if part.file_size > MOST_OF_A_PART]
    large += ["it"] if sum(part.file_size for part in read) > MOST_OF_ALL else []
    if large:
        raise JournalError(f"{path}: {large[0]} unpacks to more than a match holds; give one of shinpan bundle's.")


def _files(folder: Path, name: str) -> Iterator[tuple[str, Path]]:
    for part, where in (("frames", f"{name}{FRAMES}"), (FAULTS, FAULTS)):
        for path in sorted((folder / where).glob("*.*")):
            if not path.name.startswith("."):
                yield f"{part}/{path.name}", path


def _entries(journal: bytes, where: Path) -> list[Entry]:
    with tempfile.TemporaryDirectory(prefix="shinpan-bundle-") as scratch:
        path = Path(scratch) / JOURNAL
        path.write_bytes(journal)
        with _named_by(where, path):
            return read_journal(path)


def _lines(entries: list[Entry]) -> dict[str, list[dict[str, object]]]:
    told: dict[str, list[dict[str, object]]] = {"rulings.jsonl": [], "readings.jsonl": [], "answers.jsonl": []}
    for number, entry in enumerate(entries, 1):
        line = {"entry": number, "t": entry.t, "wall": entry.wall}
        if entry.kind is Kind.SEEN:
            told["readings.jsonl"].append({**line, **_reading(entry)})
        elif entry.kind is Kind.RULED:
            told["rulings.jsonl"].append({**line, **_worded(entry.body)})
        elif entry.kind in (Kind.PRESSED, Kind.SAID, Kind.TIMED, Kind.ANSWERED):
            told["answers.jsonl"].append({**line, "kind": entry.kind.value, **_worded(entry.body)})
    return told


def _worded(body: Mapping[str, object]) -> dict[str, object]:
    """Add the English sentence of a message; entries of version 0.1 have only a sentence."""
    return {**body, "text": ENGLISH.sentence(read_message(body))} if "message" in body else dict(body)


def _reading(entry: Entry) -> dict[str, object]:
    seen = observed_from_json(entry.body, entry.t)
    board = board_of(round(len(seen.points) ** 0.5))
    look = BoardLikelihoods.of(board, seen.points, players=len(seen.points[0]) - 1)
    return {
        "rows": list(rows_of(look.likeliest)),
        "doubtful": board.names(look.doubtful),
        "lids": entry.body["lids"],
    }


def _tail(path: Path) -> bytes:
    return path.read_bytes()[-LOG_TAIL:] if path.is_file() else b""
