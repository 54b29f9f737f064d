"""The box as a service: what systemd is told, the watchdog, and the safe mode where it cannot start."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from device.machine.service import START_S, Service
from tests.support import ROOT
from tests.support.tiers import LONG
from tests.support.waiting import PATIENCE_S, until

pytestmark = pytest.mark.slow

MINUTE = {"WATCHDOG_USEC": "60000000"}
MORE_TIME = "EXTEND_TIMEOUT_USEC=120000000"


@pytest.fixture
def systemd(tmp_path):
    """A socket that hears what systemd would."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as hears:
        hears.bind(str(tmp_path / "notify"))
        hears.settimeout(PATIENCE_S)
        yield hears


def read_messages(systemd) -> list[str]:
    systemd.setblocking(False)
    messages = []
    try:
        while True:
            messages.append(systemd.recv(4096).decode())
    except BlockingIOError:
        return messages


def service(systemd, **more: str) -> Service:
    return Service({"NOTIFY_SOCKET": systemd.getsockname(), **MINUTE, **more})


def test_ready_stopping_and_a_sentence_are_told(systemd):
    box = service(systemd)
    box.ready()
    box.status("The page is there.")
    box.stopping()
    assert box.is_active and read_messages(systemd) == ["READY=1", "STATUS=The page is there.", "STOPPING=1"]


def test_the_watchdog_is_fed_while_both_loops_go_round(systemd):
    box = service(systemd)
    for second in range(61):
        box.beat((second, 2 * second), float(second))
    assert read_messages(systemd) == ["WATCHDOG=1"] * 5, "at 0, 15, 30, 45 and 60 seconds"


@pytest.mark.parametrize("stuck", [0, 1])
def test_it_is_not_fed_when_one_of_them_stands(systemd, stuck):
    box = service(systemd)
    for second in range(61):
        beats = [second, second]
        beats[stuck] = min(second, 10)
        box.beat((beats[0], beats[1]), float(second))
    assert read_messages(systemd) == ["WATCHDOG=1"] * 2, "at 0 and 15 seconds only"


def test_box_and_safe_mode_feed_the_watchdog_after_each_other(systemd):
    box = service(systemd)
    for second, beats in enumerate([(), (7, 7), ()]):
        box.ready()
        for more in (0.0, 20.0):
            box.beat(tuple(beat + int(more) for beat in beats), 100.0 * second + more)
    assert read_messages(systemd) == ["READY=1", "WATCHDOG=1", "WATCHDOG=1"] * 3


def test_a_start_that_works_is_given_more_time(systemd):
    box = service(systemd)
    for processor_s in (0.05, 1.0, 1.0, 1.05, 2.0):
        box.work(processor_s)
    assert read_messages(systemd) == [MORE_TIME] * 2, "at 1 and at 2 seconds"


def test_a_start_that_gets_nowhere_is_given_no_more(systemd):
    box = service(systemd)
    for minute in range(30, 60):
        box.work(60.0 * minute)
    assert read_messages(systemd) == []


def test_more_time_is_what_the_unit_gives_a_start():
    unit = (ROOT / "hardware/system/shinpan.service").read_text(encoding="utf-8")
    assert f"TimeoutStartSec={START_S}\n" in unit


def test_a_start_is_watched_until_it_is_ready(systemd):
    box = service(systemd)

    def is_watched() -> bool:
        return any(thread.name == "start" for thread in threading.enumerate())

    box.extend_start(0.01)
    messages = []
    while not messages and is_watched():
        messages = read_messages(systemd)
    box.ready()
    until(lambda: not is_watched())
    messages = [message for message in messages + read_messages(systemd) if not message.startswith("WATCHDOG_USEC=")]
    assert {*messages} == {MORE_TIME, "READY=1"}


def test_the_watchdog_waits_longer_on_a_slow_machine(systemd):
    box = service(systemd)
    box.watch_slowly(2.0)
    assert read_messages(systemd) == [], "a start of 2 seconds needs no more than its minute"
    box.watch_slowly(40.0)
    assert read_messages(systemd) == ["WATCHDOG_USEC=400000000"]
    for second in range(400):
        box.beat((second, second), float(second))
    assert read_messages(systemd) == ["WATCHDOG=1"] * 4, "at 0, 100, 200 and 300 seconds"


def test_nobody_is_told_where_nobody_asked(systemd):
    box = Service({})
    box.ready()
    box.beat((1, 1), 0.0)
    assert not box.is_active and read_messages(systemd) == []


@pytest.mark.parametrize("abstract", [False, True])
def test_a_socket_that_is_gone_is_told_again_once_it_is_back(tmp_path, abstract):
    address = f"@shinpan-{os.getpid()}" if abstract else str(tmp_path / "notify")
    box = Service({"NOTIFY_SOCKET": address})
    box.ready()
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as back:
        back.bind(address.replace("@", "\0"))
        box.stopping()
        assert read_messages(back) == ["STOPPING=1"]


def started(systemd, *arguments: str | Path) -> subprocess.Popen[str]:
    environment = {**os.environ, "NOTIFY_SOCKET": systemd.getsockname(), "WATCHDOG_USEC": "2000000"}
    command = [sys.executable, "-m", "device", "run", *map(str, arguments)]
    return subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def wait_for(systemd, wanted: str) -> list[str]:
    messages = []
    while not messages or messages[-1] != wanted:
        messages.append(systemd.recv(4096).decode())
    return messages


def test_a_box_is_ready_feeds_the_watchdog_and_stops(systemd, tmp_path):
    with started(systemd, "--camera", "/dev/video99", "--data", tmp_path / "data", "--port", "0") as box:
        before = [message for message in wait_for(systemd, "READY=1") if not message.startswith("WATCHDOG_USEC=")]
        assert {*before} <= {MORE_TIME, "READY=1"}
        assert "WATCHDOG=1" in wait_for(systemd, "WATCHDOG=1")
        wait_for(systemd, "WATCHDOG=1")
        box.send_signal(signal.SIGTERM)
        assert wait_for(systemd, "STOPPING=1")
        box.communicate(timeout=PATIENCE_S)
    assert box.returncode == 0


@LONG
def test_a_page_shows_bad_settings_until_they_are_mended(systemd, tmp_path):
    settings = tmp_path / "settings.toml"
    settings.write_text('[game]\nrules = "nonsense"\n')
    with started(systemd, "--settings", settings, "--data", tmp_path / "data", "--port", "0") as box:
        line = next(line for line in box.stderr if "The page says so at" in line)
        url = re.search(r"http://\S+[0-9]", line)[0]
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(f"{url}/health", timeout=PATIENCE_S)
        health = json.loads(refused.value.read())
        page = urllib.request.urlopen(f"{url}/", timeout=PATIENCE_S).read().decode()
        settings.write_text('[game]\nrules = "ultimate"\n[camera]\nsource = "/dev/video99"\n')
        assert any("the page is at" in line for line in box.stderr)
        box.send_signal(signal.SIGTERM)
        box.communicate(timeout=PATIENCE_S)
    assert health["ok"] is False and "nonsense" in health["faults"][0] and "nonsense" in page
    assert box.returncode == 0
