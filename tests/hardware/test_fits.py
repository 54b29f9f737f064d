"""Screws fit their holes, and what is put together does not meet, both by the measures and by the solids themselves."""

from __future__ import annotations

import re
from itertools import product

import numpy as np
import pytest

from hardware import arm, optics
from hardware.arm import read_measures
from hardware.drawings import HERE
from hardware.fits import Fit, floor_left, list_fits
from tests.hardware.solids import corners, inside, triangles
from tests.support.bom import parts
from tests.support.tiers import is_long_run, sample

INCH = 25.4
LEAST = 1.5
"""So many diameters of a screw's thread are held by plastic, or the whole of a nut, less a turn."""


def size(screw: str) -> tuple[float, float]:
    """A screw's diameter and length as the list names them, mm."""
    words = parts()[screw]["part"]
    if match := re.search(r"\bM([\d.]+) x (\d+)", words):
        return float(match[1]), float(match[2])
    assert "1/4-20 UNC x 3/4 inch" in words
    return INCH / 4, INCH * 3 / 4


@pytest.mark.parametrize("fit", list_fits(), ids=lambda fit: f"{fit.screw} {fit.where}")
def test_a_screw_fits(fit: Fit):
    wide, long = size(fit.screw)
    assert 0 <= fit.spare_length(long) <= 8, "neither proud of its hole nor long enough to hurt"
    assert fit.held_length(long) >= (fit.nut - 0.5 if fit.nut is not None else LEAST * wide)


def test_a_screw_that_is_too_long_or_too_short_is_noticed():
    assert Fit("m25-8", 4, "the Pi", 1.6, hole=4.5).spare_length(8) == pytest.approx(-1.9), "as it once was"
    assert Fit("m2-8", 4, "camera", 4 + 6 + 1.6, nut=1.6).spare_length(8) < 0


def test_all_screws_of_the_list_are_reckoned_with_and_are_as_many():
    counts = {}
    for fit in list_fits():
        counts[fit.screw] = counts.get(fit.screw, 0) + fit.many
    listed = {name: int(row["quantity"]) for name, row in parts().items() if re.match(r"Screw |Bolt 1/4", row["part"])}
    assert counts == listed
    for fit in list_fits():
        assert (
            len([one for one in list_fits() if one.screw == fit.screw]) == 1
            or f"{fit.where} {fit.many}" in (parts()[fit.screw]["purpose"])
        )


def test_the_holes_for_the_pi_do_not_come_through_the_floor():
    assert floor_left() >= 0.6


def test_the_tube_of_the_list_is_that_of_the_measures():
    m = read_measures()
    words = f"{m['tube']:.0f} x {m['tube']:.0f} x {m['tube_wall']:.0f}"
    assert words in parts()["tube"]["part"] and words in parts()["tube-long"]["part"]
    assert f"{m['column_long']:.0f} and {m['boom_long']:.0f} mm" in parts()["tube"]["part"]
    assert parts()["m8-bolt"]["part"].startswith(f"Bolt M8 x {m['m8_long']:.0f} ")
    assert f"{arm.thinnest_table() + 15:.0f} to {arm.thickest_table() - 3:.0f} mm" in parts()["m8-bolt"]["notes"]


# The solids


@pytest.mark.parametrize(
    ("name", "sides"),
    [
        ("arm_clamp", ("clamp_high", "clamp_wide")),
        ("arm_elbow", ("elbow_thick", "elbow_arm")),
        ("camera_head", ("head_long", "head_drop")),
        ("camera_plate", ("plate_wide", "plate_long", "plate_thick")),
    ],
)
def test_a_solid_has_the_measures(name, sides):
    m, extent = read_measures(), np.ptp(corners(name), axis=0)
    ways = {
        "clamp_high": extent[1],
        "clamp_wide": 2 * extent[2] + m["pinch"],
        "elbow_thick": extent[2] - m["elbow_rib"],
        "elbow_arm": extent[0] - m["elbow_back"],
        "head_long": extent[0],
        "head_drop": extent[2] - m["elbow_back"] - m["head_thick"],
        "plate_wide": extent[0],
        "plate_long": extent[1],
        "plate_thick": extent[2],
    }
    assert [ways[side] for side in sides] == pytest.approx([m[side] for side in sides], abs=0.01)


