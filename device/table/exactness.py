"""The check whether an expedited count is exact, run in the background while the players consider the proposal."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from queue import SimpleQueue

from device.journal.replay import replay
from device.table.worker import BackgroundWorker, Lane
from device.threads import start_supervised_thread
from referee.analysis import exact_count
from referee.analysis.worth import worth
from referee.game.errors import BadCount
from referee.game.messages import Message
from referee.game.record import GameRecord
from referee.rules.sets import rule_set
from referee.score.methods import Agreed, amendments, method_of
from referee.umpire.snapshot import Counting, Stage
from referee.umpire.table_state import Sight, TableSnapshot

log = logging.getLogger("shinpan")
OPEN = (Stage.PROPOSED, Stage.AMENDED)
AT_THE_TABLE, WITHIN = 10.0, 60.0
"""Time limits while players wait: seconds of processor time, and of real time."""


def exactness(record: GameRecord, agreed: Agreed, seconds: float) -> Message | None:
    """Check whether play would lead to the same result; None if that is not found out within the processor time.

    seconds: of processor time. Raises BadCount for a game that cannot be counted so.
    """
    until = time.thread_time() + seconds
    valued = partial(worth, go_on=lambda: time.thread_time() < until)
    found = exact_count.check_count(record, agreed.dead, amendments(record, agreed), valued)
    return exact_count.exactness_message(found) if found is not None else None


class Exactness:
    """A thread that tells the players whether the proposed count is exact, as long as nobody has answered.

    worker: checks the count.
    journal: returns the match's journal, None before there is one.
    tell: passes a message to the players.
    """

    def __init__(
        self, worker: BackgroundWorker, journal: Callable[[], Path | None], tell: Callable[[Message], None]
    ) -> None:
        self._worker, self._journal, self._tell = worker, journal, tell
        self._asked: Counting | None = None
        self._to_do = SimpleQueue[Counting]()
        start_supervised_thread("exactness", self._find_out_all)

    def show(self, showing: TableSnapshot) -> None:
        """Take the newest Showing, and queue its count for the check."""
        now = showing.game.counting
        expedited = rule_set(showing.game.rules).delays is not None
        asked = now if expedited and now.stage in OPEN else None
        if asked is not None and (self._asked is None or asked.named != self._asked.named):
            self._to_do.put(asked)
        self._asked = asked

    def find_out(self, asked: Counting) -> None:
        """Check this count and tell the players, unless it is outdated."""
        if not self._is_asked(asked):
            return
        path = self._journal()
        found = self._found_out(path) if path is not None else None
        if found is not None and self._is_asked(asked):
            self._tell(found)

    def _find_out_all(self) -> None:
        while True:
            self.find_out(self._to_do.get())

    def _found_out(self, path: Path) -> Message | None:
        try:
            return self._worker.run(Lane.COUNT, check_proposed, path, WITHIN)
        except Exception:
            log.exception("Whether the count in %s is exact cannot be found out.", path)
            return None

    def _is_asked(self, asked: Counting) -> bool:
        return self._asked is not None and self._asked.named == asked.named


def check_proposed(path: Path) -> Message | None:
    """Check the count that was proposed last in a journal."""
    replayed = replay(path)
    record, named = replayed.match.record, replayed.match.showing(1, replayed.t, Sight.NONE).game.counting.named
    if method_of(record) != "expedited":
        return None
    try:
        return exactness(record, Agreed(named.dead, one_sided=named.one_sided), AT_THE_TABLE)
    except BadCount:
        return None
