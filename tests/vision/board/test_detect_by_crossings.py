"""Crossings, the lattice they lie on, and the board that they show."""

from itertools import product
from unittest import mock

import cv2
import numpy as np
import pytest

from tests.benchmarks.parts.no_board import cut_off
from tests.support.shared import photos
from tests.support.tiers import LONG, sample
from tests.support.vision import spoiled
from tests.support.vision.pictures import chequers, drawn_board, noise, off, plain, stripes, turn_truth, words
from vision.board import detect_by_crossings
from vision.board.crossing_lattice import CrossingWindow
from vision.board.detect import find_board
from vision.board.detect_by_crossings import find_board_by_crossings
from vision.board.window import SIZES
from vision.calibration.model import Grid, order_clockwise, transform_points
from vision.camera.frame import read_image, to_working_size
from vision.render.scene import Scene
from vision.render.table import Table
from vision.render.truth import Picture
from vision.training.drawn_boards import random_rows
from vision.training.drawn_looks import random_look

SQUARE_PX = ((40.0, 40.0), (160.0, 40.0), (160.0, 160.0), (40.0, 160.0))


def grid_of(picture) -> Grid:
    corners = turn_truth(picture.truth.grid, picture.truth.rows)[0]
    return Grid(picture.truth.grid.size, tuple((float(x), float(y)) for x, y in corners))


@pytest.mark.slow
@pytest.mark.parametrize("size", sample([19, 13], 1))
@pytest.mark.parametrize("seed", sample(range(2), 1))
def test_a_board_full_of_stones_is_found(size, seed):
    picture = drawn_board(size, seed, stones=0.85)
    grid = find_board(picture.pixels)
    assert grid is not None and grid.size == size
    assert off(grid, np.array(grid_of(picture).corners)) < 0.15


@pytest.mark.slow
@pytest.mark.parametrize("number", sample([45, *range(40, 45)], 1))
def test_a_dense_board_is_found_on_which_the_view_never_rests(number):
    """From right above in warm dim light: the view jumps between the board and thirteen of its lines."""
    image, scale = to_working_size(read_image(photos("dense-series") / "images" / f"replay{number}.jpg"))
    grid = find_board_by_crossings(image, SIZES)
    assert grid is not None and grid.size == 19
    where = np.array([[420.6, 62.2], [1470.0, 48.7], [1502.7, 1025.7], [394.7, 1031.0]]) * scale
    assert off(grid, where) < 2, "the camera moved by less than two cells between the six"
    assert number != 45 or off(grid, where) < 0.3


@LONG
def test_a_part_of_a_dense_board_is_never_taken_for_the_whole():
    """In grey the view comes to rest on thirteen lines of the nineteen."""
    image = read_image(photos("dense-series") / "images" / "replay44.jpg")
    grey = np.asarray(cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR), np.uint8)
    by_crossings = find_board_by_crossings(to_working_size(grey)[0], SIZES)
    assert by_crossings is None or by_crossings.size == 19, "none rather than a part"
    grid = find_board(grey)
    assert grid is not None and grid.size == 19


@pytest.mark.slow
@pytest.mark.parametrize("side", sample(range(4), 1))
def test_a_dense_board_that_the_picture_cuts_off_is_no_smaller_one(side):
    picture = drawn_board(19, 4, stones=0.8)
    photo = spoiled.turn_shot(picture.pixels, 19, np.array(picture.truth.grid.corners), picture.truth.rows)
    assert find_board_by_crossings(np.ascontiguousarray(cut_off(photo, side, 0.85)), SIZES) is None


@pytest.mark.slow
@pytest.mark.parametrize("seed", sample([33, 37, 41, 133], 1))
def test_a_board_of_nine_lines_under_stones_is_found(seed):
    rng = np.random.default_rng([seed, 4711])
    look = random_look(rng, 9, 1280, 720)
    full = rng.uniform(0.5, 1)
    marks = rng.choice([".", "X", "O"], (9, 9), p=[1 - full, full / 2, full / 2])
    picture = Table(look).draw(Scene(tuple("".join(row) for row in marks)))
    assert found_at(picture.pixels, np.array(grid_of(picture).corners), 9)


