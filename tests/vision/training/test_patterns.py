"""Patterns that are no board, drawn flat for the crossing net."""

import numpy as np

from tests.support.tiers import LONG
from vision.training.patterns import draw_cells, draw_pattern


@LONG
def test_training_patterns_tell_the_crossings_of_plain_lattices_alone():
    rng = np.random.default_rng(1)
    drawings = [draw_cells(rng) for _ in range(60)]
    plain = [drawing for drawing in drawings if len(drawing.crossings)]
    assert 5 <= len(plain) <= 25
    for drawing in plain:
        x, y = np.rint(drawing.crossings).astype(int).T
        on = drawing.pixels[y, x].astype(int).sum(axis=1)
        beside_them = drawing.pixels[y + 3 * (y < y.max()) - 3 * (y == y.max()), x + 3].astype(int).sum(axis=1)
        assert (on <= beside_them + 3).mean() > 0.9
        assert len(drawing.crossings) not in (81, 169, 361)
    assert all(np.isfinite(draw_pattern(rng).square).all() for _ in range(30))
