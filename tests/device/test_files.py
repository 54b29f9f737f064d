import logging
import subprocess
import sys

import pytest

from device.files import logging_to, sweep, write_whole
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
    sweep(tmp_path)
    assert {path.name for path in tmp_path.rglob("*")} == {*others, "00001.frames"}


def test_what_another_process_is_writing_is_left_alone(tmp_path, monkeypatch):
    kept = []
    monkeypatch.setattr("device.files.os.fsync", lambda file: (sweep(tmp_path), kept.extend(tmp_path.iterdir())))
    write_whole(tmp_path / "game.sgf", b"x")
    assert kept and (tmp_path / "game.sgf").read_bytes() == b"x"


def test_a_place_that_cannot_be_written_is_one_sentence(tmp_path):
    with pytest.raises(BadRecord, match="nowhere"):
        write_whole(tmp_path / "nowhere" / "game.sgf", b"x")


def test_a_folder_of_that_name_is_left_alone(tmp_path):
    (tmp_path / "game.sgf").mkdir()
    with pytest.raises(BadRecord, match=r"game\.sgf"):
        write_whole(tmp_path / "game.sgf", b"x")
    assert [p.name for p in tmp_path.iterdir()] == ["game.sgf"]


def test_a_log_on_a_full_disk_says_nothing_on_the_terminal(tmp_path, capsys):
    (tmp_path / "log").symlink_to("/dev/full")
    end = logging_to(tmp_path / "log")
    try:
        for _ in range(3):
            logging.getLogger("shinpan").info("a turn")
    finally:
        end()
    assert capsys.readouterr() == ("", "")


def test_a_fault_in_a_line_of_the_log_is_still_told(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(logging.getLogger("shinpan"), "propagate", False)  # pytest has a handler that raises it.
    end = logging_to(tmp_path / "log")
    logging.getLogger("shinpan").info("%d", "no number")
    end()
    assert "Logging error" in capsys.readouterr().err
