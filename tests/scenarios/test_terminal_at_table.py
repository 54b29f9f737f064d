"""A table before which somebody sits at a terminal: what a key does there is answered at once."""

from __future__ import annotations

import os
import re
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from device.simulator.serve import TableProcess
from tests.support import ROOT
from tests.support.terminal import terminal
from tests.support.waiting import PATIENCE_S

GAME = "rules chinese\nsize 9\nlook 3\nblack 1\nwait 1\nB play E5; B press done\nwait 600\n"


class Seat:
    """Our end of the program's terminal."""

    def __init__(self, end: int) -> None:
        self._end, self._shown = end, ""

    def press(self, key: str) -> None:
        self._shown = ""
        os.write(self._end, key.encode())

    def until(self, words: str) -> str:
        """Return the text shown since the last key, once these words are in it."""
        end = time.monotonic() + PATIENCE_S
        while words not in self._shown:
            assert select.select([self._end], [], [], max(0.0, end - time.monotonic()))[0], self._shown
            self._shown += re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", os.read(self._end, 65536).decode(errors="ignore"))
        return self._shown


@contextmanager
def seated(folder: Path) -> Iterator[Seat]:
    """Sit at the terminal of a box before a drawn table, where Black plays once."""
    (folder / "script").write_text(GAME)
    (folder / "settings.toml").write_text("[panel]\nkind = 'terminal'\n")
    socket, (ours, theirs) = folder / "table", terminal()
    options = ["--camera", f"virtual:{socket}", "--rules", "chinese", "--port", "0", "--data", str(folder / "data")]
    command = [sys.executable, "-m", "device", "run", "--settings", str(folder / "settings.toml"), *options]
    with TableProcess(socket, "--script", str(folder / "script")):
        box = subprocess.Popen(
            ["setsid", "--ctty", *command],
            stdin=theirs,
            stdout=subprocess.DEVNULL,
            stderr=theirs,
            env={**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "200", "TERM": "xterm"},
        )
        os.close(theirs)
        try:
            yield Seat(ours)
        finally:
            box.terminate()
            box.wait(PATIENCE_S)
            os.close(ours)


@pytest.mark.long
def test_call_is_answered_before_the_camera_looks_again(tmp_path):
    with seated(tmp_path) as seat:
        seat.until("Black played E5.")
        seat.press("k")
        seat.until("White passes: press DONE to confirm, or play a stone.")
        seat.press("j")
        seat.until("White passed.")
