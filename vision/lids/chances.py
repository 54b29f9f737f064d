"""The probability of each count of a lid that is not sure: Platt scaling of the count's evidence, fitted on drawn lids.

The likeliest count of a colour is right with a probability that follows from the lid's log-odds (confidence.py), the
number of stones, and how well their density agrees. A wrong one is a stone or more away, mostly too low in a single
layer, where a stone hid, and as often too high in a pile.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from vision.lids.confidence import Count, load_platt_scaling

WEIGHTS = Path(__file__).parents[1] / "models" / "lid_chances.json"
"""The shipped fit; vision/models/lids.md describes it."""
LOWEST, HIGHEST = -12.0, 6.0
"""The range to which a lid's log-odds are clamped."""
PILE = 0.5
"""The probability from which some stones lie on others."""
DIGITS = 4
"""The digits of a chance: what the referee weighs is what its event log keeps."""

Floats = npt.NDArray[np.float64]
Chances = tuple[tuple[float, ...], tuple[float, ...]]
"""The probability of each count of a range, for black and for white."""


@dataclass(frozen=True, eq=False)
class CountScaling:
    """A logistic regression of the likeliest count's standardised features, and how far off a wrong one is.

    `mean`, `std`: the features', for their standardisation.
    `coefficients`, `intercept`: the regression's.
    `low`: the share of wrong counts that are too low, in a single layer and in a pile.
    `distance`: the mean distance of a wrong count, in stones: for none, and added for each stone counted.
    """

    mean: Floats
    std: Floats
    coefficients: Floats
    intercept: float
    low: tuple[float, float]
    distance: tuple[float, float]

    def probability_right(self, features: Floats) -> Floats:
        """Return the probability that likeliest counts with these features, shape (..., features), are right."""
        log_odds = (features - self.mean) / self.std @ self.coefficients + self.intercept
        return np.asarray(1 / (1 + np.exp(-log_odds)))

    def spread_counts(self, right: float, count: int, piled: bool, counts: Floats) -> Floats:
        """Return how likely each of these counts is if `count` is right with that probability."""
        offsets = counts - count
        stay = 1 - 1 / (self.distance[0] + self.distance[1] * count)
        one = stay ** np.maximum(np.abs(offsets) - 1, 0)
        more = self.low[piled] if count else 1.0
        fewer = (1 - more) / max(1.0, (1 - stay**count) / (1 - stay))
        return np.where(offsets == 0, right, (1 - right) * np.where(offsets > 0, more * (1 - stay), fewer) * one)


@cache
def load_count_scaling() -> CountScaling:
    """Return the shipped scaling."""
    values = json.loads(WEIGHTS.read_text())
    mean, std, coefficients = (np.array(values[name]) for name in ("mean", "std", "coefficients"))
    return CountScaling(
        mean, std, coefficients, float(values["intercept"]), tuple(values["low"]), tuple(values["distance"])
    )


def count_features(count: Count, colour: int, likeliest: int) -> Floats:
    """Return the features of a colour's likeliest count.

    They are: the log-odds of the whole lid; the logarithm of the count; the difference between it and the density;
    the probability of a hand; and the product of the first two, because a pile's log-odds say more.
    """
    log_odds, many = (
        float(np.clip(load_platt_scaling().log_odds(count.features), LOWEST, HIGHEST)),
        float(np.log1p(likeliest)),
    )
    return np.array([log_odds, many, abs(count.density[colour] - likeliest), count.covered, log_odds * many])


def weigh_counts(count: Count, colour: int, likeliest: int, count_range: tuple[int, int]) -> tuple[float, ...]:
    """Return how likely each number of stones of a colour is, from the first to the last of a range."""
    scaling = load_count_scaling()
    right = float(scaling.probability_right(count_features(count, colour, likeliest)))
    counts = np.arange(count_range[0], count_range[1] + 1, dtype=np.float64)
    chances = scaling.spread_counts(right, likeliest, count.piled > PILE, counts)
    return tuple(round(float(chance), DIGITS) for chance in chances)
