"""The assembly page: it names every part, and its figures are the computed ones."""

from __future__ import annotations

import re
from math import atan, degrees

import pytest

from hardware import optics
from hardware.drawings import HERE, PRINTED, drawings
from tests.support.bom import parts

PAGE = (HERE / "ASSEMBLY.md").read_text()
NAMED = set(re.findall(r"`([\w-]+)`", PAGE))


def test_the_page_names_every_part_and_how_many_to_print():
    assert {name for name, row in parts().items() if row["unit"] != "printed"} - NAMED == set()
    for row in parts().values():
        if row["unit"] == "printed":
            assert f"| `{row['part']}` | {row['quantity']} | ![{row['part']}](parts/{row['part']}.png) |" in PAGE


def test_the_page_shows_every_drawing():
    shown = set(re.findall(r"\]\(((?:parts|drawings)/[\w.-]+)\)", PAGE))
    assert {name for drawing in drawings() for name in drawing.files if not name.endswith(".stl")} == shown - {
        "parts/measures.scad"
    }


def test_the_page_links_to_files_that_are_there():
    targets = re.findall(r"\]\(([^)#:]+)\)", PAGE)
    assert [target for target in targets if not (HERE / target).exists()] == []
    assert "../docs/panel.md" in targets


def test_the_counts_of_screws_and_nuts_on_the_page_are_those_of_the_list():
    """The list says where each goes; the printed parts have the holes."""
    for name in ("m5-50", "m5-nut", "m5-washer", "m3-10", "m25-8"):
        where = [int(n) for n in re.findall(r" (\d+)(?:,|$)", parts()[name]["purpose"])]
        assert sum(where) == int(parts()[name]["quantity"]), name


def test_the_prices_on_the_page_are_those_of_the_list():
    ours = [row for row in parts().values() if row["unit"] != "printed" and not row["choice"]]
    cameras = [row for name, row in parts().items() if name in ("camera-usb", "camera-pi")]
    low = sum(int(row["quantity"]) * float(row["eur from"]) for row in ours)
    high = sum(int(row["quantity"]) * float(row["eur to"]) for row in ours)
    low += min(float(row["eur from"]) for row in cameras)
    high += max(float(row["eur to"]) for row in cameras)
    told = re.search(r"and (\d+) to (\d+) euros", PAGE)
    assert told is not None
    assert (int(told[1]), int(told[2])) == (pytest.approx(low, abs=10), pytest.approx(high, abs=10))


def test_the_printed_parts_of_the_page_are_all():
    assert set(re.findall(r"^\| `(\w+)` \| \d \| !", PAGE, re.M)) == set(PRINTED)


# Heights of the camera


def test_the_heights_on_the_page_are_the_computed_ones():
    assert optics.table() in PAGE
    wide, long = optics.seen_with_mat()
    bare_wide, bare_long = optics.seen_without_mat()
    assert f"must see {wide / 10:.0f} x {long / 10:.0f} cm with the mat" in PAGE
    assert f"or {bare_wide / 10:.0f} x {bare_long / 10:.0f} cm without" in PAGE


@pytest.mark.parametrize("lens", optics.LENSES, ids=lambda lens: lens.name)
@pytest.mark.parametrize("seen", [optics.seen_with_mat(), optics.seen_without_mat()], ids=["mat", "no mat"])
def test_from_the_advised_height_everything_is_within_the_field_of_view(lens, seen):
    height = optics.advised(lens, seen)
    assert degrees(2 * atan(seen[0] / 2 / height)) < lens.across
    assert degrees(2 * atan(seen[1] / 2 / height)) < lens.down
    assert height >= 600


@pytest.mark.parametrize("lens", optics.LENSES, ids=lambda lens: lens.name)
def test_lower_than_the_lowest_height_something_is_cut_off(lens):
    low = optics.lowest(lens, optics.seen_with_mat()) * 0.99
    across, down = lens.tangents()
    wide, long = optics.seen_with_mat()
    assert low * across < wide / 2 + optics.MARGIN or low * down < long / 2 + optics.MARGIN


def test_camera_module_3_sees_97_by_56_cm_from_75():
    lens = optics.LENSES[0]
    assert 2 * 750 * lens.tangents()[0] == pytest.approx(974, abs=1)
    assert 2 * 750 * lens.tangents()[1] == pytest.approx(548, abs=1)
    assert optics.pixels_a_cell(lens, 750) == pytest.approx(22 * 1280 / 974, abs=0.1)


def test_a_stone_leans_as_similar_triangles_say():
    assert optics.lean(759) == pytest.approx(9 * optics.OUTERMOST / 750)
