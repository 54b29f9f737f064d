"""The games in the box's folder: reading over the page, copies on a stick, and dispute bundles."""

from __future__ import annotations

import json
import logging
import os
import re
import sqlite3
import struct
import tempfile
import threading
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from device.files import (
    LARGEST,
    LOG_FILE,
    copy_stored,
    dead_link,
    delete_drafts,
    is_link,
    is_stored,
    open_stored,
    read_stored,
    unwritable_sentence,
    write_together,
    write_whole,
)
from device.journal.event_log import HEAD, LOG, UNREADABLE, sibling_path
from device.journal.evidence import FAULTS
from device.journal.head import HEAD_SIZE
from device.journal.keyframes import FRAMES, OVERLAY, PICTURE, damaged_among
from device.journal.names import by_age
from device.journal.replay import check_record, older_record, record_of
from device.journal.salvage import sound_entries
from device.journal.store import ENDING, Entry, JournalError, Kind, open_for_reading, read_journal
from device.match.game_files import LARGEST_SGF as LARGEST_RECORD
from device.settings import SETTINGS
from referee.codec import observation_from_json, read_message
from referee.game.board import board_of
from referee.game.diagram import rows_of
from referee.game.errors import RefereeError
from referee.game.likelihoods import BoardLikelihoods
from referee.game.messages import message
from vision.input_files import os_error_text, why_missing, why_unreadable
from web.formats import FORMATS, SGF
from web.language import ENGLISH, to_english


class Archive:
    """The games in a folder; only names returned by `names` lead to a file, whatever else is asked for."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def list_games(self) -> Sequence[str]:
        """Return all games with a record, the newest first."""
        records = (path for one in FORMATS for path in self._folder.glob(f"[0-9]*{one.ending}"))
        return list(dict.fromkeys(path.stem for path in reversed(by_age(records))))

    def record_path(self, name: str) -> Path | None:
        """Return the file with the record of a game, None if there is no such game."""
        return record_of(self._folder / f"{name}{ENDING}") if name in self.list_games() else None

    def read_record(self, name: str) -> bytes | None:
        """Return the record of a game, None if there is no such game."""
        path = self.record_path(name)
        return read_stored(path, LARGEST_RECORD) if path is not None else None

    def copy_journal(self, name: str) -> bytes | None:
        """Return a complete copy of a game's journal, even while it is being written; None if there is no such game."""
        path = self._folder / f"{name}{ENDING}"
        if path.name not in {file.name for file in self._folder.glob(f"[0-9]*{ENDING}")} or not is_stored(path):
            return None
        with open_for_reading(path) as base, closing(sqlite3.connect(":memory:")) as copy:
            base.backup(copy)
            return copy.serialize()

    def list_frames(self, name: str) -> Sequence[str]:
        """Return the names of a game's frames, in journal order; the one with the reading drawn on it, if there is
        one."""
        if name not in self.list_games():
            return ()
        pictures = {path.name for path in pictures_in(self._folder / f"{name}{FRAMES}") if path.suffix == PICTURE}
        overlaid = {one.replace(OVERLAY, PICTURE) for one in pictures if one.endswith(OVERLAY)}
        return sorted(pictures - overlaid)

    def read_frame(self, name: str, picture: str) -> bytes | None:
        """Return one of a game's frames as JPEG, None for any other name."""
        return read_stored(self._folder / f"{name}{FRAMES}" / picture) if picture in self.list_frames(name) else None

    def parts(self, name: str) -> dict[str, bytes]:
        """Return all files of a game except its frames, by suffix, in the order in which to write them.

        Wherever writing is interrupted, no head is newer than its journal.
        """
        head = self._folder / f"{name}{ENDING}{HEAD}"
        head_data = read_stored(head, HEAD_SIZE) if is_stored(head) else None
        record = self.record_path(name)
        ending = record.suffix if record is not None else SGF.ending
        files = {ending: self.read_record(name), ENDING: self.copy_journal(name), f"{ENDING}{HEAD}": head_data}
        return {ending: data for ending, data in files.items() if data is not None}


def pictures_in(folder: Path) -> list[Path]:
    """Return the files in a folder of pictures, sorted; none if the folder is a link, and no file that is one."""
    if is_link(folder):
        return []
    return [path for path in sorted(folder.glob("[!.]*.*")) if is_stored(path)]


log = logging.getLogger("shinpan")


class CannotCopy(RefereeError):
    """A place from or to which no game can be copied; one sentence says why and what to do."""


