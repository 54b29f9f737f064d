"""The judge as a command, which the tests of its commands share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.device.judging import Judge, judging


@pytest.fixture
def judged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Judge:
    """Judge a file of these lines (objects are written as JSON); answers status, output lines and stderr."""
    return judging(tmp_path, capsys)