def test_points_within_a_solid_are_told_from_those_outside():
    cube = triangles("clamp_pad")
    assert inside(np.array([[0.1, 0.2, 2.0], [0.1, 0.2, 8.0], [20.0, 0.0, 2.0]]), cube).tolist() == [True, False, False]


# The table put together: x to the board from the column, z = 0 the table's top, x = 0 the column's axis

THICKNESSES = (15.0, 25.0, 50.0)


def mesh(name: str, turn: np.ndarray, at: tuple[float, float, float]) -> np.ndarray:
    """A printed part's triangles at its place."""
    return triangles(name) @ turn.T + np.array(at)


def place_printed_parts(boom: float, lens_x: float) -> dict[str, np.ndarray]:
    """All printed parts of the arm where they belong, the boom's axis so high and the lens so far out."""
    m = read_measures()
    # On the bed a half of the clamp lies with y down; an elbow's plate in x and y.
    upright, over = np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]]), np.diag([1, -1, -1])
    one = mesh("arm_clamp", upright, (arm.axis_distance(), m["clamp_wide"] / 2, 0))
    plate = mesh("arm_elbow", upright, (0, m["tube"] / 2 + m["elbow_thick"], boom))
    below = (lens_x, 0, boom - m["head_drop"] - m["head_thick"])
    middle = np.array([0, 0, -m["jaw"] / 2])
    return {
        "clamp": one + middle,
        "clamp turned": one @ over + middle,
        "elbow": plate,
        "elbow facing": (plate * [1, -1, 1])[:, ::-1],
        "head": mesh("camera_head", np.eye(3), below),
        "plate": mesh("camera_plate", over, below),
    }


Box = tuple[np.ndarray, np.ndarray]


def box(*spans: tuple[float, float]) -> Box:
    low, high = np.array(spans, float).T
    return low, high


def bought_boxes(boom: float, table: float, wide: float) -> dict[str, Box]:
    """Table, board, tubes and what lies there as boxes, the board in the table's middle."""
    m = read_measures()
    t, edge = m["tube"] / 2, arm.axis_distance()
    middle = edge + wide / 2
    field = optics.required_field()
    return {
        "table": box((edge, edge + wide), (-400, 400), (-table, 0)),
        "column": box((-t, t), (-t, t), (-arm.foot_depth(), m["column_long"] - arm.foot_depth())),
        "boom": box((t, t + m["boom_long"]), (-t, t), (boom - t, boom + t)),
        "board": box((middle - 212, middle + 212), (-227, 227), (0, 60)),
        "what lies on the mat": box(
            (middle - field[0] / 2, middle + field[0] / 2), (-field[1] / 2, field[1] / 2), (0, 40)
        ),
        "players": box((middle - 300, middle + 300), (-900, -400), (-50, 700)),
        "players opposite": box((middle - 300, middle + 300), (400, 900), (-50, 700)),
    }


def sunk(solid: np.ndarray, one: Box, many: int = 1500 if is_long_run() else 150) -> float:
    """Return how many of a hundred points of a box's part near the solid lie within the solid."""
    low, high = np.maximum(one[0], solid.min(axis=(0, 1))) + 0.25, np.minimum(one[1], solid.max(axis=(0, 1))) - 0.25
    if (low >= high).any():
        return 0.0
    points = np.random.default_rng(8).uniform(low, high, (many, 3))
    return 100 * float(inside(points, solid).mean())


