"""A WSGI server with per-client connection limits and fair scheduling: waitress with another server and dispatcher.

The page stands in a hall's network, where anybody may ask for anything, while two players wait for their clock. The
rules that it keeps:

- A slow client holds a connection, never a thread: a request gets a worker only when it is complete, and has
  WHOLE_WITHIN seconds to become so.
- A new client gets a connection as long as any is idle, because the one that has been idle longest makes room: one of
  its own address, if that has its maximum, else one of the address with the most. Reserved addresses (the director's,
  the hall's, paired phones') have places of their own that nobody else can take.
- Requests are answered round robin by address, AT_ONCE of each and WORKERS in all, the director's and the hall's first.
  Any other address that used more than its SHARE of the processor pauses after its answers, so that a page that is
  reloaded a thousand times slows itself alone.
- Event streams are counted apart, and each has a thread of its own: they last for hours and would otherwise take all
  the workers. A response says that it is one by calling `lasts`.

Threads: connections, limits and deadlines belong to the loop's thread alone; the queue is used under the dispatcher's
lock; a TLS connection is handed over by `adopt` from the thread that shook hands.

What is implicit: waitress calls `readable` on every turn of its loop, which is where overdue connections are dropped
once a second. What is ugly: a dropped connection stays in the loop's map until the turn ends, and its descriptor may
belong to another by then, hence `_dropped`.
"""

from __future__ import annotations

import ipaddress
import socket
import struct
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from threading import Condition, Lock
from typing import Any

from waitress.channel import HTTPChannel
from waitress.server import TcpWSGIServer
from waitress.task import ThreadedTaskDispatcher, WSGITask

from web.language import ENGLISH
from web.server.large_bodies import LARGE_BODY, BoundedParser, LargeBodies

MOST_PLACES = 600
"""Connections, streams not counted; with streams, as many as a process may have open by default (1024)."""
KEPT_PLACES = 40
"""Further connections, reserved for kept addresses."""
MOST_ADDED = 64
"""Addresses to which connections are reserved after the start: directors', the hall's, phones'."""
AN_ADDRESS = 256
"""Connections of one address, which may be a whole hall's, behind its router."""
WORKERS = 32
"""Concurrent requests, without event streams."""
AT_ONCE = 2
"""Concurrent requests of one address."""
SHARE, AT_FIRST = 0.15, 0.25
"""An address's long-term share of processor time; and the seconds of it before the address is throttled."""
LONGEST_REST = 1.0
MOST_ACCOUNTS = 1000
WHOLE_WITHIN = 10.0
"""Seconds from a request's first byte, or from the connection, within which the request has to be complete."""
IDLE = 30.0
"""Seconds for which an idle connection is kept between two requests."""
HERE, LASTS, BEHIND = "shinpan.here", "shinpan.lasts", "shinpan.behind"
"""Keys in a request's environment: the machine's address to which it came; the callback for long-lasting responses;
and a callback that returns the bytes that wait for the client to take them."""
SCHEME, SECURE = "wsgi.url_scheme", "https"
NO_ROOM = (ENGLISH("http.no-room") + "\n").encode()
SENT_AWAY = b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n" + NO_ROOM


def address_of(remote: str | None) -> str:
    """Return the client's address for limits: of IPv6 the /64 network, because a machine there has many addresses."""
    with suppress(ValueError):
        ip = ipaddress.ip_address((remote or "").partition("%")[0])
        if isinstance(ip, ipaddress.IPv6Address):
            own = ip.ipv4_mapped or (ip if ip.is_loopback else None)
            return str(own or ipaddress.ip_network((ip, 64), strict=False).network_address)
    return remote or ""


def is_loopback(address: str) -> bool:
    """Return True if the address is this machine's loopback."""
    with suppress(ValueError):
        return ipaddress.ip_address(address).is_loopback
    return False


class ReservedAddresses:
    """The addresses with reserved connections: those in the settings, and directors'; thread-safe.

    Of those that are added, the newest MOST_ADDED are kept.
    """

    def __init__(self, addresses: Iterable[str] = ()) -> None:
        self._fixed, self._added = frozenset(address_of(one) for one in addresses), tuple[str, ...]()

    def __contains__(self, address: object) -> bool:
        return address in self._fixed or address in self._added

    def add(self, address: str) -> None:
        """Reserve connections for this address too."""
        if self._added[-1:] != (address,):
            self._added = (*(one for one in self._added if one != address), address)[-MOST_ADDED:]


class _Task(WSGITask):  # type: ignore[misc]
    """A request task that adds the local address and the callback for long-lasting responses to the environment."""

    def get_environment(self) -> dict[str, Any]:
        environment: dict[str, Any] = super().get_environment()
        connection = self.channel
        scheme = {SCHEME: SECURE, LARGE_BODY: self.request.is_large} if connection.secure else {}
        return (
            environment
            | scheme
            | {HERE: connection.here, LASTS: connection.lasts, BEHIND: lambda: connection.total_outbufs_len}
        )