@dataclass(frozen=True)
class CopyResult:
    """The outcome of a copy.

    new: games that were copied
    same: number of games that were there already
    left: sentences about the others
    """

    new: tuple[str, ...] = ()
    same: int = 0
    left: tuple[str, ...] = ()


def back_up(folder: Path, to: Path) -> CopyResult:
    """Copy all games that are not there yet or have grown since; also while one is being played.

    Damaged games are not copied. A copy is not overwritten if it has more than the game here (which was damaged since),
    or if it is another box's game of the same name, as happens with boxes whose clocks were never set.
    """
    archive, new, same, sentences = Archive(folder), list[str](), 0, list[str]()
    _check_folder(to)
    delete_drafts(to)
    for path in by_age(folder.glob(f"[0-9]*{ENDING}")):
        try:
            entries, parts = _read_sound(archive, path)
            if (reason := _find_conflict(to / path.name, entries)) is not None:
                sentences.append(f"{to / path.name}: {reason}; name another folder.")
                continue
            changed = _write_game(to, path.stem, parts)
        except JournalError as error:
            sentences.append(to_english(error))
            continue
        except OSError as error:
            raise CannotCopy(unwritable_sentence(to / path.stem, error)) from error
        new += [path.stem] if changed else []
        same += not changed
    return CopyResult(tuple(new), same, tuple(sentences))


def _check_folder(path: Path) -> None:
    reason = why_missing(path)
    if reason is None and not path.is_dir():
        raise CannotCopy(f"{path}: it is a file, and no folder; name a folder.")
    if reason is not None:
        reason = dead_link(path) or reason.replace("file", "folder")
        raise CannotCopy(f"{path}: {reason}; is the stick plugged in?")


def _read_sound(archive: Archive, path: Path) -> tuple[list[Entry], dict[str, bytes]]:
    """Return a game's entries and files; raise JournalError if it is damaged or cannot be read."""
    try:
        entries, parts = read_journal(path), archive.parts(path.stem)
        if any(len(part) > LARGEST for part in parts.values()):
            raise JournalError(f"{path}: it is larger than {LARGEST >> 20} MiB, and `restore` would not take it back.")
        return entries, parts
    except (OSError, *UNREADABLE) as error:
        reason = getattr(error, "strerror", None) or error
        raise JournalError(f"{path}: the game cannot be read ({reason}); check the disk that it is on.") from error


def _find_conflict(path: Path, entries: list[Entry]) -> str | None:
    """Return why a copy must not be overwritten; None if its sound entries are a prefix of these, so that nothing is
    lost."""
    if is_link(path) or (path.exists() and not is_stored(path)):
        return f"it cannot be replaced ({why_unreadable(path, links=False)})"
    copied = sound_entries(path) if path.exists() else []
    if copied == entries[: len(copied)]:
        return None
    if entries and entries[0] != copied[0]:
        return "another game of this name is there already"
    return "the copy there has entries that are missing here, and is kept"


def bring_back(source: Path, folder: Path) -> CopyResult:
    """Copy games that the folder does not have; existing games are never touched, damaged ones are not copied."""
    _check_folder(source)
    new, same, sentences = list[str](), 0, list[str]()
    for path in by_age(source.glob(f"[0-9]*{ENDING}")):
        if os.path.lexists(folder / path.name):
            same += 1
            continue
        try:
            parts = _read_foreign_game(path)
            _write_game(folder, path.stem, parts)
            new.append(path.stem)
        except RefereeError as error:
            sentences.append(to_english(error))
        except OSError as error:
            raise CannotCopy(unwritable_sentence(folder / path.stem, error)) from error
    return CopyResult(tuple(new), same, tuple(sentences))


def _read_foreign_game(path: Path) -> dict[str, bytes]:
    """Return a foreign game's files, read once: what is checked is what is kept.

    Raises JournalError if it is damaged, if a part of it is no regular file, or if the record is not the journal's; a
    record of version 0.1 or 0.2, which has no seal, is made again then.
    """
    with tempfile.TemporaryDirectory(prefix="shinpan-restore-") as scratch:
        copy = Path(scratch) / path.name
        try:
            for part, most in (
                (path, LARGEST),
                (sibling_path(path, LOG), LARGEST),
                (sibling_path(path, HEAD), HEAD_SIZE),
            ):
                if os.path.lexists(part):
                    copy_stored(part, copy.with_name(part.name), most)
            for one in FORMATS:
                if os.path.lexists(record := path.with_suffix(one.ending)):
                    copy_stored(record, copy.with_name(record.name), LARGEST_RECORD)
        except OSError as error:
            raise JournalError(
                f"{error.filename or path}: the game cannot be read ({os_error_text(error)})."
            ) from error
        with _named_by(path.parent, copy.parent):
            _, parts = _read_sound(Archive(Path(scratch)), copy)
            check_record(copy)
            remade_record = older_record(copy)
        return parts if remade_record is None else {**parts, next(iter(parts)): remade_record}


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
            log.warning(to_english(error))


