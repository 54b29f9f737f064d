"""`shinpan run` and `shinpan demo` as the programs that they are, followed over their page."""

from __future__ import annotations

import json
import os
import re
import shlex
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

# A machine whose `nmcli` answers as NetworkManager's own does (1.52).

CABLE = {
    "-g DEVICE,TYPE,STATE,CONNECTION device status": "eth0:ethernet:connected:Wired connection 1\n"
    "wlan0:wifi:disconnected:\nlo:loopback:connected (externally):lo\n",
    "-g IP4.ADDRESS device show eth0": "10.5.5.5/24 | 192.168.77.2/24\n",
}


class Machine:
    """The machine's nmcli with its answers, which tests change between questions."""

    def __init__(self, folder: Path) -> None:
        self.program, self.asked_file = folder / "nmcli", folder / "asked"
        self.answers({})

    def answers(self, outputs: dict[str, str], status: int = 10, error: str = "Error: it is not known.") -> None:
        """Answer these words with these lines, any others with that status and sentence."""
        cases = "".join(
            f"{shlex.quote(words)}) printf %s {shlex.quote(lines)} ;;\n" for words, lines in outputs.items()
        )
        self.program.write_text(
            f'#!/bin/sh\necho "$*" >>{shlex.quote(str(self.asked_file))}\n[ "$1" != --escape ] || shift 2\n'
            f'case "$*" in\n{cases}*) echo {shlex.quote(error)} >&2; exit {status} ;;\nesac\n'
        )
        self.program.chmod(0o755)

    @property
    def asked(self) -> list[str]:
        """The words that nmcli was asked with."""
        return self.asked_file.read_text().splitlines() if self.asked_file.exists() else []


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """Make that machine's programs the first that are found."""
    programs = tmp_path / "programs"
    programs.mkdir()
    monkeypatch.setenv("PATH", f"{programs}:/usr/bin:/bin")
    return Machine(programs)


class StartedCommand:
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
        output = b""
        while (match := re.search(rb"the page is at (http://\S+);.*\n", output)) is None:
            output += os.read(self._process.stderr.fileno(), 4096) or pytest.fail(f"It does not start: {output!r}")
        self._since = output[match.end() :].decode()
        return match[1].decode()

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

    def __enter__(self) -> StartedCommand:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._process.poll() is None:
            self._process.kill()
            self._process.communicate()


def children_of(pid: int) -> list[int]:
    """The processes that this one started."""
    pids = (int(path.name) for path in Path("/proc").glob("[0-9]*"))
    return [child for child in pids if (fields := _stat(child)) and int(fields[1]) == pid]


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
