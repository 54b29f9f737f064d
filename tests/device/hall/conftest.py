"""Fixtures that tests of the hall begin with: boxes that it can follow, and a pairing program."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.device.pairgoth import StandIn
from tests.support.device.venues import Venues


@pytest.fixture(autouse=True)
def prompt_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the streams of a box that ends notice it at once, where usually they look every second."""
    monkeypatch.setattr("web.sse.LOOK_UP", 0.05)


@pytest.fixture
def venues(tmp_path: Path) -> Iterator[Venues]:
    venues = Venues(tmp_path)
    yield venues
    venues.close()


@pytest.fixture
def pairgoth() -> Iterator[StandIn]:
    stand_in = StandIn()
    yield stand_in
    stand_in.close()
