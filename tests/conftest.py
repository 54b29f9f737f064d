"""The plugins that all tests share: their tiers, and the summary of skipped tests; and pictures without a board."""

from __future__ import annotations

import os

import pytest

# Threads of OpenBLAS spin while they wait for one another: beside other work they use ten times the processor's time.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

pytest_plugins = ["tests.support.tiers", "tests.support.wanting"]


@pytest.fixture
def boardless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures in which no board is searched for: a search takes longer than all else that is done with a frame."""
    monkeypatch.setattr("vision.tracking.board_search.find_first", lambda pixels, size: None)
