"""Meshes of stones, dishes and boxes: vertices (n, 3) in mm, and faces. No Blender needed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.training.traced.tables import plain, table_with_fields
from vision.training.traced import shapes


def test_a_bent_field_lies_on_the_table_and_nowhere_in_it():
    bent, flat = table_with_fields().fields
    sheet = shapes.build_sheet(210.0, 148.5, bent.paper_height)
    assert 0 < sheet.points[:, 2].min() < 0.3 and 2.0 < sheet.points[:, 2].max() < 2.3
    assert np.ptp(shapes.build_sheet(210.0, 148.5, flat.paper_height).points[:, 2]) == 0
    assert np.ptp(sheet.points[:, 0]) == pytest.approx(210.0) and np.ptp(sheet.points[:, 1]) == pytest.approx(148.5)


@pytest.mark.parametrize("flat", (False, True))
def test_a_stone_has_its_size_and_rests_on_its_lowest_point(flat):
    stones = replace(plain().stones, flat=flat)
    points = shapes.build_stone(stones).points
    assert np.ptp(points[:, 0]) == pytest.approx(stones.across, rel=0.02)
    assert shapes.resting_height(stones) == pytest.approx(-points[:, 2].min())
    level = np.isclose(points[:, 2], points[:, 2].min()).sum()
    assert bool(level > 40) is flat


def test_meshes_are_closed():
    table = plain()
    meshes = [shapes.build_stone(table.stones), shapes.build_dish(table.lids[0]), shapes.build_box(30, 20, 5, 2)]
    meshes.append(shapes.build_tube(np.zeros(3), np.array([0, 50.0, 30.0]), (9, 7)))
    for mesh in meshes:
        edges = [tuple(sorted(pair)) for face in mesh.faces for pair in zip(face, face[1:] + face[:1], strict=True)]
        assert set(np.unique(edges, axis=0, return_counts=True)[1]) == {2}


def test_a_dish_is_hollow_over_its_floor_up_to_its_wall():
    bamboo = shapes.LIDS[1]
    assert (
        bamboo.hollow_radius(0.05) == 0 and 0.8 < bamboo.hollow_radius(0.5) < 0.87 and bamboo.hollow_radius(3.0) > 0.87
    )
