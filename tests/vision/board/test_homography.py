"""Homographies from points of which one coordinate each is known, several at once."""

import numpy as np

from vision.board.homography import point_products, solve_homographies

ONE = [[1.1, 0.2, -3.0], [0.1, 0.9, 2.0], [0.02, -0.01, 1.0]]
OTHER = [[0.4, -0.8, 1.0], [0.7, 0.6, 0.5], [0.0, 0.0, 1.0]]


def test_several_homographies_are_found_from_coordinates_known_one_by_one():
    rng, true = np.random.default_rng(2), np.array([ONE, OTHER])
    points = np.concatenate([rng.uniform(-4, 4, (2, 2, 40)), np.ones((2, 1, 40))], axis=1)
    there = true @ points
    u, v = there[:, 0] / there[:, 2], there[:, 1] / there[:, 2]
    knows_u = np.broadcast_to(np.arange(40) % 2, u.shape).astype(float)
    knows_v = 1 - knows_u
    shares = np.stack([knows_u, knows_v, -knows_u * u, -knows_v * v, knows_u * u * u + knows_v * v * v], axis=1)
    matrices = solve_homographies(point_products(points), shares)
    assert np.allclose(matrices / matrices[:, 2:, 2:], true, atol=1e-6)
