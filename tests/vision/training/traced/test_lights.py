"""The light of rooms in which tables are traced."""

import numpy as np
import pytest

from vision.training.traced.lights import NAMES, pick_panels, pick_window, random_light


@pytest.mark.parametrize("seed", range(12))
def test_lamps_and_room_together_give_the_whole_light(seed):
    lit = random_light(np.random.default_rng(seed))
    assert lit.name in NAMES and lit.lights and 0 <= lit.balance <= 1
    assert 0 < sum(light.share for light in lit.lights) < 1
    for light in lit.lights:
        assert np.linalg.norm(light.to) == pytest.approx(1.0) and light.to[2] > 0


def test_a_dim_room_is_dark_and_noisy():
    dim = next(lit for seed in range(200) if (lit := random_light(np.random.default_rng(seed))).name == "dim")
    assert dim.exposure < 0.41 and dim.noise == 3.0


def test_panels_share_their_light():
    for seed in range(6):
        assert sum(light.share for light in pick_panels(np.random.default_rng(seed), 0.6)) == pytest.approx(0.6)
    assert pick_window(np.random.default_rng(1), 0.5).share == 0.5
