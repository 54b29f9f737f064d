"""Attacks over the network: what slow, many and greedy clients cost the eyes, the lamps and the director.

A drawn table plays at natural speed before `shinpan run`, in processes of their own, and is left alone and attacked by
turns. The clients are seeded, stay on loopback addresses and run at the lowest priority, for they stand for other
machines.
"""

from __future__ import annotations

import os
import re
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from device.simulator.serve import TableProcess
from tests.support.attack.boxes import DIRECTOR, AttackedBox, Ground, Outcome, free_port
from tests.support.simulator.unrest import Timings, watch_table

_CROWD = ("slow:205:127.0.0.1", "greedy:24:127.0.0.2", "streams:200:127.0.0.3")
CROWDS = {
    "slow": ("slow:205:127.0.0.1",),
    "phones": ("phones:200:127.0.0.1",),
    "streams": ("streams:45:127.0.0.1",),
    "greedy": ("greedy:24:127.0.0.1",),
    "all": ("slow:205:127.0.0.1", "phones:200:127.0.0.2", "greedy:24:127.0.0.3"),
    "sockets": ("slow:700:127.0.0.1",),
    "crowd": _CROWD,
    "tls-sockets": ("slow:700:127.0.0.1",),
    "tls-handshakes": ("handshakes:700:127.0.0.1",),
    "tls-crowd": _CROWD,
}
"""The clients of each attack; those of tls- come over TLS, as the director does then."""
SECONDS = 20.0
"""Of each stretch: alone, attacked, alone."""
VIEWERS = 20
LOGINS = 5
COMES_IN_WITHIN, COMES_IN_OVER_TLS_WITHIN, NEAR = 1.0, 2.0, 0.1
LAMPS = re.compile(r"side 1 (\w+).*side 2 (\w+)")
POLL = 0.002
"""Seconds between two looks at what the panel says."""


class CrowdedBox(AttackedBox):
    """A box that referees a drawn table, whose lamps are read."""

    def __init__(self, ground: Ground, folder: Path, secure: bool) -> None:
        self.seen, self.lit = Timings(), list[float]()
        camera = f"virtual:{folder / 'table'}"
        tls_port = free_port() if secure else None
        settings = f"[page]\nviewers = {VIEWERS}\n" + (f"tls = true\ntls_port = {tls_port}\n" if secure else "")
        super().__init__(ground, folder / "data", camera=camera, settings=settings, panel="terminal", tls_port=tls_port)
        watch_table(folder / "log", self.seen)
        threading.Thread(target=self._read_lamps, daemon=True).start()

    def _read_lamps(self) -> None:
        """Note the times at which the lamps told that it is the other player's turn."""
        green: int | None = None
        with self.stderr.open(errors="replace") as log_file:
            while not self.ended:
                if not (line := log_file.readline()):
                    time.sleep(POLL)
                match = LAMPS.search(line)
                now = next((side for side in (1, 2) if match and match[side] == "green"), None)
                if now is not None and now != green:
                    self.lit.append(time.monotonic())
                    green = now

    def frames(self) -> tuple[float, int]:
        """Looks so far, and when; asked until it is told."""
        for _ in range(6):
            try:
                health = self.health()
                return float(health["seconds"]), int(health["frames"])
            except OSError:
                time.sleep(1.0)
        return 0.0, 0

    def comes_in(self, address: str) -> float | None:
        """Seconds until the director has the page and is inside; None where that took too long."""
        begun = time.monotonic()
        try:
            page, _ = self.ask("GET", "/director", address)
            code = self.login(address=address)
        except OSError:
            return None
        return time.monotonic() - begun if (page, code) == (200, 200) else None

    def lamps(self, since: float, until: float) -> list[float]:
        """Milliseconds from hand gone to lamps, of the turns in this time."""
        stop_times = [t for t in self.seen.stopped if since <= t <= until]
        ends = [t for t in self.lit if since <= t <= until]
        return [
            1000 * (end - max(t for t in stop_times if t < end)) for end in ends if any(t < end for t in stop_times)
        ]


