"""Serving the page over waitress, in threads of its own."""

from __future__ import annotations

import socket
import time
from functools import partial
from threading import Thread
from typing import Any

from flask import Flask
from waitress.adjustments import Adjustments

from web.app import kept_of, viewers_of
from web.crowd import Crowd, Waiters
from web.events import KEPT_STREAMS
from web.listening import listen_at

LARGEST_HEADER = 16 * 1024
LARGEST_REQUEST = 64 * 1024
STANDS_AFTER = 5.0
"""Seconds; the loop goes round in one."""


class Served:
    """A page that is being served until it is closed; closes by `with` too."""

    def __init__(self, app: Flask, listening: socket.socket) -> None:
        self.host, self.port = listening.getsockname()[:2]
        self._viewers, self._map = viewers_of(app), dict[int, Any]()
        adjustments = Adjustments(
            sockets=[listening],
            ident=None,
            channel_request_lookahead=1,
            max_request_body_size=LARGEST_REQUEST,
            max_request_header_size=LARGEST_HEADER,
            asyncore_use_poll=True,
        )
        kept = kept_of(app)
        self._server = Crowd(
            app,
            self._map,
            _sock=listening,
            dispatcher=Waiters(kept, 3 * self._viewers.most // 2 + KEPT_STREAMS),
            adj=adjustments,
            sockinfo=(listening.family, listening.type, listening.proto, listening.getsockname()),
            bind_socket=False,
        )
        self._server.kept = kept
        self._thread = Thread(target=self._server.run, name="page", daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        """Where a browser on this machine finds the page."""
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}/"

    @property
    def goes_round(self) -> bool:
        """Whether the loop that reads requests and sends answers has gone round a moment ago."""
        return time.monotonic() - self._server.looked < STANDS_AFTER

    def close(self) -> None:
        """End the streams, let what is being answered be answered, and give the port back."""
        if not self._thread.is_alive():
            return
        self._viewers.close()
        self._server.task_dispatcher.shutdown()
        left = list[Any]()
        self._server.trigger.pull_trigger(partial(self._end_loop, left))
        self._thread.join()
        # Not before the loop has ended: who pulls the trigger meanwhile would write where something else may be open.
        for one in left:
            one.close()

    def _end_loop(self, left: list[Any]) -> None:
        left += self._map.values()
        self._map.clear()

    def __enter__(self) -> Served:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def serve(app: Flask, host: str = "127.0.0.1", port: int = 8080) -> Served:
    """Serve the page; port 0 takes any free one. Raises CannotServe where that address or port cannot be had."""
    return Served(app, listen_at(host, port))
