"""Statements of /health on loops, folder and journal."""

from __future__ import annotations

from pathlib import Path

import pytest

from device.machine.health import STANDS_AFTER, Health
from referee.game.messages import message

FULL = Path("/dev/full")


def test_a_loop_that_stands_is_named_and_one_that_goes_on_is_not(tmp_path):
    t, beats = [100.0], [3, 7]
    health = Health(tmp_path, lambda: (beats[0], beats[1]), lambda: t[0])
    assert health.faults(None) == []
    t[0] += STANDS_AFTER
    assert health.faults(None) == []
    t[0], beats[0] = t[0] + 1.0, 4
    assert health.faults(None) == [message("health.camera", seconds=6)]
    beats[1] = 8
    assert health.faults(None) == []


def test_a_folder_that_has_gone_and_a_journal_that_was_taken_away(tmp_path):
    folder = tmp_path / "data"
    folder.mkdir()
    journal = folder / "1.journal"
    journal.touch()
    health = Health(folder, lambda: (0, 0), lambda: 0.0)
    assert health.faults(journal) == [] and list(folder.iterdir()) == [journal]
    journal.unlink()
    assert health.faults(journal) == [message("health.journal", journal=str(journal))]
    folder.rmdir()
    assert [fault.key for fault in health.faults(None)] == ["health.folder"]


@pytest.mark.skipif(not FULL.exists(), reason="this system has no device that is always full")
def test_a_full_disk(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.TemporaryFile", lambda **where: FULL.open("wb"))
    (fault,) = Health(tmp_path, lambda: (0, 0), lambda: 0.0).faults(None)
    assert fault == message("health.folder", folder=str(tmp_path), error=message("file.no-room"))
