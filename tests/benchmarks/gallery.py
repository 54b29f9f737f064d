"""One gallery on a stream before a crowd: how long each waits, how late news comes, what it costs.

A real server of NATS, a hall's sender, `shinpan gallery` in a process of its own, and a crowd: some ask every five
seconds, as a page does without a stream, and fetch the tiles in view that have changed; others follow the stream, and
do the same two seconds after each event. All are on this machine: it carries less than one that only serves would.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import closing
from pathlib import Path

import msgspec

from device.hall.public.stream import Sender, check_stream
from tests.support import ROOT
from tests.support.hall.brokers import servers
from tests.support.web.public import BOARD
from web.gallery.publication import News

TABLES, EVERY, POLL, REST, IN_VIEW = 100, 20.0, 5.0, 2.0, 4
"""Tables; seconds between two turns at each, between two questions of a viewer, and after each event of one who follows
live; boards on a phone."""
COMING = 15.0
"""Seconds within which the crowd comes; what is waited for meanwhile is not counted."""


class Outbox:
    """News of boards that change, each told when it is out: the time is its `heard` turn in the board's round."""

    def __init__(self) -> None:
        self.news, self.sent_to = list[News](), 0

    def turn(self, number: int) -> None:
        rows = tuple("".join(random.choice("XO..") for _ in range(19)) for _ in range(19))
        board = msgspec.structs.replace(BOARD, rows=rows, turn=number // TABLES, game=f"{time.time()}")
        self.news.append(News(number, "hall", "Spring Cup", str(number % TABLES + 1), 900.0, board))

    def waiting(self, most: int) -> list[News]:
        return self.news[self.sent_to : self.sent_to + most]

    def sent(self, number: int) -> None:
        self.sent_to = number


class Crowd:
    """Viewers of a gallery at a port."""

    def __init__(self, port: int, seconds: float) -> None:
        self.port, self.begin = port, time.monotonic() + COMING
        self.end = self.begin + seconds
        self.waited, self.late, self.answers = list[float](), list[float](), Counter[str]()
        self.heard, self.bytes = 0, 0

    async def poll(self, rng: random.Random, every: float = POLL) -> None:
        """Ask, and fetch what is in view and differs."""
        await asyncio.sleep(COMING * rng.random())
        view, mark, versions = rng.randrange(TABLES - IN_VIEW), "", dict[str, str]()
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        while time.monotonic() < self.end:
            status, mark, body = await self._ask(reader, writer, "/live/index.json", mark)
            for one in json.loads(body)["tables"][view : view + IN_VIEW] if status == 200 else ():
                if versions.get(one["table"]) != one["version"]:
                    versions[one["table"]] = one["version"]
                    await self._ask(reader, writer, f"/live/tiles/en/{one['version']}.html", "")
            await asyncio.sleep(every * rng.uniform(0.8, 1.2))
        writer.close()

    async def _ask(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, path: str, mark: str
    ) -> tuple[int, str, bytes]:
        begun = time.monotonic()
        writer.write(
            f"GET {path} HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\nIf-None-Match: {mark}\r\n\r\n".encode()
        )
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in head.splitlines())}
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        if begun > self.begin:
            self.waited.append(time.monotonic() - begun)
        self.bytes += len(head) + len(body)
        status = int(head.split()[1])
        self.answers[f"{path.split('/')[2]} {status}"] += 1
        return status, headers.get("etag", ""), gzip.decompress(body) if "content-encoding" in headers else body

    async def follow(self, rng: random.Random, sent_times: dict[int, float]) -> None:
        """Hear of news."""
        await asyncio.sleep(COMING * rng.random())
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(b"GET /live/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        while time.monotonic() < self.end:
            try:
                line = await asyncio.wait_for(reader.readline(), 2.0)
            except TimeoutError:
                continue
            if line.startswith(b"HTTP/1.1 503"):
                self.answers["stream refused"] += 1
                return
            if line.startswith(b"data: "):
                self.heard += 1
                if (number := int(line[6:])) in sent_times:
                    self.late.append(time.time() - sent_times[number])
        writer.close()


async def crowd(port: int, polling: int, streaming: int, seconds: float, outbox: Outbox) -> Crowd:
    """The viewers, while every table plays."""
    crowd, sent_times = Crowd(port, seconds), dict[int, float]()

    async def play() -> None:
        number = len(outbox.news)
        while time.monotonic() < crowd.end:
            number += 1
            outbox.turn(number)
            sent_times[number] = time.time()
            await asyncio.sleep(EVERY / TABLES)

    viewers = [crowd.poll(random.Random(n)) for n in range(polling)]
    viewers += [crowd.follow(random.Random(n), sent_times) for n in range(streaming)]
    viewers += [crowd.poll(random.Random(n), REST) for n in range(streaming)]
    await asyncio.gather(play(), *viewers)
    return crowd


def cost(process: int) -> tuple[float, float]:
    """Seconds of the processor that a process has had, and MB that it holds."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), pages * resource.getpagesize() / 1e6


def at(values: list[float], share: float) -> float:
    """Milliseconds below which so many of them lie."""
    return 1000 * sorted(values)[min(int(share * len(values)), len(values) - 1)] if values else float("nan")


def main() -> None:
    """Measure, and say it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--polling", type=int, default=2000)
    parser.add_argument("--streaming", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=60.0)
    args = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    outbox = Outbox()
    for number in range(1, TABLES + 1):
        outbox.turn(number)
    with (
        tempfile.TemporaryDirectory() as folder,
        servers(Path(folder) / "nats") as running,
        closing(Sender(check_stream(running.address), outbox.waiting, outbox.sent)),
    ):
        measure(running.address, outbox, args)


def measure(address: str, outbox: Outbox, args: argparse.Namespace) -> None:
    """With a gallery of its own."""
    line = [sys.executable, "-m", "device", "gallery", "--from", address, "--host", "127.0.0.1", "--port", "0"]
    line += ["--viewers", str(args.streaming)]
    with subprocess.Popen(line, cwd=ROOT, stderr=subprocess.PIPE, text=True) as serving:
        assert serving.stderr is not None
        address_line = serving.stderr.readline()
        port = int(address_line.rpartition(":")[2].partition("/")[0].partition(";")[0])
        time.sleep(3.0)
        begun, (before, _) = time.monotonic(), cost(serving.pid)
        result = asyncio.run(crowd(port, args.polling, args.streaming, args.seconds, outbox))
        took, (after, memory) = time.monotonic() - begun, cost(serving.pid)
        serving.terminate()
    waits = f"wait p50 {at(result.waited, 0.5):.0f} ms, p99 {at(result.waited, 0.99):.0f} ms"
    late = f"from the hall to a viewer p50 {at(result.late, 0.5):.0f} ms, p99 {at(result.late, 0.99):.0f} ms"
    print(f"{args.polling} polling, {args.streaming} streaming, {TABLES} tables, {took:.0f} s: {dict(result.answers)}")
    print(f"{result.answers.total() / took:.0f} answers a second, {waits}; {result.heard} events, {late}")
    print(
        f"gallery: {100 * (after - before) / took:.0f}% of a core, {memory:.0f} MB, "
        f"{result.bytes / took / 1e6:.1f} MB/s"
    )


if __name__ == "__main__":
    main()
