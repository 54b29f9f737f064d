"""The server-sent events: `status` with each change, a heartbeat that tells quiet games from dead lines, a cap."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from threading import Event, Lock

from referee import Showing
from web.answers import Rendering
from web.desk import Desk


class Viewers:
    """Places for so many streams at once; from any thread."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._watching = 0
        self._lock = Lock()
        self._closing = Event()

    def enter(self) -> bool:
        """Take a place, which has to be given back by `leave`; False where none is free."""
        with self._lock:
            free = self._watching < self.most and not self._closing.is_set()
            self._watching += free
            return free

    def leave(self) -> None:
        """Give a place back."""
        with self._lock:
            self._watching -= 1

    @property
    def closing(self) -> bool:
        """Whether streams have to end."""
        return self._closing.is_set()

    def close(self) -> None:
        """End all streams within a second, and begin none."""
        self._closing.set()


LOOK_UP = 1.0
"""Seconds after which a stream that waits for a change looks whether it has to end."""
HEARTBEAT = 15
"""So many times `LOOK_UP` without a change, and the stream says that it lives."""


def events(desk: Desk, status: Rendering, ended: Callable[[], bool]) -> Iterator[str]:
    """The stream: the status at once and with every change, until `ended`. Its id is the status's version."""
    showing = desk.showing()
    yield "retry: 2000\n" + _status_event(status, showing)
    quiet = 0
    while not ended():
        newest, quiet = desk.wait(showing.number, LOOK_UP), quiet + 1
        if newest.number != showing.number:
            showing, quiet = newest, 0
            yield _status_event(status, showing)
        elif quiet == HEARTBEAT:
            quiet = 0
            yield ": heartbeat\n\nevent: heartbeat\ndata: 1\n\n"


def _status_event(status: Rendering, showing: Showing) -> str:
    return f"id: {status.version(showing)}\nevent: status\ndata: {status.of(showing)}\n\n"
