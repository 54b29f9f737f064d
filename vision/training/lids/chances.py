"""The fit of how likely each count of a lid is, on drawn lids: Platt scaling, and how far off wrong counts are."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path

import numpy as np
import numpy.typing as npt

from vision.lids.chances import CountScaling

DECAY = 1e-3
"""The penalty on squared coefficients."""
STEPS, ENOUGH = 60, 1e-9
"""The maximum number of Newton's steps, and the change that ends them."""
NARROWEST = 1.05
"""The least mean distance of a wrong count, in stones."""

Floats = npt.NDArray[np.float64]


def fit_chances(features: Floats, off: Floats, counts: Floats, piled: npt.NDArray[np.bool_]) -> CountScaling:
    """Fit the scaling to n counts of a colour in lids that are not sure.

    Args:
        features: of the counts, shape (n, features), from `count_features`.
        off: how many stones more there were.
        counts: the likeliest counts.
        piled: the lid holds a pile.
    """
    mean, std = features.mean(axis=0), features.std(axis=0) + 1e-6
    coefficients, intercept = _fit_logistic((features - mean) / std, off == 0)
    low = [float((off[wrong] > 0).mean()) for wrong in ((off != 0) & (piled == pile) & (counts > 0) for pile in (0, 1))]
    wrong = off != 0
    rise, least = np.polyfit(counts[wrong], np.abs(off[wrong]), 1)
    distance = max(NARROWEST, float(least)), max(0.0, float(rise))
    return CountScaling(mean, std, coefficients, intercept, (low[0], low[1]), distance)


def _fit_logistic(x: Floats, right: npt.NDArray[np.bool_]) -> tuple[Floats, float]:
    """Return the coefficients and the intercept of a logistic regression, by Newton's method."""
    with_one = np.column_stack([x, np.ones(len(x))])
    penalty = 2 * DECAY * np.diag([1.0] * x.shape[1] + [0.0])
    weights = np.zeros(with_one.shape[1])
    for _ in range(STEPS):
        likely = 1 / (1 + np.exp(-with_one @ weights))
        slope = with_one.T @ (likely - right) / len(x) + penalty @ weights
        curve = (with_one.T * (likely * (1 - likely))) @ with_one / len(x) + penalty
        step = np.linalg.solve(curve, slope)
        weights = weights - step
        if np.abs(step).max() < ENOUGH:
            break
    return weights[:-1], float(weights[-1])


def write_chances(scaling: CountScaling, path: Path) -> None:
    """Write the fit as vision/lids/chances.py reads it."""
    values = {one.name: np.round(getattr(scaling, one.name), 5).tolist() for one in fields(scaling)}
    path.write_text(json.dumps(values, indent=1) + "\n")
