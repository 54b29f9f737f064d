"""The label: what a phone reads from it is the page's address, and nothing else is on it."""

from __future__ import annotations

import re
import xml.etree.ElementTree as Tree

import cv2
import numpy as np
import pytest

from device.__main__ import main
from device.label import CODE, HIGH, QUIET, WIDE, NoLabel, address_of, label
from device.settings import Page

SVG = "{http://www.w3.org/2000/svg}"
ADDRESS = "http://shinpan.local:8000/"
DOTS = 6
"""Pixels a square of the code."""


def photographed(drawn: str) -> np.ndarray:
    """The code as a picture, from the runs of dark squares in its path."""
    path = next(one for one in Tree.fromstring(drawn).iter() if one.tag.endswith("path") and "stroke" in one.attrib)
    runs, x, y = [], 0.0, 0.0
    for move, numbers in re.findall(r"([Mmh])([-0-9. ]+)", path.attrib["d"]):
        values = [float(value) for value in re.findall(r"-?[0-9.]+", numbers)]
        if move == "h":
            runs.append((int(x), int(y), int(values[0])))
            x += values[0]
        else:
            x, y = (values[0], values[1]) if move == "M" else (x + values[0], y + values[1])
    side = max(row for _, row, _ in runs) + 1 + QUIET
    squares = np.full((side, side), 255, np.uint8)
    for first, row, length in runs:
        squares[row, first : first + length] = 0
    return np.kron(squares, np.ones((DOTS, DOTS), np.uint8))


@pytest.mark.parametrize(
    "address", [ADDRESS, "https://go.example.org/club/table-12/a-rather-long-address?of=the%20page"]
)
def test_a_phone_reads_the_address_and_nothing_else(address):
    assert cv2.QRCodeDetector().detectAndDecode(photographed(label(address, "Go club")))[0] == address


def test_the_words_are_the_address_and_the_networks_name():
    texts = [text.text for text in Tree.fromstring(label(ADDRESS, "Böxes & <co>")).iter(f"{SVG}text")]
    assert texts == ["Watch this game", ADDRESS, "Wi-Fi: Böxes & <co>"]
    assert len(list(Tree.fromstring(label(ADDRESS)).iter(f"{SVG}text"))) == 2


def test_it_is_true_to_the_millimetre():
    drawn = Tree.fromstring(label(ADDRESS))
    assert (drawn.get("width"), drawn.get("height")) == (f"{WIDE:g}mm", f"{HIGH:g}mm")
    code = next(one for one in drawn.iter(f"{SVG}svg") if one is not drawn)
    assert float(code.get("width")) == float(code.get("height")) == pytest.approx(CODE, abs=0.01)


def test_the_address_is_the_one_that_phones_find():
    assert address_of(Page(host="0.0.0.0"), "table3") == "http://table3.local:8000/"
    assert address_of(Page(host="10.42.0.1", port=80)) == "http://10.42.0.1/"
    assert address_of(Page(host="fd00::1")) == "http://[fd00::1]:8000/"
    with pytest.raises(NoLabel, match="this machine alone"):
        address_of(Page())


@pytest.mark.parametrize("address", ["", "shinpan.local", "http://a b/", "http://me:123456@b/", "http://" + "x" * 120])
def test_what_is_no_address_of_a_page_gets_one_sentence(address, capsys):
    assert main(["label", "--address", address]) == 2
    assert re.fullmatch(r"shinpan: [^\n]*http://shinpan\.local:8000/\.\n", capsys.readouterr().err)


def test_the_command_writes_the_file(tmp_path, capsys):
    (tmp_path / "s.toml").write_text('[page]\nhost = "192.168.7.7"\nport = 8080\n')
    out = tmp_path / "label.svg"
    assert main(["label", "--settings", str(tmp_path / "s.toml"), "--wifi", "Go club", "--out", str(out)]) == 0
    assert "http://192.168.7.7:8080/" in out.read_text() and "Go club" in out.read_text()
    assert "leads to http://192.168.7.7:8080/" in capsys.readouterr().err
    assert main(["label", "--address", ADDRESS, "--wifi", "a\nb"]) == 2
    assert main(["label", "--address", ADDRESS, "--out", str(tmp_path / "none" / "label.svg")]) == 2
