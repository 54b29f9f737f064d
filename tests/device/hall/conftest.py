"""What tests of the hall begin with: boxes that it can follow, and a pairing program."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.device.pairgoth import StandIn
from tests.support.device.venues import Venues


@pytest.fixture
def venues(tmp_path: Path) -> Iterator[Venues]:
    made = Venues(tmp_path)
    yield made
    made.close()


@pytest.fixture
def pairgoth() -> Iterator[StandIn]:
    made = StandIn()
    yield made
    made.close()
