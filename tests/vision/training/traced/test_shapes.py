"""Meshes of stones, dishes and boxes: vertices (n, 3) in mm, and faces. No Blender needed."""

from __future__ import annotations

from dataclasses import replace
from math import pi

import numpy as np
import pytest

from referee import Colour
from vision.calibration.field_layout import CARD
from vision.render.scene import Camera
from vision.training.traced import shapes
from vision.training.traced.chance import random_table
from vision.training.traced.scene import FieldCard, Goban, Laid, Light, Prisoner, Surface, TracedTable, Vessel

ABOVE = Camera(0.0, 0.0, 0.0, 800.0, 1000.0)
"""Straight down from 80 cm: 1.25 pixels a mm on the board."""


GREY = Surface((0.2, 0.2, 0.2))


PAPER = Surface((0.85, 0.85, 0.85))


def plain(size: int = 9, camera: Camera = ABOVE) -> TracedTable:
    """A table with two stones, a lid at each side, and nothing else."""
    table = random_table(4)
    goban = Goban(size, (0.2, 0.44, 0.66), (0.1, 8.0, True), 0.5, 20.0, 15.0)
    lids = tuple(Vessel(shapes.LIDS[0], x, 0.0, 60.0, 20.0, 0.0, GREY) for x in (-190.0, 190.0))
    laid = (Laid(0, 1, Colour.BLACK, (0.1, -0.2)), Laid(4, 6, Colour.WHITE, (0.0, 0.0)))
    return replace(table, goban=goban, lids=lids, laid=laid, camera=camera, things=(), bowls=())


def fielded(camera: Camera = ABOVE, thick: float = 20.0) -> TracedTable:
    """A table with two fields beside the board, the first one bent, a stone on a circle of each, in even light."""
    table = plain(camera=camera)
    goban = replace(table.goban, thick=thick)
    fields = (
        FieldCard(
            0, -210.0, 0.0, pi / 2, PAPER, ((1.0, 120.0, 0.3, 0.0),), (Prisoner(6, Colour.BLACK, (-22.0, -35.0)),)
        ),
        FieldCard(1, 210.0, 0.0, pi / 2, PAPER, (), (Prisoner(0, Colour.WHITE, CARD.places[0]),)),
    )
    lamp = Light((0.3, 0.2, 1.0), 1800.0, 600.0, 600.0, 0.6, (1.0, 1.0, 1.0))
    return replace(table, goban=goban, lids=(), fields=fields, lights=(lamp,), ambient=(0.4, 0.4, 0.4))


def test_a_bent_field_lies_on_the_table_and_nowhere_in_it():
    bent, flat = fielded().fields
    sheet = shapes.sheet(210.0, 148.5, bent.height)
    assert 0 < sheet.points[:, 2].min() < 0.3 and 2.0 < sheet.points[:, 2].max() < 2.3
    assert np.ptp(shapes.sheet(210.0, 148.5, flat.height).points[:, 2]) == 0
    assert np.ptp(sheet.points[:, 0]) == pytest.approx(210.0) and np.ptp(sheet.points[:, 1]) == pytest.approx(148.5)


@pytest.mark.parametrize("flat", (False, True))
def test_a_stone_has_its_size_and_rests_on_its_lowest_point(flat):
    stones = replace(plain().stones, flat=flat)
    points = shapes.stone(stones).points
    assert np.ptp(points[:, 0]) == pytest.approx(stones.across, rel=0.02)
    assert shapes.rest(stones) == pytest.approx(-points[:, 2].min())
    level = np.isclose(points[:, 2], points[:, 2].min()).sum()
    assert bool(level > 40) is flat


def test_meshes_are_closed():
    table = plain()
    made = [shapes.stone(table.stones), shapes.dish(table.lids[0]), shapes.box(30, 20, 5, 2)]
    made.append(shapes.tube(np.zeros(3), np.array([0, 50.0, 30.0]), (9, 7)))
    for mesh in made:
        edges = [tuple(sorted(pair)) for face in mesh.faces for pair in zip(face, face[1:] + face[:1], strict=True)]
        assert set(np.unique(edges, axis=0, return_counts=True)[1]) == {2}


def test_a_dish_is_hollow_over_its_floor_up_to_its_wall():
    bamboo = shapes.LIDS[1]
    assert bamboo.hollow(0.05) == 0 and 0.8 < bamboo.hollow(0.5) < 0.87 and bamboo.hollow(3.0) > 0.87
