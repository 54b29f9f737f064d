import logging
import os
import resource
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from device.files import (
    InUse,
    can_log_to,
    check_place,
    copy_stored,
    delete_drafts,
    is_stored,
    lock_folder,
    log_to_file,
    open_output,
    read_stored,
    write_together,
    write_whole,
)
from referee.game.errors import BadRecord


def test_a_file_is_replaced_whole_and_nothing_is_left_beside_it(tmp_path):
    path = tmp_path / "game.sgf"
    for data in (b"first", b"second and longer", b""):
        write_whole(path, data)
        assert path.read_bytes() == data
    assert [p.name for p in tmp_path.iterdir()] == ["game.sgf"]


KILLED = """
import os, signal, sys
from pathlib import Path
from device import files
files.os.fsync = lambda file: os.kill(os.getpid(), signal.SIGKILL)
files.write_whole(Path(sys.argv[1]), b"half")
"""


def test_what_a_killed_process_had_begun_is_swept_and_nothing_else(tmp_path):
    (tmp_path / "00001.frames").mkdir()
    for name in ("game.sgf", "00001.frames/000001.legal.jpg"):
        subprocess.run([sys.executable, "-c", KILLED, str(tmp_path / name)])
    (tmp_path / ".2026-05-01T10-00-00.sgf.a1b2c3d4").touch()
    others = {".hidden", ".2026.sgf", "a.draft", ".game.sgf.abcdefgh"}
    for name in others:
        (tmp_path / name).touch()
    assert len(list(tmp_path.rglob(".*.draft"))) == 2
    delete_drafts(tmp_path)
    assert {path.name for path in tmp_path.rglob("*")} == {*others, "00001.frames"}


def test_what_another_process_is_writing_is_left_alone(tmp_path, monkeypatch):
    drafts = []
    monkeypatch.setattr(
        "device.files.os.fsync", lambda file: (delete_drafts(tmp_path), drafts.extend(tmp_path.iterdir()))
    )
    write_whole(tmp_path / "game.sgf", b"x")
    assert drafts and (tmp_path / "game.sgf").read_bytes() == b"x"


def test_a_place_that_cannot_be_written_is_one_sentence(tmp_path):
    with pytest.raises(BadRecord, match="nowhere"):
        write_whole(tmp_path / "nowhere" / "game.sgf", b"x")


def test_a_folder_of_that_name_is_left_alone(tmp_path):
    (tmp_path / "game.sgf").mkdir()
    with pytest.raises(BadRecord, match=r"game\.sgf"):
        write_whole(tmp_path / "game.sgf", b"x")
    assert [p.name for p in tmp_path.iterdir()] == ["game.sgf"]


def test_a_log_on_a_full_disk_says_nothing_on_the_terminal(tmp_path, capsys):
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    end = log_to_file(tmp_path / "log")
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, limit[1]))
        for _ in range(3):
            logging.getLogger("shinpan").info("a turn")
    finally:
        end()
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
    assert capsys.readouterr() == ("", "") and (tmp_path / "log").read_bytes() == b""


def occupy(path: Path, kind: str) -> None:
    """Put something at the path that cannot be written to."""
    match kind:
        case "folder":
            path.mkdir()
        case "pipe":
            os.mkfifo(path)
        case _:
            path.symlink_to(path.with_name("elsewhere"))


@pytest.mark.parametrize("kind", ["folder", "pipe", "link"])
def test_without_a_place_for_the_log_nothing_is_logged(kind, tmp_path, capsys):
    (tmp_path / "elsewhere").write_bytes(b"another's")
    assert can_log_to(tmp_path / "good")
    occupy(tmp_path / "log", kind)
    end = log_to_file(tmp_path / "log")
    logging.getLogger("shinpan").info("a turn")
    end()
    assert not can_log_to(tmp_path / "log")
    assert capsys.readouterr() == ("", "") and (tmp_path / "elsewhere").read_bytes() == b"another's"


def test_a_log_that_is_full_goes_on_in_a_new_file(tmp_path):
    (tmp_path / "log").write_bytes(b"x" * 999_990)
    end = log_to_file(tmp_path / "log")
    logging.getLogger("shinpan").info("a turn")
    end()
    assert "a turn" in (tmp_path / "log").read_text() and (tmp_path / "log.1").stat().st_size == 999_990


def test_the_lock_empties_no_file_that_a_link_leads_to(tmp_path):
    (tmp_path / "elsewhere").write_bytes(b"another's")
    (tmp_path / "lock").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(InUse, match="it is a link"):
        lock_folder(tmp_path)
    assert (tmp_path / "elsewhere").read_bytes() == b"another's"


