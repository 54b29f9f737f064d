"""Exception hooks that log unexpected errors of any thread with their traceback, besides printing them."""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Callable
from functools import partial
from types import TracebackType

SENTENCE = "This is a fault in shinpan: %s has failed."


def log_failures(log: logging.Logger) -> Callable[[], None]:
    """Install the hooks and return a function that removes them."""
    before = sys.excepthook, threading.excepthook
    sys.excepthook, threading.excepthook = partial(_log_failure, log), partial(_log_thread_failure, log)

    def restore_hooks() -> None:
        sys.excepthook, threading.excepthook = before

    return restore_hooks


def _log_failure(
    log: logging.Logger, kind: type[BaseException], error: BaseException, traceback: TracebackType | None
) -> None:
    log.error(SENTENCE, "the program", exc_info=(kind, error, traceback))
    sys.__excepthook__(kind, error, traceback)


def _log_thread_failure(log: logging.Logger, failure: threading.ExceptHookArgs) -> None:
    if failure.exc_value is not None:
        name = failure.thread.name if failure.thread is not None else "a thread"
        log.error(SENTENCE, name, exc_info=(failure.exc_type, failure.exc_value, failure.exc_traceback))
    threading.__excepthook__(failure)
