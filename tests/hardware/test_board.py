"""The board's KiCad project is whole, and its picture and its maker's files are of this board.

That it is what pins, harness and list of parts ask for, test_wiring.py says; KiCad's own check of tracks and distances
runs before the maker's files are made.
"""

from __future__ import annotations

import json
import zipfile
from collections import Counter

import pytest

from hardware import board
from hardware.drawings import GERBERS, HERE


def test_kicad_opens_the_board_with_its_rules():
    project = json.loads((board.FILE.with_suffix(".kicad_pro")).read_text())
    assert project["meta"]["filename"] == board.FILE.with_suffix(".kicad_pro").name
    assert board.FILE.with_suffix(".kicad_dru").exists() and list(board.find_nodes("version", board.parse_board_file()))


def test_every_net_joins_pins():
    assert [net for net, pads in board.collect_nets().items() if len(pads) < 2] == []
    assert len({part.part for part in board.list_parts()}) == len(board.list_parts())


def test_a_part_that_is_turned_lies_as_kicad_turns_it():
    """To the left, while y goes down: the second pin of a chip turned by 90 degrees lies to the right of the first."""
    places = {part.part: [pad.at for pad in part.pads] for part in board.list_parts()}
    first, second, *_ = places["U1"]
    assert (second[0] - first[0], second[1] - first[1]) == pytest.approx((2.54, 0))
    first, second = places["R1"]
    assert (second[0] - first[0], second[1] - first[1]) == pytest.approx((0, 7.62))


def test_the_picture_names_every_part_with_its_value():
    svg_text = (HERE / "kicad/board.svg").read_text(encoding="utf-8")
    labels = {part: {f">{part.part}<", f">{part.part} {part.value}<"} for part in board.list_parts()}
    assert [part.part for part, either in labels.items() if not any(one in svg_text for one in either)] == []


def test_the_makers_files_are_all_there_and_hold_every_hole():
    with zipfile.ZipFile(HERE / GERBERS) as archive:
        names = archive.namelist()
        endings = Counter(name.rsplit(".", 1)[1] for name in names)
        assert set(endings) == {"gtl", "gbl", "gts", "gbs", "gto", "gm1", "drl", "gbrjob"}
        drilled = "".join(archive.read(name).decode() for name in names if name.endswith(".drl"))
    holes = sum(len(part.pads) for part in board.list_parts()) + len(
        list(board.find_nodes("via", board.parse_board_file()))
    )
    assert sum(line.startswith("X") for line in drilled.splitlines()) == holes
