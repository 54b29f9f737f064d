"""Safe reading and writing of the box's files, and the lock on its folder.

Everything that a box, or a command that root runs, opens by a name that it found in a folder is opened here: regular
files only, never through a link, never more than a limit, and never waiting. Whoever holds a stick or owns a folder
decides what lies there under such a name. Files that a person names are read by `InputFileSpec`, which may follow a
link that they chose.
"""

from __future__ import annotations

import errno
import logging
import logging.handlers
import os
import re
import stat
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from io import BufferedWriter, FileIO, TextIOWrapper
from pathlib import Path
from typing import IO, BinaryIO, TextIO

from device.system import system
from referee.game.errors import BadRecord, RefereeError
from vision import input_files
from vision.input_files import LINK, UnusableFile, file_mode, open_regular, os_error_text, why_unreadable

log = logging.getLogger("shinpan")
DRAFT = ".draft"
LOG_FILE = "shinpan.log"
"""The log in a box's folder."""
LOCK = "lock"
"""The file in a box's or a hall's folder that is locked while it runs."""
LARGEST = 512 << 20
"""Maximum size of a stored file, in bytes. A day with a new observation every second makes a quarter of such a
journal."""
_CHUNK = 1 << 20
_WHY = {
    errno.EEXIST: "it is a file",
    errno.EISDIR: "it is a folder; name a file in it",
    errno.EACCES: "you may not write there",
    errno.EPERM: "you may not write there",
    errno.EBADF: "it was opened for reading",
    errno.EROFS: "what is there can only be read",
    errno.ENOSPC: "no space is left there",
    errno.ENAMETOOLONG: "its name is too long",
    errno.ENOENT: "nothing can be written there",
    errno.ELOOP: LINK,
    errno.ENXIO: "nobody reads what is written there",
}


class InUse(RefereeError):
    """Another box or hall uses the same folder."""


def is_link(path: Path) -> bool:
    """Return True if there is a symbolic link."""
    return stat.S_ISLNK(file_mode(path, links=False))


def check_no_link(path: Path) -> None:
    """Raise OSError if there is a link, for what opens a file by its name, as SQLite does."""
    if is_link(path):
        raise UnusableFile(errno.ELOOP, LINK, str(path))


def is_stored(path: Path) -> bool:
    """Return True if there is a regular file, and no link to one."""
    return why_unreadable(path, links=False) is None


def open_stored(path: Path) -> BinaryIO:
    """Open a stored file for reading: a regular file, not through a link. Raises OSError."""
    return open_regular(path, links=False)


def read_stored(path: Path, most: int = LARGEST) -> bytes:
    """Return a stored file's content. Raises OSError, also if it is larger than `most` bytes."""
    return input_files.read_stored(path, most)


def read_stored_text(path: Path, most: int = 1 << 16) -> str:
    """Return a small stored file's text, in ASCII. Raises OSError and UnicodeDecodeError."""
    return read_stored(path, most).decode("ascii")


def copy_stored(path: Path, to: Path, most: int = LARGEST) -> None:
    """Copy a stored file to a new one, reading a chunk at a time. Raises OSError, also if it is too large."""
    with open_stored(path) as file, to.open("xb") as copy:
        bytes_left = most
        while chunk := file.read(min(_CHUNK, bytes_left + 1)):
            bytes_left -= len(chunk)
            if bytes_left < 0:
                raise UnusableFile(errno.EFBIG, f"it is larger than {most >> 20} MiB", str(path))
            copy.write(chunk)


def write_whole(path: Path, data: bytes, mode: int = 0o644, lasting: bool = True) -> None:
    """Write the file atomically: a reader, or a power cut, meets the old file or the new one, never a part.

    A link there is replaced, and never followed. Raises BadRecord with a sentence if the place cannot be written to.
    Devices, pipes and the like are written to directly. lasting: False for a file that can be made again: a power cut
    soon afterwards may then leave the old one, and one wait for the disk is saved.
    """
    if not _is_for_files(path):
        check_place(path)
        return _write_through(path, data)
    try:
        write_together({path: data}, mode, lasting)
    except OSError as error:
        then = "what was there before is kept" if stat.S_ISREG(file_mode(path)) else "choose another place"
        raise BadRecord(unwritable_sentence(path, error, then)) from error


def write_together(files: Mapping[Path, bytes], mode: int = 0o644, lasting: bool = True) -> None:
    """Write these files of one folder, all of them or none, in this order. Raises OSError.

    A link there is replaced, and never followed. lasting: as of `write_whole`.
    """
    drafts = dict[Path, Path]()
    try:
        for path, data in files.items():
            handle, name = _create_draft(path, path.parent)
            drafts[path] = Path(name)
            _write_draft(handle, data, mode, path.parent)
        for path, draft in drafts.items():  # Only now: a record without its journal is of no use.
            system.replace_file(draft, path)
        for folder in {path.parent for path in drafts if lasting}:
            system.sync_folder(folder)
    finally:
        for draft in drafts.values():
            with suppress(OSError):
                draft.unlink(missing_ok=True)


