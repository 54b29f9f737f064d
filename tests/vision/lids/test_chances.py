"""The chances of each count of a lid that is not sure."""

from functools import cache

import numpy as np
import pytest

from tests.support.tiers import sample
from tests.support.vision.tables import club_table, shot
from vision.calibration.model import Box
from vision.lids.chances import load_count_scaling
from vision.lids.count import LidReading, read_lid
from vision.render.looks import club_look
from vision.render.scene import LID_STONE, Scene
from vision.tracking.reading import to_lid_sight
from vision.training.drawn_lids import draw_lid, random_lid, thrown_lid


@cache
def piled_lid(seed: int) -> LidReading:
    """A lid with many stones on one another."""
    rng, look = np.random.default_rng(seed), club_look(seed, 9, 640, 480)
    pixels, truth = draw_lid(thrown_lid(rng, 9, 5, look.lid_kind, "piled"), look, 300, rng)
    return read_lid(pixels, truth.box, LID_STONE / look.lid_kind.wide * max(truth.box.w, truth.box.h))


@pytest.mark.parametrize("right", [0.1, 0.6, 0.99])
@pytest.mark.parametrize("count", [0, 1, 7, 30])
@pytest.mark.parametrize("piled", [False, True])
def test_the_chances_of_all_counts_are_one_together(right, count, piled):
    chances = load_count_scaling().spread_counts(right, count, piled, np.arange(0, 400.0))
    assert chances.sum() == pytest.approx(1.0, abs=0.01) and chances.min() >= 0
    assert chances[count] == pytest.approx(right)
    assert (np.diff(chances[count + 1 : 60]) <= 0).all() and (np.diff(chances[:count]) >= 0).all()


def test_a_lid_with_better_evidence_is_likelier_counted_rightly():
    mean, scaling = load_count_scaling().mean, load_count_scaling()
    for off, better in ((0, 2.0), (2, -0.3)):  # Log-odds, and how far the density is off.
        other = mean.copy()
        other[off] += better
        assert scaling.probability_right(other) > scaling.probability_right(mean)


@pytest.mark.parametrize("seed", sample(list(range(6)), 3))
def test_an_unsure_lid_says_how_likely_each_count_of_its_ranges_is(seed):
    lid = piled_lid(seed)
    assert not lid.sure and lid.chances is not None
    for chances, (low, high) in zip(lid.chances, (lid.black_range, lid.white_range), strict=True):
        assert len(chances) == high - low + 1 and 0 < sum(chances) <= 1.001
    assert to_lid_sight(lid).chances == lid.chances


def test_a_sure_lid_and_one_that_the_picture_cuts_off_say_nothing_of_it():
    rng = np.random.default_rng([0, 77])
    picture = shot(club_table(0, 9), Scene(("." * 9,) * 9, (random_lid(rng, 2, 1), random_lid(rng, 0, 2))))
    box, stone = picture.truth.lids[0].box, picture.truth.grid.cell() * 0.95
    assert read_lid(picture.pixels, box, stone).chances is None
    left = int(box.x + 0.2 * box.w)
    rest = Box(0, box.y, box.x + box.w - left, box.h)
    assert read_lid(np.ascontiguousarray(picture.pixels[:, left:]), rest, stone).chances is None
