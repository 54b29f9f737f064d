"""Detection of line crossings on a board seen roughly from above, by a small net that also sees them."""

import numpy as np
import pytest

from tests.support.vision.pictures import drawn_board, turn_truth
from vision.board.crossing_net import find_crossings, turned_crossings
from vision.board.window import SIZES
from vision.calibration.model import Grid


def grid_of(picture) -> Grid:
    corners = turn_truth(picture.truth.grid, picture.truth.rows)[0]
    return Grid(picture.truth.grid.size, tuple((float(x), float(y)) for x, y in corners))


@pytest.mark.parametrize("size", SIZES)
def test_crossings_are_seen_where_they_are_and_nowhere_else(size):
    picture = drawn_board(size, 2, stones=0.5)
    grid = grid_of(picture)
    crossing_map = find_crossings(picture.pixels, np.array(grid.corners))
    ring = np.ones((size + 2, size + 2), bool)
    ring[1:-1, 1:-1] = False
    probabilities = crossing_map.probabilities_near(crossing_map.to_places(picture.truth.grid.points_beyond(1)))
    assert np.nanmedian(probabilities[~ring]) > 0.25 and np.nanmedian(probabilities[ring]) < 0.1


def test_crossings_seen_from_all_sides_lie_where_they_lie():
    picture = drawn_board(13, 2, stones=0.5)
    corners = np.array(grid_of(picture).corners)
    once, turned_round = find_crossings(picture.pixels, corners), turned_crossings(picture.pixels, corners)
    assert np.array_equal(once.matrix, turned_round.matrix) and once.heat.shape == turned_round.heat.shape
    places = once.to_places(grid_of(picture).points())
    assert np.nanmean(np.abs(once.probabilities_near(places) - turned_round.probabilities_near(places))) < 0.1
    near = np.linalg.norm(turned_round.peaks[:, None] - places.reshape(-1, 2), axis=-1).min(axis=0)
    assert np.median(near) < 0.5
