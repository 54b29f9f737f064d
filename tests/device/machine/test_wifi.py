"""The box joins a Wi-Fi network, or opens one of its own, by way of `nmcli`."""

from __future__ import annotations

import io
import re
import stat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.__main__ import main
from device.machine.checks import Mark, network
from device.machine.wifi import OWN, NoNetwork, fields, joined_within
from device.settings import Page
from tests.support.device.networks import NO_LINK, OFF, machine

__all__ = ["machine"]

CLUB = "Go: Böxe 囲碁\\1"
PASSWORD = " stones;\\ #:and bowls"
CABLE = {"eth0": ["ethernet", "connected", "b6171094-e28b-3f93-968a-cedb35f04dd6", "10.5.5.5/24 | 192.168.77.2/24"]}
SENTENCE = r"shinpan: [^\n]+\.\n"


@pytest.fixture
def shinpan(machine, monkeypatch, capsys, tmp_path):
    """Run `shinpan network`; its exit status, stdout and stderr."""
    (tmp_path / "box.toml").write_text('[page]\nhost = "0.0.0.0"\n')

    def run(*words, said=""):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(said.encode())))
        status = main(["network", *words, "--settings", str(tmp_path / "box.toml")])
        return status, *capsys.readouterr()

    return run


def joins(shinpan, machine, name=CLUB, password=PASSWORD, right=PASSWORD):
    machine.has(air={CLUB: right})
    return shinpan("join", name, said=f"{password}\n")


# What nmcli writes


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("wlan0:wifi:connected:Go\\: club\\\\1", ["wlan0", "wifi", "connected", "Go: club\\1"]),
        ("lo:loopback:unmanaged:", ["lo", "loopback", "unmanaged", ""]),
        (":::", ["", "", "", ""]),
        ("", [""]),
        ("\\\\:b", ["\\", "b"]),
    ],
)
def test_a_terse_line_is_taken_apart(line, told):
    assert fields(line) == told


@given(st.lists(st.text(st.characters(exclude_characters="\n\r")), min_size=1))
def test_whatever_stands_in_a_field_is_read_as_it_was(told):
    assert fields(":".join(one.replace("\\", "\\\\").replace(":", "\\:") for one in told)) == told


# What the box is connected to


def test_a_box_in_no_network_says_what_to_do(shinpan):
    status, out, _ = shinpan()
    assert status == 0 and out.startswith("The box is in no network.") and "sudo shinpan network join NAME" in out


def test_a_cable_is_a_network(shinpan, machine):
    machine.has(devices=NO_LINK | CABLE)
    assert shinpan()[:2] == (0, "The box is in a network by cable (eth0); its page is at http://10.5.5.5:8000/.\n")


def test_a_network_that_somebody_else_has_set_up(shinpan, machine):
    known = {"ssid": "a:b\\", "psk": "x", "mode": "infrastructure"}
    machine.has(known={"u-1": known}, devices={"wlan0": ["wifi", "connected", "u-1", ""]})
    status, out, _ = shinpan()
    assert status == 0
    assert re.fullmatch(
        r"The box is in the Wi-Fi network a:b\\ \(wlan0\); its page is at http://\S+\.local:8000/\.\n", out
    )


def test_a_page_that_is_for_the_machine_alone_has_no_address(machine, capsys):
    machine.has(devices=CABLE)
    assert main(["network"]) == 0
    assert 'for this machine alone until host is "0.0.0.0"' in capsys.readouterr().out


# Joining


@pytest.mark.parametrize("machine", ["here", pytest.param("program", marks=pytest.mark.slow)], indirect=True)
def test_a_network_is_joined_and_known_from_then_on(shinpan, machine):
    status, out, err = joins(shinpan, machine)
    assert (status, err) == (0, "")
    assert out == f"The box is in the Wi-Fi network {CLUB} (wlan0); its page is at http://192.168.1.20:8000/.\n"
    (file,) = machine.profiles.iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "autoconnect=false" not in file.read_text()


def test_no_password_stands_on_a_command_line(shinpan, machine):
    joins(shinpan, machine)
    own = re.search(r"Password +(\S+)", shinpan("access-point")[1])[1]
    assert machine.asked and not any(
        secret in word for words in machine.asked for word in words for secret in (PASSWORD, own)
    )


def test_a_new_password_takes_the_place_of_the_old_one(shinpan, machine):
    joins(shinpan, machine)
    assert joins(shinpan, machine, password="eight or more", right="eight or more")[0] == 0
    assert len(list(machine.profiles.iterdir())) == 1


def test_a_wrong_password_changes_nothing(shinpan, machine):
    status, out, err = joins(shinpan, machine, password="not this one")
    assert (status, out) == (2, "") and re.fullmatch(SENTENCE, err) and "password" in err
    assert list(machine.profiles.iterdir()) == []
    joins(shinpan, machine)
    (file,) = machine.profiles.iterdir()
    before = file.read_bytes()
    assert joins(shinpan, machine, password="not this one")[0] == 2
    assert file.read_bytes() == before and machine.state["loaded"] == [str(file)]


def test_a_network_out_of_reach_is_known_for_later(shinpan, machine):
    status, _, err = shinpan("join", "far away", said=PASSWORD)
    assert status == 1 and "joins it when it is in reach" in err and re.fullmatch(SENTENCE, err)
    assert len(list(machine.profiles.iterdir())) == 1


def test_the_access_point_opens_again_where_a_network_could_not_be_joined(shinpan, machine):
    shinpan("access-point")
    assert joins(shinpan, machine, password="not this one")[0] == 2
    assert machine.opened[0] == machine.opened[-1] == str(OWN) and len(machine.opened) == 3
    assert shinpan("join", "far away", said=PASSWORD)[0] == 1
    assert shinpan()[1].startswith("The box's own Wi-Fi network is open: shinpan-")


def test_a_password_comes_from_a_file_or_standard_input(shinpan, machine, tmp_path):
    machine.has(air={CLUB: PASSWORD})
    (tmp_path / "password").write_text(f"{PASSWORD}\r\nmore\n")
    assert shinpan("join", CLUB, "--password-file", str(tmp_path / "password"))[0] == 0
    assert shinpan("join", CLUB, "--password-file", "-", said=PASSWORD)[0] == 0
    status, _, err = shinpan("join", CLUB, "--password-file", str(tmp_path / "none"))
    assert status == 2 and re.fullmatch(SENTENCE, err)


@pytest.mark.parametrize(
    ("name", "password"),
    [
        *((CLUB, password) for password in ("", "seven77", "x" * 64, "größer als")),
        *((name, PASSWORD) for name in ("", "x" * 33, "two\nlines", "囲" * 11)),
    ],
)
def test_what_no_network_can_have_is_told_and_nothing_asked(shinpan, machine, name, password):
    status, _, err = joins(shinpan, machine, name, password)
    usage, sentence = err.splitlines(keepends=True) if not name else ("", err)
    assert status == 2 and re.fullmatch(SENTENCE, sentence) and machine.asked == []
    assert usage.startswith("Usage: ") is (name == "")


# The access point


def test_the_access_point_has_a_name_and_a_password_of_its_own(shinpan, machine):
    status, out, _ = shinpan("access-point")
    found = re.fullmatch(
        r"Wi-Fi network  (shinpan-[a-z2-9]{4})\nPassword       ((?:[a-z2-9]{4}-){2}[a-z2-9]{4})\n"
        r"When it is open, its page is at http://10\.42\.0\.1:8000/\.\n",
        out,
    )
    assert status == 0 and found and not set("01ilo") & set(found[2])
    (file,) = machine.profiles.iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    wanted = ("mode=ap", "method=shared", "address1=10.42.0.1/24", "key-mgmt=wpa-psk", "proto=rsn", "autoconnect=false")
    assert set(wanted) <= set(file.read_text().splitlines())
    assert machine.opened == [str(OWN)]
    assert shinpan()[1] == f"The box's own Wi-Fi network is open: {found[1]}; its page is at http://10.42.0.1:8000/.\n"


def test_it_keeps_both_until_a_new_password_is_wanted(shinpan):
    first, second = (shinpan("access-point")[1] for _ in range(2))
    third = shinpan("access-point", "--new-password")[1]
    assert first == second != third == shinpan("access-point")[1]
    assert first.splitlines()[0] == third.splitlines()[0]


def test_every_box_makes_its_own(shinpan, machine):
    made = set()
    for _ in range(3):
        machine.has(loaded=[])
        made.add(shinpan("access-point", "--prepare")[1])
    assert len(made) == 3


def test_it_can_be_made_without_being_opened_and_without_a_device(shinpan, machine):
    machine.has(devices=OFF)
    status, out, _ = shinpan("access-point", "--prepare")
    assert status == 0 and "shinpan-" in out and machine.opened == []


def test_at_the_start_it_opens_only_where_nothing_is_joined_and_no_password_is_logged(shinpan, machine):
    machine.has(devices=NO_LINK | CABLE)
    assert shinpan("access-point", "--unless-joined", "60")[0] == 0
    assert machine.opened == [] and list(machine.profiles.iterdir()) == []
    machine.has(devices=NO_LINK)
    status, out, err = shinpan("access-point", "--unless-joined", "0")
    assert status == 0 and machine.opened == [str(OWN)]
    password = re.search(r"^psk=(\S+)$", next(machine.profiles.iterdir()).read_text(), re.M)[1]
    assert password not in out + err


