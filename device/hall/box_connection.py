"""A connection to a box or another program, over which nobody can fill the hall or hold it up.

What answers at an address may be anybody. So everything that is read has a limit in bytes and in seconds, however
it is sent: the headers, an answer, an event of a stream, and all of them together. Whoever ends the connection from
another thread is not waited for.
"""

from __future__ import annotations

import socket
import ssl
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from http.client import (
    HTTPConnection,
    HTTPException,
    HTTPResponse,
    HTTPSConnection,
    IncompleteRead,
    RemoteDisconnected,
)
from io import BufferedReader, RawIOBase
from threading import Lock
from typing import Any

from device.hall.tables import TableEntry
from web.server.tls import key_fingerprint

CONNECTS_WITHIN = 3.0
"""Seconds; by default a system tries for minutes with ever longer pauses, and notices late that the connection is
back."""
ANSWERS_WITHIN = 5.0
"""Seconds from a request to the end of its answer, or to the end of a stream's headers."""
EVENT_WITHIN = 10.0
"""Seconds from an event's first byte to its last."""
SILENT = 45.0
"""Seconds of silence before a stream is given up; a box sends something every 15."""
KEPT_ALIVE = {"TCP_KEEPIDLE": 3, "TCP_KEEPINTVL": 1, "TCP_KEEPCNT": 3}
"""TCP keep-alive after so many seconds of silence, at this interval, so often: a cut connection is given up after
six seconds, and need not wait for the system's own retransmission when it is back."""
LONGEST_HEADERS = 16 * 1024
LONGEST_EVENT = 512 * 1024
"""Bytes; a long game of many players has a tenth of it."""
PIECE = 8 * 1024
OVERHEAD = 2 * PIECE
"""Bytes that may be received beside an answer or event: what delimits its chunks, and what is read ahead."""
OF_EACH, TOGETHER = 128 * 1024, 32 * 1024 * 1024
"""Bytes of each answer or event that is being read that are always free; and what all may have together beyond."""


class Unreadable(Exception):
    """An answer that is no HTTP, or larger than any that a box sends."""


class OtherKey(Unreadable):
    """A server over TLS whose certificate has another key than the list names."""


class Allowance:
    """The memory that all unfinished answers have together beyond OF_EACH; thread-safe."""

    def __init__(self, most: int = TOGETHER) -> None:
        self._left, self._lock = most, Lock()

    @contextmanager
    def share(self) -> Iterator[Callable[[int], None]]:
        """Yield what sets the size of an answer in bytes, and raises OSError if there is no room for it now."""
        reserved = 0

        def grow_to(size: int) -> None:
            nonlocal reserved
            needed = max(size - OF_EACH, 0)
            with self._lock:
                if needed - reserved > self._left:
                    raise OSError("too many large answers are being read at once")
                self._left -= needed - reserved
                reserved = needed

        try:
            yield grow_to
        finally:
            grow_to(0)


ALLOWANCE = Allowance()
"""The hall's."""


class _Received(RawIOBase):
    """The bytes that a socket receives, within limits that `allow` sets."""

    def __init__(self, sock: socket.socket, clock: Callable[[], float]) -> None:
        self._socket, self._bytes, self._clock = sock, sock.makefile("rb", buffering=0), clock
        self._left, self._until = 0, 0.0

    def allow(self, size: int, until: float) -> None:
        """Allow so many bytes from now on, until this time."""
        self._left, self._until = size, until

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read at most what is allowed; raise Unreadable if that is nothing, TimeoutError if it is too late."""
        wait = self._until - self._clock()
        if self._left <= 0:
            raise Unreadable("more was sent than any box sends")
        if wait <= 0:
            raise TimeoutError("the answer did not end in time")
        self._socket.settimeout(wait)
        count = self._bytes.readinto(memoryview(buffer)[: self._left]) or 0
        self._left -= count
        return count

    def close(self) -> None:
        """Close it."""
        self._bytes.close()
        super().close()


class LimitedConnection:
    """A connection to a server, for one thread; only `cut` is for any.

    All else raises OSError if the connection is lost or too slow, and Unreadable. No redirection is followed.

    http: not connected yet; its timeout is that of connecting
    clock: monotonic seconds
    """

    def __init__(
        self, http: HTTPConnection, allowance: Allowance = ALLOWANCE, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._allowance, self._clock, self._http = allowance, clock, http
        self._http.response_class = self._open_response  # type: ignore[assignment]
        self._lock, self._is_cut = Lock(), False
        self._socket: socket.socket | None = None
        self._received: _Received | None = None
        self._until = 0.0

    def cut(self) -> None:
        """End the connection for good; whatever reads from it raises OSError."""
        with self._lock:
            self._is_cut = True
            if self._socket is not None:
                with suppress(OSError):  # It may be lost already.
                    self._socket.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Close the connection; the next request makes another."""
        with self._lock:
            self._socket = None
        self._http.close()
        if self._received is not None:
            self._received.close()

    def exchange(
        self,
        verb: str,
        path: str,
        most: int,
        headers: Mapping[str, str] | None = None,
        body: bytes = b"",
        within: float = ANSWERS_WITHIN,
    ) -> tuple[HTTPResponse, bytes]:
        """Return the answer to a request within so many seconds, and its body of at most so many bytes."""
        until = self._clock() + within
        with _as_unreadable():
            answer, received = self._send_request(verb, path, headers, body, until)
            received.allow(most + OVERHEAD, until)
            data = bytearray()
            with self._allowance.share() as grow:
                while piece := answer.read1(PIECE):
                    data += piece
                    if len(data) > most:
                        raise Unreadable("the answer is too long")
                    grow(len(data))
            answer.close()
            return answer, bytes(data)

    def _send_request(
        self, verb: str, path: str, headers: Mapping[str, str] | None, body: bytes, until: float
    ) -> tuple[HTTPResponse, _Received]:
        if self._http.sock is None:
            self._connect()
        self._until = until
        self._http.request(verb, path, body or None, dict(headers or {}))
        answer = self._http.getresponse()
        assert self._received is not None
        return answer, self._received

    def _connect(self) -> None:
        self._http.connect()
        with self._lock:
            self._socket = self._http.sock
            if self._is_cut:
                raise OSError("the hall ends")
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in KEPT_ALIVE.items():
            if hasattr(socket, name):  # Not every system has all of them.
                self._socket.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)

    def _open_response(self, sock: socket.socket, *, method: str) -> HTTPResponse:
        self._received = _Received(sock, self._clock)
        self._received.allow(LONGEST_HEADERS, self._until)
        return HTTPResponse(_ReceivedResponse(self._received), method=method)  # type: ignore[arg-type]


