"""The signals that ask a program to stop: Ctrl-C, and SIGTERM, which another program sends."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable


def handle_stop_signals(stop: Callable[[], object]) -> None:
    """Call a function on Ctrl-C and SIGTERM."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop())


def exit_on_sigterm(status: int) -> None:
    """Have SIGTERM end the program in the main thread, once: what is left to do is not cut short by a second one."""

    def leave(*_: object) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        sys.exit(status)

    signal.signal(signal.SIGTERM, leave)
