"""Files written whole or not at all, and a folder that one box holds."""

from __future__ import annotations

import errno
import fcntl
import logging
import logging.handlers
import os
import re
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from referee.errors import BadRecord, RefereeError

log = logging.getLogger("shinpan")
DRAFT = ".draft"


class InUse(RefereeError):
    """Another box uses the same folder."""


def write_whole(path: Path, data: bytes, mode: int = 0o644) -> None:
    """Put the bytes in the file so that a reader, or a power cut, meets the old file or the new one, never a part.

    Raises BadRecord with a sentence when the place cannot be written to.
    """
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=DRAFT)
    except OSError as error:
        raise BadRecord(f"{path}: cannot be written ({error.strerror}); choose another place.") from error
    try:
        with os.fdopen(handle, "wb") as file:
            with suppress(OSError):  # Where there are no locks nobody sweeps.
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
        raise BadRecord(f"{path}: cannot be written ({error.strerror}); the record before it is kept.") from error


def sweep(folder: Path) -> None:
    """Take away drafts in a folder and in those inside it that nobody writes any more, for they were killed."""
    for path in [*folder.glob(f".*{DRAFT}"), *folder.glob(f"*/.*{DRAFT}"), *filter(_is_old_draft, folder.glob(".*"))]:
        with suppress(OSError), path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            path.unlink()


def _is_old_draft(path: Path) -> bool:
    """Whether version 0.1 or 0.2 began to write a game record there."""
    return re.fullmatch(r"\.[0-9]{4}-.*\.sgf\.[a-z0-9_]{8}", path.name) is not None


def sync_folder(folder: Path) -> None:
    """Return when the names in the folder are on the disk: a new name, or one given to another file."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno != errno.EINVAL:  # Some file systems of sticks cannot; their names are kept with the file.
            raise
    finally:
        os.close(handle)


def locked(folder: Path) -> TextIO:
    """Hold the folder for this box alone, until the file is closed or the process ends; raises InUse."""
    try:
        lock = (folder / "lock").open("w")
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        lock.close()
        raise InUse(f"{folder}: another box uses this folder; stop it, or name another with --data.") from error
    except OSError as error:
        raise InUse(f"{folder}: cannot be written to ({error.strerror}); name another folder with --data.") from error
    return lock


def logging_to(path: Path) -> Callable[[], None]:
    """Write the log into a file of at most a megabyte and two older ones; returns what ends that."""
    handler = logging.handlers.RotatingFileHandler(path, maxBytes=1_000_000, backupCount=2, encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    log.addHandler(handler)
    log.setLevel(logging.INFO)

    def end() -> None:
        log.removeHandler(handler)
        handler.close()

    return end


def give_to_owner(path: Path) -> None:
    """Give a file to who owns its folder, where this is an administrator's program: the box has to read it too."""
    if os.geteuid() == 0:
        owner = path.parent.stat()
        with suppress(OSError):  # A stick's file system knows no owners.
            os.chown(path, owner.st_uid, owner.st_gid)
