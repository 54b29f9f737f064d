"""Every camera over every table: the tables of ASSEMBLY.md, and the drawings of fields of view and reflections."""

from __future__ import annotations

from hardware import arm, optics, sights
from hardware.drawings import HERE
from tests.support.bom import parts

PAGE = (HERE / "ASSEMBLY.md").read_text()


NEEDED = optics.required_field()


VIEWS = optics.list_views()


def view_name(view):
    return view.lens.name


def test_every_camera_is_reckoned_over_every_table():
    lines = list(sights.render_every_view())[2:]
    assert len(lines) == len(VIEWS) * len(sights.TABLES)
    assert all(line.endswith("| yes |") for line in lines), "the arm reaches every height of every camera named"


def test_board_and_lids_fit_on_every_table():
    assert all(sights.free_width(wide) > 0 for wide in sights.TABLES) and sights.free_width(NEEDED[0] - 1) < 0


def test_the_named_boom_reaches_the_middle_and_no_shorter_one():
    longer = arm.read_measures()["boom_longer"]
    for wide in sights.TABLES:
        boom = sights.boom_for(wide)
        assert boom is not None and arm.boom_reach(boom) >= wide / 2 + arm.axis_distance()
        assert boom < longer or arm.boom_reach(arm.read_measures()["boom_long"]) < wide / 2 + arm.axis_distance()
    assert sights.boom_for(2 * longer) is None


def test_only_the_standard_cameras_cable_is_long_enough():
    way = sights.cable_length(VIEWS[0])
    assert 1500 < way < 1500 + 1000, "the camera's own cable with an extension of 1 m"
    assert f"are {way / 1000:.1f} m" in PAGE
    assert "0.5 m" in parts()["camera-cable"]["part"] and way > 500
