"""The server-sent events: `status` with each change, a heartbeat by which clients notice dead connections, a cap."""

from __future__ import annotations

import itertools
import socket
import threading

import pytest

from tests.support.waiting import PATIENCE_S, until
from tests.support.web.snapshots import take_snapshot, ultimate_game
from tests.web.conftest import ask, event
from web.app import create_app
from web.connections import viewers_of
from web.page_config import AccessConfig
from web.page_server import serve_page
from web.sse import MOST_BEHIND, Viewers

pytestmark = pytest.mark.slow


def test_whoever_goes_away_leaves_a_free_place(shown_box, monkeypatch):
    app, freed = create_app(shown_box.backend, access=AccessConfig(viewers=1)), threading.Event()
    viewers = viewers_of(app)
    monkeypatch.setattr(viewers, "leave", lambda viewer: (Viewers.leave(viewers, viewer), freed.set()))
    with serve_page(app, port=0) as served:
        stream = ask(served, "/events")
        assert event(stream)["number"] == 8
        assert ask(served, "/events").status == 503
        stream.close()
        assert freed.wait(PATIENCE_S)
        assert ask(served, "/events").status == 200


def test_an_unread_stream_ends_before_it_fills_the_memory(shown_box):
    """The system takes some megabytes itself; without a limit the page would hold sixteen more for each stream."""
    app, table = create_app(shown_box.backend), ultimate_game()
    with serve_page(app, port=0) as served, socket.create_connection(("127.0.0.1", served.port)) as lazy:
        lazy.sendall(f"GET /events HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\n\r\n".encode())
        until(lambda: len(viewers_of(app)._here) == 1)
        numbers = itertools.count(100)

        def has_left() -> bool:
            shown_box.show(take_snapshot(table, next(numbers), names=("A" * 100_000, "B" * 100_000)))
            return not viewers_of(app)._here

        until(has_left)
        sizes = [one.total_outbufs_len for one in served._server.active_channels.values()]
        assert all(size < MOST_BEHIND + 1_000_000 for size in sizes)
