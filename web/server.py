"""Serving the page over waitress, in threads of its own."""

from __future__ import annotations

import errno
import os
import socket
from threading import Thread
from typing import Any

from flask import Flask
from waitress import create_server, wasyncore

from web.app import viewers_of
from web.errors import CannotServe

THREADS = 32
"""Event streams keep a thread each: 20 of them leave a dozen for everything else."""
MOST_CONNECTIONS = 200
IDLE_SECONDS = 30
LARGEST_REQUEST = 64 * 1024
LARGEST_PORT = 65535

_WHY = {
    errno.EADDRINUSE: "another program uses that port; stop it, or choose another with --port",
    errno.EACCES: "this port needs an administrator; choose one from 1024 to 65535",
    errno.EADDRNOTAVAIL: "this machine has no such address; use 127.0.0.1, or 0.0.0.0 for all networks",
}


class Served:
    """A page that is being served until it is closed; closes by `with` too."""

    def __init__(self, app: Flask, listening: socket.socket) -> None:
        self.host, self.port = listening.getsockname()[:2]
        self._viewers = viewers_of(app)
        self._map: dict[int, Any] = {}
        self._server = create_server(
            app,
            map=self._map,
            sockets=[listening],
            threads=THREADS,
            ident=None,
            connection_limit=MOST_CONNECTIONS,
            channel_timeout=IDLE_SECONDS,
            channel_request_lookahead=1,
            max_request_body_size=LARGEST_REQUEST,
            max_request_header_size=LARGEST_REQUEST,
            asyncore_use_poll=True,
        )
        self._thread = Thread(target=self._server.run, name="page", daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        """Where a browser on this machine finds the page."""
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}/"

    def close(self) -> None:
        """End the streams, let what is being answered be answered, and give the port back."""
        if not self._thread.is_alive():
            return
        self._viewers.close()
        self._server.task_dispatcher.shutdown()
        self._server.trigger.pull_trigger(lambda: wasyncore.close_all(self._map))
        self._thread.join()

    def __enter__(self) -> Served:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def serve(app: Flask, host: str = "127.0.0.1", port: int = 8080) -> Served:
    """Serve the page; port 0 takes any free one. Raises CannotServe where that address or port cannot be had."""
    return Served(app, listen_at(host, port))


def listen_at(host: str, port: int) -> socket.socket:
    """An address and port for a page that is served later; whoever asks before then waits. Raises CannotServe."""
    if not 0 <= port <= LARGEST_PORT:
        raise CannotServe(_sentence(host, port, f"a port is a number from 0 to {LARGEST_PORT}; choose one"))
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        return socket.create_server(address, family=family, backlog=128)
    except socket.gaierror as error:
        raise CannotServe(_sentence(host, port, _WHY[errno.EADDRNOTAVAIL])) from error
    except OSError as error:
        why = _WHY.get(error.errno or 0, f"{os.strerror(error.errno or 0)}; choose another address or port")
        raise CannotServe(_sentence(host, port, why)) from error


def _sentence(host: str, port: int, why: str) -> str:
    return f"The page cannot be served at {host}, port {port}: {why}."
