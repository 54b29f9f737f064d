"""Photographs with a box round every stone and no corners: the grid is fitted to the stones themselves."""

import cv2
import numpy as np
import pytest

from tests.support.shared import photos
from tests.support.tiers import LONG, sample
from vision.stones.reader import EMPTY
from vision.training.boxes import boxed_windows, place_on_lattice

pytestmark = pytest.mark.slow


SEEN = np.array([[30.0, 2.0, 100.0], [-4.0, 31.0, 120.0], [0.0004, 0.0006, 1.0]])
"""A homography from columns and rows to pixels, a little from the side."""


def seen_stones(rng, count, misplaced=0.1):
    """Places (n, 2) of a dense corner of a board, their centres in pixels and the sizes of their boxes."""
    everywhere = np.stack(np.meshgrid(np.arange(9), np.arange(9)), axis=-1).reshape(-1, 2)
    places = rng.permutation(everywhere)[:count]
    off = places + rng.uniform(-misplaced, misplaced, places.shape)
    centres = cv2.perspectiveTransform(off.reshape(-1, 1, 2), SEEN).reshape(-1, 2)
    return places, centres, np.full((count, 2), 29.0)


@pytest.mark.parametrize("seed", sample(range(5), 2))
def test_stones_tell_their_columns_and_rows(seed):
    places, centres, sizes = seen_stones(np.random.default_rng(seed), 50)
    indices = place_on_lattice(centres, sizes)
    assert indices is not None
    assert np.array_equal(indices - indices[0], places - places[0])


def test_stones_without_order_are_no_lattice():
    centres = np.random.default_rng(2).uniform(0, 600, (60, 2))
    assert place_on_lattice(centres, np.full((60, 2), 29.0)) is None


@LONG
def test_boxed_photographs_become_boards():
    boards = list(boxed_windows(photos("stone-boxes").parent))
    assert len(boards) > 150
    kinds = np.concatenate([board.kinds.ravel() for board in boards])
    assert (np.bincount(kinds + 1)[1:4] > 5000).all()
    offsets = np.concatenate([board.offsets[board.kinds > EMPTY] for board in boards])
    is_known = np.isfinite(offsets).all(axis=-1)
    assert is_known.mean() > 0.99 and 0.02 < np.abs(offsets[is_known]).mean() < 0.15
