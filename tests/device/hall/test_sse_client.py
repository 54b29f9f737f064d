"""A client of one box's event stream, in its own thread, for as long as the hall runs."""

from __future__ import annotations

import random
from collections.abc import Iterator
from queue import Queue

import pytest

from device.hall.sse_client import Follower
from device.hall.tables import TableEntry
from tests.support.attack.strangers import KINDS, Stranger
from tests.support.waiting import PATIENCE_S
from web.hall.tiles import Trouble

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


def test_a_hostile_stream_is_given_up(stranger):
    troubles, statuses = Queue[Trouble](), list[object]()
    follower = Follower(
        line(stranger), lambda *args: statuses.append(args), lambda _, trouble: troubles.put(trouble), random.Random(1)
    )
    try:
        assert troubles.get(timeout=PATIENCE_S) in (Trouble.GONE, Trouble.UNREADABLE, Trouble.UNSEALED)
    finally:
        follower.close()
    assert statuses == [] and stranger.sent < BUFFERED
