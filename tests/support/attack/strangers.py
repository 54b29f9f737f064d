"""A stranger at a box's address, without any secret: a server that answers with one kind of hostile bytes.

Each kind is told by what it does; `Stranger.sent` is how much of it was taken, `asked` that somebody asked.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import chain, repeat

from tests.support.waiting import PATIENCE_S

STREAM = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
CHUNKED = STREAM + b"Transfer-Encoding: chunked\r\n\r\n"
WHOLE = STREAM + b"\r\n"
PIECE = 1 << 16
CHALLENGE = b'HTTP/1.1 200 OK\r\nContent-Length: 21\r\n\r\n{"challenge": "word"}'
"""An answer that everybody can give; what follows it is hostile."""
LINE = b"data: " + b"x" * 90 + b"\n"


def _endless(head: bytes, unit: bytes) -> Callable[[], Iterator[bytes]]:
    many = unit * (PIECE // len(unit) + 1)
    return lambda: chain([head], repeat(many))


KINDS: dict[str, Callable[[], Iterable[bytes]]] = {
    "lines without an empty one": _endless(WHOLE, LINE),
    "chunked lines without an empty one": _endless(CHUNKED, b"%x\r\n%b\r\n" % (len(LINE), LINE)),
    "one line": _endless(WHOLE, b"x"),
    "empty lines": _endless(WHOLE, b"\n"),
    "headers": _endless(STREAM, b"X-More: " + b"x" * 900 + b"\r\n"),
    "one header": _endless(STREAM + b"X-Long: ", b"x"),
    "interim answers": _endless(b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    "one status line": _endless(b"HTTP/1.1 200 ", b"x"),
    "a chunk of all bytes there are": _endless(CHUNKED + b"ffffffffffffffff\r\n", LINE),
    "a chunk of less than none": _endless(CHUNKED + b"-5\r\n", LINE),
    "a chunk size that is no number": _endless(CHUNKED + b"zz\r\n", LINE),
    "one chunk size": _endless(CHUNKED + b"1;", b"x"),
    "chunks of one byte": _endless(CHUNKED, b"1\r\nx\r\n"),
    "trailers": _endless(CHUNKED + b"0\r\n", b"X-More: x\r\n"),
    "nothing": lambda: (),
    "a byte at a time": lambda: chain([WHOLE], repeat(b"x")),
    "events without a seal": _endless(WHOLE, b"event: status\ndata: {}\n\n"),
}
"""The hostile answers, by the name of what they do."""


class Stranger:
    """Such a server at ports of this machine, from `host` on; it goes on until closed.

    host: where it listens; 0.0.0.0 for every loopback address.
    """

    def __init__(self, kind: str, host: str = "127.0.0.1") -> None:
        self._kind, self._host, self.port, self.sent = KINDS[kind], host, 0, 0
        self._loop, ready = asyncio.new_event_loop(), threading.Event()
        self.asked = threading.Event()
        self._tasks = set[asyncio.Task[None]]()
        self._thread = threading.Thread(target=self._run, args=(ready,), daemon=True)
        self._thread.start()
        ready.wait()

    @property
    def url(self) -> str:
        """The address of its page."""
        return f"http://127.0.0.1:{self.port}/"

    def close(self) -> None:
        """End it."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(PATIENCE_S)

    def _run(self, ready: threading.Event) -> None:
        server = self._loop.run_until_complete(asyncio.start_server(self._answer, self._host, 0))
        self.port = server.sockets[0].getsockname()[1]
        ready.set()
        self._loop.run_forever()
        server.close()
        self._loop.run_until_complete(self._leave())
        self._loop.close()

    async def _leave(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        with suppress(OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            while (await reader.readuntil(b"\r\n\r\n")).startswith(b"GET /hall/challenge"):
                writer.write(CHALLENGE)
            self.asked.set()
            for part in self._kind():
                writer.write(part)
                await writer.drain()
                self.sent += len(part)
            await reader.read()
        self._tasks.discard(task)
        writer.transport.abort()
