"""`shinpan hall` as a program of its own, that can be killed at any moment."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from device.hall.event_log import HallEventLog, Noted
from tests.support import ROOT
from tests.support.waiting import PATIENCE_S


class HallProgram:
    """A hall on a list of tables; `start` begins it, and again after it was killed. pin: the hall director's. niceness:
    by so much it gives way to other programs."""

    def __init__(self, listed: Path, folder: Path, niceness: int = 0) -> None:
        self._listed, self._folder, self.pin, self.address = listed, folder, "", ""
        self._niceness = niceness
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        command = ["nice", "-n", str(self._niceness)]
        command += [sys.executable, "-m", "device", "hall", str(self._listed), "--port", "0"]
        self._process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True)
        assert self._process.stderr is not None
        for line in self._process.stderr:
            self.pin = next(iter(re.findall(r"hall director's PIN is (\d+)", line)), self.pin)
            if match := re.search(r"the wall is at (http://[^\s,;]+)", line):
                self.address = match[1].rstrip("/") + "/"
            if "Ctrl-C ends" in line:
                return
        raise AssertionError("the hall has ended")

    def kill(self) -> None:
        """As a pulled plug."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        assert self._process.stderr is not None
        self._process.stderr.close()

    @property
    def runs(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def hand_out(self, match: dict[str, Any]) -> None:
        """As the director, on the page."""
        self.post("round", {"matches": [match]}, *self.log_in())

    def log_in(self) -> tuple[str, str]:
        """Return the director's token and cookie."""
        answer, cookie = self.post("session", {"pin": self.pin, "name": "Ada", "role": "director"})
        return answer["token"], cookie

    def post(self, path: str, body: object, token: str = "", cookie: str = "") -> tuple[Any, str]:
        headers = {"Content-Type": "application/json", "Origin": self.address.rstrip("/")}
        headers |= {"X-Token": token, "Cookie": cookie}
        request = Request(self.address + path, json.dumps(body).encode(), headers)
        with urlopen(request, timeout=PATIENCE_S) as answer:
            return json.load(answer), (answer.headers["Set-Cookie"] or "").partition(";")[0]

    def page(self, path: str, cookie: str) -> str:
        """Return a page, empty while nobody answers."""
        try:
            with urlopen(Request(self.address + path, headers={"Cookie": cookie}), timeout=PATIENCE_S) as answer:
                return str(answer.read().decode())
        except HTTPError:
            raise
        except OSError:
            return ""

    def journal(self) -> list[Noted]:
        """Return the entries it has kept, after it was killed."""
        event_log = HallEventLog(self._folder)
        entries = list(event_log.entries)
        event_log.close()
        return entries