@dataclass(frozen=True)
class MeasuredSpan:
    """A stretch of time. logins: None where one did not come in."""

    looks: float
    lamps: list[float]
    own: list[float | None]
    same: list[float | None]
    met: str = ""


def measured(box: CrowdedBox, seconds: float, groups: Sequence[str] = ()) -> MeasuredSpan:
    """Look on for so many seconds, while these clients are there."""
    begun, before = time.monotonic(), box.frames()
    there = clients(box.tls_port or box.port, groups, secure=box.tls_port is not None) if groups else None
    own, same = list[float | None](), list[float | None]()
    for _ in range(LOGINS):
        time.sleep(seconds / LOGINS)
        own.append(box.comes_in(DIRECTOR))
        same.append(box.comes_in("127.0.0.1"))
    ended = time.monotonic()
    met = there.communicate()[0].strip() if there else ""
    after = box.frames()
    looks = (after[1] - before[1]) / (after[0] - before[0]) if after[0] > before[0] else 0.0
    return MeasuredSpan(looks, box.lamps(begun, ended), own, same, met)


def clients(port: int, groups: Sequence[str], secure: bool = False) -> subprocess.Popen[str]:
    """Such clients of the page at a port, until their standard input ends; secure: over TLS."""
    command = [sys.executable, "-m", "tests.benchmarks.parts.attackers", "--port", str(port), *groups]
    command += ["--tls"] if secure else []
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def _logins(waits: list[float | None]) -> str:
    times = [one for one in waits if one is not None]
    worst = f", worst {1000 * max(times):.0f} ms" if times else ""
    return f"{len(times)} of {len(waits)}{worst}"


@contextmanager
def crowded(ground: Ground, name: str, seed: int = 3) -> Iterator[CrowdedBox]:
    """A box whose table plays the game of a seed, with some turns to look back at."""
    folder = ground.folder(name)
    os.mkfifo(folder / "log")
    options = ("--size", "19", "--seed", str(seed), "--rest", "0.5", "--record", str(folder / "log"))
    with CrowdedBox(ground, folder, is_secure(name)) as box, TableProcess(folder / "table", *options):
        while len(box.lit) < 8 and not box.ended:
            time.sleep(0.2)
        yield box


def crowd(name: str) -> Callable[[Ground], Outcome]:
    """The attack of this name, measured beside the table left alone before and after."""

    def attack(ground: Ground) -> Outcome:
        seconds = SECONDS * ground.share
        with crowded(ground, name) as box:
            alone = measured(box, seconds)
            under = measured(box, seconds, CROWDS[name])
            again = measured(box, seconds)
        return _judged(alone, under, again, COMES_IN_OVER_TLS_WITHIN if is_secure(name) else COMES_IN_WITHIN)

    attack.__doc__ = f"Clients: {', '.join(CROWDS[name])}."
    return attack


def is_secure(name: str) -> bool:
    """Return whether the clients of an attack come over TLS."""
    return name.startswith("tls-")


def _judged(alone: MeasuredSpan, under: MeasuredSpan, again: MeasuredSpan, within: float) -> Outcome:
    """The director comes in within so many seconds; lamps and looks are as without the clients, within a tenth."""
    outcome, usual = Outcome(), max(alone.looks, again.looks)
    lamps, unhurried = _median(under.lamps), _median(alone.lamps + again.lamps)
    words = (
        f"looks a second {under.looks:.1f} (alone {alone.looks:.1f}, {again.looks:.1f}); hand to lamps "
        f"{lamps:.0f} ms (alone {unhurried:.0f} ms); the director came in {_logins(under.own)}; "
        f"from an attacker's address {_logins(under.same)}; {under.met}"
    )
    for took in under.own:
        outcome.case(took is not None and took <= within, words)
    outcome.case(under.looks >= (1 - NEAR) * usual, words)
    outcome.case(bool(under.lamps) and lamps <= (1 + NEAR) * unhurried, words)
    outcome.worst = words
    return outcome


def _median(values: list[float]) -> float:
    return statistics.median(values) if values else 0.0
