"""Frames that could not be processed, kept on disk with the traceback: the newest few, for a fault report."""

from __future__ import annotations

import numpy as np
import pytest

from device.journal.evidence import MOST_BYTES, Evidence
from tests.support.vision.feeds import noisy

pytestmark = pytest.mark.usefixtures("boardless")


def test_evidence_stays_small(tmp_path):
    times = iter(1000.0 * n for n in range(1000))
    evidence, large = Evidence(tmp_path, lambda: next(times)), np.zeros((MOST_BYTES // 12, 1, 4), np.float32)
    for n in range(3):
        evidence.store_failure(large[: -1 - n], ValueError("odd"))
    evidence.store_failure(np.zeros((MOST_BYTES, 2), np.uint8), ValueError("odd"))
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= 1.5 * MOST_BYTES
    assert len(list(tmp_path.glob("*.txt"))) == 4


def test_evidence_that_cannot_be_written_is_said_in_the_log(tmp_path, caplog):
    (tmp_path / "file").write_text("in the way")
    Evidence(tmp_path / "file").store_failure(noisy(1), ValueError("x"))
    assert "cannot be kept" in caplog.text
