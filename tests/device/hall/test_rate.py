"""The limits of what one box may make the hall do, however fast it speaks."""

from __future__ import annotations

import random
from collections.abc import Iterator
from queue import Queue

import pytest

from device.hall.rate import Rate
from device.hall.sse_client import Follower
from device.hall.tables import TableEntry
from tests.support.attack.paired import PairedBox
from tests.support.waiting import PATIENCE_S
from web.openapi import Status


@pytest.fixture
def boxes() -> Iterator[tuple[PairedBox, PairedBox]]:
    pair = PairedBox("1", 1), PairedBox("2", 2)
    yield pair
    for one in pair:
        one.close()


def test_events_are_taken_no_faster_than_a_box_makes_them(boxes):
    """More waits in the connection: the box is held up, and not the hall."""
    bad, _ = boxes
    paused = Queue[float]()

    class PausedRate(Rate):
        def pause(self, cost: float) -> float:
            wait = super().pause(cost)
            paused.put(wait)
            return 0.0 if wait < 1 else 3600.0

    bad.floods = lambda number: {**bad.newest, "number": number}
    statuses = list[Status | None]()
    follower = Follower(
        TableEntry(**bad.line),
        lambda _, status: statuses.append(status),
        lambda *_: None,
        random.Random(1),
        PausedRate(5, 1, lambda: 0.0),
    )
    try:
        while paused.get(timeout=PATIENCE_S) < 1:
            pass
        assert len(statuses) in (5, 6) and paused.empty()
    finally:
        follower.close()
