"""A table as values: everything from which a traced picture is made."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from referee import Colour
from vision.render.scene import Camera
from vision.training.traced import shapes, truth
from vision.training.traced.chance import random_table
from vision.training.traced.scene import Goban, Laid, Surface, TracedTable, Vessel

ABOVE = Camera(0.0, 0.0, 0.0, 800.0, 1000.0)
"""Straight down from 80 cm: 1.25 pixels a mm on the board."""


GREY = Surface((0.2, 0.2, 0.2))


def plain(size: int = 9, camera: Camera = ABOVE) -> TracedTable:
    """A table with two stones, a lid at each side, and nothing else."""
    table = random_table(4)
    goban = Goban(size, (0.2, 0.44, 0.66), (0.1, 8.0, True), 0.5, 20.0, 15.0)
    lids = tuple(Vessel(shapes.LIDS[0], x, 0.0, 60.0, 20.0, 0.0, GREY) for x in (-190.0, 190.0))
    laid = (Laid(0, 1, Colour.BLACK, (0.1, -0.2)), Laid(4, 6, Colour.WHITE, (0.0, 0.0)))
    return replace(table, goban=goban, lids=lids, laid=laid, camera=camera, things=(), bowls=())


def test_the_corners_are_where_a_known_camera_sees_them():
    grid = truth.grid(plain())
    half = np.array([4 * 22.0, 4 * 23.7]) * 1000 / 800
    middle = np.array([640, 360])
    assert np.allclose(grid.corners[0], middle - half) and np.allclose(grid.corners[2], middle + half)
    assert np.allclose(grid.corners[1], middle + half * [1, -1])