def test_a_folder_that_is_a_link_to_nothing_is_called_that(tmp_path):
    (tmp_path / "games").symlink_to(tmp_path / "unplugged")
    for folder in (tmp_path / "games", tmp_path / "games" / "evening"):
        with pytest.raises(InUse, match=rf"is a link to {tmp_path / 'unplugged'}, and nothing is there\); name"):
            lock_folder(folder)


@pytest.mark.parametrize("kind", ["folder", "pipe", "link"])
def test_only_a_regular_file_is_read(kind, tmp_path):
    (tmp_path / "elsewhere").write_bytes(b"another's")
    occupy(tmp_path / "given", kind)
    with pytest.raises(OSError, match="it is"):
        read_stored(tmp_path / "given")
    with pytest.raises(OSError, match="it is"):
        copy_stored(tmp_path / "given", tmp_path / "copy")
    assert not is_stored(tmp_path / "given") and not (tmp_path / "copy").exists()


def test_no_more_is_read_than_the_limit(tmp_path):
    (tmp_path / "large").write_bytes(b"x" * 2000)
    assert read_stored(tmp_path / "large", 2000) == b"x" * 2000
    for act in (
        lambda: read_stored(tmp_path / "large", 1999),
        lambda: copy_stored(tmp_path / "large", tmp_path / "c", 1999),
    ):
        with pytest.raises(OSError, match="larger"):
            act()


def test_sweeping_follows_no_link_and_waits_for_no_pipe(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / ".x.abcd1234.draft").touch()
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "linked").symlink_to(tmp_path / "elsewhere")
    os.mkfifo(tmp_path / "games" / ".y.abcd1234.draft")
    delete_drafts(tmp_path / "games")
    assert (tmp_path / "elsewhere" / ".x.abcd1234.draft").exists()


def test_a_disk_is_never_written_over(tmp_path):
    disk = next((path for path in Path("/dev").iterdir() if path.is_block_device()), None)
    if disk is None:
        if os.geteuid():
            pytest.skip("there is no disk here, and only root can make one")
        disk = tmp_path / "disk"
        try:
            os.mknod(disk, 0o600 | stat.S_IFBLK, os.makedev(7, 200))
        except PermissionError:
            pytest.skip("no disk can be made here")
    for act in (check_place, lambda path: write_whole(path, b"")):
        with pytest.raises(BadRecord, match="it is a disk"):
            act(disk)


def test_what_grows_goes_into_a_new_file_and_through_no_link(tmp_path):
    (tmp_path / "elsewhere").write_bytes(b"another's")
    (tmp_path / "out").symlink_to(tmp_path / "elsewhere")
    with open_output(tmp_path / "out") as file:
        file.write("a line\n")
    assert (tmp_path / "out").read_text() == "a line\n" and not (tmp_path / "out").is_symlink()
    assert (tmp_path / "elsewhere").read_bytes() == b"another's"


def test_what_grows_waits_for_no_reader_of_a_pipe(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(BadRecord, match="nobody reads what is written there"):
        open_output(tmp_path / "pipe")


def test_several_files_are_written_all_or_none(tmp_path):
    (tmp_path / "b").mkdir()
    with pytest.raises(OSError):
        write_together({tmp_path / "a": b"1", tmp_path / "b": b"2"})
    assert [path.name for path in tmp_path.iterdir()] == ["b"]


def test_a_fault_in_a_line_of_the_log_is_still_told(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(logging.getLogger("shinpan"), "propagate", False)  # pytest has a handler that raises it.
    end = log_to_file(tmp_path / "log")
    logging.getLogger("shinpan").info("%d", "no number")
    end()
    assert "Logging error" in capsys.readouterr().err


def test_a_folder_deleted_meanwhile_keeps_no_draft_from_sweeping(tmp_path):
    (deleted_folder := tmp_path / "gone").mkdir()
    (draft := tmp_path / ".x.sgf.abcd_123.draft").touch()

    def delete(event: str, arguments: tuple[object, ...]) -> None:
        if (
            event in ("os.listdir", "os.scandir")
            and str(arguments[0]) == str(deleted_folder)
            and deleted_folder.exists()
        ):
            deleted_folder.rmdir()

    if (child := os.fork()) == 0:  # No hook can be taken away again.
        sys.addaudithook(delete)
        try:
            delete_drafts(tmp_path)
        except OSError:
            os._exit(1)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert not draft.exists() and not deleted_folder.exists()
