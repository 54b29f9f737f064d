"""Whether an expedited count is exact, found out while the players look at what was proposed, before they agree.

`python -m device.exactness JOURNAL` is the process of its own in which a box does that, at the lowest priority.
"""

from __future__ import annotations

import logging
import os
import pickle
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from queue import SimpleQueue

from device.journal.replay import replay
from device.kept import in_a_process
from device.threads import lasting
from referee.analysis.worth import worth
from referee.errors import BadCount
from referee.messages import Message
from referee.record import GameRecord
from referee.rules.sets import rule_set
from referee.score import proved
from referee.score.methods import Agreed, amendments, method_of
from referee.snapshot import Counting, Stage
from referee.standing import Showing, Sight

log = logging.getLogger("shinpan")
OPEN = (Stage.PROPOSED, Stage.AMENDED)
AT_THE_TABLE, WITHIN = 10.0, 60.0
"""Seconds of the processor's time in which to find it out, and of the clock, while players wait."""


def exactness(record: GameRecord, agreed: Agreed, seconds: float) -> Message | None:
    """Whether play would come to the same result, where that is found out in so many seconds of the processor's time.

    Raises BadCount for a game that cannot be counted so.
    """
    until = time.process_time() + seconds
    valued = partial(worth, go_on=lambda: time.process_time() < until)
    found = proved.checked(record, agreed.dead, amendments(record, agreed), valued)
    return proved.told(found) if found is not None else None


class Exactness:
    """Told what the box shows; tells whether the count that was proposed is exact while nobody has answered yet.

    journal: the match's, None before there is one. tell: tells the players.
    """

    def __init__(self, journal: Callable[[], Path | None], tell: Callable[[Message], None]) -> None:
        self._journal, self._tell = journal, tell
        self._asked: Counting | None = None
        self._to_do = SimpleQueue[Counting]()
        lasting("exactness", self._find_out_all)

    def show(self, showing: Showing) -> None:
        """What the box shows from now on."""
        now = showing.game.counting
        expedited = rule_set(showing.game.rules).delays is not None
        asked = now if expedited and now.stage in OPEN else None
        if asked is not None and (self._asked is None or asked.named != self._asked.named):
            self._to_do.put(asked)
        self._asked = asked

    def find_out(self, asked: Counting) -> None:
        """Tell whether this count is exact, unless nobody asks any more."""
        if not self._is_asked(asked):
            return
        path = self._journal()
        found = _found_out(path) if path is not None else None
        if found is not None and self._is_asked(asked):
            self._tell(found)

    def _find_out_all(self) -> None:
        while True:
            self.find_out(self._to_do.get())

    def _is_asked(self, asked: Counting) -> bool:
        return self._asked is not None and self._asked.named == asked.named


def _found_out(path: Path) -> Message | None:
    try:
        found = in_a_process("device.exactness", path, WITHIN)
    except Exception:
        log.exception("Whether the count in %s is exact cannot be found out.", path)
        return None
    return found if isinstance(found, Message) else None


def _proposed_in(path: Path) -> Message | None:
    """Whether the count is exact that was proposed last in a journal."""
    replayed = replay(path)
    record, named = replayed.match.record, replayed.match.showing(1, replayed.t, Sight.NONE).game.counting.named
    if method_of(record) != "expedited":
        return None
    try:
        return exactness(record, Agreed(named.dead, one_sided=named.one_sided), AT_THE_TABLE)
    except BadCount:
        return None


if __name__ == "__main__":
    os.nice(19)
    sys.stdout.buffer.write(pickle.dumps(_proposed_in(Path(sys.argv[1]))))
