"""How the arm swings: the beams against closed formulas, and the arm as built against what would not do."""

from __future__ import annotations

from math import pi, sqrt

import numpy as np
import pytest

from hardware import sway
from hardware.drawings import HERE
from hardware.frame import FREEDOMS, Frame
from hardware.sway import Arm, Build, builds, square_tube

TUBE = square_tube(30, 2)
FIXED = (1e9, 1e9, 1e9)


def cantilever(long: float, section=TUBE) -> tuple[Frame, int]:
    frame = Frame()
    foot, end = frame.node((0, 0, 0)), frame.node((0, 0, long))
    frame.hinge(foot, None, FIXED)
    frame.bar(foot, end, section, (1, 0, 0))
    return frame, end


def test_a_tube_has_the_section_of_the_formulas():
    assert TUBE.area == pytest.approx(224e-6) and TUBE.mass == pytest.approx(0.605, abs=0.001)
    assert TUBE.broad == pytest.approx((30**4 - 26**4) / 12 * 1e-12)
    assert TUBE.twist == pytest.approx(4 * (28**2) ** 2 * 2 / (4 * 28) * 1e-12), "Bredt"


@pytest.mark.parametrize(("force", "second"), [((5.0, 0, 0), "broad"), ((0, 5.0, 0), "narrow")])
def test_a_cantilever_bends_as_the_formula_says(force, second):
    frame, end = cantilever(0.9, sway.P2040)
    bent = np.linalg.norm(frame.moved(end, force)[end][:3])
    assert bent == pytest.approx(5 * 0.9**3 / (3 * 70e9 * getattr(sway.P2040, second)), rel=1e-3)


def test_a_cantilever_swings_as_the_formula_says():
    frame, _ = cantilever(0.9)
    exact = 3.516 / (2 * pi) * sqrt(70e9 * TUBE.broad / (TUBE.mass * 0.9**4))
    first, second, third = (mode.frequency for mode in frame.modes()[:3])
    assert first == pytest.approx(exact, rel=0.01) and second == pytest.approx(exact, rel=0.01)
    assert third == pytest.approx(exact * 22.03 / 3.516, rel=0.03)


def test_a_cantilever_sags_by_its_weight_as_the_formula_says():
    lying = Frame()
    foot, end = lying.node((0, 0, 0)), lying.node((0.9, 0, 0))
    lying.hinge(foot, None, FIXED)
    lying.bar(foot, end, TUBE, (0, 0, 1))
    exact = TUBE.mass * 9.81 * 0.9**4 / (8 * 70e9 * TUBE.broad)
    assert -lying.weighed()[end][2] == pytest.approx(exact, rel=0.01)


def test_a_boom_twists_its_column():
    """A weightless corner: sideways the head goes by bending of both and by the column's twist times the reach."""
    frame = Frame()
    foot, top, end = frame.node((0, 0, 0)), frame.node((0, 0, 0.8)), frame.node((0.5, 0, 0.8))
    frame.hinge(foot, None, FIXED)
    frame.bar(foot, top, TUBE, (1, 0, 0))
    frame.bar(top, end, TUBE, (0, 0, 1))
    bent = (0.8**3 + 0.5**3) / (3 * 70e9 * TUBE.broad) + 0.8 * 0.5**2 / (26.3e9 * TUBE.twist)
    assert frame.moved(end, (0, 3.0, 0))[end][1] == pytest.approx(3 * bent, rel=1e-3)


def test_what_is_linked_moves_as_one():
    frame, end = cantilever(0.9)
    below = frame.node((0.0, 0.1, 0.8))
    frame.link(end, below)
    moved = frame.moved(end, (3.0, 2.0, 0))
    arm = np.array([0.0, 0.1, -0.1])
    assert moved[below][:3] == pytest.approx(moved[end][:3] + np.cross(moved[end][3:], arm), rel=1e-3, abs=1e-9)


def test_modes_are_of_mass_one_and_together_make_up_any_shape():
    frame, _ = cantilever(0.9)
    shape = np.random.default_rng(4).normal(size=(len(frame), FREEDOMS))
    assert sum(mode.shape * much for mode, much in frame.swung(shape)) == pytest.approx(shape, abs=1e-6)


def test_a_swing_begins_with_its_pixels_and_dies_with_its_decay():
    swing = sway.Swing(8.0, 3.0)
    assert swing.at(0) == 3.0 and swing.at(1 / 16) < 0
    assert swing.at(1.0) == pytest.approx(3.0 * np.exp(-sway.DAMPING * 2 * pi * 8))
    assert sum(one.pixels for one in [swing]) > sway.STILL > abs(swing.at(sway.rest([swing])))


# The arm


def test_slotted_profiles_would_sway_for_seconds_and_the_tube_does_not():
    found = {name.strip(): Arm(build) for name, build in builds().items()}
    slotted, tube = found["slotted profile 20 x 20"], found["**square tube 30 x 30 x 2**"]
    assert slotted.frequencies()[0] < 4 and sway.rest(slotted.brushed()) > 5
    assert tube.frequencies()[0] > 7 and sway.rest(tube.brushed()) < 1 and tube.pushed((0, sway.BRUSH, 0)) < 2


@pytest.mark.parametrize("name", [name for name in builds() if "tube" in name])
def test_the_arm_as_built_is_still_within_two_seconds_of_a_brush(name):
    assert sway.rest(Arm(builds()[name]).brushed()) < 2


def test_of_a_jolted_table_the_arm_is_first_behind_by_the_jolt():
    swings = Arm(sway.usual()).jolted()
    assert sway.far(swings) > sway.JOLT * 1000 / sway.MM_A_PIXEL, "the ways together are at least as far"
    assert all(np.diff([swing.pixels for swing in swings]) <= 0)


def test_a_heavier_or_longer_arm_swings_slower():
    usual = sway.usual()
    longer = Build(usual.column, usual.boom, usual.height, usual.reach * 1.3)
    assert Arm(longer).frequencies()[0] < Arm(usual).frequencies()[0]


def test_five_kilograms_at_the_booms_end_are_less_than_half_of_what_any_part_bears():
    shares = sway.stresses(50.0)
    assert max(shares.values()) < 0.5 and sway.stresses(100.0)["jaw"] == pytest.approx(2 * shares["jaw"])
    moment = 50 * 0.755
    assert shares["tube"] == pytest.approx(moment * 0.015 / TUBE.broad / 120e6)


def test_the_sag_on_the_page_is_the_computed_one():
    sunk, tilted = Arm(sway.usual()).sag()
    assert f"sinks by {sunk:.1f} mm and tilts by {tilted:.1f} degrees" in " ".join(
        (HERE / "ASSEMBLY.md").read_text().split()
    )
