"""Two hundred spectators while a game is refereed: what they cost the loop, and how they are served.

    python -m tests.benchmarks.crowd [--visitors 200] [--turns 20]

A drawn table plays at natural speed before `shinpan run`, once alone and once with the crowd, which lives in a process
of its own: as many event streams as the box lets in, and the others ask /status.json every 2 seconds, as the page does.
Printed: hand gone to ruling with and without them, and what the crowd met. Run it with nothing else going on.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from tests.benchmarks.latency import measure

ASK_AGAIN = 2.0
ENDED = b"\r\n\r\n"


@dataclass
class Met:
    """What the crowd met. asked: seconds that each answer to asking took."""

    asked: list[float] = field(default_factory=list)
    answers: Counter[str] = field(default_factory=Counter)
    told: set[str] = field(default_factory=set)
    events: int = 0


class Crowd:
    """So many visitors of a page, until they are sent home."""

    def __init__(self, port: int, visitors: int) -> None:
        command = [sys.executable, "-m", "tests.benchmarks.crowd", "--port", str(port), "--visitors", str(visitors)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def home(self) -> str:
        """Send them home; a line of figures."""
        return self._process.communicate("\n")[0].strip()


async def _visit(port: int, met: Met) -> None:
    """One visitor: the event stream where a place is free, else asking."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    head = (await reader.readuntil(ENDED)).decode()
    met.answers[f"/events {head.split()[1]}"] += 1
    if " 200 " not in head.splitlines()[0]:
        met.told.add((await reader.readline()).decode().strip())
        writer.close()
        await _ask(port, met)
    while await reader.readline():
        met.events += 1


async def _ask(port: int, met: Met) -> None:
    """Ask every two seconds, as the page does where no stream is free."""
    tag = ""
    while True:
        begun = time.monotonic()
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        asked = f"GET /status.json HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nIf-None-Match: {tag}\r\n\r\n"
        writer.write(asked.encode())
        answer = await reader.read()
        writer.close()
        took = time.monotonic() - begun
        head = answer.partition(ENDED)[0].decode()
        # A box that ends in the middle answers nothing: that is no answer's time.
        met.answers[f"/status.json {head.split()[1]}"] += 1
        met.asked.append(took)
        tag = next((line.partition(": ")[2] for line in head.splitlines() if line.lower().startswith("etag")), tag)
        await asyncio.sleep(ASK_AGAIN)


async def _gather(port: int, visitors: int, met: Met) -> None:
    crowd = [asyncio.create_task(_late(port, met, ASK_AGAIN * number / visitors)) for number in range(visitors)]
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)
    for one in crowd:
        one.cancel()


async def _late(port: int, met: Met, after: float) -> None:
    await asyncio.sleep(after)
    try:
        await _visit(port, met)
    except (OSError, asyncio.IncompleteReadError, IndexError) as error:
        met.answers[type(error).__name__] += 1


def _told(met: Met) -> str:
    ms = 1000 * np.array(met.asked or [0.0])
    return json.dumps(
        {
            "answers": dict(met.answers),
            "status.json ms": {"median": round(float(np.median(ms)), 1), "p99": round(float(np.quantile(ms, 0.99)), 1)},
            "lines of events": met.events,
            "told": sorted(met.told),
        }
    )


def main() -> int:
    """Play alone, then before the crowd; print both."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--visitors", type=int, default=200)
    parser.add_argument("--turns", type=int, default=20)
    parser.add_argument("--port", type=int, help="visit the page there until a line comes on standard input")
    args = parser.parse_args()
    if args.port is not None:
        met = Met()
        asyncio.run(_gather(args.port, args.visitors, met))
        print(_told(met))
        return 0
    print("alone:", measure(1280, 720, 10, args.turns), flush=True)
    crowds: list[Crowd] = []
    print("crowd:", measure(1280, 720, 10, args.turns, begun=lambda port: crowds.append(Crowd(port, args.visitors))))
    print(crowds[0].home())
    return 0


if __name__ == "__main__":
    sys.exit(main())