def _write_draft(handle: int, data: bytes, mode: int, folder: Path) -> None:
    """Write and sync a draft; as root, give it to the folder's owner: the box has to read it too."""
    with os.fdopen(handle, "wb") as file:
        with suppress(OSError):  # Without locks nobody sweeps.
            system.lock_file(file)
        file.write(data)
        file.flush()
        system.sync_file(file.fileno())
        with suppress(OSError):  # A USB stick's file system knows neither modes nor owners.
            system.own_file(file, mode, folder)


def check_place(path: Path | None, *sources: Path | str | None) -> None:
    """Raise BadRecord if `write_whole` could not write, or would overwrite one of the files that are read.

    Call it before the work whose result is written there.
    """
    if path is None:
        return
    if stat.S_ISBLK(file_mode(path)):
        raise BadRecord(f"{path}: it is a disk, and all on it would be lost; name a file.")
    if any(is_same(path, Path(source)) for source in sources if source is not None):
        raise BadRecord(f"{path}: this is what is read, and would be written over; name another file.")
    if _is_for_files(path):
        _try_draft(path, path.parent)


def check_apart(path: Path | None, other: Path | None) -> None:
    """Raise BadRecord if the files are the same, so that one would overwrite the other."""
    if path is not None and other is not None and is_same(path, other) and _is_for_files(path):
        raise BadRecord(f"{other}: two things would be written there, one over the other; name another file for one.")


def check_folder(path: Path, what: str) -> None:
    """Raise BadRecord if files cannot be written in this folder, which is created with the first one.

    Call it before the work whose result is written there.
    """
    existing = next((folder for folder in (path, *path.parents) if file_mode(folder)), Path())
    if not stat.S_ISDIR(file_mode(existing)):
        raise BadRecord(f"{path}: {what} cannot be kept there, for {existing} is a file; name a folder.")
    _try_draft(path / "x", existing)


def unwritable_sentence(path: Path, error: OSError, then: str = "choose another place") -> str:
    """Return the error sentence for an unwritable path. then: what to do, or what is kept."""
    reason = os_error_text(error) if isinstance(error, UnusableFile) else _WHY.get(error.errno or 0, error.strerror)
    if error.errno in (errno.EEXIST, errno.ENOENT, errno.ENOTDIR):
        if (link := dead_link(path)) is not None:
            reason = link
        elif error.errno != errno.EEXIST and not stat.S_ISDIR(file_mode(path.parent)):
            reason = f"there is no folder {path.parent}"
    return f"{path}: cannot be written ({reason}); {then}."


def dead_link(path: Path) -> str | None:
    """Return the words for a link to nothing at the path or on the way to it; None if there is none."""
    link = next((one for one in (path, *path.parents) if is_link(one) and not file_mode(one)), None)
    if link is None:
        return None
    return f"{'it' if link == path else link} is a link to {link.readlink()}, and nothing is there"


def _create_draft(path: Path, folder: Path) -> tuple[int, str]:
    """Create a temporary file in the folder for one to be written at the path; return its handle and its name.

    No file that is there is opened (O_EXCL), and no link followed. Raises OSError.
    """
    if stat.S_ISDIR(file_mode(path)):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    return tempfile.mkstemp(dir=folder, prefix=f".{path.name}.", suffix=DRAFT)


def _try_draft(path: Path, folder: Path) -> None:
    try:
        handle, name = _create_draft(path, folder)
    except OSError as error:
        raise BadRecord(unwritable_sentence(path, error)) from error
    os.close(handle)
    Path(name).unlink()