def place_lens(lens: float, board: float, wide: float) -> tuple[float, float]:
    """The boom's height and how far out the lens hangs."""
    return board + lens + arm.lens_drop(), arm.axis_distance() + wide / 2


@pytest.mark.long
@pytest.mark.parametrize(("wide", "thick"), sample(product((1000.0, arm.widest_table()), THICKNESSES), 1))
def test_nothing_of_the_arm_meets_anything_on_or_at_the_table(wide, thick):
    boom, out = place_lens(750, 30, wide)
    for name, solid in place_printed_parts(boom, out).items():
        for other, one in bought_boxes(boom, thick, wide).items():
            assert sunk(solid, one) == 0, f"{name} and {other}"


def test_a_clamp_sunk_into_the_table_would_be_noticed():
    boom, out = place_lens(750, 30, 1000)
    solid = place_printed_parts(boom, out)["clamp"] + np.array([15.0, 0, 0])
    assert sunk(solid, bought_boxes(boom, 25, 1000)["table"]) > 1, "as the picture once had it"


def test_the_bought_parts_do_not_meet_one_another_nor_the_players():
    boxes = bought_boxes(place_lens(750, 30, 1000)[0], 25, 1000)
    for fixed in ("column", "boom"):
        for other in set(boxes) - {fixed}:
            low, high = np.maximum(boxes[fixed][0], boxes[other][0]), np.minimum(boxes[fixed][1], boxes[other][1])
            assert (high - low).min() <= 1e-9, f"{fixed} and {other}"


@pytest.mark.long
def test_the_clamp_holds_the_table_between_jaw_and_pad():
    boom, out = place_lens(750, 30, 1000)
    solid, m = place_printed_parts(boom, out)["clamp"], read_measures()
    points = np.random.default_rng(2).uniform(
        (arm.axis_distance() + 5, 3, -90), (arm.axis_distance() + 60, 20, 30), (9000, 3)
    )
    clamped_heights = points[inside(points, solid)][:, 2]
    assert clamped_heights[clamped_heights > -20].min() == pytest.approx(0, abs=0.5), "the upper jaw lies on the table"
    assert clamped_heights[clamped_heights < -20].max() == pytest.approx(-m["jaw"], abs=0.5), "and the opening is free"


@pytest.mark.parametrize(("view", "wide"), sample(product(optics.list_views(), (1000.0, arm.widest_table())), 2))
def test_the_arm_is_not_in_the_picture_of_the_board(view, wide):
    """From every corner of every part a line to the lens: where it meets the board's plane, there is no board
    and nothing of the mat. The table hides what is under it."""
    high = float(view.advised_height(optics.required_field()))
    boom, out = place_lens(high, 30, wide)
    everything = np.concatenate([solid.reshape(-1, 3) for solid in place_printed_parts(boom, out).values()])
    boxes = bought_boxes(boom, 25, wide)
    for name in ("column", "boom"):
        steps = np.stack(np.meshgrid(*[np.linspace(*ends, 40) for ends in zip(*boxes[name], strict=True)]), -1)
        everything = np.concatenate([everything, steps.reshape(-1, 3)])
    apex = np.array([out, 0.0, 30 + high])
    rays = everything[everything[:, 2] < apex[2] - 1] - apex
    on_table, hit = (rays[:, :2] * (fall / -rays[:, 2:]) for fall in (apex[2], high))
    hit = hit[(rays[:, 2] >= -apex[2]) | (np.abs(on_table[:, 0]) > wide / 2)]
    half = np.array(optics.required_field()) / 2
    assert len(hit) > 100 and not (np.abs(hit) < half).all(axis=1).any()


def test_every_part_of_the_arm_is_drawn_at_its_measures():
    """The pictures take the measures, not figures of their own."""
    words = (HERE / "parts/arm_parts.scad").read_text()
    assert all(name in words for name in ("clamp_back", "jaw / 2", "pad_high", "m8_long", "elbow_thick", "head_drop"))
