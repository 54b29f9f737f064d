"""Starts a virtual table as a process of its own that ends with the program that started it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import TracebackType

ENDS_WITHIN = 10.0


class TableProcess:
    """`python -m device.virtual serve`, with options as on its command line. What it has to say goes to our stderr.

    It is a `with` that ends it. It also ends when this program does, however that went.
    """

    def __init__(self, path: Path, *options: str) -> None:
        command = [sys.executable, "-m", "device.virtual", "serve", str(path), "--attached", *options]
        # A group of its own: Ctrl-C is for us, and we end it.
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, process_group=0)

    @property
    def pid(self) -> int:
        """The process's number."""
        return self._process.pid

    @property
    def status(self) -> int | None:
        """Its exit status, None while it runs: 2 when it could not use what it was given, and said so."""
        return self._process.poll()

    def stop(self) -> None:
        """End it."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._process.terminate()
        self._process.wait(ENDS_WITHIN)

    def __enter__(self) -> TableProcess:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()
