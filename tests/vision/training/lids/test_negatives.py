"""Training squares that no lid fills: other things, stones on boards and tables, and lids outside their box."""

import pytest

from tests.support.shared import photos
from tests.support.tiers import LONG
from vision.training.lids.negatives import cut_others, draw_others
from vision.training.lids.samples import NO_LID, SQUARE_SIDE

pytestmark = pytest.mark.slow


@LONG
def test_drawn_cups_and_bowls_fill_a_square_each_and_are_no_lids():
    for pixels, stones, trouble in draw_others(5):
        assert pixels.shape == (SQUARE_SIDE, SQUARE_SIDE, 3) and (stones == -1).all() and trouble == NO_LID
        assert (pixels == 128).all(axis=-1).mean() < 0.3


@LONG
def test_other_things_have_no_stones_to_count():
    for pixels, stones, trouble in cut_others(photos("."), 1):
        assert pixels.shape == (SQUARE_SIDE, SQUARE_SIDE, 3) and (stones == -1).all() and trouble == NO_LID