class BoxConnection(LimitedConnection):
    """A connection to the box of a table."""

    def __init__(
        self, table: TableEntry, allowance: Allowance = ALLOWANCE, clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(_http_of(table), allowance, clock)

    def events(self, path: str, headers: Mapping[str, str]) -> tuple[int, Iterator[str]]:
        """Return the status of a stream, and its events as they were sent, each without the empty line at its end.

        Whoever takes an event vouches for it by asking for the next.
        """
        with _as_unreadable():
            answer, received = self._send_request("GET", path, headers, b"", self._clock() + ANSWERS_WITHIN)
        return answer.status, self._yield_events(answer, received)

    def _yield_events(self, answer: HTTPResponse, received: _Received) -> Iterator[str]:
        buffer, searched = bytearray(), 0
        with self._allowance.share() as grow, _as_unreadable():
            received.allow(LONGEST_EVENT + OVERHEAD, self._clock() + SILENT)
            while piece := answer.read1(PIECE):
                if not buffer:
                    received.allow(LONGEST_EVENT + OVERHEAD, self._clock() + EVENT_WITHIN)
                buffer += piece
                if len(buffer) > LONGEST_EVENT:
                    raise Unreadable("the event is longer than any of a box")
                grow(len(buffer))
                while (end := buffer.find(b"\n\n", searched)) >= 0:
                    event = buffer[: end + 1].decode("utf-8", "replace")
                    del buffer[: end + 2]
                    searched = 0
                    yield event
                    received.allow(LONGEST_EVENT + OVERHEAD, self._clock() + (EVENT_WITHIN if buffer else SILENT))
                searched = max(len(buffer) - 1, 0)
                grow(len(buffer))


class _PinnedConnection(HTTPSConnection):
    """A connection over TLS to whoever has the key of this fingerprint, whoever signed their certificate.

    The box's certificate is made by the box itself, for names that change, so that nobody else can vouch for it.
    """

    def __init__(self, host: str, port: int, fingerprint: str) -> None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        super().__init__(host, port, timeout=CONNECTS_WITHIN, context=context)
        self._fingerprint = fingerprint

    def connect(self) -> None:
        """Connect; raise OtherKey if somebody else answers, before anything is sent."""
        super().connect()
        data = self.sock.getpeercert(binary_form=True)
        if data is None or key_fingerprint(data) != self._fingerprint:
            self.close()
            raise OtherKey("the certificate has another key")


def _http_of(table: TableEntry) -> HTTPConnection:
    host, port = table.listens
    if table.fingerprint is not None and table.is_encrypted:
        return _PinnedConnection(host, port, table.fingerprint)
    return HTTPConnection(host, port, timeout=CONNECTS_WITHIN)


class _ReceivedResponse:
    """The file that an HTTPResponse asks of a socket."""

    def __init__(self, received: _Received) -> None:
        self._received = received

    def makefile(self, _: str) -> BufferedReader:
        return BufferedReader(self._received, PIECE)


@contextmanager
def _as_unreadable() -> Iterator[None]:
    """Raise Unreadable for everything that is no HTTP, OSError if it has only ended too soon."""
    try:
        yield
    except (RemoteDisconnected, IncompleteRead) as error:
        raise ConnectionResetError("the answer is broken off") from error
    except (HTTPException, ValueError, OverflowError, MemoryError) as error:
        raise Unreadable(f"the answer is no HTTP: {error}") from error


class Connections:
    """The open connections of a part of the hall; all can be cut at once, and then no other is made."""

    def __init__(self) -> None:
        self._open, self._lock, self._over = set[BoxConnection](), Lock(), False

    @contextmanager
    def to(self, table: TableEntry) -> Iterator[BoxConnection]:
        """Yield a new connection to a table's box."""
        one = BoxConnection(table)
        with self._lock:
            if self._over:
                raise OSError("the hall ends")
            self._open.add(one)
        try:
            yield one
        finally:
            with self._lock:
                self._open.discard(one)
            one.close()

    def cut(self) -> None:
        """Cut all of them for good."""
        with self._lock:
            self._over = True
            for one in self._open:
                one.cut()
