"""Requests with a large body, such as a picture: read from the browsers that may send one, and from nobody else."""

from __future__ import annotations

import http.client

import pytest

from tests.web.server.conftest import COOKIE, PATH, ask
from web.server.tls import ServerCertificate

pytestmark = pytest.mark.slow


SECRET = "secret"


def test_a_known_browser_sends_much_and_nobody_else(server, certificate, bodies):
    bodies.add(SECRET)
    data = b"x" * 500_000
    assert ask(server[1], certificate, PATH, data, f"{COOKIE}={SECRET}").endswith(" 500000")
    bodies.remove(SECRET)
    for cookie in (f"{COOKIE}={SECRET}", "", "phone"):
        assert is_refused(server[1], certificate, PATH, data, cookie)
    bodies.add(SECRET)
    assert is_refused(server[1], certificate, "/", data, f"{COOKIE}={SECRET}")
    assert is_refused(server[1], certificate, PATH, data * 3, f"{COOKIE}={SECRET}")


def is_refused(port: int, certificate: ServerCertificate, *what: object) -> bool:
    try:
        return ask(port, certificate, *what).startswith("413")  # type: ignore[arg-type]
    except (OSError, http.client.HTTPException):
        return True
