"""The page's server over waitress, in threads of its own."""

from __future__ import annotations

import logging
import socket
import time
from functools import partial
from threading import Thread
from typing import Any

from flask import Flask
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.server import TcpWSGIServer
from waitress.task import ThreadedTaskDispatcher

from web.connections import paired_addresses_of, reserved_addresses_of, viewers_of
from web.failure_log import FailureLog
from web.server.fair_server import FairServer, WorkerPool
from web.server.large_bodies import BoundedParser
from web.server.listening import listen_at
from web.sse import KEPT_STREAMS

log = logging.getLogger("shinpan")
LARGEST_HEADER = 16 * 1024
LARGEST_REQUEST = 64 * 1024
MOST_CONNECTIONS, ANSWERING, AT_THE_DOOR = 8000, 16, 200
"""For a page behind a proxy: connections; threads besides those of the streams; and connections accepted at once."""
STANDS_AFTER = 5.0
"""Seconds; the loop goes round in one."""


class PageServer:
    """A page that is served until it is closed; also a context manager."""

    def __init__(self, app: Flask, listening: socket.socket) -> None:
        self.host, self.port = listening.getsockname()[:2]
        self._viewers, self._map = viewers_of(app), dict[int, Any]()
        self._server: Any = self._build_server(app, listening)
        self._failures = FailureLog(log)
        self._server.logger.addFilter(self._failures)
        self._thread = Thread(target=self._server.run, name="page", daemon=True)
        self._thread.start()

    def _build_server(self, app: Flask, listening: socket.socket) -> TcpWSGIServer:
        """Build the server; it limits its clients (web/server/fair_server.py)."""
        reserved, most = reserved_addresses_of(app), 3 * self._viewers.most // 2 + KEPT_STREAMS
        server = FairServer(app, self._map, dispatcher=WorkerPool(reserved, most), **_waitress_arguments(listening))
        server.reserved, server.paired, server.bodies = reserved, paired_addresses_of(app), app.extensions.get("bodies")
        return server

    @property
    def url(self) -> str:
        """Return the page's URL for a browser on this machine."""
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}/"

    @property
    def is_looping(self) -> bool:
        """Return True if the loop that reads requests and sends answers has gone round a moment ago."""
        return bool(time.monotonic() - self._server.looked < STANDS_AFTER)

    def adopt(self, sock: socket.socket, addr: Any, own_address: str) -> None:
        """Take a client that came over TLS, see `FairServer.adopt`."""
        self._server.adopt(sock, addr, own_address)

    def close(self) -> None:
        """End the streams, finish the running requests, and release the port."""
        if not self._thread.is_alive():
            return
        self._server.logger.removeFilter(self._failures)
        self._viewers.close()
        self._server.task_dispatcher.shutdown()
        left = list[Any]()
        self._server.trigger.pull_trigger(partial(self._end_loop, left))
        self._thread.join()
        # Not before the loop has ended: pulling the trigger meanwhile would write to a descriptor that may be reused.
        for one in left:
            one.close()

    def _end_loop(self, left: list[Any]) -> None:
        left += self._map.values()
        self._map.clear()

    def __enter__(self) -> PageServer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Visitor(HTTPChannel):  # type: ignore[misc]
    """A connection to a page behind proxies."""

    parser_class = BoundedParser


class OpenDoor(TcpWSGIServer):  # type: ignore[misc]
    """A server that accepts all waiting connections at once, not one per round of its loop."""

    channel_class = _Visitor

    def handle_accept(self) -> None:
        """Accept as the base class does, while connections wait."""
        for _ in range(AT_THE_DOOR):
            before = len(self._map)
            super().handle_accept()
            if len(self._map) == before:
                return


class PublicPageServer(PageServer):
    """A page behind proxies, so that thousands of clients come from few addresses: clients are not limited, and as many
    requests run at once as there are threads.
    """

    def _build_server(self, app: Flask, listening: socket.socket) -> TcpWSGIServer:
        threads = ThreadedTaskDispatcher()
        threads.queue_logger.setLevel(logging.ERROR)  # It would log every request that waits.
        threads.set_thread_count(self._viewers.most + ANSWERING)
        return OpenDoor(app, self._map, dispatcher=threads, **_waitress_arguments(listening, MOST_CONNECTIONS))


def _waitress_arguments(listening: socket.socket, most: int = 100) -> dict[str, Any]:
    """Return a waitress server's arguments. most: its own connection limit; a Crowd has limits of its own."""
    adjustments = Adjustments(
        sockets=[listening],
        ident=None,
        channel_request_lookahead=1,
        connection_limit=most,
        max_request_body_size=LARGEST_REQUEST,
        max_request_header_size=LARGEST_HEADER,
        asyncore_use_poll=True,
    )
    about = listening.family, listening.type, listening.proto, listening.getsockname()
    return {"_sock": listening, "adj": adjustments, "sockinfo": about, "bind_socket": False}


def serve_to_all(app: Flask, host: str, port: int) -> PageServer:
    """Serve a public page behind proxies; otherwise as `serve`."""
    return PublicPageServer(app, listen_at(host, port))


def serve_page(app: Flask, host: str = "127.0.0.1", port: int = 8080) -> PageServer:
    """Serve the page; port 0 takes any free one. Raises CannotServe if that address or port is not available."""
    return PageServer(app, listen_at(host, port))
