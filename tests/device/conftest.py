"""Fixtures that the tests of the box share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.device.judging import Judge, judging


@pytest.fixture
def boardless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures in which no board is searched for: a search takes longer than all else that is done with a frame."""
    monkeypatch.setattr("vision.tracking.board_search.find_first", lambda pixels, size: None)


@pytest.fixture
def judged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Judge:
    """Judge a file of these lines (objects are written as JSON); answers status, output lines and stderr."""
    return judging(tmp_path, capsys)