def delete_file(path: Path) -> None:
    """Delete a file or a link, if one is there. Raises BadRecord."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise BadRecord(unwritable_sentence(path, error, "delete it")) from error


def _write_through(path: Path, data: bytes) -> None:
    try:
        with os.fdopen(system.open_to_write(path, _is_for_files(path)), "wb") as file:
            file.write(data)
    except OSError as error:
        raise BadRecord(unwritable_sentence(path, error)) from error


def open_output(path: Path) -> TextIO:
    """Open a text that others read while it grows; a link there is replaced, and never followed. Raises BadRecord."""
    check_place(path)
    try:
        if _is_for_files(path) and is_link(path):
            path.unlink()
        return os.fdopen(system.open_to_write(path, _is_for_files(path)), "w", encoding="utf-8")
    except OSError as error:
        raise BadRecord(unwritable_sentence(path, error)) from error


def is_same(path: Path, other: Path) -> bool:
    """Return True if both paths lead to the same place, even if nothing exists there yet."""
    with suppress(OSError):
        return path.samefile(other)
    return os.path.realpath(path) == os.path.realpath(other)


def _is_for_files(path: Path) -> bool:
    """Return True if a file exists or can exist there: not a device or pipe, which has to be written to directly.

    Only the system's own links lead to one, such as /dev/stdout; any other is in a folder of somebody's.
    """
    if is_link(path) and not system.is_device_path(path):
        return True
    return stat.S_IFMT(file_mode(path)) in (0, stat.S_IFREG, stat.S_IFDIR)


def delete_drafts(folder: Path) -> None:
    """Delete abandoned drafts in a folder and its subfolders, left by processes that were killed."""
    names = _list_folder(folder)
    beneath = [path for inner in names if not is_link(inner) for path in _list_folder(inner)]
    for path in [*filter(_is_draft, [*names, *beneath]), *filter(_is_old_draft, names)]:
        with suppress(OSError), open_stored(path) as file:
            system.delete_unlocked(path, file)


def _list_folder(folder: Path) -> list[Path]:
    """Return what is in a folder; nothing if it is none, or was deleted meanwhile."""
    try:
        return list(folder.iterdir())
    except OSError:
        return []


def _is_draft(path: Path) -> bool:
    return re.fullmatch(rf"\..+\.[a-z0-9_]{{8}}\{DRAFT}", path.name) is not None


def _is_old_draft(path: Path) -> bool:
    """Return True if version 0.1 or 0.2 began to write a game record or the copy of a game there."""
    record, copy = r"\.[0-9]{4}-.*\.sgf\.[a-z0-9_]{8}", r"\.[0-9]{4,}[-_].*\.(journal|journal-head|sgf|jsonl)\.part"
    return re.fullmatch(f"{record}|{copy}", path.name) is not None


def sync_folder(folder: Path) -> None:
    """Sync the folder's names to the disk: a new name, or one given to another file."""
    system.sync_folder(folder)


def lock_folder(folder: Path, whose: str = "box", elsewhere: str = "with --data") -> FileIO:
    """Lock the folder, creating it if necessary, until the file is closed or the process ends. Raises InUse.

    whose: the kind of program that may hold it.
    elsewhere: the option that names another folder.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = open_own(folder / LOCK)
        system.lock_file(lock)
    except BlockingIOError as error:
        lock.close()
        raise InUse(f"{folder}: another {whose} uses this folder; stop it, or name another {elsewhere}.") from error
    except OSError as error:
        where = folder / LOCK if folder.is_dir() else folder
        raise InUse(unwritable_sentence(where, error, f"name another {elsewhere}")) from error
    return lock


def open_own(path: Path, flags: int = os.O_RDWR) -> FileIO:
    """Open a file that stays open for writing, created if need be; through no link. Raises OSError."""
    handle = system.open_handle(path, flags | os.O_CREAT)
    file = FileIO(handle, "a" if flags & os.O_APPEND else "r+")
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        file.close()
        raise UnusableFile(errno.ENXIO, "it is no file", str(path))
    return file


def check_locks(file: IO[bytes]) -> None:
    """Raise OSError if the disk of a file gives no locks such as SQLite takes, as a network drive may. None is kept.

    file: one that nothing else locks, because a process that closes it or unlocks it loses all its locks of it
    """
    system.check_record_locks(file)


def check_locks_in(folder: Path) -> None:
    """Raise OSError if the disk of a folder gives no such locks, or nothing can be written there."""
    with tempfile.TemporaryFile(dir=folder) as file:
        check_locks(file)


def can_log_to(path: Path) -> bool:
    """Return True if a log can be written to a file there."""
    try:
        open_own(path, os.O_WRONLY | os.O_APPEND).close()
    except OSError:
        return False
    return True


def log_to_file(path: Path) -> Callable[[], None]:
    """Write the log into a file of at most a megabyte and two older ones; return a function that ends it.

    Where none can be written (`can_log_to`) nothing is logged.
    """
    handler = _LogFile(path, maxBytes=1_000_000, backupCount=2, encoding="utf-8", delay=True)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    log.addHandler(handler)
    log.setLevel(logging.INFO)

    def stop_logging() -> None:
        log.removeHandler(handler)
        with suppress(OSError):  # Unwritten records are tried once more.
            handler.close()

    return stop_logging


class _LogFile(logging.handlers.RotatingFileHandler):
    """A log handler that is silent while its disk is full or gone: the journal beside it says so on the page."""

    def _open(self) -> TextIOWrapper:
        return TextIOWrapper(
            BufferedWriter(open_own(Path(self.baseFilename), os.O_WRONLY | os.O_APPEND)), encoding=self.encoding
        )

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        if not isinstance(sys.exception(), OSError):
            super().handleError(record)
