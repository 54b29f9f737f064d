"""Keeps back what boxes say until it is due, and lets it out in order: nothing leaves the hall by another way."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Event, Lock
from typing import Any

from device.hall.public.records import Records
from device.hall.public.store import Held, NewsStore
from device.hall.tables import Paired, Venue
from device.threads import lasting
from web.gallery.news import News, RecordNews, What, board_news, result_news
from web.openapi import Status

OFTEN = 0.25
"""Seconds between two looks at what is due."""
NOTED = 5.0
"""Seconds after which the running time is noted, be there news or not; so much later, at most, news comes after the
hall was killed."""


class Delay:
    """Hears what the boxes of a hall say, from any thread, and lets it out when it is due. out: told each News, in
    order, once in a run of the hall. clock: seconds, by a clock that nobody sets. Raises BookError."""

    def __init__(
        self, venue: Venue, folder: Path, out: Callable[[News], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._out, self._clock, self._turn, self._over = out, clock, Lock(), Event()
        self._tables = {one.table: venue.delay_of(one) for one in venue.tables if venue.is_public(one)}
        self.store = NewsStore(folder, venue.event, self._tables, venue.publish is not None)
        self._before: float = self.store.ran
        self._since, self._noted, self._queue = clock(), self._before, deque[Held]()
        self._marks = self.store.newest()
        for news in self.store.out():
            out(news)
        self._records = Records(self._record)
        self._thread = lasting("public", self._run)

    @property
    def ran(self) -> float:
        """The hall's running time in seconds."""
        return self._before + self._clock() - self._since

    def hear(self, table: Paired, status: Status) -> None:
        """What a box says now; at once, for nothing is written here."""
        if table.table not in self._tables:
            return
        board = board_news(status)
        self._hold(table.table, "board", board.mark, board)
        wanted = board.mark + status["phase"]
        if board.game and self._marks.get((table.table, "record")) != wanted:
            self._records.want(table, wanted, board)

    def tell_result(self, table: Paired, said: Mapping[str, Any]) -> None:
        """A result on which both players have agreed, of this match or an earlier one; it is told once."""
        if table.table in self._tables:
            result = result_news(said)
            self._hold(table.table, f"result {result.game}", f"{result.players} {result.result}", result)

    def turn(self) -> None:
        """Write down what was heard, and let out what is due."""
        with self._turn:
            held, ran = list(self._queue), self.ran
            if not held and ran < self._noted + NOTED and not self.store.is_due(ran):
                return
            fresh, self._noted = self.store.turn(held, ran), ran
            for _ in held:
                self._queue.popleft()
            for news in fresh:
                self._out(news)

    def sends(self, most: int) -> list[News]:
        """What is out and was not sent to others, the oldest first."""
        with self._turn:
            return self.store.unsent(most)

    def sent(self, number: int) -> None:
        """All up to the news of this number was sent."""
        with self._turn:
            self.store.sent(number)

    def close(self) -> None:
        """Hear nothing any more; what is not due stays in the journal."""
        self._records.close()
        self._over.set()
        self._thread.join()
        self.turn()
        self.store.close()

    def _hold(self, table: str, kind: str, mark: str, what: What) -> None:
        if self._marks.get((table, kind)) != mark:
            self._marks[table, kind] = mark
            self._queue.append(Held(table, kind, mark, self.ran, what))

    def _record(self, table: str, mark: str, record: RecordNews) -> None:
        """A record that was fetched; it may tell more than the board for which it was, so its time is now."""
        self._hold(table, "record", mark, record)

    def _run(self) -> None:
        while not self._over.wait(OFTEN):
            self.turn()