def test_a_network_is_waited_for(machine):
    clock = [0.0]

    def sleep(seconds):
        clock[0] += seconds
        if clock[0] >= 10:
            machine.has(running=True, devices=CABLE)

    machine.has(running=False)
    assert joined_within(60, lambda: clock[0], sleep) and clock[0] == 10
    machine.has(devices=NO_LINK)
    assert not joined_within(0, lambda: clock[0], sleep)
    machine.has(running=False)
    with pytest.raises(NoNetwork, match="does not run"):
        joined_within(0, lambda: clock[0], sleep)


# What is in the way


WAYS = {
    "not running": ({"running": False}, "sudo systemctl start NetworkManager"),
    "nothing to ask it by": ({"bus": False}, "sudo systemctl start NetworkManager"),
    "no device": ({"devices": OFF}, "no Wi-Fi"),
    "switched off": ({"devices": OFF | {"wlan0": ["wifi", "unavailable", "", ""]}}, "country"),
    "one off, one left alone": (
        {"devices": {"wlan0": ["wifi", "unavailable", "", ""], "wlan1": ["wifi", "unmanaged", "", ""]}},
        "country",
    ),
    "left alone": ({"devices": OFF | {"wlan0": ["wifi", "unmanaged", "", ""]}}, "managed yes"),
    "no permission": ({"nobody": True}, "sudo"),
    "not authorized": (
        {"refuses": {"up": "Error: Connection activation failed: Not authorized to control networking.\n"}},
        "sudo",
    ),
    "silence": ({"refuses": {"up": "Error: Timeout expired (60 seconds)\n"}}, "in time"),
    "something else": (
        {"refuses": {"up": "Error: Connection activation failed: IP configuration could not be reserved\n"}},
        "IP configuration could not be reserved; see: journalctl",
    ),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("act", [("join", CLUB), ("access-point",)])
def test_what_is_in_the_way_gets_one_sentence(shinpan, machine, way, act):
    parts, told = WAYS[way]
    machine.has(**parts)
    status, out, err = shinpan(*act, said=PASSWORD)
    assert (status, out) == (2, "") and re.fullmatch(SENTENCE, err) and told in err


def test_a_device_that_opens_no_network_is_not_taken_for_a_wrong_password(shinpan, machine):
    machine.has(refuses={"up": "Error: Connection activation failed: Secrets were required, but not provided\n"})
    status, _, err = shinpan("access-point")
    assert status == 2 and "opens no network" in err


def test_a_folder_that_only_root_may_write(shinpan, machine):
    machine.profiles.rmdir()
    status, _, err = shinpan("access-point")
    assert (status, err) == (2, "shinpan: Only an administrator may do this; run the same command with sudo.\n")


@pytest.mark.parametrize("act", [(), ("join", CLUB), ("access-point",), ("access-point", "--unless-joined", "0")])
def test_without_networkmanager(shinpan, monkeypatch, tmp_path, act):
    monkeypatch.setenv("PATH", str(tmp_path))
    status, _, err = shinpan(*act, said=PASSWORD)
    assert status == 2 and re.fullmatch(SENTENCE, err) and "no NetworkManager here" in err


@pytest.mark.parametrize("seconds", ["-1", "601", "nan", "soon"])
def test_a_time_to_wait_that_is_none(shinpan, seconds):
    status, _, err = shinpan("access-point", "--unless-joined", seconds)
    assert (status, err.splitlines()[1:]) == (
        2,
        [f"shinpan: Invalid value for '--unless-joined': '{seconds}' is not a number from 0 to 600."],
    )


# shinpan doctor


def test_the_doctor_says_what_the_box_is_connected_to(shinpan, machine, monkeypatch, tmp_path):
    page = Page(host="0.0.0.0")
    assert network(page).mark is Mark.NOTE
    machine.has(devices=NO_LINK | CABLE)
    assert (network(page).mark, "by cable (eth0)" in network(page).sentence) == (Mark.OK, True)
    shinpan("access-point")
    assert network(page).sentence.count("\n") == 0 and "own Wi-Fi network is open" in network(page).sentence
    machine.has(running=False)
    assert network(page).mark is Mark.OK
    monkeypatch.setenv("PATH", str(tmp_path))
    assert (network(page).mark, "no NetworkManager here" in network(page).sentence) == (Mark.OK, True)
