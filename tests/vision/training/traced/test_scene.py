"""A table as values: everything from which a traced picture is made."""

from __future__ import annotations

import numpy as np

from tests.vision.training.traced.tables import plain
from vision.training.traced import truth


def test_the_corners_are_where_a_known_camera_sees_them():
    grid = truth.project_grid(plain())
    half = np.array([4 * 22.0, 4 * 23.7]) * 1000 / 800
    middle = np.array([640, 360])
    assert np.allclose(grid.corners[0], middle - half) and np.allclose(grid.corners[2], middle + half)
    assert np.allclose(grid.corners[1], middle + half * [1, -1])
