"""Latency from a hand leaving the table to the ruling, and from the ruling to the browser; CPU and memory.

    python -m tests.benchmarks.latency [--turns 20] [--visitors 200]

A drawn table in a process of its own plays at natural speed; the box is `shinpan run` in another; a witness follows the
table's log (when has the hand gone?) and the page's events (when is it ruled?). Buttons are pressed 0.1 s after the
hand has gone, for 0.15 s; without them ("steady") the table's rest ends a turn. These are milliseconds of the machine
it runs on, so run it with nothing else going on.

With --visitors the game is refereed once alone and once before a crowd, which lives in a process of its own: as many
event streams as the box lets in, and the others ask /status.json every 2 seconds, as the page does; what they met is
printed as well.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from device.simulator.serve import TableProcess
from tests.support.attack.boxes import free_port
from tests.support.simulator.unrest import Timings, watch_table
from tests.support.web.browser import open_browser
from tests.support.web.snapshots import Box, begun_table, box, take_snapshot
from web.app import create_app
from web.page_server import serve_page

ASK_AGAIN = 2.0
ENDED = b"\r\n\r\n"
TICK = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Usage:
    """The resources that a process has used: CPU seconds, and kilobytes of memory at most."""

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
    width: int,
    height: int,
    rate: int,
    turns: int,
    ends: str = "done",
    served: Callable[[int], None] = lambda port: None,
) -> str:
    """Play so many turns at that picture size and rate; a line of figures.

    ends: what ends a turn, done or steady. served: is told the page's port once it is.
    """
    with tempfile.TemporaryDirectory(prefix="shinpan-") as scratch:
        table, log, port = Path(scratch) / "table", Path(scratch) / "log", free_port()
        os.mkfifo(log)
        options = ("--width", str(width), "--height", str(height), "--rate", str(rate), "--record", str(log))
        timings, stop = Timings(), threading.Event()
        watch_table(log, timings)
        with TableProcess(table, *options), _box(table, Path(scratch), port, ends) as pid:
            _started(port)
            served(port)
            watcher = _watch_page(port, timings, stop)
            while len(timings.ruled) < 2:
                time.sleep(0.1)
            before, since = Usage.of(pid), time.monotonic()
            while len(timings.ruled) < turns:
                time.sleep(0.1)
            after, took = Usage.of(pid), time.monotonic() - since
            stop.set()
            watcher.join(5)
    share = (after.cpu - before.cpu) / took
    return (
        f"{width}x{height} at {rate} a second, {ends}: hand gone to ruling {_spread(timings.ruled, timings.stopped)}; "
        + (f"button up to ruling {_spread(timings.ruled, timings.released)}; " if ends == "done" else "")
        + f"{share:.0%} of a core, {after.peak / 1024:.0f} MB at most"
    )


def _spread(ends: list[float], begins: list[float]) -> str:
    """Median and worst milliseconds from the last beginning before each end."""
    gaps = [1000 * (end - max(b for b in begins if b < end)) for end in ends[2:] if any(b < end for b in begins)]
    return f"{np.median(gaps):.0f} ms, worst {max(gaps):.0f}"


@contextmanager
def _box(table: Path, scratch: Path, port: int, ends: str) -> Iterator[int]:
    settings = scratch / "settings.toml"
    settings.write_text(f'[game]\nrules = "ultimate"\n[table]\nturns = "{ends}"\n')
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


def _watch_page(port: int, timings: Timings, stop: threading.Event) -> threading.Thread:
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
                        timings.ruled.append(time.monotonic())

    return _thread(watch)


def _thread(run: Callable[[], None]) -> threading.Thread:
    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread


WITNESS = """
window.arrived = {};
new MutationObserver(() => {
  const version = document.querySelector("main").dataset.version.split("-")[1];
  if (!(version in window.arrived)) window.arrived[version] = Date.now();
}).observe(document.querySelector("main"), {attributes: true, attributeFilter: ["data-version"]});
"""


def ruling_to_browser(changes: int) -> list[float]:
    """Milliseconds from the publishing of a snapshot to the page with it, one a change; skips without Chromium."""
    shown_box: Box = box(begun_table().play("B E5", "W G3"))
    with ExitStack() as stack:
        served = stack.enter_context(serve_page(create_app(shown_box.backend), port=0))
        scratch = stack.enter_context(tempfile.TemporaryDirectory(prefix="shinpan-browser-"))
        chromium = stack.enter_context(open_browser(Path(scratch)))
        chromium.get(served.url)
        time.sleep(1.0)
        chromium.execute_script(WITNESS)
        published = _publish(shown_box, changes)
        time.sleep(1.0)
        arrived = chromium.execute_script("return window.arrived")
    return [arrived[str(number)] - at for number, at in published.items() if str(number) in arrived]


def _publish(shown_box: Box, changes: int) -> dict[int, float]:
    """Turn after turn, five a second: number to wall time in milliseconds."""
    table, published = begun_table(), {}
    points = [f"{column}{row}" for row in range(1, 7) for column in "ABCDEFGHJ"]
    for number in range(100, 100 + min(changes, 2 * len(points) // 2)):
        table.play(f"{'BW'[(number - 100) % 2]} {points[number - 100]}")
        published[number] = time.time() * 1000
        shown_box.show(take_snapshot(table, number))
        time.sleep(0.2)
    return published


@dataclass
class CrowdAnswers:
    """The answers and events that the crowd got. asked: seconds that each answer to asking took."""

    asked: list[float] = field(default_factory=list)
    answers: Counter[str] = field(default_factory=Counter)
    results: set[str] = field(default_factory=set)
    events: int = 0


class WaitingCrowd:
    """So many visitors of a page, until they are sent home."""

    def __init__(self, port: int, visitors: int) -> None:
        command = [sys.executable, "-m", "tests.benchmarks.latency", "--port", str(port), "--visitors", str(visitors)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def home(self) -> str:
        """Send them home; a line of figures."""
        return self._process.communicate("\n")[0].strip()


async def _visit(port: int, met: CrowdAnswers) -> None:
    """One visitor: the event stream where a place is free, else asking."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    head = (await reader.readuntil(ENDED)).decode()
    met.answers[f"/events {head.split()[1]}"] += 1
    if " 200 " not in head.splitlines()[0]:
        met.results.add((await reader.readline()).decode().strip())
        writer.close()
        await _ask(port, met)
    while await reader.readline():
        met.events += 1


