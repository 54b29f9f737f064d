"""A hall whose news goes out on a stream, and galleries that read it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from device.hall.public.delay import PublicationDelay
from device.hall.public.stream import Receiver, Sender, check_stream
from device.hall.tables import HallConfig, TableEntry
from tests.support.waiting import until
from tests.support.web.snapshots import box, superko
from web.app import create_app
from web.gallery.publication import News

TABLES = tuple(TableEntry(str(n), f"http://192.0.2.{n}/", f"{n:064x}", f"{n:032x}") for n in range(1, 6))


class Hall:
    """A hall's delay, which is told of turns, and sends what is out."""

    def __init__(self, folder: Path, address: str) -> None:
        folder.mkdir(exist_ok=True)
        self.sent = list[News]()
        venue = HallConfig("Spring Cup", delay=0.0, publish=address, tables=TABLES)
        self._status = create_app(box(superko()).backend).test_client().get("/status.json").get_json()
        self.delay = PublicationDelay(venue, folder, self.sent.append)
        self._sender = Sender(check_stream(address), self.delay.sends, self.delay.mark_sent)

    def turns(self, begin: int, end: int, tables: tuple[TableEntry, ...] = TABLES) -> None:
        """Each of these tables makes these."""
        for turn in range(begin, end):
            for table in tables:
                self.delay.handle(table, self._status | {"turn": turn, "game": ""})
            self.delay.turn()

    def close(self) -> None:
        self._sender.close()
        self.delay.close()


class Galleries:
    """So many that read the stream, each with what it took."""

    def __init__(self, address: str, several: int = 3) -> None:
        self.took = [list[int]() for _ in range(several)]
        self._readers = [
            Receiver(check_stream(address), lambda news, to=to: to.append(news.number)) for to in self.took
        ]

    def have(self, number: int) -> None:
        """Wait until all have come so far."""
        until(lambda: all(took and took[-1] >= number for took in self.took))

    def close(self) -> None:
        for reader in self._readers:
            reader.close()


@pytest.fixture
def held() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack
