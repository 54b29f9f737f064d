"""The label: what a phone reads from it is the page's address, and nothing else is on it."""

from __future__ import annotations

import re
import xml.etree.ElementTree as Tree

import pytest

from device.__main__ import main
from device.machine.label import (
    CODE,
    HIGH,
    WIDE,
    NoLabel,
    address_for_others,
    address_here,
    address_of,
    build_label,
    render_svg,
    wifi_code,
)
from device.settings import Page
from tests.support.device.started import machine
from tests.support.vision.pictures import read

__all__ = ["machine"]

SVG = "{http://www.w3.org/2000/svg}"
ADDRESS = "http://shinpan.local:8000/"
PASSWORD = "abcd-efgh-jkmn"


@pytest.mark.parametrize(
    "address", [ADDRESS, "https://go.example.org/club/table-12/a-rather-long-address?of=the%20page"]
)
def test_a_phone_reads_the_address_and_nothing_else(address):
    assert read(render_svg(build_label(address, "Go club"))) == [address]


def test_the_words_are_the_address_and_the_networks_name():
    texts = [text.text for text in Tree.fromstring(render_svg(build_label(ADDRESS, "Böxes & <co>"))).iter(f"{SVG}text")]
    assert texts == ["Watch this game", ADDRESS, "Wi-Fi: Böxes & <co>"]
    assert len(list(Tree.fromstring(render_svg(build_label(ADDRESS))).iter(f"{SVG}text"))) == 2


def test_it_is_true_to_the_millimetre():
    root = Tree.fromstring(render_svg(build_label(ADDRESS)))
    assert (root.get("width"), root.get("height")) == (f"{WIDE:g}mm", f"{HIGH:g}mm")
    code = next(one for one in root.iter(f"{SVG}svg") if one is not root)
    assert float(code.get("width")) == float(code.get("height")) == pytest.approx(CODE, abs=0.01)


def test_the_address_is_the_one_that_phones_find():
    assert address_of(Page(host="0.0.0.0"), "table3") == "http://table3.local:8000/"
    assert address_of(Page(host="10.42.0.1", port=80)) == "http://10.42.0.1/"
    assert address_of(Page(host="fd00::1")) == "http://[fd00::1]:8000/"
    assert address_for_others(Page(host="10.42.0.1")) == "http://10.42.0.1:8000/"


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2", "localhost", "::1"])
def test_a_page_for_this_machine_alone_has_no_address_for_others(host):
    assert address_for_others(Page(host=host)) == ""
    with pytest.raises(NoLabel, match="this machine alone"):
        address_of(Page(host=host))


def test_a_browser_here_gets_an_address_that_it_can_open():
    assert address_here(Page()) == address_here(Page(host="0.0.0.0")) == "http://127.0.0.1:8000"
    assert address_here(Page(host="::")) == "http://[::1]:8000"
    assert address_here(Page(host="192.168.1.20", port=80)) == "http://192.168.1.20"


@pytest.mark.parametrize("address", ["", "shinpan.local", "http://a b/", "http://me:123456@b/", "http://" + "x" * 120])
def test_what_is_no_address_of_a_page_gets_one_sentence(address, capsys):
    assert main(["label", "--address", address]) == 2
    assert re.fullmatch(r"shinpan: [^\n]*http://shinpan\.local:8000/\.\n", capsys.readouterr().err)


# With the box's own network on it


def test_what_means_something_in_a_wifi_code_has_a_backslash():
    assert wifi_code("shinpan-ab3k", "abcd-efgh") == "WIFI:T:WPA;S:shinpan-ab3k;P:abcd-efgh;;"
    assert wifi_code('a;b,c:"d"', "\\e f") == r"WIFI:T:WPA;S:a\;b\,c\:\"d\";P:\\e f;;"


OWN_NETWORK = (
    "--show-secrets -g 802-11-wireless.ssid,802-11-wireless-security.psk connection show id shinpan access point"
)


def test_the_box_prints_how_its_own_network_is_joined(machine, tmp_path):
    (tmp_path / "s.toml").write_text('[page]\nhost = "0.0.0.0"\n')
    machine.answers({OWN_NETWORK: "shinpan-ab3k\nabcd-efgh-jkmn\n"})
    out = tmp_path / "label.svg"
    assert main(["label", "--settings", str(tmp_path / "s.toml"), "--access-point", "--out", str(out)]) == 0
    assert read(out.read_text()) == [wifi_code("shinpan-ab3k", "abcd-efgh-jkmn"), "http://10.42.0.1:8000/"]
    texts = [text.text for text in Tree.parse(out).iter(f"{SVG}text")]
    assert texts[1:3] == ["Wi-Fi: shinpan-ab3k", "Password: abcd-efgh-jkmn"]


@pytest.mark.parametrize(("answers", "word"), [({}, "install.sh"), ({OWN_NETWORK: "shinpan-ab3k\n\n"}, "sudo")])
def test_a_network_that_is_not_there_or_not_to_be_read_is_told_so(machine, capsys, answers, word):
    machine.answers(answers)
    assert main(["label", "--address", ADDRESS, "--access-point"]) == 2
    assert word in capsys.readouterr().err
