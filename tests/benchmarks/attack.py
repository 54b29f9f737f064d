"""What somebody in the network can do to a running box: to its eyes, its lamps and the director.

    python -m tests.benchmarks.attack [--seconds 20] [--viewers 20] [ATTACK...]

A drawn table plays at natural speed before `shinpan run`, in processes of their own, and is left alone and attacked by
turns. Printed, a line an attack: looks a second and hand gone to lamps, each attacked and alone, how long the director
took to come in from an address of their own and from an attacker's, and what the clients met. The clients are seeded,
stay on loopback addresses and run at the lowest priority, for they stand for other machines. Run it with nothing else
going on.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from device.machine.pin import Pin
from device.virtual.serve import TableProcess
from tests.benchmarks.kills import free_port
from tests.benchmarks.latency import Seen, watch_table

ATTACKS = {
    "slow": ("slow:205:127.0.0.1",),
    "phones": ("phones:200:127.0.0.1",),
    "streams": ("streams:45:127.0.0.1",),
    "greedy": ("greedy:24:127.0.0.1",),
    "all": ("slow:205:127.0.0.1", "phones:200:127.0.0.2", "greedy:24:127.0.0.3"),
}
DIRECTOR = "127.0.0.9"
LOGINS = 5
PATIENCE = 10.0
LAMPS = re.compile(r"side 1 (\w+).*side 2 (\w+)")


class Attacked:
    """A box that referees a drawn table."""

    def __init__(self, scratch: Path, viewers: int) -> None:
        self.seen, self.lit, self.port = Seen(), list[float](), free_port()
        self.pin = self._prepared(scratch, viewers)
        command = [sys.executable, "-m", "device", "run", "--camera", f"virtual:{scratch / 'table'}"]
        command += ["--settings", str(scratch / "settings.toml"), "--data", str(scratch), "--port", str(self.port)]
        self._box = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        watch_table(scratch / "log", self.seen)
        threading.Thread(target=self._read_lamps, daemon=True).start()

    def _prepared(self, scratch: Path, viewers: int) -> str:
        (scratch / "settings.toml").write_text(f'[panel]\nkind = "terminal"\n[page]\nviewers = {viewers}\n')
        return Pin(scratch).make()

    def _read_lamps(self) -> None:
        """When the lamps told that it is the other player's turn."""
        assert self._box.stderr is not None
        green: int | None = None
        for line in self._box.stderr:
            found = LAMPS.search(line)
            now = next((side for side in (1, 2) if found and found[side] == "green"), None)
            if now is not None and now != green:
                self.lit.append(time.monotonic())
                green = now

    def ask(self, method: str, path: str, address: str = DIRECTOR, body: str = "") -> tuple[int, bytes]:
        """An answer; raises OSError where there is none in time."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, PATIENCE, source_address=(address, 0))
        headers = {"Origin": f"http://127.0.0.1:{self.port}", "Content-Type": "application/json"}
        try:
            connection.request(method, path, body, headers if body else {})
            answer = connection.getresponse()
            return answer.status, answer.read()
        except http.client.HTTPException as error:
            raise OSError(str(error)) from error
        finally:
            connection.close()

    def frames(self) -> tuple[float, int]:
        """Looks so far, and when; asked until it is told."""
        for _ in range(6):
            try:
                health = json.loads(self.ask("GET", "/health")[1])
                return float(health["seconds"]), int(health["frames"])
            except OSError:
                time.sleep(1.0)
        return 0.0, 0

    def login(self, address: str) -> float | None:
        """Seconds until the director has the page and is inside; None where that took too long."""
        begun = time.monotonic()
        try:
            page, _ = self.ask("GET", "/director", address)
            code, _ = self.ask("POST", "/director/session", address, json.dumps({"pin": self.pin}))
        except OSError:
            return None
        return time.monotonic() - begun if (page, code) == (200, 200) else None

    def lamps(self, since: float, until: float) -> list[float]:
        """Milliseconds from hand gone to lamps, of the turns in this time."""
        gone = [t for t in self.seen.stopped if since <= t <= until]
        ends = [t for t in self.lit if since <= t <= until]
        return [1000 * (end - max(t for t in gone if t < end)) for end in ends if any(t < end for t in gone)]

    def close(self) -> None:
        self._box.kill()
        self._box.wait()


@dataclass(frozen=True)
class Measured:
    """A stretch of time. logins: None where one did not come in."""

    looks: float
    lamps: list[float]
    own: list[float | None]
    same: list[float | None]
    met: str = ""


def measured(box: Attacked, seconds: float, groups: Sequence[str] = ()) -> Measured:
    """Look on for so many seconds, while these clients are there."""
    begun, before = time.monotonic(), box.frames()
    clients = _clients(box.port, groups) if groups else None
    own, same = list[float | None](), list[float | None]()
    for _ in range(LOGINS):
        time.sleep(seconds / LOGINS)
        own.append(box.login(DIRECTOR))
        same.append(box.login("127.0.0.1"))
    ended = time.monotonic()
    met = clients.communicate()[0].strip() if clients else ""
    after = box.frames()
    looks = (after[1] - before[1]) / (after[0] - before[0]) if after[0] > before[0] else 0.0
    return Measured(looks, box.lamps(begun, ended), own, same, met)


def _clients(port: int, groups: Sequence[str]) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.support.web.attackers", "--port", str(port), *groups]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def _logins(found: list[float | None]) -> str:
    times = [one for one in found if one is not None]
    worst = f", worst {1000 * max(times):.0f} ms" if times else ""
    return f"{len(times)} of {len(found)}{worst}"


def _lamps(found: list[float]) -> str:
    return f"{statistics.median(found):.0f} ms" if found else "none"


@contextmanager
def attacked(viewers: int) -> Iterator[Attacked]:
    """A box whose table plays, with some turns to look back at."""
    with tempfile.TemporaryDirectory(prefix="shinpan-") as name, ExitStack() as stack:
        scratch = Path(name)
        os.mkfifo(scratch / "log")
        box = stack.enter_context(closing(Attacked(scratch, viewers)))
        options = ("--size", "19", "--seed", "3", "--rest", "0.5", "--record", str(scratch / "log"))
        stack.enter_context(TableProcess(scratch / "table", *options))
        while len(box.lit) < 8:
            time.sleep(0.2)
        yield box


def main() -> int:
    """Attack, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("attacks", nargs="*", default=list(ATTACKS), metavar="ATTACK", help=", ".join(ATTACKS))
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--viewers", type=int, default=20)
    args = parser.parse_args()
    for name in args.attacks:
        with attacked(args.viewers) as box:
            alone = measured(box, args.seconds)
            under = measured(box, args.seconds, ATTACKS[name])
            again = measured(box, args.seconds)
        print(
            f"{name}: looks a second {under.looks:.1f} (alone {alone.looks:.1f}, {again.looks:.1f}); hand to lamps "
            f"{_lamps(under.lamps)} (alone {_lamps(alone.lamps + again.lamps)}); the director came in "
            f"{_logins(under.own)}; from an attacker's address {_logins(under.same)}; {under.met}",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
