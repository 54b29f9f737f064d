"""Clients that a page has to withstand, seeded and bounded; all of it stays on loopback addresses.

    python -m tests.benchmarks.parts.attackers --port 8000 slow:205:127.0.0.1 phones:200:127.0.0.2 greedy:24:127.0.0.3

It plays until its standard input ends, then prints what the clients met as one JSON line.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import ssl
import sys
import time
from collections import Counter
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field, replace

DRIP = 1.0
"""Seconds between two lines of a header that never ends."""
AGAIN = 2.0
"""Seconds after which a phone asks again, as the page's script does where no stream is free."""
BACK = 0.5
"""Seconds after which who was sent away comes back."""
PATIENCE = 10.0
"""Seconds after which a phone that gets no answer counts that as a failure."""
ROUND = 50
"""Earlier turns that are asked for before it is asked again how many there are."""
ENDED = b"\r\n\r\n"


@dataclass
class ClientAnswers:
    """The answers that clients of a kind got. took: seconds that each answer took."""

    answers: Counter[str] = field(default_factory=Counter)
    took: list[float] = field(default_factory=list)

    def summed(self) -> dict[str, object]:
        """As JSON: median and 95th percentile in milliseconds."""
        took = sorted(self.took)
        at = [1000 * took[int(share * (len(took) - 1))] if took else None for share in (0.5, 0.95)]
        return {"answers": dict(self.answers), "median": at[0], "p95": at[1]}


@dataclass(frozen=True)
class Client:
    """A client: where it asks, from which address, and with which chance."""

    port: int
    address: str
    chance: random.Random
    met: ClientAnswers
    secure: ssl.SSLContext | None = None

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A new connection."""
        connecting = asyncio.open_connection(
            "127.0.0.1", self.port, local_addr=(self.address, 0), limit=2**20, ssl=self.secure
        )
        return await asyncio.wait_for(connecting, PATIENCE)

    async def get(
        self, path: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *headers: str
    ) -> tuple[str, bytes]:
        """Ask on a connection that is kept; head and body."""
        begun = time.monotonic()
        lines = [f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{self.port}", *headers]
        writer.write("\r\n".join(lines).encode() + ENDED)
        head = (await asyncio.wait_for(reader.readuntil(ENDED), PATIENCE)).decode()
        length = next((line for line in head.lower().splitlines() if line.startswith("content-length:")), "x:0")
        body = await asyncio.wait_for(reader.readexactly(int(length.partition(":")[2])), PATIENCE)
        self.met.took.append(time.monotonic() - begun)
        self.met.answers[head.split()[1]] += 1
        return head, body


async def slow(client: Client) -> None:
    """Sends a header line by line and never ends it."""
    _, writer = await client.connect()
    writer.write(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{client.port}\r\n".encode())
    while True:
        await writer.drain()
        await asyncio.sleep(DRIP)
        writer.write(b"X-Slow: %d\r\n" % client.chance.randrange(100))


async def phone(client: Client) -> None:
    """Loads the page, keeps its connection, and asks every two seconds whether there is anything new."""
    reader, writer = await client.connect()
    await client.get("/", reader, writer)
    tag = '""'
    while True:
        await asyncio.sleep(AGAIN * client.chance.uniform(0.9, 1.1))
        head, _ = await client.get("/status.json", reader, writer, f"If-None-Match: {tag}")
        tag = next((line.split(" ", 1)[1] for line in head.splitlines() if line.startswith("ETag")), tag)


async def streams(client: Client) -> None:
    """Follows the events, and does not go where there is no place."""
    reader, writer = await client.connect()
    writer.write(f"GET /events HTTP/1.1\r\nHost: 127.0.0.1:{client.port}\r\n\r\n".encode())
    client.met.answers[(await reader.readuntil(ENDED)).split()[1].decode()] += 1
    while await reader.readline():
        pass


async def greedy(client: Client) -> None:
    """Asks for the page after earlier turns as fast as it is answered."""
    reader, writer = await client.connect()
    while True:
        _, status = await client.get("/status.json", reader, writer)
        for _ in range(ROUND):
            await client.get(f"/?turn={client.chance.randrange(json.loads(status)['turn'] + 1)}", reader, writer)


async def handshakes(client: Client) -> None:
    """Begins a handshake for TLS and never ends it."""
    _, writer = await replace(client, secure=None).connect()
    writer.write(b"\x16\x03\x01\x02\x00")
    while True:
        await writer.drain()
        await asyncio.sleep(DRIP)
        writer.write(b"\x01")


async def challenges(client: Client) -> None:
    """Asks for challenges, as only the hall needs, as fast as it is answered."""
    reader, writer = await client.connect()
    while True:
        await client.get("/hall/challenge", reader, writer)


KINDS: dict[str, Callable[[Client], Coroutine[None, None, None]]] = {
    "slow": slow,
    "phones": phone,
    "streams": streams,
    "greedy": greedy,
    "handshakes": handshakes,
    "challenges": challenges,
}


async def _again(kind: str, client: Client) -> None:
    while True:
        try:
            await KINDS[kind](client)
        except (OSError, EOFError, TimeoutError) as error:
            client.met.answers["sent away" if isinstance(error, EOFError | OSError) else "no answer"] += 1
        await asyncio.sleep(BACK * client.chance.uniform(0.5, 1.5))


async def _play(port: int, groups: list[str], seed: int, tls: bool) -> None:
    """Until the standard input ends; then the process ends with all its clients."""
    secure = ssl._create_unverified_context() if tls else None
    mets, tasks = dict[str, ClientAnswers](), []
    for group in groups:
        kind, count, address = group.split(":")
        met = mets[kind] = ClientAnswers()
        clients = [Client(port, address, random.Random(f"{seed} {group} {n}"), met, secure) for n in range(int(count))]
        tasks += [asyncio.create_task(_again(kind, client)) for client in clients]
    await asyncio.to_thread(sys.stdin.read)
    print(json.dumps({kind: met.summed() for kind, met in mets.items()}), flush=True)
    os._exit(0)


def main() -> None:
    """Play; print what was met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tls", action="store_true", help="over TLS")
    parser.add_argument("groups", nargs="+", metavar="KIND:COUNT:ADDRESS")
    args = parser.parse_args()
    os.nice(19)  # They stand for other machines: the box's own keeps its time.
    asyncio.run(_play(args.port, args.groups, args.seed, args.tls))


if __name__ == "__main__":
    main()
