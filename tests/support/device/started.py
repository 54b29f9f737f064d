"""`shinpan run` and `shinpan demo` as the programs that they are, followed over their page."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

import pytest

from tests.support.waiting import PATIENCE_S


class Started:
    """A command that serves the page; leaving the `with` ends it however it went."""

    def __init__(self, *arguments: str | Path) -> None:
        command = [sys.executable, "-m", "device", *map(str, arguments), "--port", "0"]
        self._process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.url = self._address()

    def _address(self) -> str:
        """The page's address, which stderr tells."""
        assert self._process.stderr is not None
        said = b""
        while (found := re.search(rb"the page is at (http://\S+);.*\n", said)) is None:
            said += os.read(self._process.stderr.fileno(), 4096) or pytest.fail(f"It does not start: {said!r}")
        self._since = said[found.end() :].decode()
        return found[1].decode()

    def ask(self, path: str) -> tuple[int, str]:
        """Return the status and the text that the page answers."""
        try:
            with urllib.request.urlopen(f"{self.url}{path}", timeout=PATIENCE_S) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def statuses(self) -> Iterator[dict[str, Any]]:
        """Every status that the page tells from now on, as it comes."""
        with urllib.request.urlopen(f"{self.url}/events", timeout=PATIENCE_S) as events:
            for line in events:
                if line.startswith(b"data: {"):
                    yield json.loads(line.removeprefix(b"data: "))

    @property
    def children(self) -> list[int]:
        """The processes that it started."""
        return children_of(self._process.pid)

    def end(self, number: signal.Signals) -> tuple[int, str, str]:
        """Send a signal; exit status, stdout and what stderr said since the address."""
        self._process.send_signal(number)
        return self.wait()

    def wait(self) -> tuple[int, str, str]:
        """Wait until it ends by itself."""
        out, err = self._process.communicate(timeout=PATIENCE_S)
        return self._process.returncode, out, self._since + err

    def __enter__(self) -> Started:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._process.poll() is None:
            self._process.kill()
            self._process.communicate()


def children_of(pid: int) -> list[int]:
    """The processes that this one started."""
    found = (int(path.name) for path in Path("/proc").glob("[0-9]*"))
    return [child for child in found if (fields := _stat(child)) and int(fields[1]) == pid]


def processor_seconds(pid: int) -> float:
    """Return the processor seconds that a process has used; 0 if it has ended."""
    fields = _stat(pid)
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK") if fields else 0.0


def _stat(pid: int) -> list[str]:
    """Return the fields that /proc gives of a process after its name: state, parent and so on."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []
