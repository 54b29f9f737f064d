"""Standard output and errors, made fit for whatever is to be said."""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper
from pathlib import Path
from typing import TextIO

from device.chatter import STDERR


def ready_streams() -> None:
    """Let what is said go nowhere where a stream is closed, and no letter be one that cannot be written."""
    if None in (sys.stdin, sys.stdout, sys.stderr):
        _take_numbers()
    sys.stdout = sys.stdout or _nowhere()
    sys.stderr = sys.stderr or _nowhere()
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # As on stderr: a file's name may be any bytes.


def _take_numbers() -> None:
    """Open what is closed: a file that is opened later would get its number, and what C code writes there."""
    while (handle := os.open(os.devnull, os.O_RDWR)) <= STDERR:
        os.set_inheritable(handle, True)
    os.close(handle)


def _nowhere() -> TextIO:
    return Path(os.devnull).open("w", encoding="utf-8")
