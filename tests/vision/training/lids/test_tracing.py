"""Physically rendered lids to train on (needs Blender): the truth lies where the picture shows it."""

from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from tests.support.wanting import TRACED, module

pytestmark = pytest.mark.slow
module("bpy", TRACED)


def test_traced_lids_show_their_stones_where_they_are_said_to_lie(monkeypatch):
    from vision.training.lids import tracing
    from vision.training.lids.samples import MOST, SQUARE_SIDE
    from vision.training.traced.scene import Surface

    grey = Surface((0.18, 0.18, 0.18))
    plain = {name: getattr(tracing.random_table(tracing.FIRST + 3), name) for name in ("lights", "ambient")}

    def in_grey(seed):
        table = replace(tracing.random_table(seed), things=(), **plain)
        return replace(table, lids=tuple(replace(dish, surface=grey) for dish in table.lids))

    monkeypatch.setattr(tracing, "_pick_table_without_arm", in_grey)
    monkeypatch.setattr(tracing, "pick_counts", lambda rng: (2, 2))
    for pixels, stones, trouble in islice(tracing.trace_lids(3), 4):
        assert pixels.shape == (SQUARE_SIDE, SQUARE_SIDE, 3) and stones.shape == (MOST, 5)
        there = stones[(stones[:, 2] >= 0) & (stones[:, 3] > 0.8)]
        assert len(there) >= 3 and trouble in (0, 1)
        levels = [pixels[round(float(y)), round(float(x))].mean() for x, y, *_ in there]
        black, white = ([level for level, one in zip(levels, there, strict=True) if one[2] == c] for c in (0, 1))
        assert np.max(black) < np.min(white)


def test_traced_supply_bowls_are_no_lids_and_show_what_they_are_full_of():
    from vision.training.lids import tracing
    from vision.training.lids.samples import NO_LID, SQUARE_SIDE

    one, other = islice(tracing.trace_bowls(2), 2)
    for pixels, stones, trouble in (one, other):
        assert pixels.shape == (SQUARE_SIDE, SQUARE_SIDE, 3) and trouble == NO_LID and (stones == -1).all()
    middles = sorted(pixels[56:72, 56:72].mean() for pixels, _, _ in (one, other))
    assert middles[1] > 1.5 * middles[0]
