"""The listening socket of a page: the box opens it for the page's process, and needs no server itself."""

from __future__ import annotations

import errno
import os
import socket

from web.errors import CannotServe

LARGEST_PORT = 65535

_WHY = {
    errno.EADDRINUSE: "another program uses that port; stop it, or choose another with --port",
    errno.EACCES: "this port needs an administrator; choose one from 1024 to 65535",
    errno.EADDRNOTAVAIL: "this machine has no such address; use 127.0.0.1, or 0.0.0.0 for all networks",
}


def listen_at(host: str, port: int) -> socket.socket:
    """Open the listening socket of a page that is served later; clients until then wait. Raises CannotServe."""
    if not 0 <= port <= LARGEST_PORT:
        raise CannotServe(_word_failure(host, port, f"a port is a number from 0 to {LARGEST_PORT}; choose one"))
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        return socket.create_server(address, family=family, backlog=128)
    except (socket.gaierror, ValueError) as error:
        raise CannotServe(_word_failure(host, port, _WHY[errno.EADDRNOTAVAIL])) from error
    except OSError as error:
        why = _WHY.get(error.errno or 0, f"{os.strerror(error.errno or 0)}; choose another address or port")
        raise CannotServe(_word_failure(host, port, why)) from error


def _word_failure(host: str, port: int, why: str) -> str:
    return f"The page cannot be served at {host:.60}, port {port}: {why}."