async def _ask(port: int, met: CrowdAnswers) -> None:
    """Ask every two seconds, as the page does where no stream is free."""
    tag = ""
    while True:
        begun = time.monotonic()
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        request = f"GET /status.json HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nIf-None-Match: {tag}\r\n\r\n"
        writer.write(request.encode())
        answer = await reader.read()
        writer.close()
        took = time.monotonic() - begun
        head = answer.partition(ENDED)[0].decode()
        # A box that ends in the middle answers nothing: that is no answer's time.
        met.answers[f"/status.json {head.split()[1]}"] += 1
        met.asked.append(took)
        tag = next((line.partition(": ")[2] for line in head.splitlines() if line.lower().startswith("etag")), tag)
        await asyncio.sleep(ASK_AGAIN)


async def _gather(port: int, visitors: int, met: CrowdAnswers) -> None:
    crowd = [asyncio.create_task(_late(port, met, ASK_AGAIN * number / visitors)) for number in range(visitors)]
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)
    for one in crowd:
        one.cancel()


async def _late(port: int, met: CrowdAnswers, after: float) -> None:
    await asyncio.sleep(after)
    try:
        await _visit(port, met)
    except (OSError, asyncio.IncompleteReadError, IndexError) as error:
        met.answers[type(error).__name__] += 1


def _met(met: CrowdAnswers) -> str:
    ms = 1000 * np.array(met.asked or [0.0])
    return json.dumps(
        {
            "answers": dict(met.answers),
            "status.json ms": {"median": round(float(np.median(ms)), 1), "p99": round(float(np.quantile(ms, 0.99)), 1)},
            "lines of events": met.events,
            "told": sorted(met.results),
        }
    )


def main() -> int:
    """Measure at both picture sizes and both rates, or alone and before a crowd, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=20)
    parser.add_argument("--visitors", type=int, default=0, help="the crowd")
    parser.add_argument("--port", type=int, help="visit the page there until a line comes on standard input")
    args = parser.parse_args()
    if args.port is not None:
        met = CrowdAnswers()
        asyncio.run(_gather(args.port, args.visitors, met))
        print(_met(met))
    elif args.visitors:
        before_crowd(args.turns, args.visitors)
    else:
        sizes_and_rates(args.turns)
    return 0


def before_crowd(turns: int, visitors: int) -> None:
    """Play alone, then before the crowd."""
    print("alone:", measure(1280, 720, 10, turns), flush=True)
    crowds: list[WaitingCrowd] = []
    print("crowd:", measure(1280, 720, 10, turns, served=lambda port: crowds.append(WaitingCrowd(port, visitors))))
    print(crowds[0].home())


def sizes_and_rates(turns: int) -> None:
    """Every size and rate, and from the ruling into Chromium's page where it is installed."""
    for width, height in ((1280, 720), (1920, 1080)):
        for rate in (10, 5):
            print(measure(width, height, rate, turns), flush=True)
        print(measure(width, height, 10, turns, "steady"), flush=True)
    try:
        times = sorted(ruling_to_browser(100))
    except pytest.skip.Exception as wanting:
        print(f"ruling to browser: not measured, {wanting}")
        return
    p99 = times[min(int(0.99 * len(times)), len(times) - 1)]
    print(f"ruling to browser: {np.median(times):.0f} ms, p99 {p99:.0f}, worst {max(times):.0f} of {len(times)}")


if __name__ == "__main__":
    sys.exit(main())
