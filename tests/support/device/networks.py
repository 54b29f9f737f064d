"""A machine whose `nmcli` is tests.support.device.nmcli_answers."""

from __future__ import annotations

import json
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from device.machine import wifi
from tests.support.device.nmcli_answers import answer

SCRIPT = Path(__file__).with_name("nmcli_answers.py")
OFF = {"lo": ["loopback", "connected (externally)", "d9fdad6d-f6ac-4477-a394-65aa2d637526", "127.0.0.1/8"]}
NO_LINK = {"wlan0": ["wifi", "disconnected", "", ""], "eth0": ["ethernet", "unavailable", "", ""], **OFF}


class Machine:
    """What is there; tests change it between questions."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.profiles = folder, folder / "profiles"
        self.profiles.mkdir()
        state = {"bus": True, "running": True, "nobody": False, "known": {}, "loaded": [], "air": {}, "refuses": {}}
        (folder / "state.json").write_text(json.dumps(state | {"devices": NO_LINK}))

    def has(self, **parts) -> None:
        (self.folder / "state.json").write_text(json.dumps(self.state | parts))

    @property
    def state(self):
        return json.loads((self.folder / "state.json").read_text())

    @property
    def asked(self) -> list[list[str]]:
        """nmcli's words, the time to wait left out."""
        path = self.folder / "asked.jsonl"
        return [json.loads(line)[2:] for line in path.read_text().splitlines()] if path.exists() else []

    @property
    def opened(self) -> list[str]:
        """Which connections were to be brought up."""
        return [words[-1] for words in self.asked if words[:2] == ["connection", "up"]]


@pytest.fixture
def machine(request, tmp_path, monkeypatch):
    """A machine whose nmcli answers within this process; with the parameter "program", in one of its own."""
    folder, programs = tmp_path / "nm", tmp_path / "programs"
    for one in (folder, programs):
        one.mkdir()
    program = programs / "nmcli"
    program.write_text(f'#!/bin/sh\nexec {shlex.join([sys.executable, "-S", str(SCRIPT), str(folder)])} "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:/usr/bin:/bin")
    if getattr(request, "param", "") != "program":
        monkeypatch.setattr(wifi, "subprocess", within_this_process(folder, program))
    made = Machine(folder)
    monkeypatch.setattr(wifi, "PROFILES", made.profiles)
    before = signal.getsignal(signal.SIGHUP)
    yield made
    signal.signal(signal.SIGHUP, before)


def within_this_process(folder: Path, program: Path) -> SimpleNamespace:
    """Make what stands in for the module subprocess, and runs this program alone."""

    def run(command: list[str], **how: Any) -> subprocess.CompletedProcess[str]:
        assert command[0] == str(program) and how["timeout"] > int(command[2]) and how["env"]["LC_ALL"] == "C.UTF-8"
        return subprocess.CompletedProcess(command, *answer(folder, command[1:]))

    return SimpleNamespace(run=run, TimeoutExpired=subprocess.TimeoutExpired)