def _write_game(folder: Path, name: str, parts: Mapping[str, bytes]) -> bool:
    """Write all files of a game or none, even on the file systems of sticks; return True if anything changed."""
    files = {folder / f"{name}{ending}": data for ending, data in parts.items()}
    changed = {path: data for path, data in files.items() if not _has_contents(path, data)}
    write_together(changed)
    return bool(changed)


def _has_contents(path: Path, data: bytes) -> bool:
    return is_stored(path) and path.stat().st_size == len(data) and read_stored(path) == data


SECRET = re.compile(r"(?im)^(\s*\w*(?:pin|secret|password|token)\w*\s*=).*$")
JOURNAL = f"match{ENDING}"
LOG_TAIL = 200_000
MOST_OF_A_PART, MOST_OF_ALL = 256 << 20, 4 << 30
"""Maximum unpacked sizes in bytes. A day with a new observation every second makes half of such a journal. A bundle
is built in the memory of a box, and few boxes have more; frames do not compress in it."""
FRAMES_INSIDE = "frames/"
_PART = re.compile(
    r"README\.txt|match\.(journal|journal-head|sgf|jsonl)|(rulings|readings|answers)\.jsonl|settings\.toml|shinpan\.log"
    r"|frames/[0-9]{6,}\.[a-z]+(\.json|\.jpg|\.overlay\.jpg)|faults/[0-9]{6,}\.(txt|png|npy)"
)
"""Every part that a bundle may have."""
_UNSIGNED = re.compile(r"settings\.toml|shinpan\.log|(frames|faults)/.*")
_SIZES_AFTERWARDS = 8
"""The flag of a zip's part whose sizes stand behind it; `bundle` writes none."""
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


def write_bundle(folder: Path, name: str, out: Path, settings: Path | None = None) -> list[str]:
    """Write the bundle of a match in the data folder; return the names of its parts."""
    parts = Archive(folder).parts(name)
    journal = parts.get(ENDING)
    if journal is None:
        raise BadBundle(f"{folder}: there is no match {name}; the matches are named by their journals there.")
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("README.txt", README.format(name=name))
        for ending, data in parts.items():
            file.writestr(f"match{ending}", data)
        for part, lines in _derive_lines(_read_entries(journal, folder / f"{name}{ENDING}")).items():
            file.writestr(part, "".join(json.dumps(line) + "\n" for line in lines))
        for inside, path in _yield_files(folder, name):
            with suppress(FileNotFoundError):  # The ring of pictures goes on meanwhile.
                file.writestr(inside, read_stored(path))
        if settings is not None:
            file.writestr("settings.toml", without_secrets(SETTINGS.text_of(settings)))
        file.writestr(LOG_FILE, _read_tail(folder / LOG_FILE))
        names = file.namelist()
    write_whole(out, buffer.getvalue())
    return names


def newest_bundled(folder: Path) -> bytes | None:
    """Return the bundle of the newest match in the data folder, None if there is no match."""
    journals = by_age(folder.glob(f"[0-9]*{ENDING}"))
    if not journals:
        return None
    with tempfile.TemporaryDirectory(prefix="shinpan-bundle-") as scratch:
        out = Path(scratch) / "bundle.zip"
        write_bundle(folder, journals[-1].stem, out)
        return out.read_bytes()


def without_secrets(text: str) -> str:
    """Return settings with the values of all secret-sounding keys left out."""
    return SECRET.sub(r"\1 '(left out)'", text)


@dataclass(frozen=True)
class Unpacked:
    """The journal or bundle that `shinpan verify` was given.

    journal: the journal itself, or a copy of the one in a bundle
    reworded: parts of a bundle that say the same as this version makes of the journal, in other sentences
    unsigned: parts of a bundle that come from nothing in the journal, so that nobody can check them
    """

    journal: Path
    reworded: tuple[str, ...] = ()
    unsigned: tuple[str, ...] = ()


