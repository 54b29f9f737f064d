"""The reasons why the system refuses a file, in words of every language."""

from __future__ import annotations

import errno
import os
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

OTHER_TABLES = "file.other-tables"
MESSAGE_KEYS = (*_KEYS.values(), OTHER_TABLES)
_SQLITE_KEYS = {
    sqlite3.SQLITE_PERM: "file.denied",
    sqlite3.SQLITE_READONLY: "file.read-only",
    sqlite3.SQLITE_FULL: "file.no-room",
}


class OtherTables(sqlite3.DatabaseError):
    """A database that is none of ours."""


def reason_for(error: Exception) -> Message:
    """Return the reason why a file cannot be read or written: in words, or as the system puts it."""
    if isinstance(error, OtherTables):
        return message(OTHER_TABLES)
    if isinstance(error, UnusableFile) and error.strerror == LINK:
        return message("file.link")
    if isinstance(error, sqlite3.Error):
        key = _SQLITE_KEYS.get(getattr(error, "sqlite_errorcode", 0) & 0xFF)
        name, text = getattr(error, "sqlite_errorname", type(error).__name__), f"{error}"
    else:
        number = (error.errno or 0) if isinstance(error, OSError) else errno.ENOENT
        key, name = _KEYS.get(number), errno.errorcode.get(number, type(error).__name__)
        text = os.strerror(number) if number else f"{error}"
    return message(key) if key is not None else message("file.system", error=f"{name}, {text}")
