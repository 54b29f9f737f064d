"""What no thread expected: it is logged with its traceback, told on the page, and nothing ends unseen."""

from __future__ import annotations

import logging
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from types import TracebackType

from referee.messages import Message, message

log = logging.getLogger("shinpan")
AGAIN = 1.0
"""Seconds after which what has failed begins anew."""
OWNER = "owner"
"""The thread that tells the faults it meets by itself."""


def lasting(name: str, run: Callable[[], None]) -> threading.Thread:
    """Start a thread that begins anew where it fails, until `run` returns."""
    thread = threading.Thread(target=partial(_last, name, run), name=name, daemon=True)
    thread.start()
    return thread


def _last(name: str, run: Callable[[], None]) -> None:
    while True:
        try:
            return run()
        except Exception:
            log.exception("This is a fault in shinpan: %s has failed, and begins anew.", name)
            time.sleep(AGAIN)


class Telling(logging.Handler):
    """Tells of every error that is logged, whichever part of the program meets it."""

    def __init__(self, tell: Callable[[Message], None]) -> None:
        super().__init__(logging.ERROR)
        self._tell = tell

    def emit(self, record: logging.LogRecord) -> None:
        """Told by the name of the thread, which is that of the part."""
        if record.threadName != OWNER:
            self._tell(message("fault.part", part=record.threadName or "?"))


@contextmanager
def failures_logged(tell: Callable[[Message], None]) -> Iterator[None]:
    """Meanwhile what no thread expected is logged, besides being printed; and all errors in the log are told."""
    telling, hooks = Telling(tell), (sys.excepthook, threading.excepthook)
    log.addHandler(telling)
    sys.excepthook, threading.excepthook = _failed, _thread_failed
    try:
        yield
    finally:
        sys.excepthook, threading.excepthook = hooks
        log.removeHandler(telling)


def _failed(kind: type[BaseException], error: BaseException, at: TracebackType | None) -> None:
    log.error("This is a fault in shinpan.", exc_info=(kind, error, at))
    sys.__excepthook__(kind, error, at)


def _thread_failed(failure: threading.ExceptHookArgs) -> None:
    if failure.exc_value is not None:
        name = failure.thread.name if failure.thread is not None else "?"
        error = failure.exc_type, failure.exc_value, failure.exc_traceback
        log.error("This is a fault in shinpan: %s has failed.", name, exc_info=error)
    threading.__excepthook__(failure)