@contextmanager
def open_unpacked(path: Path) -> Iterator[Unpacked]:
    """Yield the journal itself, or a copy of the one in a bundle, of which each part is checked.

    Raises JournalError if a part is unknown, there twice, damaged, or not what the journal gives.
    """
    if why_unreadable(path) or not zipfile.is_zipfile(path):
        yield Unpacked(path)
        return
    with tempfile.TemporaryDirectory(prefix="shinpan-bundle-") as scratch:
        journal = Path(scratch) / JOURNAL
        try:
            with zipfile.ZipFile(path) as file:
                _extract_journal(path, file, Path(scratch))
                names = file.namelist()
                with _named_by(path, Path(scratch)), _named_by(path, journal):
                    reworded = tuple(_find_reworded(path, file, read_journal(journal)))
                    _check_older_record(journal)
        except (KeyError, OSError, zipfile.BadZipFile, *_BAD_PARTS) as error:
            raise JournalError(f"{path}: this is no bundle of a match; give one that shinpan bundle wrote.") from error
        with _named_by(path, Path(scratch)), _named_by(path, journal):
            yield Unpacked(journal, reworded, tuple(name for name in names if _UNSIGNED.fullmatch(name)))


@contextmanager
def _named_by(path: Path, copy: Path) -> Iterator[None]:
    """Name the original in errors about a copy of a journal."""
    try:
        yield
    except JournalError as error:
        raise JournalError(to_english(error).replace(str(copy), str(path))) from error


def _extract_journal(path: Path, file: zipfile.ZipFile, to: Path) -> None:
    """Extract the journal, its head and its record, after all other parts were found to be a bundle's and undamaged."""
    beside_it = {f"{JOURNAL}{HEAD}", *(f"match{one.ending}" for one in FORMATS)}
    parts = [JOURNAL, *(beside_it & set(file.namelist()))]
    _check_sizes(path, [file.getinfo(part) for part in parts], file.infolist())
    damaged = file.testzip()
    if damaged is not None:
        raise JournalError(message("journal.other-picture", picture=f"{path}, {damaged}"))
    _check_names(path, file)
    _check_layout(path, file)
    pictures = {name for name in file.namelist() if name.startswith(FRAMES_INSIDE)}
    for picture in damaged_among(pictures, file.read):
        raise JournalError(message("journal.other-picture", picture=f"{path}, {picture}"))
    for part in parts:
        file.extract(part, to)


def _check_names(path: Path, file: zipfile.ZipFile) -> None:
    """Raise JournalError for a part that is unknown or there twice, or a picture without its reading."""
    names = [part.orig_filename for part in file.infolist()]
    if {f"match{one.ending}" for one in FORMATS} <= set(names):
        raise JournalError(f"{path}: it has two game records; give one that shinpan bundle wrote.")
    for name in names:
        if names.count(name) > 1:
            raise JournalError(
                f"{path}: {name} is in it {names.count(name)} times; give one that shinpan bundle wrote."
            )
        beside_it = re.sub(r"(\.overlay)?\.jpg$", ".json", name)
        if not _PART.fullmatch(name) or (name.startswith(FRAMES_INSIDE) and beside_it not in names):
            raise JournalError(f"{path}: {name!a:.80} is no part of a bundle; give one that shinpan bundle wrote.")


def _check_older_record(journal: Path) -> None:
    """Raise JournalError if the record beside a journal without a head is not what the journal gives."""
    record, expected = record_of(journal), older_record(journal)
    if record is not None and expected is not None and read_stored(record) != expected:
        raise JournalError(message("journal.other-record", record=str(record)))


def _check_layout(path: Path, file: zipfile.ZipFile) -> None:
    """Raise JournalError if there is more in the file than its parts, one after the other, and the list of them.

    A program that reads a zip from its beginning would find what hides there.
    """
    offset = 0
    with path.open("rb") as raw:
        for part in file.infolist():
            raw.seek(part.header_offset)
            name, extra = struct.unpack("<26xHH", raw.read(30))
            if part.header_offset != offset or part.flag_bits & _SIZES_AFTERWARDS:
                break
            offset += 30 + name + extra + part.compress_size
        raw.seek(-22, os.SEEK_END)
        if offset != file.start_dir or not raw.read(4) == b"PK\5\6" or file.comment:
            raise JournalError(f"{path}: it hides something between its parts; give one that shinpan bundle wrote.")


