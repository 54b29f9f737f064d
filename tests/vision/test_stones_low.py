"""Dense boards from low angles: stones are seen behind their crossings, and grids may lie on a plane between."""

from dataclasses import replace
from functools import cache
from math import radians

import numpy as np
import pytest

from tests.support.tiers import sample
from vision.board.pose import estimate_pose
from vision.render.looks import club_look, frame_board
from vision.render.scene import Scene
from vision.render.table import Table
from vision.stones.reader import default_reader
from vision.training.drawn_boards import random_rows
from vision.training.measure import score


def dense_rows(rng, fewest=240):
    while True:
        rows = random_rows(rng, 19)
        if fewest <= sum(map("".join(rows).count, "XO")) <= 290:
            return rows


@cache
def from_low(seed, tilt):
    """A picture of a dense club board from so many degrees off the vertical."""
    rng = np.random.default_rng([20, seed])
    look = club_look(seed, 19, 1280, 960)
    camera = replace(look.camera, tilt=radians(tilt), distance=40.0, shift=(0.0, 0.0))
    look = frame_board(replace(look, camera=camera, lids_shown=False, bowls_shown=False), 0.85, 0.85)
    return Table(look).draw(Scene(dense_rows(rng)), seed)


@pytest.mark.slow
@pytest.mark.parametrize("height", [-0.15, 0.0, 0.2])
@pytest.mark.parametrize("seed, tilt", sample([(3, 56), (2, 52), (1, 48)], 1))
def test_a_dense_board_from_low_is_read_wherever_between_the_planes_its_grid_lies(seed, tilt, height):
    drawn = from_low(seed, tilt)
    grid = estimate_pose(drawn.truth.grid, drawn.pixels.shape).above(height)
    kinds = np.array([".XO".index(symbol) for symbol in "".join(drawn.truth.rows)])
    read = score(default_reader().read(drawn.pixels, grid).reshape(-1, 3), kinds)
    assert read.unlisted == 0 and read.doubtful <= 5
