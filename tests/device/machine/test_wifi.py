"""The box says which networks it is in, and what to type to change that."""

from __future__ import annotations

import pytest

from device.machine.checks import Mark, check_network
from device.machine.wifi import IN_NONE, OWN
from device.settings import Page
from tests.support.device.started import CABLE, Machine, machine

__all__ = ["machine"]

EVERYWHERE = Page(host="0.0.0.0")
STATUS = "-g DEVICE,TYPE,STATE,CONNECTION device status"


def in_wifi(connection: str, name: str, address: str = "") -> dict[str, str]:
    """Return nmcli's answers in this Wi-Fi network."""
    return {
        STATUS: f"wlan0:wifi:connected:{connection}\neth0:ethernet:unavailable:\n",
        f"-g 802-11-wireless.ssid connection show id {connection}": f"{name}\n",
        "-g IP4.ADDRESS device show wlan0": address,
    }


@pytest.mark.parametrize(
    ("answers", "sentence"),
    [
        (CABLE, "The box is in a network by cable (eth0); its page is at http://10.5.5.5:8000/."),
        (
            in_wifi("preconfigured", "a:b\\ 囲碁", "192.168.1.20/24\n"),
            "The box is in the Wi-Fi network a:b\\ 囲碁 (wlan0); its page is at http://192.168.1.20:8000/.",
        ),
        (
            in_wifi(OWN, "shinpan-ab3k", "10.42.0.1/24\n"),
            "The box's own Wi-Fi network is open: shinpan-ab3k; its page is at http://10.42.0.1:8000/.",
        ),
        ({STATUS: "lo:loopback:connected (externally):lo\n"}, IN_NONE),
    ],
)
def test_the_doctor_tells_the_network(machine: Machine, answers: dict[str, str], sentence: str) -> None:
    machine.answers(answers)
    check = check_network(EVERYWHERE)
    assert (check.sentence, check.mark) == (sentence, Mark.NOTE if sentence == IN_NONE else Mark.OK)


def test_a_page_for_the_machine_alone_has_no_address(machine: Machine) -> None:
    machine.answers(CABLE)
    assert 'for this machine alone until host is "0.0.0.0"' in check_network(Page()).sentence


@pytest.mark.parametrize(
    ("status", "said", "mark", "sentence"),
    [
        (8, "Error: NetworkManager is not running.", Mark.OK, "NetworkManager does not run; start it"),
        (
            1,
            "Error: Could not create NMClient object: x.\nmore",
            Mark.NOTE,
            "refuses: Could not create NMClient object: x;",
        ),
        (4, "", Mark.NOTE, "refuses: it ended with 4; see: journalctl"),
    ],
)
def test_what_networkmanager_refuses_is_one_sentence(machine: Machine, status, said, mark, sentence) -> None:
    machine.answers({}, status, said)
    check = check_network(EVERYWHERE)
    assert check.mark is mark and sentence in check.sentence and "\n" not in check.sentence


def test_a_machine_without_networkmanager_is_right_too(monkeypatch) -> None:
    monkeypatch.setenv("PATH", "")
    check = check_network(EVERYWHERE)
    assert check.mark is Mark.OK and "nmcli is missing" in check.sentence