def _find_reworded(path: Path, file: zipfile.ZipFile, entries: list[Entry]) -> Iterator[str]:
    """Yield the derived parts with other sentences than this version's; raise JournalError for other contents."""
    for part, lines in _derive_lines(entries).items():
        bundled, expected = _read_lines(file, part), [json.dumps(line) for line in lines]
        if bundled == expected:
            continue
        if bundled is None or [_drop_sentence(line) for line in bundled] != [_drop_sentence(line) for line in expected]:
            raise JournalError(
                f"{path}: {part} is not what the journal in it gives. It was changed, or another version wrote it."
            )
        yield part
    readme = re.escape(README).replace(re.escape("{name}"), r"[\w-]+")
    if not re.fullmatch(readme, file.read("README.txt").decode(errors="replace")):
        yield "README.txt"


def _read_lines(file: zipfile.ZipFile, part: str) -> list[str] | None:
    """Return the lines of a part, None if it is not there or no text."""
    try:
        return file.read(part).decode().removesuffix("\n").split("\n") if file.getinfo(part).file_size else []
    except (KeyError, UnicodeDecodeError):
        return None


def _drop_sentence(line: str) -> object:
    """Return a line without the sentence that was made of its message."""
    try:
        body = json.loads(line)
    except (ValueError, RecursionError):
        return line
    if isinstance(body, dict) and "message" in body:
        body.pop("text", None)
    return body


def _check_sizes(path: Path, unpacked_parts: Sequence[zipfile.ZipInfo], read_parts: Sequence[zipfile.ZipInfo]) -> None:
    """Raise JournalError if `unpacked_parts` would take too much room to unpack, or `read_parts` too long to read.

    With the two compression types allowed, zipfile never reads beyond the declared size.
    """
    if any(part.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for part in read_parts):
        raise zipfile.BadZipFile("packed otherwise")
    large = [part.filename for part in unpacked_parts if part.file_size > MOST_OF_A_PART]
    large += ["it"] if sum(part.file_size for part in read_parts) > MOST_OF_ALL else []
    if large:
        raise JournalError(f"{path}: {large[0]} unpacks to more than a match holds; give one of shinpan bundle's.")


def _yield_files(folder: Path, name: str) -> Iterator[tuple[str, Path]]:
    for part, where in (("frames", f"{name}{FRAMES}"), (FAULTS, FAULTS)):
        for path in pictures_in(folder / where):
            if _PART.fullmatch(inside := f"{part}/{path.name}"):
                yield inside, path


def _read_entries(journal: bytes, where: Path) -> list[Entry]:
    with tempfile.TemporaryDirectory(prefix="shinpan-bundle-") as scratch:
        path = Path(scratch) / JOURNAL
        path.write_bytes(journal)
        with _named_by(where, path):
            return read_journal(path)


def _derive_lines(entries: list[Entry]) -> dict[str, list[dict[str, object]]]:
    files: dict[str, list[dict[str, object]]] = {"rulings.jsonl": [], "readings.jsonl": [], "answers.jsonl": []}
    for number, entry in enumerate(entries, 1):
        line = {"entry": number, "t": entry.t, "wall": entry.wall}
        if entry.kind is Kind.SEEN:
            files["readings.jsonl"].append({**line, **_read_board(entry)})
        elif entry.kind is Kind.RULED:
            files["rulings.jsonl"].append({**line, **_add_sentence(entry.body)})
        elif entry.kind in (Kind.PRESSED, Kind.SAID, Kind.TIMED, Kind.ANSWERED):
            files["answers.jsonl"].append({**line, "kind": entry.kind.value, **_add_sentence(entry.body)})
    return files


def _add_sentence(body: Mapping[str, object]) -> dict[str, object]:
    """Add the English sentence of a message; entries of version 0.1 have only a sentence."""
    return {**body, "text": ENGLISH.sentence(read_message(body))} if "message" in body else dict(body)


def _read_board(entry: Entry) -> dict[str, object]:
    observation = observation_from_json(entry.body, entry.t)
    board = board_of(observation.lines)
    look = BoardLikelihoods.from_sights(board, observation.points, players=len(observation.points[0]) - 1)
    return {
        "rows": list(rows_of(look.likeliest)),
        "doubtful": board.names(look.doubtful),
        "lids": entry.body["lids"],
    }


def _read_tail(path: Path) -> bytes:
    if not is_stored(path):
        return b""
    with open_stored(path) as file:
        file.seek(max(path.stat().st_size - LOG_TAIL, 0))
        return file.read(LOG_TAIL)
