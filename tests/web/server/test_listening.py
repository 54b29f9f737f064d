"""Addresses and ports at which no page can be served."""

from __future__ import annotations

import socket

import pytest

from web.errors import CannotServe
from web.server.listening import listen_at


def test_a_port_in_use_is_one_plain_sentence():
    with listen_at("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        with pytest.raises(CannotServe) as caught:
            listen_at("127.0.0.1", port)
    assert str(caught.value) == (
        f"The page cannot be served at 127.0.0.1, port {port}: "
        "another program uses that port; stop it, or choose another with --port."
    )


@pytest.mark.parametrize(
    ("host", "port", "said"),
    [
        ("192.0.2.1", 0, "this machine has no such address"),
        ("no.such.host.invalid", 0, "this machine has no such address"),
        ("127.0.0.1", 65536, "a port is a number from 0 to 65535"),
        ("127.0.0.1", -1, "a port is a number from 0 to 65535"),
        ("x" * 300, 0, "served at x{60}, port 0: this machine has no such address"),
        ("a..b", 0, "this machine has no such address"),
        ("a b", 0, "this machine has no such address"),
        ("", 0, "this machine has no such address"),
        ("\0", 0, "this machine has no such address"),
        ("\ud800", 0, "this machine has no such address"),
        ("127.0.0.1:80", 0, "this machine has no such address"),
    ],
)
def test_an_address_that_cannot_be_had_is_one_plain_sentence(host, port, said):
    with pytest.raises(CannotServe, match=said):
        listen_at(host, port)


def test_a_port_that_is_not_permitted_is_one_plain_sentence(monkeypatch):
    def refused(*_: object, **__: object) -> socket.socket:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(socket, "create_server", refused)
    with pytest.raises(CannotServe, match="needs an administrator; choose one from 1024"):
        listen_at("127.0.0.1", 80)
