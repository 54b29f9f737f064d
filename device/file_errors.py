"""The reasons why the system refuses a file, in words of every language."""

from __future__ import annotations

import errno
import sqlite3

from referee.game.messages import Message, message
from vision.input_files import LINK, UnusableFile

_KEYS = {
    errno.ENOENT: "file.missing",
    errno.ENOTDIR: "file.missing",
    errno.EISDIR: "file.folder",
    errno.EACCES: "file.denied",
    errno.EPERM: "file.denied",
    errno.ELOOP: "file.circle",
    errno.ENAMETOOLONG: "file.long-name",
    errno.ENXIO: "file.special",
    errno.EROFS: "file.read-only",
    errno.ENOSPC: "file.no-room",
}

MESSAGE_KEYS = tuple(_KEYS.values())
_SQLITE_KEYS = {
    sqlite3.SQLITE_PERM: "file.denied",
    sqlite3.SQLITE_READONLY: "file.read-only",
    sqlite3.SQLITE_FULL: "file.no-room",
}


def reason_for(error: Exception) -> Message:
    """Return the reason why a file cannot be read or written: in words, or as the system's name for it."""
    if isinstance(error, UnusableFile) and error.strerror == LINK:
        return message("file.link")
    if isinstance(error, sqlite3.Error):
        key = _SQLITE_KEYS.get(getattr(error, "sqlite_errorcode", 0) & 0xFF)
        name = getattr(error, "sqlite_errorname", type(error).__name__)
    else:
        number = (error.errno or 0) if isinstance(error, OSError) else errno.ENOENT
        key, name = _KEYS.get(number), errno.errorcode.get(number, type(error).__name__)
    return message(key) if key is not None else message("file.system", error=name)
