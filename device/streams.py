"""Standard output and error streams, made safe for any output."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import TextIO

STDERR = 2


def repair_stdio() -> None:
    """Replace closed streams by null streams, and escape letters that stdout cannot encode."""
    if None in (sys.stdin, sys.stdout, sys.stderr):
        _occupy_descriptors()
    sys.stdout = sys.stdout or _open_null()
    sys.stderr = sys.stderr or _open_null()
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # As on stderr: a file's name may be any bytes.


@contextmanager
def silence_libraries() -> Iterator[None]:
    """Discard what C code writes to stderr; our own output by `sys.stderr` is kept.

    vision/__init__.py silences OpenCV and FFmpeg, but libjpeg and libpng complain of each damaged picture, and a camera
    sends thirty a second.
    """
    ours, stderr_copy = sys.stderr, os.dup(STDERR)
    if _is_stderr(ours):
        ours.flush()
        sys.stderr = open(stderr_copy, "w", buffering=1, encoding=ours.encoding, errors=ours.errors, closefd=False)  # noqa: SIM115
    with _open_null() as nowhere:
        os.dup2(nowhere.fileno(), STDERR)
    try:
        yield
    finally:
        sys.stderr.flush()
        sys.stderr = ours
        os.dup2(stderr_copy, STDERR)
        os.close(stderr_copy)


def _is_stderr(file: TextIO) -> bool:
    try:
        return file.fileno() == STDERR
    except (AttributeError, OSError, ValueError):
        return False


def _occupy_descriptors() -> None:
    """Open the closed standard descriptors.

    A file opened later would get such a number, and C code's output with it.
    """
    while (handle := os.open(os.devnull, os.O_RDWR)) <= STDERR:
        os.set_inheritable(handle, True)
    os.close(handle)


def _open_null() -> TextIO:
    return Path(os.devnull).open("w", encoding="utf-8")
