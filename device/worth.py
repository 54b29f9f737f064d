"""What situations are worth, by a clock: the analysis itself reads none."""

from __future__ import annotations

import time
from collections.abc import Callable

from referee.analysis.figures import Worth
from referee.analysis.worth import worth
from referee.record import GameRecord
from referee.wire import worth_to_json

SECONDS = 10.0
"""Of the processor's time for a situation, where nobody says for how long."""
LONGEST = 86_400.0
"""Nobody may ask for more."""


def worth_within(record: GameRecord, seconds: float = SECONDS, clock: Callable[[], float] = time.process_time) -> Worth:
    """What the situation of a record is worth, as far as that is found in so many seconds.

    seconds: where there are none, what needs no search is found all the same.
    clock: by which they are counted; the processor's own time goes on only while there is work done.
    """
    until = clock() + seconds
    return worth(record, lambda: clock() < until)


def worth_line(record: GameRecord, seconds: float = SECONDS) -> dict[str, object]:
    """The same as other programs are told it: a line of `shinpan analyse`."""
    return worth_to_json(worth_within(record, seconds), record)
