"""The page's configuration: where and as whose it is known, and whom it lets in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from web.auth import Memory
from web.server.tls import ServerCertificate


@dataclass(frozen=True)
class PageIdentity:
    """The page as other devices know it.

    names: the box's host names besides its own name and addresses.
    address: the page's URL for other devices, "" if there is none.
    secure_address: its URL over TLS, for phones; "" if there is none.
    certificate: of the page over TLS; None if there is none.
    box: the box's public key.
    """

    names: Sequence[str] = ()
    address: str = ""
    secure_address: str = ""
    certificate: ServerCertificate | None = None
    box: str = ""


@dataclass(frozen=True)
class AccessConfig:
    """The clients that the page lets in.

    viewers: number of concurrent event streams; further clients are told to poll.
    reserved: client addresses with reserved connections.
    memory: the directors' sessions, kept beyond this process.
    """

    viewers: int = 20
    reserved: Sequence[str] = ()
    memory: Memory | None = None


NOBODYS, USUAL_ACCESS = PageIdentity(), AccessConfig()
