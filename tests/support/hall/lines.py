"""Lines between boxes and a hall that can be cut, held up and slowed."""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress
from enum import StrEnum

LOOK_UP, SLOW = 0.05, 0.7
"""Seconds; the second is what a slow line takes for each piece."""
PIECE = 4096


class State(StrEnum):
    """The state of a line: as it should be; cut, so that callers are sent away; holding back what is sent; slow."""

    OPEN = "open"
    CUT = "cut"
    HELD = "held"
    SLOW = "slow"


class Line:
    """A line to a port of this machine, through a port of its own."""

    def __init__(self, to: int) -> None:
        self._to, self._state, self.port = to, State.OPEN, 0
        self._ends = set[asyncio.StreamWriter]()
        self._loop, ready = asyncio.new_event_loop(), threading.Event()
        threading.Thread(target=self._run, args=(ready,), daemon=True).start()
        ready.wait()

    @property
    def state(self) -> State:
        """The line's state."""
        return self._state

    def put(self, state: State) -> None:
        """Let it be like this from now on."""
        self._state = state
        if state is State.CUT:
            self._loop.call_soon_threadsafe(self._cut)

    def _run(self, ready: threading.Event) -> None:
        async def serve() -> None:
            server = await asyncio.start_server(self._connect, "127.0.0.1", 0)
            self.port = server.sockets[0].getsockname()[1]
            ready.set()
            await server.serve_forever()

        self._loop.run_until_complete(serve())

    def _cut(self) -> None:
        for end in list(self._ends):
            end.transport.abort()

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        ends = [writer]
        self._ends.add(writer)
        with suppress(OSError, asyncio.CancelledError):
            if self._state is not State.CUT:
                far, there = await asyncio.open_connection("127.0.0.1", self._to)
                ends.append(there)
                self._ends.add(there)
                await asyncio.gather(self._pass_on(reader, there), self._pass_on(far, writer))
        for end in ends:
            self._ends.discard(end)
            end.transport.abort()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(PIECE):
            if self._state is State.SLOW:
                await asyncio.sleep(SLOW)
            while self._state is State.HELD:
                await asyncio.sleep(LOOK_UP)
            writer.write(data)
            await writer.drain()
        writer.transport.abort()
