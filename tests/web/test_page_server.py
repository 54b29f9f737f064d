"""The page over a real network connection, by waitress on 127.0.0.1."""

from __future__ import annotations

import http.client
import re
import socket
from contextlib import ExitStack, suppress
from functools import partial

import pytest

from tests.support.waiting import PATIENCE_S
from tests.support.web.snapshots import superko, take_snapshot
from tests.web.conftest import ask, event
from web.app import create_app
from web.page_server import serve_page, serve_to_all
from web.server import fair_server

pytestmark = pytest.mark.slow


def test_the_page_is_served_without_saying_by_what(served):
    answer = ask(served, "/")
    assert answer.status == 200
    assert answer.getheader("Server") is None
    assert served.url == f"http://127.0.0.1:{served.port}/"


def test_twenty_streams_and_the_others_are_told_to_poll(shown_box, served):
    streams = [ask(served, "/events") for _ in range(25)]
    open_ones = [stream for stream in streams if stream.status == 200]
    refused = [stream for stream in streams if stream.status == 503]
    assert (len(open_ones), len(refused)) == (20, 5)
    assert refused[0].read().decode().count("\n") == 1
    assert [event(stream)["number"] for stream in open_ones] == [8] * 20
    assert ask(served, "/status.json").status == 200
    shown_box.show(take_snapshot(superko(), number=9))
    assert [event(stream)["number"] for stream in open_ones] == [9] * 20


def test_closing_ends_the_streams_and_gives_the_port_back(shown_box):
    served = serve_page(create_app(shown_box.backend), port=0)
    streams = [ask(served, "/events") for _ in range(3)]
    assert [event(stream)["number"] for stream in streams] == [8] * 3
    served.close()
    assert [event(stream) for stream in streams] == [{}] * 3
    with pytest.raises(ConnectionRefusedError):
        ask(served, "/")
    served.close()
    with serve_page(create_app(shown_box.backend), port=served.port) as again:
        assert ask(again, "/status.json").status == 200


def test_a_request_that_is_too_large_is_refused(served):
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=PATIENCE_S)
    connection.request("GET", "/", headers={"X-Long": "x" * 100_000})
    assert connection.getresponse().status == 431


OWN, EVIL = b"Host: {host}\r\n", b"Host: evil.example\r\n"
POST = b"POST /director/acts HTTP/1.1\r\n" + OWN
HIDDEN = b"GET /health HTTP/1.1\r\n" + OWN + b"\r\n"
SMUGGLED = {
    "both lengths": POST + b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + HIDDEN,
    "a coding that is none": POST + b"Transfer-Encoding: xchunked\r\nContent-Length: 3\r\n\r\nabc" + HIDDEN,
    "two lengths": POST + b"Content-Length: 3\r\nContent-Length: 300\r\n\r\nabc" + HIDDEN,
    "a length below none": POST + b"Content-Length: -3\r\n\r\nabc",
    "a length with a sign": POST + b"Content-Length: +3\r\n\r\nabc" + HIDDEN,
    "a chunk below none": POST + b"Transfer-Encoding: chunked\r\n\r\n-1\r\nx\r\n0\r\n\r\n" + HIDDEN,
    "a long extension of a chunk": POST + b"Transfer-Encoding: chunked\r\n\r\n1;" + b"a" * 99_999 + b"\r\nx\r\n",
    "another host first": b"GET /status.json HTTP/1.1\r\n" + EVIL + OWN + b"\r\n",
    "no host": b"GET /status.json HTTP/1.0\r\n\r\n",
    "a blank before the colon": b"GET /status.json HTTP/1.1\r\nHost : x\r\n\r\n",
    "a header in the path": b"GET /games/x%0d%0aX-Evil:1.sgf HTTP/1.1\r\n" + OWN + b"\r\n",
    "up from the games": b"GET /games/..%2f..%2fetc%2fpasswd.sgf HTTP/1.1\r\n" + OWN + b"\r\n",
    "up from the files": b"GET /static/..%2fapp.py HTTP/1.1\r\n" + OWN + b"\r\n",
    "up from the files, in parts": b"GET /static/%2e%2e/app.py HTTP/1.1\r\n" + OWN + b"\r\n",
    "a byte that is none": b"GET /\0 HTTP/1.1\r\n" + OWN + b"\r\n",
    "traced": b"TRACE / HTTP/1.1\r\n" + OWN + b"\r\n",
    "through it": b"CONNECT evil.example:80 HTTP/1.1\r\n" + OWN + b"\r\n",
}


def test_nothing_is_slipped_in_beside_a_request(served, monkeypatch):
    """One request is refused, nothing that is hidden in it is answered, and no header is made of it."""
    host, smuggled = f"127.0.0.1:{served.port}".encode(), dict[str, str]()
    with ExitStack() as stack:
        asking = {name: stack.enter_context(socket.create_connection(("127.0.0.1", served.port))) for name in SMUGGLED}
        for name, sock in asking.items():
            sock.sendall(SMUGGLED[name].replace(b"{host}", host))
        for sock in asking.values():
            sock.settimeout(PATIENCE_S)
            sock.recv(1, socket.MSG_PEEK)
        # Each is answered; connections that ask for nothing more are closed now.
        monkeypatch.setattr(fair_server, "IDLE", 0.0)
        monkeypatch.setattr(fair_server, "WHOLE_WITHIN", 0.0)
        for name, sock in asking.items():
            answer = whole(sock)
            codes = re.findall(rb"^HTTP/1\.[01] (\d+)", answer, re.M)
            refused = len(codes) == 1 and 400 <= int(codes[0]) <= 501
            if not refused or any(word in answer for word in (b'"ok"', b"\r\nX-Evil", b"root:")):
                smuggled[name] = f"{answer!r:.200}"
    assert smuggled == {}


def whole(sock: socket.socket) -> bytes:
    """All that is answered until the page closes the connection."""
    data = b""
    sock.settimeout(PATIENCE_S)
    with suppress(ConnectionResetError):
        while piece := sock.recv(65536):
            data += piece
    return data


@pytest.mark.parametrize("serving", [serve_page, partial(serve_to_all, host="127.0.0.1")], ids=["box", "gallery"])
def test_a_request_with_two_lengths_is_refused(shown_box, serving):
    with (
        serving(create_app(shown_box.backend), port=0) as served,
        socket.create_connection(("127.0.0.1", served.port)) as sock,
    ):
        sock.sendall(SMUGGLED["both lengths"].replace(b"{host}", f"127.0.0.1:{served.port}".encode()))
        assert whole(sock).startswith(b"HTTP/1.1 400 ")
