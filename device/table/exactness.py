"""The check whether an expedited count is exact, run in the background while the players consider the proposal."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from device.journal.replay import replay_journal
from device.table.background_question import BackgroundQuestion
from device.table.worker import BackgroundWorker, Lane
from referee.analysis import exact_count
from referee.analysis.worth import worth
from referee.game.count_result import DeadStoneClaim
from referee.game.errors import BadCount
from referee.game.messages import Message
from referee.game.record import GameRecord
from referee.rules.sets import rule_set
from referee.score.methods import Agreed, find_amendments, method_of
from referee.table.display_state import TableSnapshot
from referee.table.snapshot import Stage

OPEN = (Stage.PROPOSED, Stage.AMENDED)
AT_THE_TABLE, WITHIN = 10.0, 60.0
"""Time limits while players wait: seconds of processor time, and of real time."""


def check_exactness(record: GameRecord, agreement: Agreed, seconds: float) -> Message | None:
    """Check whether play would lead to the same result; None if that is not found out within the processor time.

    seconds: of processor time. Raises BadCount for a game that cannot be counted so.
    """
    until = time.thread_time() + seconds
    worth_within_time = partial(worth, go_on=lambda: time.thread_time() < until)
    outcome = exact_count.check_count(record, agreement.dead, find_amendments(record, agreement), worth_within_time)
    return exact_count.exactness_message(outcome) if outcome is not None else None


def exactness_checks(
    worker: BackgroundWorker, journal: Callable[[], Path | None], tell: Callable[[Message], None]
) -> BackgroundQuestion[DeadStoneClaim, Message]:
    """Return the question whether the proposed count is exact, which is open as long as nobody has answered.

    worker: checks the count.
    journal: returns the match's journal, None before there is one.
    tell: passes a message to the players.
    """

    def find_exactness(_: DeadStoneClaim) -> Message | None:
        path = journal()
        return worker.run(Lane.COUNT, check_proposed, path, WITHIN) if path is not None else None

    return BackgroundQuestion("exactness", proposed_claim, find_exactness, lambda _, answer: tell(answer))


def proposed_claim(snapshot: TableSnapshot) -> DeadStoneClaim | None:
    """Return the stones named in an expedited count that waits for an answer, None without one."""
    counting = snapshot.game.counting
    is_expedited = rule_set(snapshot.game.rules).delays is not None
    return counting.named if is_expedited and counting.stage in OPEN else None


def check_proposed(path: Path) -> Message | None:
    """Check the count that was proposed last in a journal."""
    replayed = replay_journal(path)
    record, claim = replayed.table.record, replayed.table.snapshot.counting.named
    if method_of(record) != "expedited":
        return None
    try:
        return check_exactness(record, Agreed(claim.dead, one_sided=claim.one_sided), AT_THE_TABLE)
    except BadCount:
        return None
