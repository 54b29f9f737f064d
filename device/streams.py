"""Standard output and errors, made fit for whatever is to be said."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import TextIO

STDERR = 2


def ready_streams() -> None:
    """Let what is said go nowhere where a stream is closed, and no letter be one that cannot be written."""
    if None in (sys.stdin, sys.stdout, sys.stderr):
        _take_numbers()
    sys.stdout = sys.stdout or _nowhere()
    sys.stderr = sys.stderr or _nowhere()
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # As on stderr: a file's name may be any bytes.


@contextmanager
def libraries_silenced() -> Iterator[None]:
    """Let go nowhere what C code writes to stderr; what we say by `sys.stderr` goes where it went.

    vision/__init__.py silences OpenCV and FFmpeg, but libjpeg and libpng complain of each damaged picture, and a camera
    sends thirty a second.
    """
    ours, kept = sys.stderr, os.dup(STDERR)
    if _is_stderr(ours):
        ours.flush()
        sys.stderr = open(kept, "w", buffering=1, encoding=ours.encoding, errors=ours.errors, closefd=False)  # noqa: SIM115
    with _nowhere() as nowhere:
        os.dup2(nowhere.fileno(), STDERR)
    try:
        yield
    finally:
        sys.stderr.flush()
        sys.stderr = ours
        os.dup2(kept, STDERR)
        os.close(kept)


def _is_stderr(file: TextIO) -> bool:
    try:
        return file.fileno() == STDERR
    except (AttributeError, OSError, ValueError):
        return False


def _take_numbers() -> None:
    """Open what is closed: a file that is opened later would get its number, and what C code writes there."""
    while (handle := os.open(os.devnull, os.O_RDWR)) <= STDERR:
        os.set_inheritable(handle, True)
    os.close(handle)


def _nowhere() -> TextIO:
    return Path(os.devnull).open("w", encoding="utf-8")
