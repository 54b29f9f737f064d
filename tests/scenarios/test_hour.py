"""Short games at a table in a hall, with all kinds of trouble at once, and what of them counts as wrong."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.game.observation import Observation
from tests.benchmarks.parts.hour import KINDS, Sitting
from vision.calibration.model import Calibration

SIZE = 13


@pytest.mark.long
@pytest.mark.parametrize("kinds", [("players leaning", "a neighbour's board"), KINDS], ids=["neighbour", "all"])
def test_every_turn_is_ruled_on_in_time_whatever_the_trouble(tmp_path, kinds):
    fared = Sitting(tmp_path, 5, kinds, 9, SIZE).play()
    assert fared.wrongs == [] and len(fared.waits) == 9


@pytest.mark.slow
def test_what_may_never_be_is_counted(tmp_path):
    sitting = Sitting(tmp_path, 5, (), 2, SIZE)
    empty, black = (1.0, 0.0, 0.0), (0.01, 0.99, 0.0)
    sitting.handle_observation(Observation(0.0, (black, *(empty,) * (SIZE**2 - 1))))
    place = sitting.truth
    beside = tuple((x + 3 * place.cell(), y) for x, y in place.corners)
    sitting.handle_positions(Calibration(replace(place, corners=beside), ()), 0.0)
    sitting.handle_positions(Calibration(place, ()), 0.0)
    assert len(sitting.fared.silent) == len(sitting.fared.elsewhere) == 1
