"""Windows, over fakes of msvcrt and of the calls that socket has there; see tests/support/device/systems.py."""

from __future__ import annotations

import base64
import io
import json
import socket
import sys
from threading import Thread
from types import SimpleNamespace

import pytest

from tests.support.device.systems import load_system
from tests.support.waiting import PATIENCE_S


@pytest.fixture
def windows():
    with load_system("win32") as module:
        yield module


def test_a_file_that_another_program_holds_is_tried_again(windows, monkeypatch, tmp_path):
    (tmp_path / "draft").write_bytes(b"new")
    tried = []

    def replace(draft, path):
        tried.append(path)
        if len(tried) < 4:
            raise PermissionError
        draft.rename(path)

    monkeypatch.setattr("pathlib.Path.replace", replace)
    monkeypatch.setattr(windows.time, "sleep", lambda _: None)
    windows.replace_file(tmp_path / "draft", tmp_path / "game")
    assert len(tried) == 4 and (tmp_path / "game").read_bytes() == b"new"


def test_a_file_that_is_held_for_long_is_refused(windows, monkeypatch, tmp_path):
    now = iter(range(100))
    monkeypatch.setattr("pathlib.Path.replace", lambda *_: (_ for _ in ()).throw(PermissionError))
    monkeypatch.setattr(windows, "time", SimpleNamespace(monotonic=lambda: next(now), sleep=lambda _: None))
    with pytest.raises(PermissionError):
        windows.replace_file(tmp_path / "draft", tmp_path / "game")


def test_a_table_is_found_by_the_file_that_names_its_port(windows, tmp_path):
    path = tmp_path / "table"
    with windows.listen_locally(path, 1) as listener:
        port, key = json.loads(path.read_text())
        assert listener.address == ("127.0.0.1", port) and len(key) == 32
        connections = []
        thread = Thread(target=lambda: connections.append(listener.accept()))
        thread.start()
        with windows.connect_locally(path) as ours:
            thread.join()
            connections[0].send_bytes(b"there")
            assert ours.recv_bytes() == b"there"
            windows.shut_socket(ours.fileno())
            with pytest.raises(EOFError):
                connections[0].recv_bytes()
        connections[0].close()
    with windows.listen_locally(path, 1):  # Nobody listens any more at the port that it names.
        assert json.loads(path.read_text())[0] != port


def test_a_file_that_names_no_port_is_left_alone(windows, tmp_path):
    (tmp_path / "table").write_text("a game")
    with pytest.raises(OSError):
        windows.listen_locally(tmp_path / "table", 1)
    assert (tmp_path / "table").read_text() == "a game"


def test_sockets_are_handed_over_by_the_input(windows, monkeypatch):
    shared = [base64.b64encode(name) + b"\n" for name in (b"listening", b"link\n")]
    monkeypatch.setattr(socket, "fromshare", lambda data: data, raising=False)
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"".join(shared))))
    assert windows.received_sockets(["-", "-"]) == [b"listening", b"link\n"]
    box = windows.Parent()
    assert box.wait_for_end(PATIENCE_S)


def test_keys_are_read_one_by_one(windows, monkeypatch):
    stopped = []
    monkeypatch.setattr(windows._thread, "interrupt_main", lambda *numbers: stopped.append(numbers))
    keyboard = windows.TerminalKeyboard(io.StringIO())
    windows.msvcrt.keys += ["a", "\xe0", "H", "J", "\x03"]
    assert [keyboard.read(0.0) for _ in range(5)] == ["a", None, "J", None, None] and stopped == [()]
    windows.msvcrt.keys += ["x", "y"]
    with windows.hide_typing(io.StringIO()):
        pass
    assert windows.msvcrt.keys == []
    keyboard.stop()
    assert keyboard.read(None) == ""


def test_what_the_system_has_not_is_said_by_an_error_or_left_out(windows, tmp_path):
    with pytest.raises(OSError):
        windows.control_device(0, 0, bytearray())
    with pytest.raises(KeyError):
        windows.group_name(tmp_path)
    assert windows.file_users(tmp_path) == [] and windows.most_address_space() is None
    assert not windows.is_administrator() and not windows.TerminalKeyboard.is_at(io.StringIO())
