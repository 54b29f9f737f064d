"""From a ruling to every viewer, and how much goes over the line: 20 viewers of a long game, as their pages ask.

    python -m tests.benchmarks.viewers [--viewers 20] [--turns 200]

The page serves in a process of its own, as on a box; the viewers live in another. Each hears of changes by
`/events?only=version` and fetches from `/parts` what differs, compressed, as static/page.js does. The game is one of
random moves on 19x19 with clocks, four turns a second, with 240 turns played before. Milliseconds are from the change
to the last byte in a viewer's hand, so run it with nothing else going on.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import random
import re
import subprocess
import sys
import time
from dataclasses import dataclass, field

import numpy as np

from referee.game.board import points_of
from referee.rules.legality import legal_placements
from referee.table.events import Button
from tests.support.referee.table import PlayedTable, W
from tests.support.web.snapshots import Box, box, take_snapshot
from web.server.ipc import WebConfig
from web.server.listening import listen_at
from web.server.supervisor import WebProcess

BEFORE, A_SECOND = 240, 4
HEAD = "GET {} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: gzip\r\n\r\n"


@dataclass
class Viewer:
    """One viewer's changes. arrived: wall time by the change's number. sizes: bytes a change, heads and event too."""

    arrived: dict[str, float] = field(default_factory=dict)
    sizes: list[int] = field(default_factory=list)

    async def watch(self, port: int) -> None:
        """Follow the game until the stream ends."""
        events, hears = await asyncio.open_connection("127.0.0.1", port)
        reader, asks = await asyncio.open_connection("127.0.0.1", port)
        hears.write(HEAD.format("/events?only=version").encode())
        _, page = await self._get(reader, asks, "/")
        version = _version(page)
        while line := await events.readline():
            if not line.startswith(b"id: ") or (event_id := line[4:].strip().decode()) == version:
                continue
            size, page = await self._get(reader, asks, f"/parts?since={version}&lang=en")
            version = _version(page)
            self.arrived.setdefault(version.rpartition("-")[2], time.time())
            self.sizes.append(size + 2 * len(line) + len(event_id))

    async def _get(self, reader: asyncio.StreamReader, asks: asyncio.StreamWriter, path: str) -> tuple[int, str]:
        asks.write(HEAD.format(path).encode())
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        length = int(re.findall(r"(?i)content-length: (\d+)", head)[0])
        body = await reader.readexactly(length)
        return len(head) + length, (gzip.decompress(body) if "gzip" in head else body).decode()


def _version(page: str) -> str:
    return re.findall(r'data-version="([^"]+)"', page)[0]


async def _crowd(port: int, viewers: int) -> None:
    """Be the viewers until a line comes; print what they got."""
    all_of_them = [Viewer() for _ in range(viewers)]
    watching = [asyncio.create_task(one.watch(port)) for one in all_of_them]
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)
    for one in watching:
        one.cancel()
    print(json.dumps([[one.arrived, one.sizes] for one in all_of_them]))


def _play_random(table: PlayedTable, rng: random.Random) -> PlayedTable:
    record = table.referee.record
    point = rng.choice(list(points_of(legal_placements(record))))
    return table.play(f"{record.to_play} {table.board.name(point)}")


def _game() -> tuple[PlayedTable, random.Random]:
    rng, table = (
        random.Random(20),
        PlayedTable(("." * 19,) * 19, rules="chinese", refereed=True, black_side=1, control="99m"),
    )
    table.look()
    table.press(W, Button.DONE)
    for _ in range(BEFORE):
        _play_random(table, rng)
    return table, rng


def _publish(shown_box: Box, table: PlayedTable, rng: random.Random, turns: int) -> dict[str, float]:
    published = {}
    for number in range(2, turns + 2):
        now = take_snapshot(_play_random(table, rng), number)
        published[str(number)] = time.time()
        shown_box.show(now)
        time.sleep(1 / A_SECOND)
    return published


def measure(viewers: int, turns: int) -> str:
    """A line of figures."""
    table, rng = _game()
    shown_box = box(table, number=1)
    with WebProcess(WebConfig(viewers + 1, (), (), False), listen_at("127.0.0.1", 0)) as page:
        page.open(shown_box.backend)
        command = [
            sys.executable,
            "-m",
            "tests.benchmarks.viewers",
            "--port",
            str(page.port),
            "--viewers",
            str(viewers),
        ]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as crowd:
            time.sleep(4.0)
            published = _publish(shown_box, table, rng, turns)
            time.sleep(1.0)
            got = json.loads(crowd.communicate("\n")[0])
    return _figures(published, got, turns)


def _figures(published: dict[str, float], got: list[tuple[dict[str, float], list[int]]], turns: int) -> str:
    took = [1000 * (at - published[number]) for arrived, _ in got for number, at in arrived.items()]
    sizes = [size for _, all_sizes in got for size in all_sizes]
    middle, p99 = np.median(took), np.quantile(took, 0.99)
    return (
        f"{len(got)} viewers, {turns} turns: ruling to viewer {middle:.0f} ms, p99 {p99:.0f}, "
        f"worst {max(took):.0f} of {len(took)}; {np.median(sizes):,.0f} bytes a turn, {max(sizes):,} at most"
    )


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--viewers", type=int, default=20)
    parser.add_argument("--turns", type=int, default=200)
    parser.add_argument("--port", type=int, help="be the viewers of the page there until a line comes")
    args = parser.parse_args()
    if args.port is not None:
        asyncio.run(_crowd(args.port, args.viewers))
    else:
        print(measure(args.viewers, args.turns))
    return 0


if __name__ == "__main__":
    sys.exit(main())
