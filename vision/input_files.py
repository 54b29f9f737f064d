"""Reading of files named by the user; a failure becomes one sentence: what, where, and what to give instead."""

from __future__ import annotations

import errno
import json
import os
import stat
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from device.system import system

NO_FILE = "there is no such file"
NAMED_PIPE = "it is a pipe, which may never end"
LINK = "it is a link, and links are not followed here"
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


class UnusableFile(OSError):
    """Something at a path that is not opened or not read on; `strerror` is the reason, in words for people."""


def os_error_text(error: Exception) -> str:
    """Return a system error's meaning for the file concerned."""
    if isinstance(error, UnusableFile):
        return str(error.strerror)
    number = error.errno if isinstance(error, OSError) else errno.ENOENT
    return _WHY.get(number or 0) or (os.strerror(number) if number else str(error))


def file_mode(path: Path, links: bool = True) -> int:
    """Return the type and permissions at a path, as `stat` does; 0 if nothing is there or access is denied.

    links: whether a link at the path itself is followed
    """
    try:
        return path.stat(follow_symlinks=links).st_mode
    except (OSError, ValueError):
        return 0


def why_missing(path: Path) -> str | None:
    """Return the reason why nothing can be read there, None if there is a file or a folder."""
    try:
        path.stat()
    except (OSError, ValueError) as error:
        return os_error_text(error)
    return None


def open_regular(path: Path, links: bool = True) -> BinaryIO:
    """Open a regular file for reading, and nothing else; it never waits, and no device notices it.

    links: whether a link at the path itself is followed

    Raises OSError.
    """
    _check_regular(path, path.stat(follow_symlinks=links).st_mode)
    handle = system.open_handle(path, os.O_RDONLY, links)
    try:
        _check_regular(path, os.fstat(handle).st_mode)  # Another file may have been put there since.
    except OSError:
        os.close(handle)
        raise
    return os.fdopen(handle, "rb")


def _check_regular(path: Path, mode: int) -> None:
    if stat.S_ISLNK(mode):
        raise UnusableFile(errno.ELOOP, LINK, str(path))
    if not stat.S_ISREG(mode):
        number = errno.EISDIR if stat.S_ISDIR(mode) else errno.ENXIO
        raise UnusableFile(number, _WHY[number], str(path))


def open_named(path: Path) -> BinaryIO:
    """Open what a person names for reading: a file, a device such as /dev/null, or another program's output.

    A pipe with a name of its own, a disk and a socket are refused: nobody may ever write into the pipe. Raises OSError.
    """
    mode = path.stat().st_mode
    if stat.S_ISFIFO(mode) and path.resolve().exists():  # Not so the pipes of a shell, as /dev/fd/63.
        raise UnusableFile(errno.ENXIO, NAMED_PIPE, str(path))
    if stat.S_ISBLK(mode) or stat.S_ISSOCK(mode):
        raise UnusableFile(errno.ENXIO, _WHY[errno.ENXIO], str(path))
    return path.open("rb")


def read_limited(path: Path, file: BinaryIO, limit: int) -> bytes:
    """Read the rest of an open file; raise UnusableFile if it is larger than `limit` bytes."""
    size = os.fstat(file.fileno()).st_size
    # A buffer of the maximum size would cost more than reading; only regular files have a size.
    data = b"" if size > limit else file.read((size or limit) + 1)
    if size > limit or len(data) > limit:
        raise UnusableFile(errno.EFBIG, f"it is larger than {_in_words(limit)}", str(path))
    return data


def read_stored(path: Path, limit: int) -> bytes:
    """Return the content of a file that was found in a folder: a regular one, not through a link. Raises OSError."""
    with open_regular(path, links=False) as file:
        return read_limited(path, file, limit)


def why_unreadable(path: Path, links: bool = True) -> str | None:
    """Return the reason why a regular file cannot be read, None if it can. links: whether a link is followed."""
    try:
        open_regular(path, links).close()
    except (OSError, ValueError) as error:
        return os_error_text(error)
    return None


@dataclass(frozen=True)
class InputFileSpec:
    """A kind of file.

    `wanted`: the kind of file to give, as it follows "give " in a message.
    `most`: the size limit, in bytes.
    `wrong`: makes the error to raise from a sentence.
    `is_kept`: it must be a regular file, no device or other program's output.
    """

    wanted: str
    most: int
    wrong: Callable[[str], Exception]
    is_kept: bool = False

    def error_for(self, path: Path, reason: str) -> Exception:
        """Return the error that says why this file cannot be used."""
        return self.wrong(f"{path}: {reason}; give {self.wanted}.")

    def bytes_of(self, path: Path) -> bytes:
        """Return the file's content."""
        try:
            with open_regular(path) if self.is_kept else open_named(path) as file:
                return read_limited(path, file, self.most)
        except (OSError, ValueError) as error:
            raise self.error_for(path, os_error_text(error)) from error

    def text_of(self, path: Path) -> str:
        """Return the file's content as text."""
        data = self.bytes_of(path)
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise self.error_for(path, "it is not text in UTF-8") from error

    def json_of(self, path: Path) -> object:
        """Return the JSON value in the file."""
        text = self.text_of(path)
        if not text.strip():
            raise self.error_for(path, "it is empty")
        try:
            return json.loads(text)
        except json.JSONDecodeError as error:
            raise self.error_for(path, f"it is not JSON from line {error.lineno}, column {error.colno} on") from error
        except (ValueError, RecursionError) as error:
            raise self.error_for(path, "it is nested too deep, or a number in it is too long") from error


def _in_words(size: int) -> str:
    return f"{size >> 20} MiB" if size >> 20 else f"{size >> 10} KiB"
