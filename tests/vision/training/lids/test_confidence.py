"""The fit of the confidence in a lid's count, on rendered lids that the net did not learn from."""

import numpy as np

from tests.support.wanting import module

module("torch")

from vision.lids.confidence import VETO, passes_vetoes  # noqa: E402
from vision.training.lids.confidence import EXCUSED, HeldOutCounts, fit_confidence  # noqa: E402


def test_hardly_a_wrong_count_that_was_learned_from_is_sure():
    rng = np.random.default_rng(2)
    features = VETO + rng.normal(1, 1, (4000, len(VETO)))
    right = (features - VETO)[:, :5].sum(axis=1) - 5 + rng.normal(0, 0.5, 4000) > -1
    everything = np.ones(4000, bool)
    scaling = fit_confidence(HeldOutCounts(features, right, everything, everything, everything))
    sure = passes_vetoes(features) & (scaling.log_odds(features) >= scaling.threshold)
    assert (sure & ~right).sum() <= 4000 // EXCUSED and (sure & right).sum() > 60
