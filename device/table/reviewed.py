"""The analysis of an archived game in a separate low-priority process: `python -m device.table.reviewed JOURNAL`."""

from __future__ import annotations

import os
import pickle
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from device.journal.replay import replay
from referee.analysis.figures import Worth
from referee.analysis.review import Review, review
from referee.analysis.worth import worth
from referee.game.record import GameRecord

EACH, ALL = 4.0, 90.0
"""Seconds of processor time for each position of a game, and for all of them."""


def review_game(path: Path) -> Review:
    """Analyse an archived game from its end backwards; stop once the parent process is gone.

    Raises JournalError for a damaged journal.
    """
    record, asker = replay(path).match.record, os.getppid()
    until = time.process_time() + ALL
    return review(record, partial(_worth_while, until, lambda: os.getppid() == asker))


def _worth_while(until: float, awaited: Callable[[], bool], record: GameRecord) -> Worth:
    soon = min(until, time.process_time() + EACH)
    return worth(record, lambda: time.process_time() < soon and awaited())


if __name__ == "__main__":
    os.nice(19)
    sys.stdout.buffer.write(pickle.dumps(review_game(Path(sys.argv[1]))))
