"""Reading of files named by the user; a failure becomes one sentence: what, where, and what to give instead."""

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


def os_error_text(error: Exception) -> str:
    """Return a system error's meaning for the file concerned."""
    number = error.errno if isinstance(error, OSError) else errno.ENOENT
    return _WHY.get(number or 0) or (os.strerror(number) if number else str(error))


def file_mode(path: Path) -> int:
    """Return the type and permissions at a path, as `stat` does; 0 if nothing is there or access is denied."""
    try:
        return path.stat().st_mode
    except (OSError, ValueError):
        return 0


def why_missing(path: Path) -> str | None:
    """Return the reason why nothing can be read there, None if there is a file or a folder."""
    try:
        path.stat()
    except (OSError, ValueError) as error:
        return os_error_text(error)
    return None


def why_unreadable(path: Path) -> str | None:
    """Return the reason why a regular file cannot be read, None if it can."""
    try:
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode):
            return _WHY[errno.EISDIR if stat.S_ISDIR(mode) else errno.ENXIO]
        path.open("rb").close()
    except (OSError, ValueError) as error:
        return os_error_text(error)
    return None


@dataclass(frozen=True)
class InputFileSpec:
    """A kind of file.

    `wanted`: the kind of file to give, as it follows "give " in a message.
    `most`: the size limit, in bytes.
    `wrong`: makes the error to raise from a sentence.
    `is_kept`: it must be a regular file, no pipe or device.
    """

    wanted: str
    most: int
    wrong: Callable[[str], Exception]
    is_kept: bool = False

    def refused(self, path: Path, reason: str) -> Exception:
        """Return the error that says why this file cannot be used."""
        return self.wrong(f"{path}: {reason}; give {self.wanted}.")

    def bytes_of(self, path: Path) -> bytes:
        """Return the file's content."""
        if self.is_kept and (reason := why_unreadable(path)):
            raise self.refused(path, reason)
        try:
            size = path.stat().st_size
            is_large = size > self.most
            with path.open("rb") as file:
                # A buffer of the maximum size would cost more than reading; only regular files have a size.
                data = b"" if is_large else file.read((size or self.most) + 1)
        except (OSError, ValueError) as error:
            raise self.refused(path, os_error_text(error)) from error
        if is_large or len(data) > self.most:
            raise self.refused(path, f"it is larger than {_in_words(self.most)}")
        return data

    def text_of(self, path: Path) -> str:
        """Return the file's content as text."""
        data = self.bytes_of(path)
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise self.refused(path, "it is not text in UTF-8") from error

    def json_of(self, path: Path) -> object:
        """Return the JSON value in the file."""
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
