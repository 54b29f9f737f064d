"""A terminal that a person would sit at: what a program writes there is read as it was written."""

from __future__ import annotations

import os
import pty
import termios


def terminal() -> tuple[int, int]:
    """Our end and the program's, which changes no ends of lines."""
    ours, theirs = pty.openpty()
    modes = termios.tcgetattr(theirs)
    modes[1] &= ~termios.OPOST
    termios.tcsetattr(theirs, termios.TCSANOW, modes)
    return ours, theirs


def seen_at(ours: int) -> str:
    """All that is written there until nobody holds the other end any more."""
    seen = b"".join(iter(lambda: _read(ours), b"")).decode()
    os.close(ours)
    return seen


def _read(end: int) -> bytes:
    try:
        return os.read(end, 65536)
    except OSError:
        return b""
