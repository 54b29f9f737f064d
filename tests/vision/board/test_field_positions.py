"""Prisoner fields beside the board: found by their two markers, as a plane parallel to the board's."""

from __future__ import annotations

import numpy as np

from tests.vision.flat_fields import BLACK, GRID, WHITE, empty_card, fill_fields
from vision.calibration.field_layout import CARD
from vision.fields.reader import read_prisoners


def test_a_field_that_is_pushed_aside_is_found_again():
    flat, contents = fill_fields(CARD, 5)
    picture = np.roll(flat.picture(), (60, 45), axis=(0, 1))
    read = read_prisoners(picture, GRID, empty_card()[1])
    assert read.sure and (read.black, read.white) == (contents.count(BLACK), contents.count(WHITE))
