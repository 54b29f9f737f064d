"""The log of failures that strangers can cause, so that none of them fills it, or is taken for a fault of the table.

A request may fail because of a defect of ours, and whoever finds such a request can send it a thousand times. So a
failure is one line, whatever the request holds, and a minute has one line; the next one tells how many are missing.
Their level is a warning: errors in the log are shown to the players as faults of the table.
"""

from __future__ import annotations

import logging
import time
import traceback
from collections.abc import Callable
from threading import Lock

A_LINE_EVERY_S = 60.0
LONGEST_LINE = 500
FRAMES = 3
"""Innermost places of an error in our code and libraries that its line names."""


class FailureLog:
    """A log for lines that strangers cause; thread-safe. clock: monotonic seconds."""

    def __init__(self, log: logging.Logger, clock: Callable[[], float] = time.monotonic) -> None:
        self._log, self._clock, self._lock = log, clock, Lock()
        self._said_at, self._left_out = float("-inf"), 0

    def warn(self, text: str, error: BaseException | None = None) -> None:
        """Log a line, unless there was one within the minute."""
        left_out = self._take_turn()
        if left_out is not None:
            self._log.warning("%s%s", failure_line(text, error), _count_left_out(left_out))

    def filter(self, record: logging.LogRecord) -> bool:
        """Make a library's record such a line, or leave it out; the interface of a logger's filter."""
        if record.levelno < logging.WARNING:
            return True
        left_out = self._take_turn()
        if left_out is None:
            return False
        error = record.exc_info[1] if record.exc_info else None
        record.msg, record.args = failure_line(record.getMessage(), error) + _count_left_out(left_out), None
        record.exc_info = record.exc_text = record.stack_info = None
        record.levelno, record.levelname = logging.WARNING, logging.getLevelName(logging.WARNING)
        return True

    def _take_turn(self) -> int | None:
        """Return how many lines were left out since the last one; None if this one is left out."""
        with self._lock:
            now = self._clock()
            if now - self._said_at < A_LINE_EVERY_S:
                self._left_out += 1
                return None
            left_out, self._left_out, self._said_at = self._left_out, 0, now
            return left_out


def failure_line(text: str, error: BaseException | None) -> str:
    """Return a failure and its error on one line."""
    if error is None:
        return _to_one_line(text)[:LONGEST_LINE]
    frames = reversed(traceback.extract_tb(error.__traceback__)[-FRAMES:])
    where = " < ".join(f"{frame.name} ({frame.filename.rpartition('/')[2]}:{frame.lineno})" for frame in frames)
    return _to_one_line(f"{text}: {type(error).__name__}: {error}, in {where}")[:LONGEST_LINE]


def _count_left_out(left_out: int) -> str:
    return f" ({left_out} more in between)" if left_out else ""


def _to_one_line(text: str) -> str:
    """Return the text on one line, without letters that no log can hold or that would begin another."""
    printable = text.encode("utf-8", "backslashreplace").decode()
    return "".join(letter if letter.isprintable() else " " for letter in printable)
