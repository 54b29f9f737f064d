"""The drawings of the box are complete, and what is printed can be printed."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
import pytest

from device.panel.rim_driver import Chain
from hardware import board
from hardware.drawings import (
    GERBERS,
    HERE,
    PRINTED,
    SCENES,
    Drawing,
    MissingTool,
    _find_tool,
    list_drawings,
    recorded_hashes,
)
from tests.hardware.solids import triangles
from tests.support.bom import parts

BED = 210.0
MARKERS_OUT = 35.0
"""The distance from the board at which the mat's markers begin, mm."""
LONGEST_BRIDGE = 27.0
"""The longest bridge that a usual printer prints without support, mm."""
MEASURES = "".join((HERE / f"parts/{name}.scad").read_text() for name in ("measures", "rim_measures", "table"))


def measure(name: str) -> float:
    match = re.search(rf"^{name} = ([\d.]+);", MEASURES, re.M)
    assert match is not None
    return float(match[1])


def test_nothing_else_is_recorded_or_lies_among_the_drawings():
    file_names = {name for drawing in list_drawings() for name in drawing.files}
    assert set(recorded_hashes()) == file_names
    lying = {f"{folder}/{path.name}" for folder in ("drawings", "parts") for path in (HERE / folder).iterdir()}
    assert {name for name in lying if not name.endswith(".scad")} == file_names


def test_a_changed_source_or_file_is_noticed():
    (drawing,) = [one for one in list_drawings() if one.files == (GERBERS,)]
    made_hash, own = recorded_hashes()[GERBERS]
    assert drawing.is_fresh({GERBERS: [made_hash, own]}), (
        "the board was changed and its maker's files were not made again"
    )
    assert not drawing.is_fresh({GERBERS: [made_hash, "other"]})
    assert not Drawing(drawing.files, lambda: drawing.source() + " ", drawing.draw).is_fresh(recorded_hashes())


def test_a_missing_tool_is_named_with_what_to_do():
    with pytest.raises(MissingTool, match=r"^no-such-tool is missing: sudo apt-get install it$"):
        _find_tool("no-such-tool", "sudo apt-get install it")


def test_the_harness_shows_every_part_and_cable():
    svg_text = (HERE / "drawings/harness.svg").read_text()
    read = board.build_harness()
    assert {name for name in (*read["connectors"], *read["cables"]) if f">{name}<" not in svg_text} == set()


# The printed parts


def test_every_printed_part_of_the_list_is_there_and_no_other():
    assert {row["part"] for row in parts().values() if row["unit"] == "printed"} == set(PRINTED)
    others = {"measures", "table_box_measures", "rim_measures", "fittings", "arm_parts", *SCENES}
    assert {path.stem for path in (HERE / "parts").glob("*.scad")} - others == set(PRINTED)


@pytest.mark.parametrize("name", PRINTED)
def test_a_part_fits_a_usual_printer_and_stands_on_its_bed(name):
    corners = triangles(name).reshape(-1, 3)
    low, high = corners.min(axis=0), corners.max(axis=0)
    assert (high - low <= [BED, BED, 200]).all() and abs(low[2]) < 0.01
    flat = (np.abs(triangles(name)[:, :, 2]) < 0.01).all(axis=1)
    assert area(triangles(name)[flat]) > 250, "so much lies on the bed, mm²"


@pytest.mark.long
@pytest.mark.parametrize("name", PRINTED)
def test_a_part_is_a_closed_solid(name):
    points = np.round(triangles(name), 3)
    edges = Counter()
    for one in points:
        ends = [tuple(point) for point in one]
        edges.update(zip(ends, ends[1:] + ends[:1], strict=True))
    assert all(edges[end, start] == count == 1 for (start, end), count in edges.items()), "every edge twice, once a way"
    assert volume(points) > 1000


def ceilings(name: str) -> list[np.ndarray]:
    """Return a part's undersides flatter than 45 degrees above the bed: the points of each connected one."""
    corners = triangles(name)
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    length = np.linalg.norm(across, axis=1)
    under = (across[:, 2] < -0.72 * length) & (length > 1e-9) & (corners[:, :, 2].max(axis=1) > 0.05)
    groups: list[set[tuple[float, ...]]] = []
    for one in np.round(corners[under], 3):
        points = {tuple(point) for point in one}
        joined = [other for other in groups if other & points]
        groups = [other for other in groups if not other & points] + [points.union(*joined)]
    return [np.array(sorted(points)) for points in groups]


