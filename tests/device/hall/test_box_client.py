"""The client for a box's director actions."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from device.hall.box_client import NotReached, act_at, status_at
from device.hall.box_connection import Connections
from device.hall.public.records import fetch_record
from device.hall.tables import TableEntry
from tests.support.attack.strangers import KINDS, Stranger

pytestmark = pytest.mark.slow


BUFFERED = 16 * 1024 * 1024
"""Bytes that the system holds for a connection on this machine, at most."""


@pytest.fixture(params=[kind for kind in KINDS if kind not in ("nothing", "a byte at a time")])
def stranger(request: pytest.FixtureRequest) -> Iterator[Stranger]:
    stranger = Stranger(request.param)
    yield stranger
    stranger.close()


def line(stranger: Stranger) -> TableEntry:
    return TableEntry("1", stranger.url, "a" * 64, "b" * 32)


def test_a_hostile_answer_is_given_up(stranger):
    with pytest.raises(NotReached):
        status_at(line(stranger), Connections())
    with pytest.raises(NotReached):
        act_at(line(stranger), {"act": "pause"}, Connections())
    assert fetch_record(line(stranger), Connections()) is None
    assert stranger.sent < 4 * BUFFERED
