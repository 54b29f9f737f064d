"""The connections of an app's clients: the event streams, and the addresses that have reserved ones."""

from __future__ import annotations

from flask import Flask

from web.server.fair_server import ReservedAddresses
from web.sse import Viewers


def viewers_of(app: Flask) -> Viewers:
    """Return the viewers of this page's event streams."""
    viewers = app.extensions.setdefault("viewers", Viewers(0))
    assert isinstance(viewers, Viewers)
    return viewers


def paired_addresses_of(app: Flask) -> ReservedAddresses:
    """Return the addresses of paired phones, which have reserved connections."""
    addresses = app.extensions.setdefault("paired", ReservedAddresses())
    assert isinstance(addresses, ReservedAddresses)
    return addresses


def reserved_addresses_of(app: Flask) -> ReservedAddresses:
    """Return the addresses with reserved connections."""
    addresses = app.extensions.setdefault("kept", ReservedAddresses())
    assert isinstance(addresses, ReservedAddresses)
    return addresses
