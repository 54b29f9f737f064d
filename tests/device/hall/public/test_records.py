"""Fetching of each game's record from its box, authenticated, whenever its board has changed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from queue import Queue

import pytest

from device.hall.public.records import RESTS, Records
from device.hall.tables import TableEntry
from tests.support.device.public_hall import ShownHall
from tests.support.waiting import PATIENCE_S, until
from web.gallery.publication import RecordNews, board_news


@pytest.fixture
def public_hall(tmp_path: Path) -> Iterator[ShownHall]:
    shown_hall = ShownHall(tmp_path)
    yield shown_hall
    shown_hall.close()


def test_a_box_whose_record_takes_long_leaves_the_workers_to_the_others(public_hall):
    """A record of 4 MB takes seconds to read: a hostile box could have one fetched after the other."""
    public_hall.place("C3")
    now, took = [0.0], Queue[RecordNews]()

    def slow(_: str, __: str, record: RecordNews) -> None:
        now[0] += 3.0
        took.put(record)

    records, board = Records(slow, lambda: now[0]), board_news(public_hall.status)
    line = TableEntry("7", public_hall._served.url, public_hall.box.public, public_hall.box.secret)
    try:
        records.want(line, "1", board)
        took.get(timeout=PATIENCE_S)
        until(lambda: not records._in_progress)
        assert not records._may_ask("7", 3.0 * (1 + RESTS) - 0.1)
        now[0] = 3.0 * (1 + RESTS)
        records.want(line, "2", board)
        assert took.get(timeout=PATIENCE_S).sgf
    finally:
        records.close()
