"""How long it takes from a hand leaving the table to the ruling, and from the ruling to the browser; CPU and memory.

    python -m tests.benchmarks.latency [--turns 20]

A drawn table in a process of its own plays at natural speed; the box is `shinpan run` in another; a witness follows the
table's log (when has the hand gone?) and the page's events (when is it ruled?). Buttons are pressed 0.1 s after the
hand has gone, for 0.15 s; without them ("steady") the table's rest ends a turn. These are milliseconds of the machine
it runs on, so run it with nothing else going on.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from device.virtual.serve import TableProcess
from device.virtual.table import POSE
from tests.benchmarks.kills import free_port

TICK = os.sysconf("SC_CLK_TCK")


@dataclass
class Seen:
    """Wall times, seconds: hands gone before a `done`, that button let go, new rulings on the page."""

    stopped: list[float] = field(default_factory=list)
    released: list[float] = field(default_factory=list)
    ruled: list[float] = field(default_factory=list)


@dataclass(frozen=True)
class Usage:
    """What a process has used: CPU seconds, and kilobytes of memory at most."""

    cpu: float
    peak: int

    @classmethod
    def of(cls, pid: int) -> Usage:
        """From /proc."""
        parts = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        status = Path(f"/proc/{pid}/status").read_text().splitlines()
        peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
        return cls((int(parts[11]) + int(parts[12])) / TICK, peak)


def measure(
    width: int, height: int, rate: int, turns: int, ends: str = "done", begun: Callable[[int], None] = lambda port: None
) -> str:
    """Play so many turns at that picture size and rate; a line of figures.

    ends: what ends a turn, done or steady. begun: is told the page's port once it is served.
    """
    with tempfile.TemporaryDirectory(prefix="shinpan-") as scratch:
        table, log, port = Path(scratch) / "table", Path(scratch) / "log", free_port()
        os.mkfifo(log)
        options = ("--width", str(width), "--height", str(height), "--rate", str(rate), "--record", str(log))
        seen, stop = Seen(), threading.Event()
        _watch_table(log, seen)
        with TableProcess(table, *options), _box(table, Path(scratch), port, ends) as pid:
            _started(port)
            begun(port)
            watcher = _watch_page(port, seen, stop)
            while len(seen.ruled) < 2:
                time.sleep(0.1)
            before, since = Usage.of(pid), time.monotonic()
            while len(seen.ruled) < turns:
                time.sleep(0.1)
            after, took = Usage.of(pid), time.monotonic() - since
            stop.set()
            watcher.join(5)
    share = (after.cpu - before.cpu) / took
    return (
        f"{width}x{height} at {rate} a second, {ends}: hand gone to ruling {_spread(seen.ruled, seen.stopped)}; "
        + (f"button up to ruling {_spread(seen.ruled, seen.released)}; " if ends == "done" else "")
        + f"{share:.0%} of a core, {after.peak / 1024:.0f} MB at most"
    )


def _spread(ends: list[float], begins: list[float]) -> str:
    """Median and worst milliseconds from the last beginning before each end."""
    gaps = [1000 * (end - max(b for b in begins if b < end)) for end in ends[2:] if any(b < end for b in begins)]
    return f"{np.median(gaps):.0f} ms, worst {max(gaps):.0f}"


@contextmanager
def _box(table: Path, scratch: Path, port: int, ends: str) -> Iterator[int]:
    settings = scratch / "settings.toml"
    settings.write_text(f'[table]\nturns = "{ends}"\n')
    command = [sys.executable, "-m", "device", "run", "--camera", f"virtual:{table}", "--settings", str(settings)]
    command += ["--data", str(scratch / "data"), "--port", str(port)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as box:
        try:
            yield box.pid
        finally:
            box.terminate()


def _started(port: int) -> None:
    for _ in range(300):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/status.json", timeout=1).close()
            return
        except OSError:
            time.sleep(0.1)


def _watch_table(log: Path, seen: Seen) -> None:
    """Follow the log, in which a step stands as soon as its last frame was shown."""

    def watch() -> None:
        with log.open() as lines:
            for line in lines:
                step = json.loads(line)
                begun = time.monotonic() - step["t"]
                for press in step["presses"]:
                    if press["button"] == "done":
                        times, t = (seen.stopped, press["t"] - POSE) if press["down"] else (seen.released, press["t"])
                        times.append(begun + t)

    _thread(watch)


def _watch_page(port: int, seen: Seen, stop: threading.Event) -> threading.Thread:
    def watch() -> None:
        rulings = 0
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/events", timeout=30) as events:
            for line in events:
                if stop.is_set():
                    return
                if line.startswith(b"data:") and b'"rulings"' in line:
                    count = len(json.loads(line[5:])["rulings"])
                    if count > rulings:
                        rulings = count
                        seen.ruled.append(time.monotonic())

    return _thread(watch)


def _thread(run: Callable[[], None]) -> threading.Thread:
    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread


def browser(changes: int) -> str:
    """From a new Showing to its ruling in Chromium's page; a line of figures."""
    if shutil.which("chromium") is None or shutil.which("chromedriver") is None:
        return "ruling to browser: not measured, for Debian's chromium is not installed"
    from tests.benchmarks.browser import ruling_to_browser

    times = ruling_to_browser(changes)
    return f"ruling to browser: {np.median(times):.0f} ms, worst {max(times):.0f} of {len(times)}"


def main() -> int:
    """Measure at both picture sizes and both rates, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=20)
    args = parser.parse_args()
    for width, height in ((1280, 720), (1920, 1080)):
        for rate in (10, 5):
            print(measure(width, height, rate, args.turns), flush=True)
        print(measure(width, height, 10, args.turns, "steady"), flush=True)
    print(browser(100))
    return 0


if __name__ == "__main__":
    sys.exit(main())