class Connection(HTTPChannel):  # type: ignore[misc]
    """A connection.

    address: the client's, as in `address_of`.
    here: the machine's address to which it connected.
    since: when it became idle, or its request began.
    lasts: called when a response is long-lasting; then the connection streams, and the stream limit counts it.
    streams: True while it streams.
    secure: True if it came over TLS.
    """

    task_class = _Task
    lasts: Callable[[], None]
    streams = _dropped = False

    def __init__(
        self,
        server: FairServer,
        sock: socket.socket,
        addr: Any,
        adj: Any,
        map: dict[int, Any],  # noqa: A002
        own_address: str | None = None,
    ) -> None:
        """Build the connection. here: the machine's address, None for a plain connection, which has it itself."""
        self.secure = own_address is not None
        self.address, self.since = address_of(addr[0]), time.monotonic()
        self.here = sock.getsockname()[0] if own_address is None else own_address
        self._has_asked, self._left = False, 0
        super().__init__(server, sock, addr, adj, map)

    def parser_class(self, adj: Any) -> BoundedParser:
        """Build a request's parser; only a client over TLS may be one who sends large bodies."""
        parser = BoundedParser(adj)
        parser.bodies = self.server.bodies if self.secure else None
        return parser

    def received(self, data: bytes) -> bool:
        """Receive data as the base class does; also note when a request begins."""
        if self.request is None and self.is_waiting:
            self.since = time.monotonic()
        result: bool = super().received(data)
        self._has_asked |= not self.is_waiting
        return result

    def service(self) -> None:
        """Answer as the base class does; the connection is idle afterwards."""
        super().service()
        self.since = time.monotonic()

    @property
    def is_waiting(self) -> bool:
        """Return True if none of its requests is being answered."""
        return not self.requests

    def readable(self) -> bool:
        """Return the base class's answer, but False once dropped: its descriptor may have been reused by then."""
        return not self._dropped and bool(super().readable())

    def writable(self) -> bool:
        """Return the base class's answer, but False once dropped."""
        return not self._dropped and bool(super().writable())

    def drop(self) -> None:
        """Close the connection at once, without the minute of TIME_WAIT."""
        self._dropped = True
        with suppress(OSError):
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.handle_close()

    def is_late(self, now: float) -> bool:
        """Return True if the connection has been idle for too long; called every second."""
        if self.total_outbufs_len != self._left:
            self._left, self.since = self.total_outbufs_len, now
        self.since = min(self.since, now)  # The clock may have been set back.
        begun = self.request is not None or not self._has_asked
        return self.is_waiting and now - self.since > (WHOLE_WITHIN if begun else IDLE)


class FairServer(TcpWSGIServer):  # type: ignore[misc]
    """The server; all of it runs in its loop's thread.

    reserved: addresses with reserved connections, whose requests are answered first.
    paired: addresses of paired phones, with reserved connections alone.
    """

    channel_class = Connection
    reserved: ReservedAddresses
    paired = ReservedAddresses()
    bodies: LargeBodies | None = None
    looked = 0.0

    def readable(self) -> bool:
        """Return True if the server accepts; once a second, by the monotonic clock, drop overdue connections."""
        now = time.monotonic()
        if not self.looked <= now < self.looked + 1.0:
            self.looked = now
            self.maintenance(now)
        return bool(self.accepting)

    def maintenance(self, now: float) -> None:
        """Drop the connections that have been idle for too long."""
        for one in [one for one in self.active_channels.values() if one.is_late(now)]:
            one.drop()

    def handle_accept(self) -> None:
        """Accept a connection, or answer it with a 503 sentence."""
        with suppress(OSError):
            accepted = self.accept()
            if accepted is None:
                return
            sock, addr = accepted
            self.set_socket_options(sock)
            self._take_client(sock, addr)

    def adopt(self, sock: socket.socket, addr: Any, own_address: str) -> None:
        """Take a client that came over TLS. here: the machine's address to which it came; from any thread."""
        self.trigger.pull_trigger(partial(self._take_client, sock, addr, own_address))

    def _take_client(self, sock: socket.socket, addr: Any, own_address: str | None = None) -> None:
        if self._has_room(address_of(addr[0])):
            self.channel_class(self, sock, addr, self.adj, self._map, own_address)
            return
        with sock, suppress(OSError):
            sock.setblocking(False)
            sock.send(SENT_AWAY)

    def _has_room(self, address: str) -> bool:
        """Return True if there is room for this address, after the longest-idle connection was dropped if necessary."""
        connections = [one for one in self.active_channels.values() if not one.streams]
        mine = [one for one in connections if one.address == address]
        if len(mine) >= AN_ADDRESS:
            return _drop_longest_idle(mine)
        if len(connections) < MOST_PLACES + (KEPT_PLACES if self._is_kept(address) else 0):
            return True
        counts = Counter(one.address for one in connections if one.is_waiting and not self._is_kept(one.address))
        return _drop_longest_idle([one for one in connections if counts and one.address == counts.most_common(1)[0][0]])

    def _is_kept(self, address: str) -> bool:
        return address in self.reserved or address in self.paired


