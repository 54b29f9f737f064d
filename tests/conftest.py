"""The plugins that all tests share: their tiers, and the summary of skips; pictures without a board, and a film."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

# Threads of OpenBLAS spin while they wait for one another: beside other work they use ten times the processor's time.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

pytest_plugins = ["tests.support.tiers", "tests.support.wanting", "tests.support.web.strict_templates"]


@pytest.fixture(scope="session", autouse=True)
def pin_cost() -> Iterator[dict[str, int]]:
    """The cost of a PIN's hash as it is in a box; in tests, which make some hundreds, it is next to nothing."""
    from device.machine import pin

    with pytest.MonkeyPatch.context() as patch:
        true = dict(pin._COST)
        patch.setitem(pin._COST, "n", 16)
        yield true


@pytest.fixture
def boardless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures in which no board is searched for: a search takes longer than all else that is done with a frame."""
    monkeypatch.setattr("vision.tracking.board_search.find_first", lambda pixels, size: None)


@pytest.fixture(scope="module")
def lone_board() -> Iterator[None]:
    """Pictures of one board: no other is searched for beside it, which takes nine tenths of a first search."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr("vision.board.select_board._every_other", lambda *_: [])
        yield


@pytest.fixture(scope="session")
def evening_film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A film of an evening with two games."""
    from tests.support.vision.evening_film import film_evening

    path = tmp_path_factory.mktemp("film") / "evening.mp4"
    film_evening(path)
    return path
