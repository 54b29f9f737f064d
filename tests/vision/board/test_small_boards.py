"""The search for small boards: squares all over the picture are looked at as if each showed a board."""

import cv2
import numpy as np
import pytest

from tests.benchmarks.found import KINDS, became, draw_small
from tests.support.vision.pictures import drawn_board
from vision.board.select_board import find_likeliest, find_only_small
from vision.board.small_boards import find_small_boards
from vision.calibration.model import Grid
from vision.cost import counting_cost


@pytest.mark.slow
def test_a_plain_picture_shows_no_small_board():
    picture = drawn_board(9, 1, stones=0.2)
    own_grid = picture.truth.grid
    plain = np.full(picture.pixels.shape, 140, np.uint8)
    assert list(find_small_boards(plain, own_grid, (9,))) == []


@pytest.mark.slow
def test_a_second_board_that_is_small_in_the_picture_is_found():
    picture, wide = drawn_board(9, 1, stones=0.2), 560
    small = cv2.resize(picture.pixels, (wide, wide * 720 // 1280), interpolation=cv2.INTER_AREA)
    room = np.full((960, 1280, 3), 120, np.uint8)
    room[500 : 500 + small.shape[0], 560 : 560 + wide] = small
    elsewhere = Grid(9, ((50.0, 50.0), (350.0, 50.0), (350.0, 350.0), (50.0, 350.0)))
    true = picture.truth.grid.move_grid(wide / 1280, np.zeros(2)).move_grid(1.0, np.array([560.0, 500.0]))
    grids = list(find_small_boards(room, elsewhere, (9,)))
    middles = [np.mean(grid.corners, axis=0) for grid in grids]
    assert any(np.abs(middle - np.mean(true.corners, axis=0)).max() < true.cell() for middle in middles)


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "seed"), [("small", 110), ("small and faint", 108)])
def test_a_board_that_is_small_in_the_picture_is_found_by_look(kind, seed):
    picture = draw_small(KINDS[kind], seed)
    place = find_likeliest(picture.pixels)
    assert place is not None and became(place.grid, picture) == "found"


def test_where_no_fine_pattern_is_seen_no_net_runs_for_a_small_board():
    with counting_cost() as cost:
        assert find_only_small(np.full((720, 1280, 3), 140, np.uint8)) is None
    assert cost.net_runs.total() == 0
