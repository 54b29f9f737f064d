"""Letters that no address, name, token or PIN has, in every place of a request: refused, and never an error."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Iterator

import pytest

from tests.support.device.directed import DirectedTable
from tests.support.waiting import PATIENCE_S
from web.director.views import COOKIE
from web.page_server import PageServer, serve_page

TEXTS = [letter.encode() for letter in "\u00e9\u5409\x7f%"] + [b"%C3%A9", b"%ED%A0%80", b"%00"]
ODD = [*TEXTS, b"\xe9", b"\xff\xfe", b"\xed\xa0\x80"]
SESSION = b"/director/session"


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[DirectedTable, PageServer]]:
    table = DirectedTable(tmp_path_factory.mktemp("data"))
    table.pin.make()
    with serve_page(table.app, port=0) as served:
        yield table, served
    table.close()


def status_of_request(
    table: tuple[DirectedTable, PageServer], method: bytes, path: bytes, body: bytes = b"", **headers: bytes
) -> int:
    """The status of an answer; headers beside the usual ones, which they replace."""
    _, served = table
    usual = {b"Host": b"127.0.0.1:%d" % served.port, b"Origin": b"http://127.0.0.1:%d" % served.port}
    usual |= {b"Content-Type": b"application/json", b"Content-Length": b"%d" % len(body), b"Connection": b"close"}
    usual |= {name.replace("_", "-").encode(): value for name, value in headers.items()}
    head = b"\r\n".join(name + b": " + value for name, value in usual.items())
    with socket.create_connection(("127.0.0.1", served.port), timeout=PATIENCE_S) as line:
        line.sendall(method + b" " + path + b" HTTP/1.1\r\n" + head + b"\r\n\r\n" + body)
        answer = line.makefile("rb").read()
    match = re.match(rb"HTTP/1\.[01] (\d{3}) ", answer)
    assert match is not None, answer
    assert b"Traceback" not in answer
    return int(match[1])


@pytest.mark.parametrize("odd", ODD)
def test_nobody_comes_in(table, odd):
    for value in (odd, b"x" + odd + b"y", odd * 200):
        assert status_of_request(table, b"POST", b"/director/acts", b"{}", Cookie=b"director=" + value) in (400, 401)
        assert status_of_request(table, b"GET", b"/director/place.json", Cookie=value) in (400, 401)
        assert status_of_request(table, b"POST", SESSION, b"{}", Origin=b"http://" + value) in (400, 403)
        assert status_of_request(table, b"GET", b"/", Host=value) in (400, 403, 421)
        assert status_of_request(table, b"POST", SESSION, json.dumps({"pin": value.decode("latin-1")}).encode()) in (
            403,
            429,
        )
        assert status_of_request(table, b"POST", SESSION, b'{"pin": "' + value + b'"}') in (400, 403, 429)
        assert status_of_request(table, b"POST", SESSION, value) == 400


@pytest.mark.parametrize("odd", ODD)
def test_a_directors_token_with_other_letters_is_refused(table, odd):
    directed, _ = table
    client = directed.app.test_client()
    origin = {"Origin": "http://localhost"}
    client.post("/director/session", json={"pin": directed.pin.make()}, headers=origin)
    cookie = client.get_cookie(COOKIE, path="/director")
    assert cookie is not None
    inside = {"Cookie": f"{cookie.key}={cookie.value}".encode()}
    assert status_of_request(table, b"GET", b"/director/place.json", **inside) == 200
    for value in (odd, odd * 200):
        assert status_of_request(table, b"POST", b"/director/acts", b"{}", X_Token=value, **inside) in (400, 403)
        assert status_of_request(table, b"DELETE", SESSION, X_Token=value, **inside) in (400, 403)


@pytest.mark.parametrize("odd", ODD)
def test_whatever_is_asked_for_is_shown_or_not_there(table, odd):
    paths = [b"/?lang=%s", b"/?turn=%s", b"/?step=%s", b"/board.svg?turn=%s", b"/position.json?turn=%s", b"/%s"]
    paths += [b"/games/%s.sgf", b"/frame.jpg?overlay=%s", b"/static/%s", b"/director/games/%s.journal", b"/?%s=%s"]
    for path in paths:
        status = status_of_request(table, b"GET", path.replace(b"%s", odd), Accept_Language=odd, If_None_Match=odd)
        assert status in (200, 304, 400, 401, 404), path
