"""The four event logs: a kill loses nothing that was acknowledged, and a disk whose locks fail is told at once."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from device.files import UnusableFile
from device.journal.event_log import LOG, EventLog, Schema, open_for_reading, sibling_path
from device.journal.repair import finish_repair, repair_file
from device.session.evening_store import NAME
from tests.device.journal.event_logs import STORES, writer
from tests.support import ROOT
from tests.support.faulty_disk import NO_COMPILER, FaultyDisk, can_fail
from tests.support.tiers import sample

SCHEMA = Schema(
    "CREATE TABLE IF NOT EXISTS entries (number INTEGER PRIMARY KEY, body TEXT);", "entries", "number, body"
)
MOST_LOCKS = 4
"""Times that a lock may be asked for before it is told; SQLite by itself asks again for five or ten seconds."""


def test_the_folder_of_a_new_log_is_synced(tmp_path, monkeypatch):
    """Without that a power cut may take the file's name away."""
    synced = []
    monkeypatch.setattr("device.journal.event_log.sync_folder", synced.append)
    EventLog(tmp_path / "new.log", SCHEMA).close()
    assert synced == [tmp_path]


@pytest.mark.slow
@pytest.mark.parametrize("name", sample(STORES, 2))
def test_kill_9_loses_nothing_that_was_acknowledged(tmp_path, name):
    with writer(name, tmp_path) as program:
        assert {program.write() for _ in range(30)} == {"kept"}
        assert program.process.stdin is not None
        for _ in range(5):
            print(file=program.process.stdin, flush=True)
    assert 30 <= STORES[name][1](tmp_path) <= 35


@pytest.mark.slow
@pytest.mark.skipif(not can_fail(), reason=NO_COMPILER)
@pytest.mark.parametrize("name", sample(STORES, 2))
def test_failing_locks_are_reported_at_once_and_nothing_is_lost(tmp_path, name):
    (scratch := tmp_path / "shim").mkdir()
    (folder := tmp_path / "data").mkdir()
    disk = FaultyDisk(scratch, folder)
    with writer(name, folder, disk.environment) as program:
        assert program.write() == "kept"
        with disk.failing("ENOLCK") as failures:
            output = program.write()
            lock_count = failures()
        # The evening's lock is held from its beginning, so it needs no other.
        assert lock_count <= MOST_LOCKS and ("No locks available" in output or (name, output) == ("evening", "kept"))
        assert program.write() == "kept"
    assert STORES[name][1](folder) == (3 if name == "evening" else 2)


@pytest.mark.long
@pytest.mark.skipif(not can_fail(), reason=NO_COMPILER)
def test_an_evening_without_locks_is_refused_at_once(tmp_path):
    (scratch := tmp_path / "shim").mkdir()
    (folder := tmp_path / "data").mkdir()
    disk = FaultyDisk(scratch, folder)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **disk.environment}
    program = [sys.executable, "-m", "tests.device.journal.event_logs", "evening", str(folder)]
    with disk.failing("ENOLCK"):
        done = subprocess.run(program, env=environment, capture_output=True, text=True)
    assert done.stderr.splitlines()[-1].endswith("cannot be written (No locks available); choose another place.")


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of a watched evening."""
    folder = tmp_path_factory.mktemp("evening")
    write, close = STORES["evening"][0](folder)
    for number in range(49):
        write(number)
    close()
    return (folder / NAME).read_bytes()


def write_log(path: Path, count: int = 3) -> Path:
    with closing(EventLog(path, SCHEMA)) as log:
        log.append_rows([(number, f"entry {number}") for number in range(1, count + 1)])
    return path


def test_what_fails_within_a_transaction_leaves_nothing_of_it(tmp_path):
    log = EventLog(tmp_path / "log", SCHEMA)
    log.append_rows([(1, "a")])
    with pytest.raises(sqlite3.IntegrityError):
        log.append_rows([(2, "b"), (1, "c")])
    with pytest.raises(KeyboardInterrupt), log.open_transaction() as base:
        base.execute(SCHEMA.insert, (3, "d"))
        raise KeyboardInterrupt
    assert log.read_rows() == [(1, "a")] and log.read_last_row() == (1, "a")
    log.append_rows([(2, "b")], ("UPDATE entries SET body = ? WHERE number = ?", [("z", 1)]))
    assert log.read_rows() == [(1, "z"), (2, "b")]
    log.close()


def test_an_entry_is_in_the_file_itself_once_it_is_checkpointed(tmp_path):
    log = EventLog(tmp_path / "log", SCHEMA)
    log.append_rows([(1, "a")])
    alone = tmp_path / "alone"
    assert sibling_path(log.path, LOG).stat().st_size and log.checkpoint()
    shutil.copy(log.path, alone)
    with open_for_reading(alone, SCHEMA) as base:
        assert base.execute(SCHEMA.select()).fetchall() == [(1, "a")]
    log.close()


def test_a_link_is_not_followed(tmp_path):
    (tmp_path / "log").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UnusableFile):
        EventLog(tmp_path / "log", SCHEMA)
    assert not (tmp_path / "elsewhere").exists()


def test_a_new_file_that_has_no_room_is_not_put_in_place(tmp_path):
    path = tmp_path / "log.journal"
    path.write_bytes(b"x")

    def write(draft: Path) -> None:
        write_log(draft)
        sibling_path(draft, LOG).write_bytes(b"the rest")

    with pytest.raises(OSError, match="No space left"):
        repair_file(path, write)
    assert path.read_bytes() == b"x" and not finish_repair(path)
