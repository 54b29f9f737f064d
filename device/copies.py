"""Games copied to another place, such as a USB stick, and brought back from there: journals and game records, whole."""

from __future__ import annotations

import logging
import os
import sqlite3
import threading
from dataclasses import dataclass
from pathlib import Path

from device.archive import RECORD, Archive
from device.journal import ENDING, JournalError, read_journal
from referee.errors import RefereeError

log = logging.getLogger("shinpan")


class CannotCopy(RefereeError):
    """A place from or to which no game can be copied; one sentence says why and what to do."""


@dataclass(frozen=True)
class Copied:
    """What came of it. new: games that were copied. same: how many were there already. left: sentences about others."""

    new: tuple[str, ...] = ()
    same: int = 0
    left: tuple[str, ...] = ()


def back_up(folder: Path, to: Path) -> Copied:
    """Copy all games that are not there yet, or have gone on since; also while one is being played."""
    archive, new, same = Archive(folder), list[str](), 0
    if not to.is_dir():
        raise CannotCopy(f"{to}: there is no such folder; is the stick plugged in?")
    for path in sorted(folder.glob(f"[0-9]*{ENDING}")):
        try:
            parts = {ENDING: archive.journal(path.stem), RECORD: archive.record(path.stem)}
            changed = [_put(to / f"{path.stem}{end}", data) for end, data in parts.items() if data is not None]
        except (OSError, sqlite3.Error) as error:
            why = getattr(error, "strerror", None) or error
            raise CannotCopy(f"{to}: the game {path.stem} cannot be copied there ({why}).") from error
        new += [path.stem] if any(changed) else []
        same += not any(changed)
    return Copied(tuple(new), same)


def bring_back(source: Path, folder: Path) -> Copied:
    """Copy games that the folder does not have; one that it has is never touched, and none that is damaged is taken."""
    if not source.is_dir():
        raise CannotCopy(f"{source}: there is no such folder; is the stick plugged in?")
    new, same, left = list[str](), 0, list[str]()
    for path in sorted(source.glob(f"[0-9]*{ENDING}")):
        if (folder / path.name).exists():
            same += 1
            continue
        try:
            read_journal(path)
            record = path.with_suffix(RECORD)
            if record.is_file():
                _put(folder / record.name, record.read_bytes())
            _put(folder / path.name, path.read_bytes())
            new.append(path.stem)
        except JournalError as error:
            left.append(str(error))
        except OSError as error:
            raise CannotCopy(f"{folder}: {path.name} cannot be copied there ({error.strerror}).") from error
    return Copied(tuple(new), same, tuple(left))


class Copier:
    """Copies a running box's games to a place whenever it is told to, in a thread of its own."""

    def __init__(self, folder: Path, to: Path) -> None:
        self._folder, self._to = folder, to
        self._thread: threading.Thread | None = None

    def copy(self) -> None:
        """Copy now, unless that is under way."""
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self._run, name="copies", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Wait until what is under way is done."""
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        try:
            copied = back_up(self._folder, self._to)
            log.info("%d games were copied to %s.", len(copied.new), self._to)
        except CannotCopy as error:
            log.warning(str(error))


def _put(path: Path, data: bytes) -> bool:
    """Write the file whole, as file systems of sticks allow it too; whether it was other before."""
    if path.is_file() and path.read_bytes() == data:
        return False
    draft = path.with_name(f".{path.name}.part")
    with draft.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
    return True
