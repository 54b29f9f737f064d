"""The attacks of tests/benchmarks/attack in short: a running box, met by its command, its page and its folder alone."""

import pytest

from tests.benchmarks.attack import camera, disk, forms, hall, journals, update
from tests.support import ROOT
from tests.support.attack.boxes import Ground
from tests.support.tiers import LONG
from tests.support.waiting import SLOWNESS

pytestmark = pytest.mark.slow

PATIENCE = 20.0 * SLOWNESS
"""So many times as long as on a free machine anything may take here; the benchmark asks for 1."""


@pytest.mark.parametrize(
    ("attack", "share"),
    [
        pytest.param(journals.clock_back, 0.1, marks=LONG),
        (forms.token, 1.0),
        pytest.param(camera.odd_frames, 0.1, marks=LONG),
        pytest.param(camera.bad_cameras, 0.1, marks=LONG),
        pytest.param(journals.flips, 0.05, marks=LONG),
        pytest.param(forms.forms, 0.03, marks=LONG),
        pytest.param(disk.failing, 1.0, marks=LONG),
        (hall.finals, 0.2),
        pytest.param(hall.trickle, 1.0, marks=LONG),
        pytest.param(hall.challenges, 1.0, marks=LONG),
        pytest.param(hall.flood, 0.3, marks=LONG),
        pytest.param(update.killed, 1.0, marks=LONG),
        pytest.param(hall.memory, 1.0, marks=LONG),
    ],
    ids=[
        "clock-back",
        "token",
        "odd-frames",
        "bad-cameras",
        "flips",
        "forms",
        "failing",
        "hall-finals",
        "hall-trickle",
        "hall-challenges",
        "hall-flood",
        "update-killed",
        "hall-memory",
    ],
)
def test_an_attack_is_held(attack, share, tmp_path):
    outcome = attack(Ground(ROOT, tmp_path, share=share, patience=PATIENCE))
    if outcome.skipped:
        pytest.skip(outcome.skipped)
    assert outcome.tried and outcome.held == outcome.tried, outcome.worst
