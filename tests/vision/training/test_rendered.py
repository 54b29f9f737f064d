"""Drawn tables with ground truth: woods, stones, lamps, cameras and hands that no photograph here shows."""

import numpy as np
import pytest

from tests.support.tiers import LONG
from vision.training.rendered import hard_windows, rendered_windows

pytestmark = pytest.mark.slow


@LONG
def test_drawn_boards_know_what_a_hand_hides(monkeypatch):
    monkeypatch.setattr("vision.training.rendered.TABLES", 16)
    monkeypatch.setattr("vision.training.rendered.HARD_TABLES", 6)
    boards = [*rendered_windows(3), *hard_windows(3)]
    kinds = np.concatenate([board.kinds.ravel() for board in boards])
    assert (np.bincount(kinds + 1, minlength=5)[1:] > 50).all()
