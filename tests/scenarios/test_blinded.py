"""The day before a camera that fails, in short: two games, and every fault once."""

from __future__ import annotations

import pytest

from tests.benchmarks.parts.blinded import LONG, WAYS, BlindedDay
from vision.camera.frame_health import FrameVerdict

pytestmark = pytest.mark.slow


@pytest.mark.long
def test_nothing_is_judged_while_a_camera_is_at_fault(tmp_path):
    day = BlindedDay(tmp_path, 1, 2, apart=(2.0, 3.0), lasts=((LONG, LONG),), still=1.0)
    day.play()
    assert day.wrong == [] and day.played == 2
    assert {struck.way.name for struck in day.faults} == {way.name for way in WAYS}


@pytest.mark.long
def test_a_fault_that_is_not_told_is_found(tmp_path, monkeypatch):
    monkeypatch.setattr(
        "device.table.camera_worker.FrameHealthMonitor.judge_frame", lambda feed, frame, idle: FrameVerdict(True)
    )
    day = BlindedDay(tmp_path, 1, 1, apart=(5.0, 10.0), lasts=((6.0, 6.0),))
    day.play()
    assert any("told at None" in wrong for wrong in day.wrong)
