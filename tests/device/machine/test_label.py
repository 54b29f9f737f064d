"""The label: what a phone reads from it is the page's address, and nothing else is on it."""

from __future__ import annotations

import re
import xml.etree.ElementTree as Tree

import cv2
import numpy as np
import pypdfium2
import pytest

from device.__main__ import main
from device.machine.label import CODE, HIGH, QUIET, TOP, WIDE, NoLabel, address_of, label, svg, wifi_code
from device.machine.label_pdf import pdf
from device.settings import Page
from tests.device.machine.networks import machine

__all__ = ["machine"]

SVG = "{http://www.w3.org/2000/svg}"
ADDRESS = "http://shinpan.local:8000/"
PASSWORD = "abcd-efgh-jkmn"
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
    assert cv2.QRCodeDetector().detectAndDecode(photographed(svg(label(address, "Go club"))))[0] == address


def test_the_words_are_the_address_and_the_networks_name():
    texts = [text.text for text in Tree.fromstring(svg(label(ADDRESS, "Böxes & <co>"))).iter(f"{SVG}text")]
    assert texts == ["Watch this game", ADDRESS, "Wi-Fi: Böxes & <co>"]
    assert len(list(Tree.fromstring(svg(label(ADDRESS))).iter(f"{SVG}text"))) == 2


def test_it_is_true_to_the_millimetre():
    drawn = Tree.fromstring(svg(label(ADDRESS)))
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


# As a PDF


def rendered(drawn: bytes, dpi: float = 200) -> np.ndarray:
    """The PDF's one page as a printer would draw it, grey."""
    (page,) = pypdfium2.PdfDocument(drawn)
    return np.ascontiguousarray(page.render(scale=dpi / 72, grayscale=True).to_numpy().squeeze())


def words_of(drawn: bytes) -> list[str]:
    return pypdfium2.PdfDocument(drawn)[0].get_textpage().get_text_range().split("\r\n")


def test_the_pdf_has_one_page_of_the_labels_size():
    for access, wide in ((None, 70.0), (("shinpan-ab3k", PASSWORD), 140.0)):
        document = pypdfium2.PdfDocument(pdf(label(ADDRESS, access=access)))
        assert len(document) == 1
        assert np.array(document.get_page_size(0)) * 25.4 / 72 == pytest.approx((wide, HIGH), abs=0.01)


def test_the_code_in_the_pdf_is_as_large_as_it_should_be():
    dpi = 25.4 * 20
    (rows,) = np.nonzero((rendered(pdf(label(ADDRESS)), dpi)[:, 500:900] < 128).any(axis=1))
    dark = rows[(rows > (TOP + 1) * 20) & (rows < (TOP + CODE) * 20)] / 20
    squares = 25
    assert dark[-1] - dark[0] == pytest.approx(CODE * squares / (squares + 2 * QUIET), abs=0.15)
    assert (dark[0] + dark[-1]) / 2 == pytest.approx(TOP + CODE / 2, abs=0.1)


@pytest.mark.parametrize("dpi", [72, 150, 300])
def test_a_phone_reads_the_pdf(dpi):
    long = "https://go.example.org/club/table-12/a-rather-long-address?of=the%20page"
    for address in (ADDRESS, long):
        assert cv2.QRCodeDetector().detectAndDecode(rendered(pdf(label(address)), dpi))[0] == address


def test_the_words_in_the_pdf_are_those_of_the_svg():
    odd = "Böxes (& \\co)"
    assert words_of(pdf(label(ADDRESS, odd))) == ["Watch this game", ADDRESS, f"Wi-Fi: {odd}"]
    with pytest.raises(NoLabel, match="SVG"):
        pdf(label(ADDRESS, "囲碁"))


def test_the_command_writes_a_pdf(tmp_path, capsys):
    out = tmp_path / "label.PDF"
    assert main(["label", "--address", ADDRESS, "--out", str(out)]) == 0
    assert cv2.QRCodeDetector().detectAndDecode(rendered(out.read_bytes()))[0] == ADDRESS
    assert main(["label", "--address", ADDRESS, "--wifi", "囲碁", "--out", str(out)]) == 2
    assert "letter" in capsys.readouterr().err


# With the box's own network on it


def halves(grey: np.ndarray) -> list[str]:
    """What a phone reads from either code."""
    middle = grey.shape[1] // 2
    parts = (np.ascontiguousarray(part) for part in (grey[:, :middle], grey[:, middle:]))
    return [cv2.QRCodeDetector().detectAndDecode(part)[0] for part in parts]


def test_what_means_something_in_a_wifi_code_has_a_backslash():
    assert wifi_code("shinpan-ab3k", "abcd-efgh") == "WIFI:T:WPA;S:shinpan-ab3k;P:abcd-efgh;;"
    assert wifi_code('a;b,c:"d"', "\\e f") == r"WIFI:T:WPA;S:a\;b\,c\:\"d\";P:\\e f;;"


def test_the_box_prints_how_its_own_network_is_joined(machine, tmp_path, capsys):
    (tmp_path / "s.toml").write_text('[page]\nhost = "0.0.0.0"\n')
    words = ["label", "--settings", str(tmp_path / "s.toml"), "--access-point", "--out"]
    out = tmp_path / "label.pdf"
    assert main([*words, str(out)]) == 2
    assert "access-point --prepare" in capsys.readouterr().err
    assert main(["network", "access-point", "--prepare"]) == 0
    made = re.search(r"network +(\S+)\nPassword +(\S+)\n", capsys.readouterr().out)
    assert main([*words, str(out)]) == 0
    assert halves(rendered(out.read_bytes())) == [wifi_code(*made.groups()), "http://10.42.0.1:8000/"]
    assert {f"Wi-Fi: {made[1]}", f"Password: {made[2]}"} <= set(words_of(out.read_bytes()))
    assert main([*words, str(tmp_path / "label.svg")]) == 0
    texts = [text.text for text in Tree.parse(tmp_path / "label.svg").iter(f"{SVG}text")]
    assert texts[1:3] == [f"Wi-Fi: {made[1]}", f"Password: {made[2]}"]


def test_whoever_may_not_read_the_password_is_told_so(machine, capsys):
    assert main(["network", "access-point", "--prepare"]) == 0
    machine.has(nobody=True)
    assert main(["label", "--address", ADDRESS, "--access-point"]) == 2
    assert "sudo" in capsys.readouterr().err
