"""Tables as values, as they are traced: one with two stones, and one with prisoner fields."""

from __future__ import annotations

from dataclasses import replace
from math import pi

from referee import Colour
from vision.calibration.field_layout import CARD
from vision.render.scene import Camera
from vision.training.traced import shapes
from vision.training.traced.chance import random_table
from vision.training.traced.scene import FieldCard, Goban, LaidStone, Light, Prisoner, Surface, TracedTable, Vessel

ABOVE = Camera(0.0, 0.0, 0.0, 800.0, 1000.0)
"""Straight down from 80 cm: 1.25 pixels a mm on the board."""


GREY = Surface((0.2, 0.2, 0.2))


PAPER = Surface((0.85, 0.85, 0.85))


def plain(size: int = 9, camera: Camera = ABOVE) -> TracedTable:
    """A table with two stones, a lid at each side, and nothing else."""
    table = random_table(4)
    goban = Goban(size, (0.2, 0.44, 0.66), (0.1, 8.0, True), 0.5, 20.0, 15.0)
    lids = tuple(Vessel(shapes.LIDS[0], x, 0.0, 60.0, 20.0, 0.0, GREY) for x in (-190.0, 190.0))
    stones = (LaidStone(0, 1, Colour.BLACK, (0.1, -0.2)), LaidStone(4, 6, Colour.WHITE, (0.0, 0.0)))
    return replace(table, goban=goban, lids=lids, laid=stones, camera=camera, things=(), bowls=())


def table_with_fields(camera: Camera = ABOVE, thick: float = 20.0) -> TracedTable:
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
