"""A machine whose `nmcli` answers as NetworkManager's own does (1.52)."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

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

    def answers(self, told: dict[str, str], status: int = 10, said: str = "Error: it is not known.") -> None:
        """Answer these words with these lines, any others with that status and sentence."""
        cases = "".join(f"{shlex.quote(words)}) printf %s {shlex.quote(lines)} ;;\n" for words, lines in told.items())
        self.program.write_text(
            f'#!/bin/sh\necho "$*" >>{shlex.quote(str(self.asked_file))}\n[ "$1" != --escape ] || shift 2\n'
            f'case "$*" in\n{cases}*) echo {shlex.quote(said)} >&2; exit {status} ;;\nesac\n'
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
