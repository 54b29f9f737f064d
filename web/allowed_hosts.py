"""The host names that the box answers to, as a protection against DNS rebinding."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Sequence
from contextlib import suppress

from flask import Flask, Response, request

from web.responses import error_response
from web.server.fair_server import HERE, is_loopback

MISDIRECTED = 421


def refuse_other_hosts(app: Flask, names: Sequence[str] = ()) -> None:
    """Refuse every request to a host that is neither one of these, nor the machine's own name, nor an address of it."""
    machine = socket.gethostname().partition(".")[0]
    own = {name.lower() for name in (*names, "localhost", machine, f"{machine}.local", socket.gethostname())}

    @app.before_request
    def known() -> Response | None:
        name = host_of(request.headers.get("Host", ""))
        return (
            None
            if name in own or is_here(name, request.environ.get(HERE))
            else error_response("http.strange-name", MISDIRECTED)
        )


def host_of(header: str) -> str:
    """Return the name or address in a Host header, without its port."""
    name, bracket, _ = header.partition("]")
    return (name.removeprefix("[") if bracket else name.partition(":")[0]).lower().removesuffix(".")


def address_for_others(told: str) -> str:
    """Return the page's URL for other devices, "" if there is none.

    It is the request's host, or the URL that the box reports if the browser runs on this machine.
    """
    name, remote = host_of(request.headers.get("Host", "")), request.remote_addr or ""
    if name == "localhost" or is_loopback(name) or (told and is_loopback(remote)):
        return told
    return request.host_url


def is_here(name: str, here: str | None) -> bool:
    """Return True if the name is the address to which the request came, or a loopback address."""
    with suppress(ValueError):
        asked = _plain(name)
        return asked.is_loopback or (here is not None and asked == _plain(here))
    return False


def _plain(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    found = ipaddress.ip_address(address.partition("%")[0])
    return (found.ipv4_mapped or found) if isinstance(found, ipaddress.IPv6Address) else found
