"""Who is let in, who is served next and who makes room: by address, so that none takes the page from the others.

A waitress server and dispatcher. A connection costs no thread until its request has come whole, so what a slow client
holds is a place. A newcomer always finds one as long as anybody only waits: first of its own address, where that has
as many as one may have, else of the address that has most. Requests are answered address by address in turn.
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

MOST_PLACES = 600
"""Connections apart from streams; with those, what a process may have open where nobody changed that (1024)."""
KEPT_PLACES = 40
"""Places beyond those, for kept addresses alone."""
AN_ADDRESS = 256
"""Connections of one address, which may be a whole hall's, behind its router."""
WORKERS = 32
"""Requests that are answered at once, event streams apart."""
AT_ONCE = 2
"""Of those, an address's."""
SHARE, AT_FIRST = 0.15, 0.25
"""Of the processor's time an address may take so much for long; and so many seconds of it before it has to rest."""
LONGEST_REST = 1.0
MOST_ACCOUNTS = 1000
WHOLE_WITHIN = 10.0
"""Seconds from a request's first byte, or from the connection, until it has to have come whole."""
IDLE = 30.0
"""Seconds for which a connection is kept between two requests."""
HERE, LASTS = "shinpan.here", "shinpan.lasts"
"""In a request's environment: to which of the machine's addresses it came, and what says that its answer lasts."""
NO_ROOM = (ENGLISH("http.no-room") + "\n").encode()
SENT_AWAY = b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n" + NO_ROOM


def address_of(remote: str | None) -> str:
    """What counts as one address: of IPv6 a network, for a machine there has any number of them."""
    with suppress(ValueError):
        found = ipaddress.ip_address((remote or "").partition("%")[0])
        if isinstance(found, ipaddress.IPv6Address):
            own = found.ipv4_mapped or (found if found.is_loopback else None)
            return str(own or ipaddress.ip_network((found, 64), strict=False).network_address)
    return remote or ""


def is_loopback(address: str) -> bool:
    """Whether this is the machine itself."""
    with suppress(ValueError):
        return ipaddress.ip_address(address).is_loopback
    return False


class Kept:
    """Addresses for which places are kept: those that the settings name, and directors'; from any thread."""

    def __init__(self, addresses: Iterable[str] = ()) -> None:
        self._addresses = frozenset(address_of(one) for one in addresses)

    def __contains__(self, address: object) -> bool:
        return address in self._addresses

    def add(self, address: str) -> None:
        """Keep places for this one too."""
        self._addresses |= {address}


class _Task(WSGITask):  # type: ignore[misc]
    """A request, told to which address it came, and how it says that its answer lasts."""

    def get_environment(self) -> dict[str, Any]:
        environment: dict[str, Any] = super().get_environment()
        return environment | {HERE: self.channel.here, LASTS: self.channel.lasts}


class Visitor(HTTPChannel):  # type: ignore[misc]
    """A connection. address: as `address_of` has it; since: when it began to wait, or its request to come.

    lasts: to be called when an answer goes on for long; then it streams, and who lets streams in has counted it.
    """

    task_class = _Task
    lasts: Callable[[], None]
    streams = _dropped = False

    def __init__(self, server: Crowd, sock: socket.socket, addr: Any, adj: Any, map: dict[int, Any]) -> None:  # noqa: A002
        self.address, self.here, self.since = address_of(addr[0]), sock.getsockname()[0], time.monotonic()
        self._asked, self._left = False, 0
        super().__init__(server, sock, addr, adj, map)

    def received(self, data: bytes) -> bool:
        """As its base; and note when a request began."""
        if self.request is None and self.waits:
            self.since = time.monotonic()
        heard: bool = super().received(data)
        self._asked |= not self.waits
        return heard

    def service(self) -> None:
        """As its base; from then on it waits."""
        super().service()
        self.since = time.monotonic()

    @property
    def waits(self) -> bool:
        """Whether nothing of it is being answered."""
        return not self.requests

    def readable(self) -> bool:
        """As its base. One that was dropped is not polled: by the time that it is heard its number may be another's."""
        return not self._dropped and bool(super().readable())

    def writable(self) -> bool:
        """As its base, with the same exception."""
        return not self._dropped and bool(super().writable())

    def drop(self) -> None:
        """Close it at once, without the minute for which the system would remember it."""
        self._dropped = True
        with suppress(OSError):
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.handle_close()

    def late(self, now: float) -> bool:
        """Whether it has kept its place for too long; asked every second."""
        if self.total_outbufs_len != self._left:
            self._left, self.since = self.total_outbufs_len, now
        begun = self.request is not None or not self._asked
        return self.waits and now - self.since > (WHOLE_WITHIN if begun else IDLE)


