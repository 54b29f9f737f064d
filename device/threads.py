"""What no thread expected: it is logged with its traceback, told on the page, and nothing ends unseen. And how a
program is told to end."""

from __future__ import annotations

import logging
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from referee.messages import Message, message
from web.failures import SENTENCE, log_failures

log = logging.getLogger("shinpan")
AGAIN = 1.0
"""Seconds after which what has failed begins anew."""
OWNER = "owner"
"""The thread that tells the faults it meets by itself."""


def end_by_signal(told: threading.Event) -> None:
    """Ctrl-C and SIGTERM tell it; whoever waits for it ends by themselves."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: told.set())


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
            log.exception(SENTENCE, name)
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
    """Meanwhile what no thread expected is logged, and all errors in the log are told."""
    telling, end = Telling(tell), log_failures(log)
    log.addHandler(telling)
    try:
        yield
    finally:
        log.removeHandler(telling)
        end()
