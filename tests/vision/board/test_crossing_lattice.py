"""Fit of a lattice to crossings."""

import cv2
import numpy as np
import pytest

from tests.support.tiers import sample
from vision.board.crossing_lattice import fit_lattice, likeliest_window
from vision.board.crossing_net import Crossings
from vision.board.window import SIZES
from vision.training.views import MAP

LEANING = np.array([[5.6, 0.3, 14.0], [-0.2, 5.2, 12.0], [0.002, 0.004, 1.0]])
"""From columns and rows to places of the map, a little from the side."""


def places(size: int) -> np.ndarray:
    points = np.stack(np.meshgrid(np.arange(size), np.arange(size)), axis=-1).reshape(-1, 1, 2).astype(float)
    return np.asarray(cv2.perspectiveTransform(points, LEANING)).reshape(-1, 2)


def crossings_at(peaks: np.ndarray) -> Crossings:
    """A map with a round spot at each place."""
    steps = np.arange(MAP)
    spots = [np.exp(-((steps - x) ** 2 + (steps[:, None] - y) ** 2) / 1.6) for x, y in peaks]
    heat = np.max(spots, axis=0).astype(np.float32)
    return Crossings(heat, np.ones_like(heat), peaks, np.eye(3))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("seed", sample(range(3), 1))
def test_crossings_with_gaps_and_strays_are_counted_on_one_lattice(size, seed):
    rng = np.random.default_rng(seed)
    crossings = rng.permutation(places(size))[: int(0.8 * size**2)] + rng.normal(0, 0.15, (int(0.8 * size**2), 2))
    peaks = np.concatenate([crossings, rng.uniform(2, 118, (6, 2))])
    lattice = fit_lattice(peaks)
    assert lattice is not None and len(lattice.at) >= 0.95 * len(crossings)
    best = likeliest_window(crossings_at(crossings), lattice, SIZES)
    assert best is not None and best.size == size and best.margin > 0.5


def test_crossings_strewn_at_random_are_no_lattice_of_a_board():
    lattice = fit_lattice(np.random.default_rng(3).uniform(5, 120, (150, 2)))
    assert lattice is None or len(lattice.at) < 60


def test_too_few_crossings_are_no_lattice():
    assert fit_lattice(places(9)[:20]) is None


def test_a_lattice_grows_from_the_seed_that_all_would_choose(monkeypatch):
    rng = np.random.default_rng(4)
    points = 10.0 * np.stack(np.meshgrid(np.arange(19), np.arange(19)), axis=-1).reshape(-1, 2)
    is_central = np.abs(points - 90).max(axis=1) < 60
    peaks = points + rng.normal(0, np.where(is_central, 2.0, 0.1)[:, None], points.shape)
    lattice = fit_lattice(peaks)
    monkeypatch.setattr("vision.board.crossing_lattice.CENTRAL", len(peaks))
    of_all = fit_lattice(peaks)
    assert lattice is not None and of_all is not None
    assert np.array_equal(lattice.at, of_all.at) and np.array_equal(lattice.matrix, of_all.matrix)
    seed = lattice.peaks[np.flatnonzero((lattice.at == 0).all(axis=1))[0]]
    assert np.abs(seed - 90).max() > 55