def _drop_longest_idle(visitors: list[Connection]) -> bool:
    """Drop the connection that has been idle longest; return False if none is idle."""
    one = min((one for one in visitors if one.is_waiting), key=lambda one: one.since, default=None)
    if one is not None:
        one.drop()
    return one is not None


def sleep_for(seconds: float) -> None:
    """Sleep, unless the system refuses to: it does where its clock is odd."""
    if seconds > 0:
        with suppress(OSError):
            time.sleep(seconds)


class CpuQuota:
    """The processor seconds that each address has used, less its SHARE of the time since."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._debts = OrderedDict[str, tuple[float, float]]()

    def rest(self, address: str, cost: float, now: float) -> float:
        """Charge an address for its last response and return the seconds for which it has to pause.

        address: the client's.
        cost: processor seconds of the response.
        now: on the monotonic clock, in seconds; if that jumps, the pause is at most LONGEST_REST.
        """
        with self._lock:
            debt, since = self._debts.pop(address, (0.0, now))
            debt = max(0.0, debt - SHARE * max(0.0, now - since)) + max(0.0, cost)
            self._debts[address] = debt, now
            if len(self._debts) > MOST_ACCOUNTS:
                self._debts.popitem(last=False)
        return min(max(0.0, debt - AT_FIRST) / SHARE, LONGEST_REST)


class _RunningTask:
    """A running request. over: called once, when it is answered or turns out to be long-lasting."""

    def __init__(self, visitor: Connection, accounts: CpuQuota | None, over: Callable[[], None]) -> None:
        self._visitor, self._accounts, self._over = visitor, accounts, [over]
        visitor.streams, visitor.lasts = False, self._mark_as_stream

    def service(self) -> None:
        """Answer the request; then pause, if its address has to."""
        begun = time.thread_time()
        try:
            self._visitor.service()
            if self._over and self._accounts is not None:
                cost = time.thread_time() - begun
                sleep_for(self._accounts.rest(self._visitor.address, cost, time.monotonic()))
        finally:
            self._end_task()

    def _mark_as_stream(self) -> None:
        self._visitor.streams = True
        self._end_task()

    def _end_task(self) -> None:
        while self._over:
            self._over.pop()()


class FairQueue:
    """The queue of waiting requests: a deque to a dispatcher, which sees only those that may be answered now.

    At most WORKERS at a time, AT_ONCE of an address; kept addresses first, the others round robin. changed: has the
    dispatcher's lock, which is held during every call from the dispatcher.
    """

    def __init__(self, reserved: ReservedAddresses, condition: Condition) -> None:
        self._reserved, self._condition = reserved, condition
        self._queues, self._accounts = OrderedDict[str, deque[Connection]](), CpuQuota()
        self._running = Counter[str]()

    def __len__(self) -> int:
        return len(self._ready_addresses())

    def _ready_addresses(self) -> list[str]:
        if self._running.total() >= WORKERS:
            return []
        return [address for address in self._queues if self._running[address] < AT_ONCE]

    def append(self, visitor: Connection) -> None:
        """Queue a connection whose request is complete."""
        self._queues.setdefault(visitor.address, deque()).append(visitor)

    def popleft(self) -> _RunningTask:
        """Return the next request."""
        ready = self._ready_addresses()
        address = next((one for one in ready if one in self._reserved), ready[0])
        queue = self._queues.pop(address)
        visitor = queue.popleft()
        if queue:
            self._queues[address] = queue
        self._running[address] += 1
        return _RunningTask(
            visitor, None if address in self._reserved else self._accounts, partial(self._end_task, address)
        )

    def _end_task(self, address: str) -> None:
        with self._condition:
            self._running[address] -= 1
            self._running += Counter()
            self._condition.notify_all()

    def clear(self) -> list[Connection]:
        """Remove and return all waiting connections; they are not answered any more."""
        left = [one for queue in self._queues.values() for one in queue]
        self._queues.clear()
        return left


class WorkerPool(ThreadedTaskDispatcher):  # type: ignore[misc]
    """The pool of worker threads: one for each stream, ending ones included, and WORKERS more."""

    def __init__(self, reserved: ReservedAddresses, streams: int) -> None:
        super().__init__()
        self.queue = FairQueue(reserved, self.queue_cv)
        self.set_thread_count(streams + WORKERS)

    def add_task(self, task: Connection) -> None:
        """Queue a request."""
        with self.lock:
            self.queue.append(task)
            self.queue_cv.notify()

    def shutdown(self, cancel_pending: bool = True, timeout: float = 5) -> bool:
        """Finish the running requests, and cancel the waiting ones."""
        with self.lock:
            for visitor in self.queue.clear():
                visitor.cancel()
        return bool(super().shutdown(False, timeout))
