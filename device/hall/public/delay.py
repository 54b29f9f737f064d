"""The publication delay: holds back what boxes report until it is due, and releases it in order; the only way out."""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Event, Lock
from typing import Any

from device.hall.event_log import EventLogError
from device.hall.public.records import Records
from device.hall.public.store import NewsStore, QueuedNews
from device.hall.tables import HallConfig, TableEntry
from device.threads import start_supervised_thread
from web.gallery.publication import News, RecordNews, What, board_news, last_board_news, result_news
from web.openapi import Status

log = logging.getLogger("shinpan")
OFTEN = 0.25
"""Seconds between two checks for due news."""
NOTED = 5.0
"""Seconds between two writes of the running time, with or without news; after the hall was killed, news is late by
at most this."""


class PublicationDelay:
    """The publication delay of a hall; takes reports from any thread.

    out: called with each News, in order, once per run of the hall
    clock: monotonic seconds
    trouble: why nothing can be stored now; empty if all is well

    Raises EventLogError.
    """

    def __init__(
        self, venue: HallConfig, folder: Path, out: Callable[[News], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._out, self._clock, self._turn_lock, self._over, self.trouble = out, clock, Lock(), Event(), ""
        self._tables = {one.table: venue.delay_of(one) for one in venue.tables if venue.is_public(one)}
        self.store = NewsStore(folder, venue.event, self._tables, venue.publish is not None)
        self._ran_before: float = self.store.ran
        self._since, self._noted_at, self._queue = clock(), self._ran_before, deque[QueuedNews]()
        self._marks = self.store.newest()
        for news in self.store.out():
            out(news)
        self._records = Records(self._queue_record)
        self._thread = start_supervised_thread("public", self._run)

    @property
    def ran(self) -> float:
        """Return the hall's running time in seconds."""
        return self._ran_before + self._clock() - self._since

    def handle(self, table: TableEntry, status: Status) -> None:
        """Queue a box's current status; fast, because nothing is written to disk here."""
        if table.table not in self._tables:
            return
        board = board_news(status)
        self._queue_news(table.table, "board", board.mark, board)
        mark = board.mark + status["phase"]
        if board.game and self._marks.get((table.table, "record")) != mark:
            self._records.want(table, mark, board)

    def tell_result(self, table: TableEntry, report: Mapping[str, Any], at: float = 0.0) -> None:
        """Queue a result that both players have agreed on, of this match or an earlier one, and its last position;
        each is published once.

        at: the time of day in seconds
        """
        if table.table not in self._tables:
            return
        result, last_board = result_news(report, at), last_board_news(report)
        self._queue_news(table.table, f"result {result.game}", f"{result.players} {result.result}", result)
        if last_board is not None:
            self._queue_news(table.table, f"last {last_board.game}", last_board.mark, last_board)

    def turn(self) -> None:
        """Store the queued news, and release what is due."""
        with self._turn_lock:
            queued_news, ran = list(self._queue), self.ran
            if not queued_news and ran < self._noted_at + NOTED and not self.store.is_due(ran):
                return
            due_news, self._noted_at = self.store.turn(queued_news, ran), ran
            for _ in queued_news:
                self._queue.popleft()
            for news in due_news:
                self._out(news)

    def sends(self, most: int) -> list[News]:
        """Return published news that was not sent on yet, the oldest first."""
        with self._turn_lock:
            return self.store.unsent(most)

    def mark_sent(self, number: int) -> None:
        """Mark all news up to this number as sent."""
        with self._turn_lock:
            self.store.mark_sent(number)

    def close(self) -> None:
        """Stop; news that is not due stays in the journal."""
        self._records.close()
        self._over.set()
        self._thread.join()
        self._try_turn()
        self.store.close()

    def _queue_news(self, table: str, kind: str, mark: str, what: What) -> None:
        if self._marks.get((table, kind)) != mark:
            self._marks[table, kind] = mark
            self._queue.append(QueuedNews(table, kind, mark, self.ran, what))

    def _queue_record(self, table: str, mark: str, record: RecordNews) -> None:
        """Queue a fetched record; it may be newer than the board that it was fetched for, so its delay starts now."""
        self._queue_news(table, "record", mark, record)

    def _run(self) -> None:
        while not self._over.wait(OFTEN):
            self._try_turn()

    def _try_turn(self) -> None:
        """Do a turn; while there is no room for it, the news waits, and the log says so once."""
        try:
            self.turn()
            self.trouble = ""
        except EventLogError as error:
            if not self.trouble:
                log.warning("%s", error)
            self.trouble = f"{error}"
