"""The assembly page: it names every part, and its figures are the computed ones."""

from __future__ import annotations

import re
from dataclasses import replace
from math import atan, degrees

import pytest

from hardware import optics
from hardware.drawings import HERE, PRINTED, list_drawings
from tests.support.bom import parts
from vision.camera.camera_models import LENSES

PAGE = (HERE / "ASSEMBLY.md").read_text()
NAMED = set(re.findall(r"`([\w-]+)`", PAGE))


def test_the_page_names_every_part_and_how_many_to_print():
    assert {name for name, row in parts().items() if row["unit"] != "printed"} - NAMED == set()
    for row in parts().values():
        if row["unit"] == "printed":
            picture = f"parts/{row['part']}.png"
            picture_cell = f'[<img src="{picture}" alt="{row["part"]}" width="160">]({picture})'
            row_start = re.escape(f"| {row['quantity']} `{row['part']}`: ")
            assert re.search(rf"^{row_start}[^|]+ \| {re.escape(picture_cell)} \|$", PAGE, re.M)


def test_the_page_shows_every_drawing():
    files = set(re.findall(r"\]\(((?:parts|drawings)/[\w.-]+)\)", PAGE))
    assert {name for drawing in list_drawings() for name in drawing.files if not name.endswith(".stl")} == files - {
        "parts/measures.scad",
        "parts/rim_measures.scad",
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


CAMERAS = (("camera-usb", "usb-extension"), ("camera-usb-bare",), ("camera-pi", "camera-cable"))
"""One of these is bought."""


def price(column, *names):
    return sum(float(parts()[name][column]) for name in names)


def test_the_cameras_to_choose_from_are_all():
    assert {name for name, row in parts().items() if row["choice"] == "camera"} == {
        name for one in CAMERAS for name in one
    }


def test_the_prices_on_the_page_are_those_of_the_list():
    ours = [row for row in parts().values() if row["unit"] != "printed" and not row["choice"]]
    low = sum(int(row["quantity"]) * float(row["eur from"]) for row in ours)
    high = sum(int(row["quantity"]) * float(row["eur to"]) for row in ours)
    low += min(price("eur from", *camera) for camera in CAMERAS)
    high += max(price("eur to", *camera) for camera in CAMERAS)
    match = re.search(r"and (\d+) to (\d+) euros", PAGE)
    assert match is not None
    assert (int(match[1]), int(match[2])) == (pytest.approx(low, abs=10), pytest.approx(high, abs=10))


def test_what_to_buy_is_the_list_with_its_sums():
    """Each row of the first table: everything that every box needs, but for the camera, once."""
    table = PAGE.partition("| order | what |")[2].partition("\n\n")[0]
    bought = set[str]()
    for row in table.splitlines()[2:]:
        names = re.findall(r"`([\w-]+)`", row)
        low, high = (
            sum(int(parts()[n]["quantity"]) * float(parts()[n][key]) for n in names) for key in ("eur from", "eur to")
        )
        assert row.endswith(f"| {low:.0f} to {high:.0f} |"), row
        assert not bought & set(names)
        bought |= set(names)
    assert bought == {name for name, row in parts().items() if row["unit"] != "printed" and not row["choice"]}
    for camera in CAMERAS:
        assert f"({price('eur from', *camera):g} to {price('eur to', *camera):g}" in PAGE


def test_the_sums_for_a_tournament_are_those_of_the_lists():
    """One table and ten of them, with the box of the page above, and the tools for it."""
    page = (HERE.parent / "docs/tournament.md").read_text()
    one = re.search(r"and (\d+) to (\d+) euros", PAGE)
    tools = [row for row in parts().values() if row["choice"] == "tool"]
    low, high = (round(sum(float(row[key]) * int(row["quantity"]) for row in tools)) for key in ("eur from", "eur to"))
    assert one is not None
    assert f"| {one[1]} to {one[2]} euros | {int(one[1]) * 10:,} to {int(one[2]) * 10:,} euros |" in page
    assert f"| {low} to {high} euros | {low} to {high} euros |" in page


def test_the_printed_parts_of_the_page_are_all():
    assert set(re.findall(r"^\| \d `(\w+)`: [^|]+ \| \[<img ", PAGE, re.M)) == set(PRINTED)


# Heights of the camera


NEEDED = optics.required_field()
VIEWS = optics.list_views()


def view_name(view):
    return view.lens.name


def test_the_page_says_how_much_a_camera_must_see():
    words = " ".join(PAGE.split())
    assert f"must see {NEEDED[0] / 10:.0f} x {NEEDED[1] / 10:.0f} cm, with the mat or without" in words


@pytest.mark.parametrize("view", VIEWS, ids=view_name)
def test_from_the_advised_height_everything_is_within_the_field_of_view(view):
    height = view.advised_height(NEEDED)
    assert degrees(2 * atan(NEEDED[0] / 2 / height)) < view.lens.across
    assert degrees(2 * atan(NEEDED[1] / 2 / height)) < view.lens.down
    assert 600 <= height <= view.highest_height(NEEDED)


@pytest.mark.parametrize("view", VIEWS, ids=view_name)
def test_lower_than_the_lowest_height_something_is_cut_off(view):
    wide, long = view.field_size(view.lowest_height(NEEDED) * 0.99)
    assert wide < NEEDED[0] + 2 * optics.MARGIN or long < NEEDED[1] + 2 * optics.MARGIN


@pytest.mark.parametrize("view", VIEWS, ids=view_name)
def test_from_the_second_height_a_field_three_degrees_narrower_is_enough(view):
    narrower = replace(view.lens, across=view.lens.across - 3, down=view.lens.down - 3, modes=())
    wide, long = optics.find_view(narrower).field_size(view.highest_height(NEEDED))
    assert wide >= NEEDED[0] and long >= NEEDED[1]


def test_camera_module_3_sees_97_by_55_cm_from_75():
    view = next(view for view in VIEWS if view.lens.name == "Camera Module 3")
    assert view.mode == (2304, 1296)
    assert view.field_size(750) == (pytest.approx(974, abs=1), pytest.approx(548, abs=1))
    assert view.pixels_a_cell(750) == pytest.approx(22 * 1280 / 974, abs=0.1)


def test_a_camera_that_cannot_focus_so_near_is_refused():
    lens = next(lens for lens in LENSES if lens.name == "Camera Module 1")
    with pytest.raises(optics.UnsuitableCamera, match="nearer than 100 cm is blurred"):
        optics.find_view(lens)


# Every camera over every table


# Lamps


def test_what_the_page_says_of_lamps_is_computed():
    across, along = optics.kept_free(VIEWS[0].advised_height(NEEDED))
    words = " ".join(PAGE.split())
    assert f"must hang {across / 10:.0f} cm or more to the left or right" in words
    assert f"or {along / 10:.0f} cm or more towards a player" in words
