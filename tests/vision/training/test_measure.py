"""The accuracy of a net on photographs with known positions and corners."""

import numpy as np
import pytest

from vision.calibration.model import Grid
from vision.training.measure import LAMPS, Score, jitter_corners, relight_pixels, score_board

GRID = Grid(9, ((0.0, 0.0), (80.0, 0.0), (80.0, 80.0), (0.0, 80.0)))


def test_a_reading_is_counted_point_by_point():
    read = np.array([[0.98, 0.01, 0.01], [0.1, 0.89, 0.01], [0.4, 0.35, 0.25], [0.01, 0.01, 0.98]], np.float32)
    result = score_board(read, np.array([0, 2, 1, 2]), below=0.8)
    assert result == Score(points=4, wrong=2, unlisted=1, doubtful=1, boards=1, whole=0)
    assert score_board(read, read.argmax(axis=1)).whole == 1


def test_scores_add_up_and_say_the_share():
    both = Score(100, 2, 1, 5, 1, 0) + Score(100, 0, 0, 0, 1, 1)
    assert both == Score(200, 2, 1, 5, 2, 1) and " 99.00% of 200 points right, 2 wrong (1 not listed)" in str(both)


def test_each_corner_is_moved_as_far_as_is_said():
    moved = jitter_corners(GRID, 0.1, np.random.default_rng(1))
    away = np.linalg.norm(np.array(moved.corners) - np.array(GRID.corners), axis=1)
    assert away == pytest.approx([1.0] * 4) and moved.size == 9


@pytest.mark.parametrize("lamp", LAMPS)
def test_a_lamp_leaves_its_shares_of_the_colours(lamp):
    lit = relight_pixels(np.full((2, 2, 3), 128, np.uint8), lamp)[0, 0].astype(int)
    for level, share in zip(lit, LAMPS[lamp], strict=True):
        assert np.sign(level - 128) == np.sign(share - 1)