def bridge(ceiling: np.ndarray) -> float:
    """Return over which length a ceiling is bridged, mm: along a thin wall from end to end, else the shorter way."""
    narrow, long = sorted(np.ptp(ceiling, axis=0)[:2])
    return float(long if narrow < 5 else narrow)


@pytest.mark.parametrize("name", PRINTED)
def test_a_part_needs_no_support(name):
    assert max(map(bridge, ceilings(name)), default=0) < LONGEST_BRIDGE


def area(corners: np.ndarray) -> float:
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    return float(np.linalg.norm(across, axis=1).sum() / 2)


def volume(corners: np.ndarray) -> float:
    return float(np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() / 6)


def test_no_part_needs_more_filament_than_the_list_has():
    grams = sum(volume(triangles(row["part"])) * int(row["quantity"]) for row in printed()) * 1.27e-3
    assert 500 < grams < 1000 * int(parts()["filament"]["quantity"]), f"{grams:.0f} g if everything were solid"


def printed():
    return [row for row in parts().values() if row["unit"] == "printed"]


def test_the_trays_take_the_cards_of_the_mat():
    from vision.board.marker_layout import LID_CARD

    assert (measure("card_wide"), measure("card_long")) == LID_CARD


def test_the_channels_carry_the_strips_along_both_edges_beside_each_line():
    chain, pitch = Chain(), 1000 / 144
    assert f"144 lights a metre, {measure('rim_strip'):.0f} mm wide" in parts()["strip"]["part"]
    pieces, lights = int(parts()["print-rim-channel"]["quantity"]), int(measure("rim_lights"))
    assert pieces // 2 * lights >= max(chain.lights)
    for gap, step, many in zip((22.0, 23.7), chain.steps, chain.lights, strict=True):
        assert step == pytest.approx(gap / pitch, abs=0.001) and round(18 * step) + 1 <= many <= round(18 * step) + 2
    assert measure("board_high") - 6 < measure("rim_high") < measure("board_high")
    corners = triangles("rim_channel").reshape(-1, 3)
    long, wide, high = np.ptp(corners, axis=0)
    assert (long, high) == pytest.approx((lights * pitch, measure("rim_high") + 2))
    assert measure("rim_strip") < wide < MARKERS_OUT / 2, "the mat's markers stay in view"


def test_the_box_has_its_holes_where_the_board_has_its_sockets_and_screws():
    read = (HERE / "parts/table_box_measures.scad").read_text()
    measures = {
        name: [float(n) for n in re.findall(r"[\d.]+", words)]
        for name, words in re.findall(r"^(driver_\w+) = ([^;]*);", read, re.M)
    }
    by_name = {one.part: one for one in board.list_parts()}
    assert [measures["driver_wide"], measures["driver_long"]] == [[side] for side in board.board_size()]
    assert measures["driver_pin"] == list(by_name["J1"].first_pin_position)
    shells = [[pad.at[0] for pad in by_name[name].pads if pad.pin in (10, 11)] for name in ("X1", "X2")]
    middles = [sum(ends) / 2 for ends in shells]
    assert measures["driver_sockets"] == pytest.approx(middles, abs=0.01)
    assert measures["driver_posts"] == [n for name in ("H3", "H4") for n in by_name[name].first_pin_position]


def test_the_board_lies_over_the_holes_of_the_pi():
    """3.5 mm from the Pi's edges and 58 mm apart, as on its drawing; the pins' middle lies between them."""
    by_name = {one.part: one.first_pin_position for one in board.list_parts()}
    (left, low), (right, other), (pin, row) = by_name["H1"], by_name["H2"], by_name["J1"]
    assert (right - left, low) == pytest.approx((58, other))
    assert ((left + right) / 2, low) == pytest.approx((pin + 9.5 * 2.54, row - 1.27), abs=0.01)


def test_the_pictures_and_the_table_of_heights_agree():
    from hardware.optics import BOARD, list_views, required_field

    drawn_view = next(view for view in list_views() if view.lens.name == "Camera Module 3")
    assert (measure("board_wide"), measure("board_long")) == BOARD
    assert measure("camera_high") == drawn_view.advised_height(required_field())
