"""Boxes that tell the network where they are, and a hall that looks for them; on this machine's own network alone."""

from __future__ import annotations

from contextlib import closing

import pytest
from zeroconf import ServiceInfo, Zeroconf

from device.__main__ import main
from device.hall.nearby import Found, found_near, suggest_changes
from device.hall.tables import TableEntry
from device.machine.identity import PUBLIC
from device.machine.mdns import KIND
from tests.support.device.started import StartedCommand

HERE = "127.0.0.1"
KEYS = tuple(f"{number:064x}" for number in range(5))


def paired(number: int, address: str) -> TableEntry:
    return TableEntry(str(number), address, KEYS[number], "0" * 32)


def service_info(name: str, port: int, **properties: str) -> ServiceInfo:
    server = f"{name}.local."
    return ServiceInfo(KIND, f"{name}.{KIND}", port=port, properties=properties, server=server, parsed_addresses=[HERE])


@pytest.mark.slow
def test_a_box_whose_settings_say_so_is_found_and_one_that_is_gone_is_not(tmp_path, monkeypatch, capsys):
    looks = list[list[Found]]()
    monkeypatch.setattr("device.cli.hall.found_near", lambda host: looks.append(found_near(host)) or looks[-1])
    settings, listed = tmp_path / "box.toml", tmp_path / "tables.toml"
    settings.write_text('[page]\nannounced = true\n[match]\ntable = "7"\n')
    key = "f" * 64
    lines = f'[[tables]]\ntable = "8"\naddress = "http://192.0.2.8/"\nbox = "{key}"\nsecret = "{"0" * 32}"\n'
    listed.write_text(f'host = "{HERE}"\n{lines}')
    with StartedCommand("run", "--settings", settings, "--camera", "/dev/video99", "--data", tmp_path / "data") as box:
        assert main(["hall", str(listed), "--find"]) == 0
        out = capsys.readouterr().out
        public = (tmp_path / "data" / PUBLIC).read_text().strip()
        assert f'Table "7" at {box.url}' in out and 'Table "8" of the list was not found' in out
        assert Found(public, "7", f"{box.url.rstrip('/')}/") in looks[0]
    assert public not in [one.box for one in found_near(HERE)]


@pytest.mark.slow
def test_what_is_no_box_of_ours_is_left_out_and_what_is_told_is_quoted():
    liars = (
        service_info("a", 80, box="zz", table="1"),
        service_info("b", 80, table="2"),
        service_info("c", 80, box=KEYS[3], table="\x1b[2J" + 200 * "x"),
    )
    with closing(Zeroconf(interfaces=[HERE])) as network:
        for one in liars:
            network.register_service(one)
        nearby = found_near(HERE)
    assert [one.box for one in nearby if one.address == f"http://{HERE}:80/"] == [KEYS[3]]
    (line,) = suggest_changes([one for one in nearby if one.box == KEYS[3]], ())
    assert line.isprintable() and len(line) < 160


def test_what_is_new_what_has_moved_and_what_is_missing():
    nearby = (
        Found(KEYS[1], "1", "http://192.0.2.1:8000/"),
        Found(KEYS[2], "2", "http://192.0.2.22:8000/"),
        Found(KEYS[3], "3", "http://192.0.2.3:8000/"),
        Found(KEYS[0], "", "http://192.0.2.9:8000/"),
    )
    listed = [paired(number, f"http://192.0.2.{number}:8000/") for number in (1, 2, 4)]
    assert list(suggest_changes(nearby, listed)) == [
        'Table "1" at http://192.0.2.1:8000/ is in the list.',
        'Table "2" stands in the list at http://192.0.2.2:8000/, and is found at http://192.0.2.22:8000/',
        'Table "3" at http://192.0.2.3:8000/ is not in the list; its desk has its lines: http://192.0.2.3:8000/director',
        "A box without a table's number at http://192.0.2.9:8000/ is not in the list; its desk has its lines: "
        "http://192.0.2.9:8000/director",
        'Table "4" of the list was not found; it stands there at http://192.0.2.4:8000/',
    ]
