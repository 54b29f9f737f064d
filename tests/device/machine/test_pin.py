"""The director's PIN."""

from __future__ import annotations

import os
import re
import socket
import stat

import pytest

from device.__main__ import main
from device.machine.pin import Pin
from device.machine.safe import safe_app
from device.machine.service import Service
from device.settings import Data, Page, PanelSettings, Settings
from device.table.bootstrap import Application
from referee.game.errors import RefereeError


def test_a_pin_is_made_and_kept_as_a_hash_that_nobody_else_can_read(tmp_path):
    pin = Pin(tmp_path)
    assert pin.stamp is None and not pin.is_right("")
    digits = pin.make()
    content = (tmp_path / "pin").read_text()
    assert re.fullmatch("[0-9]{6}", digits) and digits not in content
    assert stat.S_IMODE((tmp_path / "pin").stat().st_mode) == 0o600
    assert Pin(tmp_path).is_right(digits)
    assert not any(Pin(tmp_path).is_right(other) for other in ("", "000", digits + "0", content, "é"))


def test_a_guess_costs_sixteen_mebibytes_outside_tests(pin_cost):
    assert 128 * pin_cost["n"] * pin_cost["r"] >= 16 * 2**20


def test_a_new_pin_ends_the_one_before(tmp_path, capsys):
    pin = Pin(tmp_path)
    old, stamp = pin.make(), pin.stamp
    assert main(["pin", "--data", str(tmp_path)]) == 0
    match = re.search("[0-9]{6}", capsys.readouterr().out)
    assert match is not None and pin.is_right(match[0]) and pin.stamp != stamp
    assert not pin.is_right(old) or old == match[0]


@pytest.mark.skipif(os.geteuid() != 0, reason="only an administrator can write files for others")
def test_what_an_administrator_writes_belongs_to_the_box(tmp_path, capsys, monkeypatch):
    data, settings = tmp_path / "data", tmp_path / "settings.toml"
    data.mkdir()
    settings.write_text(f'[data]\nfolder = "{data}"\n')
    os.chown(data, 4711, 4712)
    monkeypatch.setattr("device.cli.archive.INSTALLED", settings)
    assert main(["pin"]) == 0
    match, status = re.search("[0-9]{6}", capsys.readouterr().out), (data / "pin").stat()
    assert match is not None and Pin(data).is_right(match[0])
    assert (status.st_uid, status.st_gid, stat.S_IMODE(status.st_mode)) == (4711, 4712, 0o600)


def test_a_pin_is_not_told_where_the_system_keeps_what_is_said(monkeypatch, tmp_path):
    assert Service({"NOTIFY_SOCKET": "/run/notify"}).is_journaled and not Service({}).is_journaled
    with (tmp_path / "journal").open("w") as journal:
        monkeypatch.setattr("sys.stderr", journal)
        where = os.fstat(journal.fileno())
        assert Service({"JOURNAL_STREAM": f"{where.st_dev}:{where.st_ino}"}).is_journaled
        assert not Service({"JOURNAL_STREAM": f"{where.st_dev}:{where.st_ino + 1}"}).is_journaled


def test_a_folder_that_cannot_be_written_to(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert main(["pin", "--data", str(tmp_path / "file")]) == 2
    assert capsys.readouterr().err.startswith("shinpan: ")


@pytest.mark.slow
def test_the_network_sees_the_page_only_once_there_is_a_pin(tmp_path):
    with socket.create_server(("", 0)) as free:
        port = free.getsockname()[1]
    settings = Settings(page=Page(host="0.0.0.0", port=port), panel=PanelSettings("none"), data=Data(str(tmp_path)))
    (tmp_path / "pin").mkdir()
    with pytest.raises(RefereeError) as caught:
        Application(settings)
    assert re.fullmatch(r"[^\n]*pin[^\n]*\.", str(caught.value))
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port))
    (tmp_path / "pin").rmdir()
    running = Application(settings)
    try:
        assert Pin(tmp_path).stamp is not None
        first, second = running.start_message().splitlines()
        assert re.fullmatch(r"shinpan: the director's PIN is [0-9]{6}; it is shown only once\.", first)
        line, _ = running.start_message(is_stored=True).splitlines()
        assert line == "shinpan: the director's PIN is made and shown by: sudo shinpan pin."
        phones = f"phones in the same network find it at http://{socket.gethostname()}.local:{port}/"
        assert second == f"shinpan: the page is at http://127.0.0.1:{port}; {phones}; Ctrl-C ends."
        socket.create_connection(("127.0.0.1", port)).close()
    finally:
        running.stop()
    again = Application(settings)
    again.stop()
    assert again.start_message() == second


def test_a_box_that_cannot_start_says_why_and_has_no_desk():
    client = safe_app("There is no such rule set.").test_client()
    assert "There is no such rule set." in client.get("/").get_data(as_text=True)
    assert {client.get(path).status_code for path in ("/director", "/status.json", "/games", "/frame.jpg")} == {404}
    assert client.post("/director/session", json={"pin": ""}).status_code == 404
