"""Random prisoner fields: a printed card for each side beside the board, stones on some of its circles."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from math import pi

import cv2
import numpy as np
import pytest

from referee import Colour
from tests.support.tiers import LONG, sample
from vision.calibration.field_layout import CARD
from vision.render.scene import Camera
from vision.training.traced import shapes, truth
from vision.training.traced.chance import random_table
from vision.training.traced.fields import card_corners, random_field_table
from vision.training.traced.scene import FieldCard, Goban, Laid, Light, Prisoner, Surface, TracedTable, Vessel


@pytest.mark.parametrize("seed", sample(range(12), 3))
def test_fields_lie_clear_of_board_and_each_other(seed):
    table = random_field_table(seed)
    assert table == random_field_table(seed) != random_field_table(seed + 100)
    shapes_seen = [card_corners(table, field)[:, :2].astype(np.float32) for field in table.fields]
    x, y = table.goban.edge
    board = np.array([[-x, -y], [x, -y], [x, y], [-x, y]], np.float32)
    for one, other in combinations((board, *shapes_seen), 2):
        assert cv2.intersectConvexConvex(one, other)[0] == 0
    seen = truth._lens(table).pixels(np.concatenate([card_corners(table, field) for field in table.fields]))
    assert (seen > 0).all() and (seen < (table.width, table.height)).all()


@pytest.mark.parametrize("seed", sample(range(12), 3))
def test_stones_on_a_field_lie_on_their_circles_and_not_in_each_other(seed):
    table = random_field_table(seed)
    for field in table.fields:
        spots = np.array([prisoner.at for prisoner in field.prisoners]).reshape(-1, 2)
        circles = [prisoner.circle for prisoner in field.prisoners]
        assert len(set(circles)) == len(circles)
        assert (np.linalg.norm(spots - np.array(CARD.places)[circles].reshape(-1, 2), axis=1) < 4.0).all()
        gaps = np.linalg.norm(spots[:, None] - spots, axis=2) + 1e9 * np.eye(len(spots))
        assert len(spots) < 2 or gaps.min() > table.stones.across * 0.98


@LONG
def test_random_fields_are_of_every_kind():
    fields = [field for seed in range(40) for field in random_field_table(seed).fields]
    assert 15 < sum(bool(field.waves) for field in fields) < 40
    many = [len(field.prisoners) for field in fields]
    assert min(many) == 0 and max(many) == len(CARD.places)
    assert {len({prisoner.colour for prisoner in field.prisoners}) for field in fields} == {0, 1, 2}


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


def test_a_turned_fields_places_are_where_a_camera_sees_them():
    table = fielded()
    at = table.on_field(table.fields[1], np.array([10.0, 5.0]))
    assert np.allclose(at[:2], (210 - 5, 10)) and -20 < at[2] < -19.5
