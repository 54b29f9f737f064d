"""Noise, grain and patterns of surfaces, drawn from a seed."""

import numpy as np
import pytest

from vision.render.scene import Ground
from vision.render.texture import PATTERNS, TILE, grain_tile, look_up, paint_pattern, smooth_noise


def test_noise_has_no_mean_and_a_deviation_of_one():
    tile = smooth_noise(np.random.default_rng(1), 32, 32)
    assert tile.shape == (TILE, TILE) and abs(tile.mean()) < 0.15 and 0.6 < tile.std() < 1.3


def test_a_tile_repeats_without_a_seam():
    tile = smooth_noise(np.random.default_rng(2), 8, 8)
    steps = np.abs(np.diff(tile, axis=1)).max()
    assert np.abs(tile[:, 0] - tile[:, -1]).max() < 2 * steps
    x = np.array([[0.25, 1.25, -0.75]], np.float32)
    values = look_up(tile, x, np.zeros_like(x), 1.0)
    assert np.allclose(values, values[0, 0], atol=1e-3)


def test_the_same_seed_grows_the_same_wood():
    one, two, other = (grain_tile(np.random.default_rng(seed)) for seed in (3, 3, 4))
    assert np.array_equal(one, two) and not np.array_equal(one, other)


@pytest.mark.parametrize("kind", PATTERNS)
def test_every_ground_lies_between_its_two_colours(kind):
    ground = Ground(kind, (0.1, 0.2, 0.3), (0.5, 0.4, 0.9), scale=3.0)
    x, y = np.meshgrid(np.linspace(-4, 4, 40, dtype=np.float32), np.linspace(-4, 4, 40, dtype=np.float32))
    texture = paint_pattern(ground, x, y, np.random.default_rng(5))
    low, high = (0.1, 0.2, 0.3), (0.5, 0.4, 0.9)
    assert (texture >= np.array(low) - 1e-5).all() and (texture <= np.array(high) + 1e-5).all() and texture.std() > 0
