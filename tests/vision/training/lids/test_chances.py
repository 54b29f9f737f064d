"""The fit of how likely a lid's count is right, and by how much it may be off."""

import json

import numpy as np

from vision.training.lids.chances import fit_chances, write_chances


def test_what_tells_right_from_wrong_is_found(tmp_path):
    rng = np.random.default_rng(1)
    features = rng.normal(size=(3000, 2))
    wrong = features[:, 0] + 0.2 * rng.normal(size=3000) < -0.5
    counts = rng.integers(1, 30, 3000).astype(float)
    off = np.where(wrong, rng.choice([-1.0, 1.0], 3000) * np.ceil(counts / 15), 0.0)
    fitted = fit_chances(features, off, counts, rng.random(3000) < 0.5)
    first, second = fitted.coefficients
    assert first > 1 > 5 * abs(second)
    assert all(0.4 < low < 0.6 for low in fitted.low)
    write_chances(fitted, tmp_path / "chances.json")
    assert np.allclose(
        json.loads((tmp_path / "chances.json").read_text())["coefficients"], fitted.coefficients, atol=1e-4
    )
