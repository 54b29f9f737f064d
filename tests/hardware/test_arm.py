"""The arm by its measures: heights and tables."""

from __future__ import annotations

import pytest

from hardware import arm, optics, sights
from hardware.drawings import HERE

THICK = (5.0, 20.0, 30.0)
"""Boards, mm."""


@pytest.mark.parametrize("view", optics.list_views(), ids=lambda view: view.lens.name)
@pytest.mark.parametrize("board", THICK)
def test_the_arm_reaches_every_cameras_height_and_the_reserve(view, board):
    wanted = view.highest_height(optics.required_field())
    assert arm.highest_lens(board) >= wanted
    assert arm.column_for(wanted, board) <= arm.read_measures()["column_long"]


def test_a_column_that_is_as_long_as_needed_is_just_as_high():
    assert arm.highest_lens(30, arm.column_for(750, 30)) == pytest.approx(750)


def test_the_lens_hangs_over_the_middle_of_tables_as_clubs_have_them():
    m = arm.read_measures()
    assert arm.widest_table() >= 1200 and arm.widest_table(m["boom_longer"]) >= 1800
    assert arm.from_end() == m["tube"] / 2 + m["boom_long"] - arm.HEAD_END - arm.axis_distance()


def test_column_and_boom_are_sawn_from_one_tube_of_two_metres():
    m = arm.read_measures()
    assert m["column_long"] + m["boom_long"] + 3 <= 2000, "a saw's cut"


def test_the_clamp_takes_tables_of_15_to_50_millimetres():
    assert arm.thinnest_table() <= 15 and arm.thickest_table() >= 50


def test_measures_are_those_of_the_drawings():
    assert arm.read_measures()["card_long"] == 148.5
    assert "printing" not in arm.read_measures() and "shell" not in arm.read_measures()


def test_the_limits_on_the_page_are_the_computed_ones():
    page, long = " ".join((HERE / "ASSEMBLY.md").read_text().split()), arm.read_measures()["boom_longer"]
    for words, far in (
        ("The lens reaches {} cm above a board of 3 cm", arm.highest_lens(30)),
        ("and {} cm above one of 6 cm", arm.highest_lens(60)),
        ("The board's middle may lie up to **{} cm**", arm.from_end()),
        ("the middle of tables up to {} cm wide", arm.widest_table()),
        ("it is {} cm, the middle of tables up to", arm.from_end(long)),
        ("{} cm. On a longer table", arm.widest_table(long)),
    ):
        assert words.format(int(far / 10)) in page
    ways = [sights.cable_length(view) / 1000 for view in optics.list_views()]
    assert f"From lens to box it is {min(ways):.1f} to {max(ways):.1f} m long" in page
    assert f"stands {arm.axis_distance():.0f} mm outside the table's edge" in page
    assert f"axis is {arm.lens_drop() / 10:.0f} cm higher" in page
