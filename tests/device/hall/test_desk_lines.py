"""A box is added to the hall's list by what its desk shows: its lines, or a picture of their code."""

from __future__ import annotations

import io
import re
from html import unescape
from pathlib import Path

import cv2
import numpy as np
import pytest

from device.__main__ import main
from device.hall.desk_lines import add_tables, code_in, lines_of
from device.hall.tables import TableEntry, read_tables
from device.settings import BadSettings
from tests.support.device.directed import ORIGIN
from tests.support.device.venues import Venues, tile_of
from tests.support.vision.pictures import draw_code
from vision.camera.frame_health import Grey
from vision.camera.live import LiveSource
from web.app import create_app
from web.hall.tiles import Urgency
from web.page_config import PageIdentity

ADA = TableEntry("1", "http://192.0.2.1:8000/", "a" * 64, "b" * 32)
BEN = TableEntry("Room 2", "http://192.0.2.2:8000/", "c" * 64, "d" * 32)


@pytest.fixture
def listed(tmp_path: Path) -> Path:
    """A list with one table, remarks and no end of line."""
    path = tmp_path / "tables.toml"
    path.write_text(f'event = "Spring Cup"  # in May{lines_of(ADA)}'.rstrip("\n"))
    return path


def shown_by(venues: Venues, address: str) -> tuple[str, Grey]:
    """The lines on a real box's desk, and a picture of the code beside them. address: the box's, as it knows it."""
    box = venues.box
    box.act("set-up", rules="chinese", black="Ada", white="Ben", table="7")
    client = create_app(box.backend, PageIdentity(address=address, box=box.public)).test_client()
    assert client.post("/director/session", json={"pin": box.pin.make()}, headers=ORIGIN).status_code == 200
    page = client.get("/director/pairing").get_data(as_text=True)
    lines, path_match = (
        re.search(r"<pre>(.*?)</pre>", page, re.S),
        re.search(r'<path[^>]*stroke=[^>]* d="([^"]*)"', page),
    )
    assert lines is not None and path_match is not None
    return unescape(lines[1]), cv2.GaussianBlur(draw_code(path_match[1]), (5, 5), 0)


@pytest.mark.slow
def test_a_hall_follows_a_box_whose_code_was_photographed(venues, tmp_path, capsys):
    path, photograph = tmp_path / "tables.toml", tmp_path / "desk.jpg"
    _, code = shown_by(venues, venues.served.url)
    cv2.imwrite(str(photograph), cv2.copyMakeBorder(code, 200, 300, 90, 400, cv2.BORDER_CONSTANT, value=120))
    path.write_text('event = "Spring Cup"\n')
    assert main(["hall", str(path), "--add", str(photograph)]) == 0
    assert capsys.readouterr() == (f"Table 7 at {venues.served.url} is in {path} now.\n", "")
    (entry,) = read_tables(path).tables
    assert entry == venues.line
    assert tile_of(venues.hall(entry), lambda tile: tile.urgency is not Urgency.OFFLINE).trouble is None


def test_lines_are_pasted(listed, monkeypatch, capsys):
    before = listed.read_text()
    monkeypatch.setattr("sys.stdin", io.StringIO(lines_of(BEN)))
    assert main(["hall", str(listed), "--add", "-"]) == 0
    assert read_tables(listed).tables == (ADA, BEN) and listed.read_text().startswith(before)
    assert capsys.readouterr() == (f"Table Room 2 at {BEN.address} is in {listed} now.\n", "")


@pytest.mark.slow
def test_a_code_is_found_in_what_a_camera_sees(venues, tmp_path):
    _, code = shown_by(venues, venues.served.url)
    for number, picture in enumerate((np.full_like(code, 90), code)):
        cv2.imwrite(str(tmp_path / f"{number}.png"), picture)
    ticks = iter(range(1000))
    looks = LiveSource(str(tmp_path), lambda: float(next(ticks))).read_frames()
    assert venues.box.secret in code_in(looks)


@pytest.mark.slow
def test_a_box_that_only_its_own_machine_reaches_is_told_what_to_set(venues, listed, capsys):
    lines, _ = shown_by(venues, "")
    assert main(["hall", str(listed), "--add", lines]) == 2
    assert capsys.readouterr().err.endswith('set host = "0.0.0.0" under [page] in its settings.\n')


def test_a_new_list_is_for_its_owner_alone(tmp_path):
    path = tmp_path / "tables.toml"
    assert add_tables(path, [lines_of(ADA), lines_of(BEN)]) == [ADA, BEN]
    assert read_tables(path).tables == (ADA, BEN) and path.stat().st_mode & 0o777 == 0o600
    path.chmod(0o640)
    add_tables(path, [lines_of(TableEntry("3", "http://192.0.2.3/", "e" * 64, "f" * 32))])
    assert path.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (lines_of(ADA), 'the table "1" is listed already; to replace it, delete its lines first.'),
        (lines_of(BEN).replace(BEN.address, ADA.address), f'the address "{ADA.address}" is listed already'),
        (lines_of(BEN).replace(BEN.box, ADA.box), 'the box "aaaa'),
        (lines_of(BEN) + lines_of(BEN), 'two of the [[tables]] have the table "Room 2"'),
        (lines_of(BEN).replace('"Room 2"', '""'), "set its number, table, under [match] in its settings"),
        (lines_of(BEN).replace(BEN.secret, "secret"), 'secret cannot be "secret"'),
        ("[[tables]", "There is no such file"),
        ("[[tables]]", "the code: needs table"),
        ("[[tables]]\n=", "These are not the lines of a box's desk"),
    ],
)
def test_what_cannot_be_added_leaves_the_list_as_it_was(listed, capsys, code, said):
    before = listed.read_bytes()
    assert main(["hall", str(listed), "--add", code]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert said.lower() in line.lower() and listed.read_bytes() == before


def test_a_picture_without_a_code_is_said_to_have_none(listed, tmp_path, capsys):
    cv2.imwrite(str(tmp_path / "desk.png"), np.full((200, 200), 90, np.uint8))
    assert main(["hall", str(listed), "--add", str(tmp_path / "desk.png")]) == 2
    assert "desk.png: no code can be read in it" in capsys.readouterr().err


def test_a_list_with_an_error_is_not_added_to(listed):
    listed.write_text("port = 'x'\n")
    with pytest.raises(BadSettings, match="port cannot be"):
        add_tables(listed, [lines_of(BEN)])
    assert listed.read_text() == "port = 'x'\n"
