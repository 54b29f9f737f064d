"""Atomic file writes, and the lock on a box's folder."""

from __future__ import annotations

import errno
import fcntl
import logging
import logging.handlers
import os
import re
import stat
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from referee.game.errors import BadRecord, RefereeError
from vision.input_files import file_mode

log = logging.getLogger("shinpan")
DRAFT = ".draft"
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
}


class InUse(RefereeError):
    """Another box or hall uses the same folder."""


def write_whole(path: Path, data: bytes, mode: int = 0o644) -> None:
    """Write the file atomically: a reader, or a power cut, meets the old file or the new one, never a part.

    Raises BadRecord with a sentence if the place cannot be written to. Devices, pipes and the like are written to
    directly.
    """
    if not _is_for_files(path):
        return _write_through(path, data)
    handle, name = _draft(path, path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            with suppress(OSError):  # Without locks nobody sweeps.
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(mode)
        give_to_owner(Path(name))
        Path(name).replace(path)
        sync_folder(path.parent)
    except OSError as error:
        Path(name).unlink(missing_ok=True)
        raise BadRecord(unwritable(path, error, "what was there before is kept")) from error


def check_place(path: Path | None, *read: Path | str | None) -> None:
    """Raise BadRecord if `write_whole` could not write, or would overwrite one of the files that are read.

    Call it before the work whose result is written there.
    """
    if path is None:
        return
    if any(is_same(path, Path(source)) for source in read if source is not None):
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
    there = next((folder for folder in (path, *path.parents) if file_mode(folder)), Path())
    if not stat.S_ISDIR(file_mode(there)):
        raise BadRecord(f"{path}: {what} cannot be kept there, for {there} is a file; name a folder.")
    _try_draft(path / "x", there)


def unwritable(path: Path, error: OSError, then: str = "choose another place") -> str:
    """Return the error sentence for an unwritable path. then: what to do, or what is kept."""
    why = _WHY.get(error.errno or 0, error.strerror)
    if error.errno in (errno.ENOENT, errno.ENOTDIR) and not stat.S_ISDIR(file_mode(path.parent)):
        why = f"there is no folder {path.parent}"
    return f"{path}: cannot be written ({why}); {then}."


def _draft(path: Path, folder: Path) -> tuple[int, str]:
    """Create a temporary file in the folder for one to be written at the path; return its handle and its name."""
    try:
        if stat.S_ISDIR(file_mode(path)):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        return tempfile.mkstemp(dir=folder, prefix=f".{path.name}.", suffix=DRAFT)
    except OSError as error:
        raise BadRecord(unwritable(path, error)) from error


def _try_draft(path: Path, folder: Path) -> None:
    handle, name = _draft(path, folder)
    os.close(handle)
    Path(name).unlink()


def _write_through(path: Path, data: bytes) -> None:
    try:
        with path.open("wb") as file:
            file.write(data)
    except OSError as error:
        raise BadRecord(unwritable(path, error)) from error


def is_same(path: Path, other: Path) -> bool:
    """Return True if both paths lead to the same place, even if nothing exists there yet."""
    with suppress(OSError):
        return path.samefile(other)
    return os.path.realpath(path) == os.path.realpath(other)


def _is_for_files(path: Path) -> bool:
    """Return True if a file exists or can exist there: not a device or pipe, which has to be written to directly."""
    return stat.S_IFMT(file_mode(path)) in (0, stat.S_IFREG, stat.S_IFDIR)


def sweep(folder: Path) -> None:
    """Delete abandoned drafts in a folder and its subfolders, left by processes that were killed."""
    for path in [*folder.glob(f".*{DRAFT}"), *folder.glob(f"*/.*{DRAFT}"), *filter(_is_old_draft, folder.glob(".*"))]:
        with suppress(OSError), path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            path.unlink()


def _is_old_draft(path: Path) -> bool:
    """Return True if version 0.1 or 0.2 began to write a game record there."""
    return re.fullmatch(r"\.[0-9]{4}-.*\.sgf\.[a-z0-9_]{8}", path.name) is not None


def sync_folder(folder: Path) -> None:
    """Sync the folder's names to the disk: a new name, or one given to another file."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno != errno.EINVAL:  # Some file systems of USB sticks cannot; their names are kept with the file.
            raise
    finally:
        os.close(handle)


def locked(folder: Path, whose: str = "box", elsewhere: str = "with --data") -> TextIO:
    """Lock the folder, creating it if necessary, until the file is closed or the process ends. Raises InUse.

    whose: the kind of program that may hold it.
    elsewhere: the option that names another folder.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / "lock").open("w")
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        lock.close()
        raise InUse(f"{folder}: another {whose} uses this folder; stop it, or name another {elsewhere}.") from error
    except OSError as error:
        raise InUse(unwritable(folder, error, f"name another {elsewhere}")) from error
    return lock


def logging_to(path: Path) -> Callable[[], None]:
    """Write the log into a file of at most a megabyte and two older ones; return a function that ends it."""
    handler = _LogFile(path, maxBytes=1_000_000, backupCount=2, encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    log.addHandler(handler)
    log.setLevel(logging.INFO)

    def end() -> None:
        log.removeHandler(handler)
        with suppress(OSError):  # Unwritten records are tried once more.
            handler.close()

    return end


class _LogFile(logging.handlers.RotatingFileHandler):
    """A log handler that is silent while its disk is full or gone: the journal beside it says so on the page."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        if not isinstance(sys.exception(), OSError):
            super().handleError(record)


def give_to_owner(path: Path) -> None:
    """As root, give a file to its folder's owner: the box has to read it too."""
    if os.geteuid() == 0:
        owner = path.parent.stat()
        with suppress(OSError):  # A USB stick's file system knows no owners.
            os.chown(path, owner.st_uid, owner.st_gid)
