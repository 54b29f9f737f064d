"""The picture with the grid, stones, doubtful points and lids drawn on it, for a person to check at a glance."""

from __future__ import annotations

import numpy as np

from vision.calibration.model import Box, Grid
from vision.lids.count import LidReading
from vision.tracking.overlay import draw_overlay
from vision.tracking.reading import Reading

GRID = Grid(9, ((40.0, 40.0), (360.0, 40.0), (360.0, 360.0), (40.0, 360.0)))


BOX = Box(380, 100, 90, 90)


def reading(stone: float, black: int = 0, sure: bool = True) -> Reading:
    """An empty board but for E5, black with that probability, and one lid."""
    probabilities = np.tile(np.float32([1, 0, 0]), (9, 9, 1))
    probabilities[4, 4] = [1 - stone, stone, 0]
    span = (black, black) if sure else (black - 1, black + 1)
    return Reading(GRID, probabilities, (LidReading(BOX, black, 0, span, (0, 0), sure),))


def test_the_overlay_marks_stones_doubts_and_lids():
    plain = np.full((400, 500, 3), 100, np.uint8)
    overlay = draw_overlay(plain, reading(0.6))
    sure = draw_overlay(plain, reading(1.0))
    assert overlay.shape == plain.shape and (plain == 100).all()
    around = np.s_[180:221, 180:221]
    assert (overlay[around] != sure[around]).any() and (sure[around] != 100).any()
    assert (sure[100:190, 380:470] != 100).any()
