import json
from dataclasses import replace
from itertools import product

import cv2
import numpy as np
import pytest

from tests.support.shared import photos
from tests.support.tiers import LONG, sample
from tests.support.vision.photographs import chosen, is_found, labels
from tests.support.vision.pictures import chequers, drawn_board, noise, off, plain, stripes, turn_truth, words
from vision.board.detect import FittedBoard, _is_confirmed_by_crossings, find_board, refine_board
from vision.board.window import Window
from vision.calibration.model import UNIT_SQUARE, Grid
from vision.camera.frame import read_image


@pytest.mark.slow
@pytest.mark.parametrize(("size", "seed", "is_size_given"), sample(product([9, 13, 19], [1, 2, 3], [True, False]), 6))
def test_a_drawn_board_is_found_to_a_tenth_of_a_cell(size, seed, is_size_given):
    picture = drawn_board(size, seed)
    grid = find_board(picture.pixels, size if is_size_given else None)
    assert grid is not None and grid.size == size
    assert off(grid, turn_truth(picture.truth.grid, picture.truth.rows)[0]) < 0.1


@pytest.mark.slow
@pytest.mark.parametrize("seed", sample([1, 2, 3], 1))
def test_a_board_of_another_size_is_not_taken_for_a_whole_one(seed):
    assert find_board(drawn_board(9, seed).pixels, 19) is None


@LONG
@pytest.mark.parametrize("picture", sample([words, noise, stripes, chequers, plain], 1))
def test_a_picture_of_something_else_holds_no_board(picture):
    assert find_board(picture()) is None


@pytest.mark.parametrize("shift", [(0.0, 0.0), (0.3, -0.2), (-0.4, 0.1)])
def test_a_bumped_board_is_fitted_again(shift):
    picture = drawn_board(13, 2)
    corners = turn_truth(picture.truth.grid, picture.truth.rows)[0]
    moved = corners + np.array(shift) * picture.truth.grid.cell()
    grid = refine_board(picture.pixels, Grid(13, tuple((float(x), float(y)) for x, y in moved)))
    assert grid is not None and off(grid, corners) < 0.1


def test_a_board_that_is_gone_is_not_fitted():
    picture = drawn_board(13, 2)
    assert refine_board(plain(), picture.truth.grid) is None


@pytest.mark.slow
def test_every_frame_of_the_fixed_camera_shows_its_board():
    frames = chosen(labels(photos("fixed-camera-13x13").name), 4)
    results = [(label.image.name, find_board(read_image(label.image)), label) for label in frames]
    assert results and [name for name, grid, label in results if grid is None or not is_found(grid, label)] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "few", "missed"), [("angles-13x13", 4, 0), ("club-games", 2, 0), ("dense-endgames", 6, 1)]
)
def test_boards_of_real_photographs_are_found(source, few, missed):
    grids = [(find_board(read_image(label.image)), label) for label in chosen(labels(photos(source).name), few)]
    assert sum(grid is None or not is_found(grid, label) for grid, label in grids) <= missed


@LONG
def test_a_photograph_without_its_board_holds_none():
    folder = photos("phone-photos")
    for path in chosen(sorted((folder / "labels").glob("*.json")), 3):
        data = json.loads(path.read_text())
        image, corners = read_image(folder / data["image"]), np.array(data["corners"])
        middle = corners.mean(axis=0)
        cv2.fillConvexPoly(image, (middle + (corners - middle) * 1.12).astype(np.int32), (90, 110, 130))
        assert find_board(image) is None, path.stem


def test_a_board_whose_grain_hides_its_thin_lines_is_found():
    folder = photos("various")
    label = json.loads((folder / "labels" / "gbr_wa0006-blue.json").read_text())
    grid = find_board(read_image(folder / "images" / "gbr_wa0006-blue.jpg"))
    assert grid is not None and grid.size == label["size"]
    assert np.abs(np.array(grid.corners) - label["corners"]).max() < 0.25 * grid.cell()


@pytest.mark.parametrize("way", [(1, 0), (0, -1)])
def test_plain_lines_do_not_speak_for_a_grid_one_line_off(way):
    picture = drawn_board(9, 2)
    grid = picture.truth.grid
    beside = grid.to_pixels(UNIT_SQUARE + np.array(way) / (grid.size - 1))
    shifted = replace(grid, corners=tuple((float(x), float(y)) for x, y in beside))
    window = Window(9, 0, 0, 2.0 * 9 * 8, (0.1, 0.1))
    assert _is_confirmed_by_crossings(picture.pixels, FittedBoard(grid, window))
    assert not _is_confirmed_by_crossings(picture.pixels, FittedBoard(shifted, window))
