"""Announcement of the box's page in the local network, so that a hall can find it."""

from __future__ import annotations

import sys

from device.__main__ import main
from device.hall.nearby import LACKING
from device.machine.mdns import Announcement, own_addresses

HERE = "127.0.0.1"


KEYS = tuple(f"{number:064x}" for number in range(5))


def test_a_page_for_this_machine_alone_is_told_of_here_alone():
    assert own_addresses(HERE) == [HERE]
    assert HERE not in own_addresses("0.0.0.0")


def test_without_the_library_one_sentence_says_so_and_the_box_goes_on(monkeypatch, caplog, tmp_path, capsys):
    monkeypatch.setitem(sys.modules, "zeroconf", None)
    Announcement(HERE, 8000, KEYS[0], "1").close()
    assert [record.message for record in caplog.records] == [
        "The network is not told where this box is: that needs zeroconf (apt install python3-zeroconf)."
    ]
    assert main(["hall", str(tmp_path / "none.toml"), "--find"]) == 2
    assert capsys.readouterr().err == f"shinpan: {LACKING}\n"
