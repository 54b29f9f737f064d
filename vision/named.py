"""Files that people name, read whole: what is wrong with one is said in a sentence of what, where and what to give."""

from __future__ import annotations

import errno
import json
import os
import stat
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

NO_FILE = "there is no such file"
_WHY = {
    errno.ENOENT: NO_FILE,
    errno.ENOTDIR: NO_FILE,
    errno.EISDIR: "it is a folder",
    errno.EACCES: "you may not open it",
    errno.EPERM: "you may not open it",
    errno.ELOOP: "it is a link that leads round in a circle",
    errno.ENAMETOOLONG: "its name is too long",
    errno.ENXIO: "it is no file that can be read",
}


def why(error: Exception) -> str:
    """What an error of the system means, for the file that it is about."""
    number = error.errno if isinstance(error, OSError) else errno.ENOENT
    return _WHY.get(number or 0) or (os.strerror(number) if number else str(error))


def mode_of(path: Path) -> int:
    """Type and permissions of what is there, as `stat` has them; 0 where nothing is, or nobody is let through to it."""
    try:
        return path.stat().st_mode
    except (OSError, ValueError):
        return 0


def missing(path: Path) -> str | None:
    """Why nothing can be read there, None where a file or a folder is."""
    try:
        path.stat()
    except (OSError, ValueError) as error:
        return why(error)
    return None


def unreadable(path: Path) -> str | None:
    """Why a file on a disk cannot be read, None where it can."""
    try:
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode):
            return _WHY[errno.EISDIR if stat.S_ISDIR(mode) else errno.ENXIO]
        path.open("rb").close()
    except (OSError, ValueError) as error:
        return why(error)
    return None


@dataclass(frozen=True)
class NamedFile:
    """A kind of file. wanted: what a person should give, after "give ". most: bytes. wrong: makes the error that is
    raised of a sentence. is_kept: it is a file on a disk, no pipe or device."""

    wanted: str
    most: int
    wrong: Callable[[str], Exception]
    is_kept: bool = False

    def refused(self, path: Path, reason: str) -> Exception:
        """The error that says why this file cannot be used."""
        return self.wrong(f"{path}: {reason}; give {self.wanted}.")

    def bytes_of(self, path: Path) -> bytes:
        """All that is in the file."""
        if self.is_kept and (reason := unreadable(path)):
            raise self.refused(path, reason)
        try:
            size = path.stat().st_size
            is_large = size > self.most
            with path.open("rb") as file:
                # Room for the most would cost more than reading; what is no file on a disk has no size.
                data = b"" if is_large else file.read((size or self.most) + 1)
        except (OSError, ValueError) as error:
            raise self.refused(path, why(error)) from error
        if is_large or len(data) > self.most:
            raise self.refused(path, f"it is larger than {_in_words(self.most)}")
        return data

    def text_of(self, path: Path) -> str:
        """All that is in the file, as text."""
        data = self.bytes_of(path)
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise self.refused(path, "it is not text in UTF-8") from error

    def json_of(self, path: Path) -> object:
        """The JSON value in the file."""
        text = self.text_of(path)
        if not text.strip():
            raise self.refused(path, "it is empty")
        try:
            return json.loads(text)
        except json.JSONDecodeError as error:
            raise self.refused(path, f"it is not JSON from line {error.lineno}, column {error.colno} on") from error
        except (ValueError, RecursionError) as error:
            raise self.refused(path, "it is nested too deep, or a number in it is too long") from error


def _in_words(size: int) -> str:
    return f"{size >> 20} MiB" if size >> 20 else f"{size >> 10} KiB"
