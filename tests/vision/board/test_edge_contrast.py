"""The edges of a lattice, in sight and out of it."""

import numpy as np
import pytest

from vision.board.edge_contrast import measure_edges


@pytest.mark.parametrize("shift", [(0.0, 0.0), (-70.0, 25.0), (130.0, -90.0), (5000.0, 5000.0)])
def test_a_lattice_beyond_the_picture_is_measured_as_on_black(shift):
    rng = np.random.default_rng(5)
    picture = rng.uniform(40, 220, (160, 200)).astype(np.float32)
    points = np.stack(np.meshgrid(np.arange(9) * 20.0, np.arange(9) * 18.0), axis=-1) + shift
    points += rng.uniform(-3, 3, points.shape)
    room = 500
    contrast = measure_edges(picture, points)
    framed = measure_edges(np.pad(picture, room), np.clip(points, -room + 50, room - 50) + room)
    for name in ("across", "down", "rough_across", "rough_down"):
        assert np.allclose(getattr(contrast, name), getattr(framed, name), atol=1e-3), name
