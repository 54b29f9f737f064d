"""Repair of a damaged event log: what can be read of it goes on under its name, and the damaged file is set aside."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from device.journal.event_log import EventLog, Schema
from device.journal.repair import DAMAGED, finish_repair, is_sound, read_damaged, repair_file

SCHEMA = Schema(
    "CREATE TABLE IF NOT EXISTS entries (number INTEGER PRIMARY KEY, body TEXT);", "entries", "number, body"
)


def write_log(path: Path, count: int = 3) -> Path:
    with closing(EventLog(path, SCHEMA)) as log:
        log.append_rows([(number, f"entry {number}") for number in range(1, count + 1)])
    return path


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "first page": lambda data: bytes(4096) + data[4096:],
    "cut": lambda data: data[:5000],
    "no database": lambda data: b"x" * len(data),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_damage_is_found_and_what_is_written_anew_goes_on_in_its_place(tmp_path, name):
    path = write_log(tmp_path / "log.journal")
    assert is_sound(path, SCHEMA)
    data = DAMAGES[name](path.read_bytes())
    path.write_bytes(data)
    assert not is_sound(path, SCHEMA)
    row_lists = [[row for row in rows if row[1] is not None] for rows in read_damaged(path, SCHEMA)]
    assert max(map(len, row_lists)) == (3 if name == "first page" else 0)
    repair_file(path, lambda draft: write_log(draft, 5) and None)
    assert is_sound(path, SCHEMA) and not finish_repair(path)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["log.damaged", "log.journal"]
    assert path.with_suffix(DAMAGED).read_bytes() == data
