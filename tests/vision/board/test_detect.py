import json

import cv2
import numpy as np
import pytest

from tests.support.shared import photos
from tests.support.vision.photographs import is_found, labels
from tests.support.vision.pictures import chequers, drawn_board, noise, off, plain, stripes, turned, words
from vision.board.detect import find_board, refine_board
from vision.calibration import Grid
from vision.frame import read_image

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("size", [9, 13, 19])
@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("told", [True, False])
def test_a_drawn_board_is_found_to_a_tenth_of_a_cell(size, seed, told):
    picture = drawn_board(size, seed)
    grid = find_board(picture.pixels, size if told else None)
    assert grid is not None and grid.size == size
    assert off(grid, turned(picture.truth.grid, picture.truth.rows)[0]) < 0.1


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_board_of_another_size_is_not_taken_for_a_whole_one(seed):
    assert find_board(drawn_board(9, seed).pixels, 19) is None


@pytest.mark.parametrize("picture", [noise, stripes, chequers, plain, words])
def test_a_picture_of_something_else_holds_no_board(picture):
    assert find_board(picture()) is None


@pytest.mark.parametrize("shift", [(0.0, 0.0), (0.3, -0.2), (-0.4, 0.1)])
def test_a_bumped_board_is_fitted_again(shift):
    picture = drawn_board(13, 2)
    corners = turned(picture.truth.grid, picture.truth.rows)[0]
    moved = corners + np.array(shift) * picture.truth.grid.cell()
    grid = refine_board(picture.pixels, Grid(13, tuple((float(x), float(y)) for x, y in moved)))
    assert grid is not None and off(grid, corners) < 0.1


def test_a_board_that_is_gone_is_not_fitted():
    picture = drawn_board(13, 2)
    assert refine_board(plain(), picture.truth.grid) is None


@pytest.mark.slow
def test_every_frame_of_the_fixed_camera_shows_its_board():
    photos("fixed-camera-13x13")
    found = {label.image.name: find_board(read_image(label.image)) for label in labels("fixed-camera-13x13")}
    missed = [
        label.image.name for label in labels("fixed-camera-13x13") if not is_found(found[label.image.name], label)
    ]
    assert found and missed == []


@pytest.mark.slow
@pytest.mark.parametrize(("source", "least"), [("angles-13x13", 13), ("club-games", 8), ("dense-endgames", 5)])
def test_boards_of_real_photographs_are_found(source, least):
    photos(source)
    grids = [(find_board(read_image(label.image)), label) for label in labels(source)]
    assert sum(grid is not None and is_found(grid, label) for grid, label in grids) >= least


@pytest.mark.slow
def test_a_photograph_without_its_board_holds_none():
    folder = photos("phone-photos")
    for path in sorted((folder / "labels").glob("*.json")):
        data = json.loads(path.read_text())
        image, corners = read_image(folder / data["image"]), np.array(data["corners"])
        middle = corners.mean(axis=0)
        cv2.fillConvexPoly(image, (middle + (corners - middle) * 1.12).astype(np.int32), (90, 110, 130))
        assert find_board(image) is None, path.stem
