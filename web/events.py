"""The server-sent events: `status` with each change, and a heartbeat that tells a quiet game from a dead line."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from referee.snapshot import Showing
from web.desk import Desk
from web.rendering import Rendering

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
