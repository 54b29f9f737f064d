"""Boards from low angles: stones are seen behind their crossings, and grids may lie on a plane between."""

import json
from dataclasses import replace
from functools import cache
from math import radians

import numpy as np
import pytest

from tests.support.shared import photos
from tests.support.tiers import sample
from tests.support.vision.tables import ANY, SLOPES, draw_low_board
from vision.board.detect import find_board
from vision.board.markers import align_corner_order
from vision.board.pose import estimate_pose
from vision.calibration.model import Grid
from vision.camera.frame import read_image
from vision.render.looks import club_look, frame_board
from vision.render.scene import Scene
from vision.render.table import Table
from vision.stones.reader import BLACK, EMPTY, StonesSeen, default_reader, find_same_stones
from vision.training.drawn_boards import random_rows
from vision.training.measure import score_board


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
def test_a_dense_board_from_low_is_read_on_any_plane(seed, tilt, height):
    picture = from_low(seed, tilt)
    grid = estimate_pose(picture.truth.grid, picture.pixels.shape).raise_grid(height)
    kinds = np.array([".XO".index(symbol) for symbol in "".join(picture.truth.rows)])
    read = score_board(default_reader().read(picture.pixels, grid).reshape(-1, 3), kinds)
    assert read.unlisted == 0 and read.doubtful <= 5


@cache
def from_steep(seed, tilt):
    """A picture of a club board in the middle of a game, from a camera lower than any that shinpan asks for."""
    rng = np.random.default_rng([31, seed, tilt])
    look = club_look(3000 + seed, 19, 1280, 960)
    camera = replace(look.camera, tilt=radians(tilt), distance=19 * rng.uniform(1.6, 2.6), shift=(0.0, 0.0))
    look = frame_board(replace(look, camera=camera, lids_shown=False, bowls_shown=False), 0.85, 0.9)
    return Table(look).draw(Scene(random_rows(rng, 19)), seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed, tilt", sample([(4, 70), (6, 70), (50, 67)], 1))
def test_stones_seen_on_the_next_point_are_doubtful(seed, tilt):
    picture = from_steep(seed, tilt)
    kinds = np.array([".XO".index(symbol) for symbol in "".join(picture.truth.rows)])
    read = score_board(default_reader().read(picture.pixels, picture.truth.grid).reshape(-1, 3), kinds)
    assert read.unlisted == 0 and read.doubtful < read.points / 2


@pytest.mark.slow
def test_a_steep_stone_that_looks_like_two_is_doubtful():
    picture = draw_low_board(23, SLOPES, ANY)
    grid = find_board(picture.pixels)
    kinds = np.array([".XO".index(symbol) for symbol in "".join(picture.truth.rows)])
    assert grid is not None
    turned = align_corner_order(grid, picture.truth.grid)
    assert score_board(default_reader().read(picture.pixels, turned).reshape(-1, 3), kinds).unlisted == 0


def read_stones(*stones):
    """A reading of a bare board of 9 lines but for black stones on these points."""
    probabilities = np.zeros((9, 9, 3), np.float32)
    probabilities[..., EMPTY] = 1
    for row, column in stones:
        probabilities[row, column] = np.eye(3)[BLACK]
    return StonesSeen(probabilities, np.zeros((9, 9, 2), np.float32), np.zeros((9, 9), np.bool_), 0)


@pytest.mark.parametrize(
    ("raised", "same"), [([(2, 4)], {(2, 4)}), ([(1, 4), (2, 4)], set()), ([(1, 4)], set()), ([], set())]
)
def test_a_stone_is_the_next_one_if_that_one_is_missing(raised, same):
    same_stones = find_same_stones(read_stones((1, 4), (2, 4)), read_stones(*raised), (-1, 0))
    assert {(int(row), int(column)) for row, column in np.argwhere(same_stones)} == same


@pytest.mark.slow
def test_a_photographed_stone_that_looks_like_two_is_doubtful():
    folder = photos("various")
    label = json.loads((folder / "labels" / "gbr_b71-table.json").read_text())
    image = read_image(folder / "images" / "gbr_b71-table.jpg")
    grid = Grid(label["size"], tuple(map(tuple, label["corners"])))
    kinds = np.array([".XO".index(symbol) for symbol in "".join(label["rows"])])
    assert score_board(default_reader().read(image, grid).reshape(-1, 3), kinds).unlisted == 0
