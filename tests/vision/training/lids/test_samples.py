"""The rendered lids that the lid reader learns from: the stones lie where the samples say."""

import numpy as np
import pytest

from tests.support.tiers import LONG
from vision.training.lids.samples import MOST, SQUARE_SIDE, Sample, load_or_draw, render_samples

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def samples():
    return [sample for seed in range(12) for sample in render_samples(seed)]


def test_a_look_is_drawn_the_same_each_time():
    for one, again in zip(render_samples(3), render_samples(3), strict=True):
        assert all((a == b).all() for a, b in zip(one, again, strict=True))


@LONG
def test_white_stones_lie_where_it_is_lighter_than_where_black_ones_lie(samples):
    tones: dict[int, list[float]] = {0: [], 1: []}
    for pixels, stones, _ in samples:
        grey = pixels.mean(axis=-1) / max(float(pixels.max()), 1.0)
        for x, y, colour, visibility, _ in stones:
            if visibility > 0.9:
                tones[int(colour)].append(float(grey[round(y), round(x)]))
    assert len(tones[0]) > 30 and len(tones[1]) > 30
    assert np.mean(tones[1]) > np.mean(tones[0]) + 0.25
    assert np.median(tones[1]) > np.quantile(tones[0], 0.9)


@LONG
def test_in_a_single_layer_all_is_seen_and_in_a_pile_some_is_not(samples):
    single = [stones[stones[:, 2] >= 0] for _, stones, trouble in samples if trouble == 0]
    piles = [stones[stones[:, 2] >= 0] for _, stones, trouble in samples if trouble == 1]
    assert len(single) > 10 and len(piles) > 5
    assert all((stones[:, 4] == 0).all() for stones in single) and all((stones[:, 4] > 0).any() for stones in piles)
    assert np.mean([stones[:, 3].min(initial=1.0) > 0.6 for stones in single]) > 0.9
    assert np.mean([stones[:, 3].min() < 0.8 for stones in piles]) > 0.9


@LONG
def test_kept_lids_are_drawn_once(tmp_path, monkeypatch):
    monkeypatch.setattr("vision.training.lids.samples.TILE", 1)
    first = load_or_draw(tmp_path, "lids", range(2), render_samples)
    assert first.pixels.shape == (8, SQUARE_SIDE, SQUARE_SIDE, 3) and first.stones.shape == (8, MOST, 5)

    def never(seed: int) -> list[Sample]:
        raise AssertionError(seed)

    assert (load_or_draw(tmp_path, "lids", range(2), never).pixels == first.pixels).all()