class Crowd(TcpWSGIServer):  # type: ignore[misc]
    """The server; all of it runs in its loop's thread."""

    channel_class = Visitor
    kept: Kept
    looked = 0.0

    def readable(self) -> bool:
        """Whether it accepts; once a second, by a clock that nobody sets, it looks who has waited for too long."""
        now = time.monotonic()
        if now >= self.looked + 1.0:
            self.looked = now
            self.maintenance(now)
        return bool(self.accepting)

    def maintenance(self, now: float) -> None:
        """Close what has waited for too long."""
        for one in [one for one in self.active_channels.values() if one.late(now)]:
            one.drop()

    def handle_accept(self) -> None:
        """Let one in, or send them away with a sentence."""
        with suppress(OSError):
            found = self.accept()
            if found is None:
                return
            sock, addr = found
            self.set_socket_options(sock)
            if self._room(address_of(addr[0])):
                self.channel_class(self, sock, addr, self.adj, self._map)
                return
            with sock:
                sock.setblocking(False)
                sock.send(SENT_AWAY)

    def _room(self, address: str) -> bool:
        """Whether there is a place for this address; whoever waits longest may have to give theirs."""
        here = [one for one in self.active_channels.values() if not one.streams]
        mine = [one for one in here if one.address == address]
        if len(mine) >= AN_ADDRESS:
            return _leaves(mine)
        if len(here) < MOST_PLACES + (KEPT_PLACES if address in self.kept else 0):
            return True
        counts = Counter(one.address for one in here if one.waits and one.address not in self.kept)
        return _leaves([one for one in here if counts and one.address == counts.most_common(1)[0][0]])


def _leaves(visitors: list[Visitor]) -> bool:
    """Let the one go that has waited longest; False where none only waits."""
    one = min((one for one in visitors if one.waits), key=lambda one: one.since, default=None)
    if one is not None:
        one.drop()
    return one is not None


class Accounts:
    """What answers have cost each address, in seconds of the processor, less its SHARE of the time since."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._owed = OrderedDict[str, tuple[float, float]]()

    def rest(self, address: str, cost: float, now: float) -> float:
        """Seconds for which this address has to rest, whose answer now cost so much."""
        with self._lock:
            owed, since = self._owed.pop(address, (0.0, now))
            owed = max(0.0, owed - SHARE * (now - since)) + cost
            self._owed[address] = owed, now
            if len(self._owed) > MOST_ACCOUNTS:
                self._owed.popitem(last=False)
        return min(max(0.0, owed - AT_FIRST) / SHARE, LONGEST_REST)


class _Taken:
    """A request that is being answered. over: to be called once, when it is answered or lasts."""

    def __init__(self, visitor: Visitor, accounts: Accounts | None, over: Callable[[], None]) -> None:
        self._visitor, self._accounts, self._over = visitor, accounts, [over]
        visitor.streams, visitor.lasts = False, self._lasts

    def service(self) -> None:
        """Answer it; then rest, if its address has to."""
        begun = time.thread_time()
        try:
            self._visitor.service()
            if self._over and self._accounts is not None:
                cost = time.thread_time() - begun
                time.sleep(self._accounts.rest(self._visitor.address, cost, time.monotonic()))
        finally:
            self._end()

    def _lasts(self) -> None:
        self._visitor.streams = True
        self._end()

    def _end(self) -> None:
        while self._over:
            self._over.pop()()


class Line:
    """Requests that wait: a deque to a dispatcher, which sees those alone that may be answered now.

    No more than WORKERS at a time, AT_ONCE of an address, the kept addresses first and the others in turn. changed: has
    the dispatcher's lock, which it holds when it asks anything here.
    """

    def __init__(self, kept: Kept, changed: Condition) -> None:
        self._kept, self._changed = kept, changed
        self._waiting, self._accounts = OrderedDict[str, deque[Visitor]](), Accounts()
        self._answered = Counter[str]()

    def __len__(self) -> int:
        return len(self._ready())

    def _ready(self) -> list[str]:
        if self._answered.total() >= WORKERS:
            return []
        return [address for address in self._waiting if self._answered[address] < AT_ONCE]

    def append(self, visitor: Visitor) -> None:
        """Its request is whole."""
        self._waiting.setdefault(visitor.address, deque()).append(visitor)

    def popleft(self) -> _Taken:
        """The next."""
        ready = self._ready()
        address = next((one for one in ready if one in self._kept), ready[0])
        queue = self._waiting.pop(address)
        visitor = queue.popleft()
        if queue:
            self._waiting[address] = queue
        self._answered[address] += 1
        return _Taken(visitor, None if address in self._kept else self._accounts, partial(self._over, address))

    def _over(self, address: str) -> None:
        with self._changed:
            self._answered[address] -= 1
            self._answered += Counter()
            self._changed.notify_all()

    def clear(self) -> list[Visitor]:
        """All that wait; they are not answered any more."""
        left = [one for queue in self._waiting.values() for one in queue]
        self._waiting.clear()
        return left


class Waiters(ThreadedTaskDispatcher):  # type: ignore[misc]
    """Threads that answer: those for streams, also for those that are about to end, and WORKERS besides."""

    def __init__(self, kept: Kept, streams: int) -> None:
        super().__init__()
        self.queue = Line(kept, self.queue_cv)
        self.set_thread_count(streams + WORKERS)

    def add_task(self, task: Visitor) -> None:
        """Somebody asks."""
        with self.lock:
            self.queue.append(task)
            self.queue_cv.notify()

    def shutdown(self, cancel_pending: bool = True, timeout: float = 5) -> bool:
        """Let what is being answered be answered, and nothing else."""
        with self.lock:
            for visitor in self.queue.clear():
                visitor.cancel()
        return bool(super().shutdown(False, timeout))
