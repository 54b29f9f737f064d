"""Hands, sleeves and other things laid over a board, so that the net learns to report a point as hidden."""

import numpy as np
import pytest

from vision.stones.reader import CELL, CELLS, HIDDEN, SIDE
from vision.training.cover import cover_with_arm, cover_with_fingers
from vision.training.photos import UNKNOWN

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("laid", "least"), [(cover_with_arm, 0.4), pytest.param(cover_with_fingers, 0.3, marks=pytest.mark.long)]
)
def test_what_an_arm_or_a_finger_covers_is_hidden(laid, least):
    plain, kinds = np.full((SIDE, SIDE, 3), 90, np.uint8), np.zeros((CELLS, CELLS), np.int64)
    kinds[0] = UNKNOWN
    for seed in range(20):
        image, labels = laid(plain, kinds, np.random.default_rng(seed))
        changed = (image != 90).any(axis=-1).reshape(CELLS, CELL, CELLS, CELL).mean(axis=(1, 3))
        assert (labels[0] == UNKNOWN).all()
        assert (changed[labels == HIDDEN] > least).all() and (changed[labels == 0] < 0.95).all()
        assert (labels[changed == 0] != HIDDEN).all()
