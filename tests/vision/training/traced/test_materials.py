"""Materials as Blender's shader nodes. Texture coordinates are in mm."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from referee import Colour
from vision.render.scene import Camera
from vision.training.traced import materials, shapes
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


def test_lines_cross_where_points_lie():
    goban = plain().goban
    ink = materials.lines(goban)
    on, off = (
        np.rint((np.array(goban.place(r, c)) + goban.edge) * materials.FINE).astype(int)
        for r, c in ((3, 5), (3.5, 5.5))
    )
    assert ink[on[1], on[0]] == 1 and ink[off[1], off[0]] == 0
    assert len(materials.stars(19)) == 9 and len(materials.stars(9)) == 5 and (6, 6) in materials.stars(13)