@pytest.mark.slow
@pytest.mark.parametrize("seed", sample(range(3), 1))
def test_a_dense_board_that_stands_on_a_corner_is_found(seed):
    picture = drawn_board(19, seed, stones=0.85)
    matrix = cv2.getRotationMatrix2D((640, 360), 45, 0.8)
    assert found_at(*warp_picture(picture, matrix), 19)


@LONG
@pytest.mark.parametrize("seed", sample([38, 48, 57, 75, 89], 1))
def test_a_small_board_that_lies_turned_is_found(seed):
    rng = np.random.default_rng([seed, 815])
    picture = Table(random_look(rng, 19, 1280, 720)).draw(Scene(random_rows(rng, 19)))
    assert found_at(np.asarray(picture.pixels, np.uint8), np.array(grid_of(picture).corners), 19)


FAR_OFF = (((0.4, 0, 20), (0, 0.4, 420)), ((0.4, 0, 700), (0, 0.4, 20)))
"""A small board at the left, below, and at the right, above."""


@pytest.mark.slow
@pytest.mark.parametrize(("matrix", "seed"), sample(product(FAR_OFF, range(2)), 1))
def test_a_small_board_far_from_the_middle_is_found(matrix, seed):
    assert found_at(*warp_picture(drawn_board(9, seed, stones=0.6), np.array(matrix)), 9)


@pytest.mark.parametrize("seed", sample([1, 12, 21, 24, 25], 2))
def test_what_an_arm_leaves_in_sight_is_no_board_of_fewer_lines(seed):
    rng = np.random.default_rng([seed, 5])
    picture = drawn_board(19, seed % 7, float(rng.uniform(0.5, 0.95)))
    grid, hand, side = picture.truth.grid, rng.uniform(0.25, 0.8, 2), int(rng.integers(4))
    elbow = np.array([[0.5, -0.4], [1.4, 0.5], [0.5, 1.4], [-0.4, 0.5]])[side] + rng.normal(0, 0.2, 2)
    ends = [tuple(int(n) for n in place) for place in grid.to_pixels(np.array([elbow, hand]))]
    sleeve = tuple(int(n) for n in rng.integers(20, 230, 3))
    covered = cv2.line(picture.pixels.copy(), *ends, sleeve, int(grid.cell() * rng.uniform(2, 6)), cv2.LINE_AA)
    assert found_at(covered, np.array(grid_of(picture).corners), 19)


def found_at(pixels: np.ndarray, corners: np.ndarray, size: int) -> bool:
    """Return whether the board is found that has its corners there."""
    grid = find_board(pixels)
    return grid is not None and grid.size == size and off(grid, corners) < 0.25


def warp_picture(picture: Picture, matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A drawn picture moved by an affine map, brown round it, and where its board's corners are then."""
    pixels = cv2.warpAffine(picture.pixels, matrix, (1280, 720), flags=cv2.INTER_AREA, borderValue=(60, 90, 120))
    corners = transform_points(np.array(picture.truth.grid.corners), np.vstack([matrix, [0, 0, 1]]))
    return pixels, order_clockwise(corners)


@pytest.mark.parametrize("picture", [noise, stripes, chequers, plain, words])
def test_crossings_show_no_board_where_there_is_none(picture):
    assert find_board_by_crossings(picture(), SIZES) is None


def test_one_outline_of_a_search_is_looked_at_from_all_sides(monkeypatch):
    rest = mock.Mock(window=CrossingWindow(19, 0, 0, 0.8, 1.5, 0.9), corners=np.zeros((4, 2)))
    from_all_sides = mock.Mock(return_value=None)
    monkeypatch.setattr(detect_by_crossings, "find_outline", lambda crossings: np.array(SQUARE_PX))
    monkeypatch.setattr(detect_by_crossings, "_rest_of_view", lambda *args: rest if args[4] else None)
    monkeypatch.setattr(detect_by_crossings, "_view_from_all_sides", from_all_sides)
    assert find_board_by_crossings(np.full((200, 200, 3), 128, np.uint8), SIZES) is None
    assert from_all_sides.call_count == 1
