"""Starting the hall's program: one sentence for what it cannot use, and an end at any time until it has begun."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from device.__main__ import main
from device.files import lock_folder
from device.hall.tables import HallConfig
from device.settings import BadSettings
from tests.support.waiting import PATIENCE_S

HANGS_S = round(PATIENCE_S)
"""Seconds."""
LIST = """folder = "{folder}"
{more}
[[tables]]
table = "1"
address = "http://192.0.2.1:8000/"
box = "0123456789abcdef0123456789abcdef"
secret = "5f1c0e6b7a2d49388c3e9d4a6b0f1e27"
"""


def listed(folder: Path, more: str = "") -> str:
    path = folder / "tables.toml"
    path.write_text(LIST.format(folder=folder / "hall", more=more))
    return str(path)


@contextmanager
def not_hanging() -> Iterator[None]:
    """Break off what waits for ever."""

    def hangs(*_: object) -> None:
        pytest.fail(f"it hangs for {HANGS_S} seconds")

    before = signal.signal(signal.SIGALRM, hangs)
    signal.alarm(HANGS_S)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def run_refused(listed: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Return what a hall with this list says before it ends by itself."""
    with not_hanging():
        assert main(["hall", listed, "--port", "0"]) == 2
    error = capsys.readouterr().err
    assert re.fullmatch(r"shinpan: [^\n]*\n", error)
    return error


def test_a_pipe_is_no_list_of_tables(tmp_path, capsys):
    os.mkfifo(tmp_path / "tables.toml")
    error = run_refused(str(tmp_path / "tables.toml"), capsys)
    assert "it is no file that can be read; give a list of tables as docs/hall.md has it" in error


def test_a_pipe_holds_no_token(tmp_path, capsys):
    os.mkfifo(tmp_path / "token")
    error = run_refused(listed(tmp_path, f'ogs = "{tmp_path / "token"}"'), capsys)
    assert "token: it is no file that can be read; give a file that holds the token for OGS" in error


def test_a_signal_ends_the_hall_while_its_list_is_read(tmp_path, monkeypatch):
    before, handlers = signal.getsignal(signal.SIGTERM), list[object]()

    def read(path: Path) -> HallConfig:
        handlers.append(signal.getsignal(signal.SIGTERM))
        raise BadSettings(f"{path}: it is slow.")

    monkeypatch.setattr("device.cli.hall.read_tables", read)
    assert main(["hall", listed(tmp_path)]) == 2
    assert handlers == [before]


def test_a_second_hall_in_the_same_folder_is_told_what_to_do(tmp_path, capsys):
    (tmp_path / "hall").mkdir()
    with lock_folder(tmp_path / "hall"):
        assert main(["hall", listed(tmp_path)]) == 2
    do = "another hall uses this folder; stop it, or name another as `folder` in the list of tables."
    assert capsys.readouterr().err == f"shinpan: {tmp_path / 'hall'}: {do}\n"


@pytest.mark.parametrize(
    ("there", "why"),
    [("hall", "it is a file"), ("hall/lock/", "it is a folder; name a file in it")],
)
def test_a_folder_that_cannot_be_used_is_told_in_a_sentence(tmp_path, capsys, there, why):
    if there.endswith("/"):
        (tmp_path / there).mkdir(parents=True)
    else:
        (tmp_path / there).touch()
    assert main(["hall", listed(tmp_path)]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"shinpan: {(tmp_path / there)}: ") and why in error and error.count("\n") == 1
    assert error.endswith("name another as `folder` in the list of tables.\n")
