"""Unexpected errors in threads, which are logged with their traceback and shown on the page; and the stop signals."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial

from device.system import handle_stop_signals
from referee.game.messages import Message, message
from web.server.excepthook import SENTENCE, log_failures

log = logging.getLogger("shinpan")
AGAIN = 1.0
"""Seconds after which a failed thread function is restarted."""
ENDS_WITHIN = 2.0
"""Seconds for which threads are waited for at the end; they may hang in a connection that cannot be cut."""
OWNER = "owner"
"""The thread that reports its faults itself."""


def install_signal_handlers(stop: threading.Event) -> None:
    """Set the event on Ctrl-C and SIGTERM."""
    handle_stop_signals(stop.set)


def start_supervised_thread(name: str, run: Callable[[], None]) -> threading.Thread:
    """Start a thread that restarts `run` after a failure, until it returns."""
    thread = threading.Thread(target=partial(_run_until_done, name, run), name=name, daemon=True)
    thread.start()
    return thread


def _run_until_done(name: str, run: Callable[[], None]) -> None:
    while True:
        try:
            return run()
        except Exception:
            log.exception(SENTENCE, name)
            time.sleep(AGAIN)


def leave(threads: Iterable[threading.Thread], within: float = ENDS_WITHIN) -> None:
    """Wait for threads that were told to end, for all together at most so many seconds."""
    until = time.monotonic() + within
    for thread in threads:
        thread.join(max(until - time.monotonic(), 0.0))


class ErrorNotifier(logging.Handler):
    """A logging handler that reports every logged error, whichever part of the program logs it."""

    def __init__(self, tell: Callable[[Message], None]) -> None:
        super().__init__(logging.ERROR)
        self._tell = tell

    def emit(self, record: logging.LogRecord) -> None:
        """Report the record under its thread's name, which is that of the part."""
        if record.threadName != OWNER:
            self._tell(message("fault.part", part=record.threadName or "?"))


@contextmanager
def log_failures_of_threads(tell: Callable[[Message], None]) -> Iterator[None]:
    """Log unexpected errors of threads within the block, and report all errors in the log."""
    telling, end = ErrorNotifier(tell), log_failures(log)
    log.addHandler(telling)
    try:
        yield
    finally:
        log.removeHandler(telling)
        end()
