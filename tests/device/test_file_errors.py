"""The reasons why the system refuses a file."""

from __future__ import annotations

import errno
import sqlite3

import pytest

from device.file_errors import OtherTables, reason_for
from referee.game.messages import message
from vision.input_files import LINK, UnusableFile


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (FileNotFoundError(errno.ENOENT, ""), message("file.missing")),
        (PermissionError(errno.EACCES, ""), message("file.denied")),
        (OSError(errno.ENOSPC, ""), message("file.no-room")),
        (OSError(errno.ELOOP, ""), message("file.circle")),
        (UnusableFile(errno.ELOOP, LINK), message("file.link")),
        (OSError(errno.EIO, ""), message("file.system", error="EIO, Input/output error")),
        (OSError("without a number"), message("file.system", error="OSError, without a number")),
        (OtherTables(), message("file.other-tables")),
        (ValueError("a null byte in a name"), message("file.missing")),
        (sqlite3.DatabaseError("of no database"), message("file.system", error="DatabaseError, of no database")),
    ],
)
def test_the_reason_is_in_words_or_the_systems_name_for_it(error, reason):
    assert reason_for(error) == reason


def test_a_full_disk_is_one_for_a_database_too(tmp_path):
    base = sqlite3.connect(tmp_path / "base")
    base.execute("PRAGMA max_page_count = 1")
    with pytest.raises(sqlite3.Error) as caught:
        base.execute("CREATE TABLE a (b)")
    assert reason_for(caught.value) == message("file.no-room")
