"""The page opens by itself for whoever starts a demo at a desktop, and for nobody else."""

from __future__ import annotations

import io
import os
import pty
import re
import subprocess
import sys
import urllib.request

import pytest

from device.cli.demo import is_watched
from tests.support.tiers import LONG
from tests.support.waiting import PATIENCE_S

STAYING = ["--stay", "--port", "0"]


@pytest.fixture
def opened(tmp_path):
    """Return the file in which a stand-in for the desktop's opener, beside it, notes what it was asked to open."""
    (tmp_path / "xdg-open").write_text(f'#!/bin/sh\necho chatter; echo chatter >&2; echo "$1" >>"{tmp_path}/opened"\n')
    (tmp_path / "xdg-open").chmod(0o755)
    return tmp_path / "opened"


def environment(opened, **desktop):
    variables = {name: value for name, value in os.environ.items() if name not in ("CI", "DISPLAY", "WAYLAND_DISPLAY")}
    return {**variables, "PATH": f"{opened.parent}:{variables['PATH']}", **desktop}


class Terminal:
    """A demo on a terminal, which is read as far as it is asked to."""

    def __init__(self, opened, *words, **desktop):
        self._end, theirs = pty.openpty()
        command = [sys.executable, "-m", "device", "demo", *words]
        self._process = subprocess.Popen(
            command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment(opened, **desktop)
        )
        os.close(theirs)
        self.said = ""

    def until(self, pattern):
        while (match := re.search(pattern, self.said)) is None:
            self.said += os.read(self._end, 4096).decode()
        return match[1]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.terminate()
        self._process.wait(PATIENCE_S)
        os.close(self._end)


@LONG
@pytest.mark.parametrize("words", [STAYING, [*STAYING, "--no-browser"], STAYING[1:]], ids=" ".join)
def test_a_demo_that_stays_opens_its_page_on_a_desktop_if_it_may(opened, words):
    with Terminal(opened, *words, WAYLAND_DISPLAY="wayland-0") as demo:
        address = demo.until(r"the page is at (http://\S+);")
        assert urllib.request.urlopen(address, timeout=PATIENCE_S).status == 200
        opened_address = opened.read_text() if opened.is_file() else None
        assert opened_address == (f"{address}\n" if words == STAYING else None) and "chatter" not in demo.said


class Screen(io.StringIO):
    """A terminal."""

    def isatty(self):
        return True


def test_only_a_terminal_on_a_desktop_that_can_open_pages_is_watched(opened, monkeypatch):
    here = environment(opened, DISPLAY=":0")
    monkeypatch.setenv("PATH", here["PATH"])
    assert is_watched(Screen(), here)
    assert not is_watched(io.StringIO(), here) and not is_watched(Screen(), {**here, "CI": "true"})
    assert not is_watched(Screen(), {**here, "DISPLAY": ""})
    (opened.parent / "xdg-open").chmod(0o644)
    monkeypatch.setenv("PATH", str(opened.parent))
    assert not is_watched(Screen(), here)
