"""The server-sent events: `status` with each change, a heartbeat by which clients notice dead connections, a cap."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from threading import Lock

from referee import TableSnapshot
from web.backend import Backend
from web.errors import Unanswered
from web.responses import RenderCache

MOST_BEHIND = 1 << 20
"""Bytes of a stream that its client has not taken, after which it ends: the client may begin anew with the newest."""
KEPT_STREAMS = 4
"""Further streams, reserved for kept addresses."""


class Viewer:
    """The client of a stream. over: True if the stream has to end."""

    def __init__(self, address: str) -> None:
        self.address, self.over = address, False


class Viewers:
    """The limit of concurrent streams; thread-safe.

    If all are taken, the oldest stream of the address with the most ends, for an address that would still have fewer.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._here: list[Viewer] = []
        self._lock = Lock()
        self._closed = False

    def enter(self, address: str = "", is_reserved: bool = False) -> Viewer | None:
        """Take a stream, to be given back by `leave`; return None if none is free."""
        with self._lock:
            if self._closed or not (
                len(self._here) < self.most + is_reserved * KEPT_STREAMS or self._make_room(address)
            ):
                return None
            self._here.append(Viewer(address))
            return self._here[-1]

    def leave(self, viewer: Viewer) -> None:
        """Give a stream back."""
        with self._lock:
            if viewer in self._here:
                self._here.remove(viewer)

    def close(self) -> None:
        """End all streams within a second, and accept no more."""
        with self._lock:
            self._closed = True
            for viewer in self._here:
                viewer.over = True

    def _make_room(self, address: str) -> bool:
        counts = Counter(viewer.address for viewer in self._here)
        most, count = next(iter(counts.most_common(1)), ("", 0))
        if count < counts[address] + 2:
            return False
        oldest = next(viewer for viewer in self._here if viewer.address == most)
        oldest.over = True
        self._here.remove(oldest)
        return True


LOOK_UP = 1.0
"""Interval in seconds at which a stream that waits for a change checks whether it has to end."""
COMMENT = ": heartbeat\n\n"
HEARTBEAT, QUICK_HEARTBEAT = 15, 5
"""Heartbeat intervals without a change, in units of `LOOK_UP`: for other programs, and the shorter one for a page."""


def yield_events(
    backend: Backend, status: RenderCache, has_ended: Callable[[], bool], heartbeat: int = HEARTBEAT
) -> Iterator[str]:
    """Yield the stream: the status at once and with every change, until `has_ended`. Its id is the status's version."""
    snapshot = backend.read_snapshot()
    yield "retry: 2000\n" + _status_event(status, snapshot)
    quiet = 0
    while not has_ended():
        try:
            newest, quiet = backend.wait(snapshot.number, LOOK_UP), quiet + 1
        except Unanswered:  # The box is silent, and a heartbeat would vouch for it.
            return
        if newest.number != snapshot.number:
            snapshot, quiet = newest, 0
            yield _status_event(status, snapshot)
        elif quiet == heartbeat:
            quiet = 0
            yield f"{COMMENT}event: heartbeat\ndata: 1\n\n"


def _status_event(status: RenderCache, snapshot: TableSnapshot) -> str:
    return f"id: {status.version(snapshot)}\nevent: status\ndata: {status.of(snapshot)}\n\n"
