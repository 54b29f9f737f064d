"""A card's first and later starts, in a folder in the system's place: shinpan.txt, box.txt, and the screen."""

from __future__ import annotations

import re
import shutil
import subprocess
from configparser import ConfigParser
from pathlib import Path

import pytest

from hardware.card_start import KEYS, LARGEST, Card, network_profile, read_settings
from hardware.drawings import HERE
from tests.support.wanting import SYSTEMD, program

TEMPLATE = (HERE / "card/shinpan.txt").read_text()
PIN = 'echo "The director\'s PIN is 0${RANDOM_PIN-12345}. It is shown only once; the one before has ended."'


@pytest.fixture
def card(tmp_path):
    """A card as the image leaves it, with a program that makes PINs."""
    shinpan = tmp_path / "opt/shinpan/current/bin/shinpan"
    for folder in (shinpan.parent, tmp_path / "boot/firmware", tmp_path / "etc"):
        folder.mkdir(parents=True)
    shinpan.write_text(f"#!/bin/sh\n{PIN}\n")
    shinpan.chmod(0o755)
    shutil.copy(HERE / "own_network.sh", tmp_path / "opt/shinpan")
    (tmp_path / "etc/hostname").write_text("shinpan\n")
    (tmp_path / "boot/firmware/shinpan.txt").write_text(TEMPLATE)
    return tmp_path


def test_a_slow_machine_has_time_to_find_both_partitions():
    lines = [line.split() for line in (HERE / "card/fstab").read_text().splitlines() if not line.startswith("#")]
    labels = dict(re.findall(r"(\w+_LABEL)=(\S+)", (HERE / "image.sh").read_text()))
    assert [f"LABEL={labels['ROOT_LABEL']}", f"LABEL={labels['BOOT_LABEL']}"] == [line[0] for line in lines]
    assert "x-systemd.device-timeout=10min" in lines[1][3] and "device-timeout" not in lines[0][3]


def start(card: Path) -> tuple[list[str], str]:
    """Return the faults of a start, and what its screen shows."""
    started = Card(card)
    started.set_up()
    return started.faults, (card / "run/issue.d/shinpan.issue").read_text()


def profile(card: Path) -> ConfigParser:
    read = ConfigParser()
    read.read(card / "etc/NetworkManager/system-connections/shinpan-card.nmconnection")
    return read


def test_an_untouched_card_starts_without_a_fault_and_shows_its_pin_once(card):
    faults, screen = start(card)
    assert faults == [] and "http://shinpan.local:8000" in screen and "012345" in screen
    page = (card / "boot/firmware/box.txt").read_text()
    own = (card / "etc/NetworkManager/system-connections/shinpan-access-point.nmconnection").read_text()
    assert "012345" in page and re.search("^psk=(.*)$", own, re.M)[1] in page
    assert start(card) == ([], screen.replace(re.search("The director.*\n", screen)[0], ""))


def test_a_deleted_box_txt_makes_a_new_pin(card):
    start(card)
    (card / "boot/firmware/box.txt").unlink()
    assert "PIN" in start(card)[1]


def test_every_key_is_explained_in_the_file_on_the_card(card):
    without_marks = re.sub("^#(?=[a-z]+ = )", "", TEMPLATE, flags=re.M)
    settings = read_settings(without_marks.encode())
    assert settings.faults == [] and tuple(settings.values) == KEYS


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_name_and_network_are_taken_as_editors_write_them(card, encoding):
    text = '# ours\r\nNAME = Table-3\r\nwifi="Café = 審判"\r\npassword = a\\b  c="d#\r\n'
    (card / "boot/firmware/shinpan.txt").write_bytes(text.encode(encoding))
    faults, screen = start(card)
    assert faults == [] and "http://table-3.local:8000" in screen
    assert (card / "etc/hostname").read_text() == "table-3\n" and "\ttable-3\n" in (card / "etc/hosts").read_text()
    ssid = bytes(int(byte) for byte in profile(card)["wifi"]["ssid"].split(";")[:-1]).decode()
    assert (ssid, profile(card)["wifi-security"]["psk"]) == ("Café = 審判", 'a\\\\b\\s\\sc="d#')


def test_an_open_network_has_no_password():
    assert "security" not in network_profile("Open", None)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("wfi = Club", "this is not known"),
        ("just a sentence", "this is not known"),
        ("name = Tisch Drei", "a name has letters"),
        ("name = -x", "a name has letters"),
        ("country = Germany", "a country is two letters"),
        ("wifi = " + "ü" * 17, "a network's name has 1 to 32 letters"),
        ("wifi =", "a network's name has 1 to 32 letters"),
        ("wifi = a\nwifi = b", "line 2: wifi stands there twice"),
        ("wifi = Club\npassword = short", "line 2: a Wi-Fi password has 8 to 63"),
        ("wifi = Club\npassword = pässword", "line 2: a Wi-Fi password has 8 to 63"),
        ("password = longenough", "has a password and no usable line for its network"),
        ("login = short", "a password to log in with has eight letters or more"),
    ],
)
def test_a_line_that_cannot_be_used_is_one_sentence_on_the_screen(card, line, said):
    (card / "boot/firmware/shinpan.txt").write_text(line)
    (fault,), screen = start(card)
    assert said in fault and fault in screen and "pässword" not in fault and "short" not in fault
    assert "a Wi-Fi password" not in fault or not profile(card).sections(), "half a network would never be joined"
    assert "http://shinpan.local:8000" in screen and "012345" in screen


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"\xff\xfea", "no text in UTF-8"),
        (b"wifi = Caf\xe9", "no text in UTF-8"),
        (b"#" * (LARGEST + 1), "larger than 64 kB"),
    ],
)
def test_a_file_that_cannot_be_read_is_one_sentence(data, said):
    (fault,) = read_settings(data).faults
    assert said in fault


def test_a_file_that_an_editor_called_txt_twice_is_named(card):
    (card / "boot/firmware/shinpan.txt").rename(card / "boot/firmware/shinpan.txt.txt")
    assert start(card)[0] == ["The card has shinpan.txt.txt, which is not read; call it shinpan.txt."]


def test_a_bad_line_leaves_the_network_as_it_was(card):
    path = card / "boot/firmware/shinpan.txt"
    for text in ("wifi = Club\npassword = longenough\n", "wifi = Club\npassword = short\n"):
        path.write_text(text)
        start(card)
    assert profile(card)["wifi-security"]["psk"] == "longenough"


def test_a_pin_that_cannot_be_made_is_told_and_the_rest_is_done(card):
    (card / "opt/shinpan/current/bin/shinpan").write_text("#!/bin/sh\nexit 2\n")
    (fault,), screen = start(card)
    assert "sudo shinpan pin" in fault and "http://shinpan.local:8000" in screen
    assert not (card / "boot/firmware/box.txt").exists()


def test_systemd_finds_nothing_wrong_with_the_unit(tmp_path):
    unit = tmp_path / "shinpan-card.service"
    shutil.copy(HERE / "card/shinpan-card.service", unit)
    command = [program("systemd-analyze", SYSTEMD), "verify", "--man=no", unit]
    result = subprocess.run(command, capture_output=True, text=True)
    assert (result.returncode, [line for line in result.stderr.splitlines() if "shinpan-card" in line]) == (0, [])
