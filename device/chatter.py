"""What libraries write to stderr by themselves (OpenCV, FFmpeg, libjpeg) goes to the log instead."""

from __future__ import annotations

import logging
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

log = logging.getLogger("shinpan")
STDERR = 2
MOST = 200
"""So many kinds of lines are logged, each once: a camera that fails chats with every picture."""
LAST_WORDS = 1.0
"""Seconds to wait for what was written last; a child that outlives us may hold the other end."""
_NUMBER = re.compile(r"0x[0-9a-f]+|\d+")


@contextmanager
def chatter_logged() -> Iterator[None]:
    """Meanwhile the file that C code knows as stderr is the log. What we say ourselves, by `sys.stderr`, goes where it
    went. Nobody who writes there waits: what comes faster than it is logged is left out."""
    try:
        kept = os.dup(STDERR)
    except OSError:  # It is closed: nothing can be written there.
        yield
        return
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    listener = Thread(target=_log, args=(reading,), name="chatter", daemon=True)
    listener.start()
    said = sys.stderr
    if _is_stderr(said):
        said.flush()
        sys.stderr = open(kept, "w", buffering=1, encoding=said.encoding, errors=said.errors, closefd=False)  # noqa: SIM115
    os.dup2(writing, STDERR)
    os.close(writing)
    try:
        yield
    finally:
        sys.stderr.flush()
        sys.stderr = said
        os.dup2(kept, STDERR)
        os.close(kept)
        listener.join(LAST_WORDS)


def _is_stderr(file: object) -> bool:
    try:
        return bool(file.fileno() == STDERR)  # type: ignore[attr-defined]
    except (AttributeError, OSError, ValueError):
        return False


def _log(reading: int) -> None:
    """Every kind of line once, until nobody can write any more."""
    known = set[str]()
    with open(reading, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            kind = _NUMBER.sub("#", line)
            if line.strip() and kind not in known and len(known) < MOST:
                known.add(kind)
                log.info("A library says: %s", line.rstrip())
