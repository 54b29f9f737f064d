"""The worth of positions within a time limit: the analysis itself reads no clock."""

from __future__ import annotations

import time
from collections.abc import Callable

from referee.analysis.figures import Worth
from referee.analysis.worth import worth
from referee.codec import worth_to_json
from referee.game.record import GameRecord

SECONDS = 10.0
"""Seconds of processor time for a position, by default."""
LONGEST = 86_400.0
"""Largest time limit in seconds."""


def worth_within(record: GameRecord, seconds: float = SECONDS, clock: Callable[[], float] = time.process_time) -> Worth:
    """Return the worth of a record's position, as far as it is found in the time.

    seconds: the time limit; even 0 gives what needs no search.
    clock: the clock for it; processor time advances only while work is done.
    """
    until = clock() + seconds
    return worth(record, lambda: clock() < until)


def worth_line(record: GameRecord, seconds: float = SECONDS) -> dict[str, object]:
    """Return the worth as JSON for other programs: a line of `shinpan analyse`."""
    return worth_to_json(worth_within(record, seconds), record)
