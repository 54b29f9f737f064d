"""The terminal's keyboard, read key by key in a thread of its own."""

from __future__ import annotations

import os
import select
import termios
import threading
import tty
from contextlib import ExitStack, suppress
from typing import Any, TextIO

from device.panel.keys import Keys
from device.panel.panel import Clock, Hear

MOST = 64
"""Bytes read at once."""


def listen(opened: ExitStack, keys: TextIO, hear: Hear, clock: Clock) -> bool:
    """Tell the keys as edges until `opened` is closed, which gives the terminal back as it was; False, and nothing is
    done, where no keys are typed: a file, a pipe, a program in the background."""
    if not _is_typed(keys):
        return False
    typed = keys.fileno()
    before = termios.tcgetattr(typed)
    opened.callback(_restore, typed, before)
    tty.setcbreak(typed)
    end, stop = os.pipe()
    opened.callback(os.close, end)
    thread = threading.Thread(target=_read, args=(typed, end, hear, clock), name="keyboard", daemon=True)
    thread.start()
    opened.callback(thread.join)
    opened.callback(os.close, stop)
    return True


def _is_typed(keys: TextIO) -> bool:
    """A program in the background must not ask for keys: the system would halt it."""
    try:
        return keys.isatty() and os.tcgetpgrp(keys.fileno()) == os.getpgrp()
    except (OSError, ValueError):
        return False


def _restore(typed: int, before: list[Any]) -> None:
    """Give the terminal back, if it is still there."""
    with suppress(termios.error):
        termios.tcsetattr(typed, termios.TCSADRAIN, before)


def _read(typed: int, end: int, hear: Hear, clock: Clock) -> None:
    """Until the other end of `end` is closed, or the terminal has gone."""
    keys = Keys()
    while True:
        wait = None if keys.deadline is None else max(0.0, keys.deadline - clock())
        ready, _, _ = select.select([typed, end], [], [], wait)
        text = _typed_text(typed) if typed in ready else None
        for edge in keys.typed(text, clock()) if text else keys.due(clock()):
            hear(edge)
        if end in ready or text == "":
            return


def _typed_text(typed: int) -> str:
    """What was typed; nothing when the terminal has gone."""
    try:
        return os.read(typed, MOST).decode(errors="ignore")
    except OSError:
        return ""
