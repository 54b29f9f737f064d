"""Every implementation gives the same names, and files and journals work over each, as far as this system can say."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys

import pytest

from device import files
from device.files import InUse, delete_drafts, lock_folder, open_output, read_stored, write_together, write_whole
from device.journal import event_log, head
from device.journal.event_log import EventLog, Schema
from device.journal.head import Head, HeadFile, read_last_heartbeat, read_newest_head
from tests.support.device.systems import SYSTEMS, load_system
from vision import input_files

NOTES = Schema("CREATE TABLE IF NOT EXISTS notes (number INTEGER PRIMARY KEY, text TEXT)", "notes", "number, text")
HOLD = """
import fcntl, sys
file = open(sys.argv[1], "r+b")
fcntl.lockf(file, fcntl.LOCK_EX, 1, 1 << 30)
print(flush=True)
input()
"""


@pytest.fixture(params=SYSTEMS)
def system(request, monkeypatch):
    """Run files and journals over the implementation of a system."""
    with load_system(request.param) as module:
        for user in (files, event_log, head, input_files):
            monkeypatch.setattr(user, "system", module)
        yield module


def interface(module):
    """The public names that a module makes or takes from `posix`, with the parameters of each."""
    members = {name: one for name, one in vars(module).items() if not name.startswith("_")}
    own = {
        name: one
        for name, one in members.items()
        if (inspect.isfunction(one) or inspect.isclass(one))
        and one.__module__.startswith(("device.system", "tests.loaded"))
    }
    methods = {
        f"{name}.{part}": function
        for name, one in own.items()
        if inspect.isclass(one)
        for part, function in vars(one).items()
        if inspect.isfunction(function) and not part.startswith("_")
    }
    functions = {name: one for name, one in own.items() if inspect.isfunction(one)}
    return {name: str(inspect.signature(one)) for name, one in {**functions, **methods}.items()}


def test_every_system_gives_the_same_names():
    interfaces = []
    for platform in SYSTEMS:
        with load_system(platform) as module:
            assert isinstance(module.SQLITE_PRAGMAS, tuple)
            interfaces.append(interface(module))
    assert len(interfaces[0]) > 30 and interfaces[0] == interfaces[1] == interfaces[2]


def test_files_are_written_whole_and_read_again(system, tmp_path):
    for data in (b"first", b"second\r\n and longer", b""):
        write_whole(tmp_path / "game.sgf", data)
        assert read_stored(tmp_path / "game.sgf") == data
    write_together({tmp_path / "a": b"1", tmp_path / "b": b"2"})
    with open_output(tmp_path / "out") as file:
        file.write("a line\n")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b", "game.sgf", "out"]


def test_abandoned_drafts_are_swept(system, tmp_path):
    (tmp_path / ".game.sgf.abcd_123.draft").touch()
    delete_drafts(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_no_link_is_read_or_written_through(system, tmp_path):
    (tmp_path / "elsewhere").write_bytes(b"another's")
    (tmp_path / "lock").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match="link"):
        read_stored(tmp_path / "lock")
    with pytest.raises(InUse, match="it is a link"):
        lock_folder(tmp_path)
    assert (tmp_path / "elsewhere").read_bytes() == b"another's"


def test_a_lock_excludes_another_process(tmp_path):
    with load_system("win32") as module, (tmp_path / "lock").open("w+b") as file:
        with subprocess.Popen(
            [sys.executable, "-c", HOLD, tmp_path / "lock"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as other:
            assert other.stdin is not None and other.stdout is not None
            other.stdout.readline()
            with pytest.raises(BlockingIOError):
                module.lock_file(file)
            module.check_record_locks(file)
            other.stdin.close()
        module.lock_file(file)
        assert file.tell() == 0


def test_an_event_log_keeps_what_was_written(system, tmp_path):
    log = EventLog(tmp_path / "notes", NOTES)
    log.append_rows([(1, "one"), (2, "two")])
    assert log.read_rows() == [(1, "one"), (2, "two")] and log.checkpoint()
    log.close()
    log = EventLog(tmp_path / "notes", NOTES)
    assert log.read_last_row() == (2, "two")
    log.close()


def test_a_head_is_kept_beside_its_journal(system, tmp_path):
    file = HeadFile(tmp_path / "head")
    for entries in range(1, 4):
        file.write(Head(entries, f"{entries}" * 8))
        file.write_heartbeat(float(entries))
    file.close()
    assert (tmp_path / "head").stat().st_size == head.HEAD_SIZE
    assert read_newest_head(tmp_path / "head") == Head(3, "3" * 8) and read_last_heartbeat(tmp_path / "head") == 3.0


def test_a_file_is_open_in_memory_until_it_is_closed(system):
    with system.open_in_memory("clip") as clip:
        clip.write(b"sound")
        clip.seek(0)
        assert os.read(clip.fileno(), 5) == b"sound"
