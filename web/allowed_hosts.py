"""The host names that the box answers to, as a protection against DNS rebinding."""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Sequence
from contextlib import suppress

from flask import Flask, Response, request

from web.responses import error_response
from web.server.fair_server import HERE, is_loopback

MISDIRECTED = 421
IpAddress = ipaddress.IPv4Address | ipaddress.IPv6Address


def refuse_other_hosts(app: Flask, names: Sequence[str] = ()) -> None:
    """Refuse every request to a host that is neither one of these, nor the machine's own name, nor an address of it."""
    machine = socket.gethostname().partition(".")[0]
    own = {name.lower() for name in (*names, "localhost", machine, f"{machine}.local", socket.gethostname())}

    @app.before_request
    def refuse_strange_name() -> Response | None:
        name = host_of(request.headers.get("Host", ""))
        return (
            None
            if name in own or is_here(name, request.environ.get(HERE))
            else error_response("http.strange-name", MISDIRECTED)
        )


_HOST = re.compile(
    r"(?:\[(?P<six>[0-9a-f:.]+)\]|(?P<name>[a-z0-9_]+(?:[.-]+[a-z0-9_]+)*\.?))(?::(?P<port>[0-9]{1,5}))?",
    re.ASCII | re.IGNORECASE,
)
"""A host and its port (RFC 9110, 7.2, and RFC 3986), without what browsers never send: user names, escapes, zones."""
LARGEST_PORT = 65535


def host_of(header: str) -> str:
    """Return the name or address in a Host header, without its port; empty if the whole is no host and port."""
    match = _HOST.fullmatch(header)
    if match is None or int(match["port"] or 0) > LARGEST_PORT:
        return ""
    if match["six"] is not None:
        return match["six"].lower() if _is_ipv6(match["six"]) else ""
    return match["name"].lower().removesuffix(".")


def _is_ipv6(text: str) -> bool:
    """Return True for an address of IPv6."""
    with suppress(ValueError):
        return bool(ipaddress.IPv6Address(text))
    return False


def address_for_others(reported_url: str) -> str:
    """Return the page's URL for other devices, "" if there is none.

    It is the request's host, or the URL that the box reports if the browser runs on this machine.
    """
    name, remote = host_of(request.headers.get("Host", "")), request.remote_addr or ""
    if name == "localhost" or is_loopback(name) or (reported_url and is_loopback(remote)):
        return reported_url
    return request.host_url


def is_here(name: str, own_address: str | None) -> bool:
    """Return True if the name is the address to which the request came, or a loopback address."""
    with suppress(ValueError):
        ip = _unmap_ipv4(ipaddress.ip_address(name))
        return ip.is_loopback or (own_address is not None and ip == _parse_own_address(own_address))
    return False


def _parse_own_address(address: str) -> IpAddress:
    """Return an address of this machine, which may name its network card."""
    return _unmap_ipv4(ipaddress.ip_address(address.partition("%")[0]))


def _unmap_ipv4(address: IpAddress) -> IpAddress:
    return (address.ipv4_mapped or address) if isinstance(address, ipaddress.IPv6Address) else address
