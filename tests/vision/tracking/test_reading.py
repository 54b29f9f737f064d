"""The reading of one frame (grid, a probability of each point's content, lids), and the consensus of several."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.calibration.model import Box, Grid
from vision.lids.count import LidReading
from vision.tracking.reading import Consensus, Reading

GRID = Grid(9, ((40.0, 40.0), (360.0, 40.0), (360.0, 360.0), (40.0, 360.0)))


BOX = Box(380, 100, 90, 90)


def reading(stone: float, black: int = 0, sure: bool = True) -> Reading:
    """An empty board but for E5, black with that probability, and one lid."""
    probabilities = np.tile(np.float32([1, 0, 0]), (9, 9, 1))
    probabilities[4, 4] = [1 - stone, stone, 0]
    span = (black, black) if sure else (black - 1, black + 1)
    return Reading(GRID, probabilities, (LidReading(BOX, black, 0, span, (0, 0), sure),))


def test_two_looks_that_agree_are_averaged():
    consensus = Consensus()
    assert consensus.add(reading(0.8)) is None
    agreed = consensus.add(reading(0.9))
    assert agreed is not None and abs(float(agreed.probabilities[4, 4, 1]) - 0.85) < 1e-6


def test_looks_that_differ_on_a_stone_or_a_lid_do_not_agree():
    for other in (reading(0.3), reading(0.8, black=1), reading(0.8, sure=False)):
        consensus = Consensus()
        assert consensus.add(reading(0.8)) is None
        assert consensus.add(other) is None
        assert consensus.add(other) is not None


def test_a_flickering_lid_is_what_two_sure_looks_say():
    consensus = Consensus()
    assert consensus.add(reading(0.8, black=2)) is None
    assert consensus.add(reading(0.8, black=2, sure=False)) is None
    agreed = consensus.add(reading(0.8, black=2))
    assert agreed is not None and (agreed.lids[0].black_range, agreed.lids[0].sure) == ((2, 2), True)


def test_a_lid_that_changes_may_hold_all_that_was_read():
    consensus = Consensus()
    for black, sure in ((2, True), (3, True), (3, False)):
        agreed = consensus.add(reading(0.8, black=black, sure=sure))
    assert agreed is not None and (agreed.lids[0].black_range, agreed.lids[0].sure) == ((2, 4), False)


def test_a_lid_that_is_sure_once_and_clear_once_is_clear():
    sure, clear = reading(0.8, black=2), reading(0.8, black=2, sure=False)
    both = [replace(look, lids=(replace(look.lids[0], clear=True),)) for look in (sure, clear)]
    for looks in (both, both[::-1]):
        consensus = Consensus()
        assert consensus.add(looks[0]) is None
        agreed = consensus.add(looks[1])
        assert agreed is not None and agreed.lids[0].clear and not agreed.lids[0].sure


def test_a_flickering_lid_is_clear_if_two_looks_are_and_all_count_alike():
    for counts, is_clear in (((2, 2, 2), True), ((2, 3, 2), False)):
        consensus = Consensus()
        for black, clear in zip(counts, (True, False, True), strict=True):
            look = reading(0.8, black=black, sure=False)
            agreed = consensus.add(replace(look, lids=(replace(look.lids[0], clear=clear),)))
        assert agreed is not None and agreed.lids[0].clear is is_clear and not agreed.lids[0].sure
