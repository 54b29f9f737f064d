"""Lids composed from photographs: real stones on real woods and cloths, in hollows of any build, in soft light."""

import numpy as np
import pytest

from tests.support.shared import photos
from tests.support.tiers import LONG
from vision.training.lids.composites import paste_lids

pytestmark = pytest.mark.slow


@LONG
def test_stones_of_photographs_lie_where_the_samples_say():
    tones: dict[int, list[float]] = {0: [], 1: []}
    for pixels, stones, trouble in (sample for seed in range(6) for sample in paste_lids(photos("."), seed)):
        grey = pixels.mean(axis=-1)
        for x, y, colour, visibility, _ in stones[stones[:, 3] > 0.9]:
            if trouble < 2 and visibility > 0.9:
                tones[int(colour)].append(float(grey[round(y), round(x)]) / max(float(grey.max()), 1.0))
    assert len(tones[0]) > 15 and len(tones[1]) > 15
    assert np.median(tones[1]) > np.median(tones[0]) + 0.25
