"""The page against clients that take more than their share: what tests/benchmarks/attack plays at length, in short."""

from __future__ import annotations

import http.client
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from flask import Flask

import web.page.public_views
from tests.support import ROOT
from tests.support.attack.clock import NO_COMPILER, SetBack, can_set_back
from tests.support.tiers import LONG, sample
from tests.support.waiting import PATIENCE_S
from tests.support.web.snapshots import Box, box, superko, take_snapshot, ultimate_game
from web.app import create_app
from web.page_config import AccessConfig
from web.page_server import PageServer, serve_page
from web.server import fair_server
from web.server.fair_server import LONGEST_REST, MOST_ACCOUNTS, SHARE, CpuQuota, ReservedAddresses, address_of
from web.sse import KEPT_STREAMS, Viewers

pytestmark = pytest.mark.slow

DIRECTOR = "127.0.0.9"
SLEEPLESS = """
import time, urllib.request
from flask import Flask
from web.page_config import AccessConfig
from web.page_server import serve_page
try:
    time.sleep(0)
    print("the system sleeps")
except OSError:
    pass
app = Flask("web")
app.get("/")(lambda: "well")
with serve_page(app, port=0) as served:
    print(*[urllib.request.urlopen(served.url).status for _ in range(3)])
"""
"""A page where `time.sleep` fails, asked three times."""
GREEDY = 24


@pytest.fixture
def shown_box() -> Box:
    return box(ultimate_game(), number=8)


@pytest.fixture
def served(shown_box: Box) -> Iterator[PageServer]:
    with serve_page(create_app(shown_box.backend), port=0) as serving:
        yield serving


@pytest.fixture
def clients() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def connect_from(served: PageServer, address: str, clients: ExitStack) -> http.client.HTTPConnection:
    """A client that keeps its connection."""
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=PATIENCE_S, source_address=(address, 0))
    clients.callback(connection.close)
    connection.connect()
    return connection


def ask_once(served: PageServer, address: str, path: str = "/") -> int:
    """Return the status code for somebody who comes now and goes again."""
    with ExitStack() as stack:
        one = connect_from(served, address, stack)
        one.request("GET", path)
        answer = one.getresponse()
        answer.read()
        return answer.status


def slow(served: PageServer, address: str, clients: ExitStack) -> socket.socket:
    """A client whose request does not end."""
    one = connect_from(served, address, clients)
    one.sock.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: 1\r\n")
    return one.sock


def is_closed(sock: socket.socket) -> bool:
    """Return whether the page closes this connection."""
    try:
        return sock.recv(1) == b""
    except ConnectionResetError:
        return True


@pytest.mark.parametrize("address", [DIRECTOR, "127.0.0.1"])
def test_slow_clients_keep_nobody_out(served, clients, address):
    for _ in range(fair_server.AN_ADDRESS + 5):
        slow(served, "127.0.0.1", clients)
    assert ask_once(served, address) == 200


@pytest.mark.parametrize("address", sample(["127.0.0.1", DIRECTOR], 1))
def test_phones_that_keep_their_connections_keep_nobody_out(served, clients, address):
    for _ in range(fair_server.AN_ADDRESS + 5):
        phone = connect_from(served, "127.0.0.1", clients)
        phone.request("GET", "/status.json")
        assert phone.getresponse().read()
    assert ask_once(served, address) == 200


def test_slow_clients_of_many_addresses_keep_nobody_out(served, clients, monkeypatch):
    monkeypatch.setattr(fair_server, "MOST_PLACES", 100)
    for number in range(fair_server.MOST_PLACES + 5):
        slow(served, f"127.0.1.{1 + number % 20}", clients)
    assert ask_once(served, DIRECTOR) == 200


def test_a_request_that_does_not_end_is_not_waited_for(served, clients, monkeypatch):
    monkeypatch.setattr(fair_server, "WHOLE_WITHIN", 0.0)
    assert is_closed(slow(served, "127.0.0.1", clients))


def test_a_connection_that_says_nothing_is_not_waited_for(served, clients, monkeypatch):
    monkeypatch.setattr(fair_server, "WHOLE_WITHIN", 0.0)
    assert is_closed(connect_from(served, "127.0.0.1", clients).sock)


def long(app: Flask, clients: ExitStack) -> tuple[threading.Semaphore, threading.Event]:
    """An address whose answers take long: what tells that one is under way, and what lets all be given."""
    answering, free = threading.Semaphore(0), threading.Event()
    clients.callback(free.set)

    @app.get("/long")
    def answer() -> str:
        answering.release()
        free.wait(PATIENCE_S)
        return "done"

    return answering, free


def test_a_connection_that_was_dropped_is_polled_no_more(served, clients):
    one = slow(served, "127.0.0.1", clients)
    assert ask_once(served, DIRECTOR) == 200
    (visitor,) = [channel for channel in served._server.active_channels.values() if channel.address == "127.0.0.1"]
    assert visitor.readable()
    visitor.will_close = True
    assert visitor.writable()
    visitor.will_close = False
    visitor.drop()
    visitor.will_close = True
    assert is_closed(one) and not visitor.readable() and not visitor.writable()


def test_an_address_whose_places_all_work_is_sent_away_with_a_sentence(clients, shown_box, monkeypatch):
    monkeypatch.setattr(fair_server, "AN_ADDRESS", fair_server.AT_ONCE)
    app = create_app(shown_box.backend)
    answering, _ = long(app, clients)
    with serve_page(app, port=0) as served, clients:
        for _ in range(fair_server.AT_ONCE):
            connect_from(served, "127.0.0.1", clients).request("GET", "/long")
            assert answering.acquire(timeout=PATIENCE_S)
        assert connect_from(served, "127.0.0.1", clients).sock.recv(1000).endswith(fair_server.NO_ROOM)
        assert ask_once(served, DIRECTOR) == 200


def test_streams_of_any_number_leave_the_page_to_the_others(shown_box, clients):
    with serve_page(create_app(shown_box.backend, access=AccessConfig(viewers=40)), port=0) as served:
        streams = []
        for number in range(44):
            stream = connect_from(served, f"127.0.0.{1 + number % 4}", clients)
            stream.request("GET", "/events")
            streams.append(stream.getresponse())
        assert [stream.status for stream in streams] == [200] * 40 + [503] * 4
        assert ask_once(served, DIRECTOR) == 200


def test_the_busiest_client_makes_room_for_a_reserved_address():
    viewers = Viewers(4)
    many = [viewers.enter("a") for _ in range(5)]
    assert [one is not None for one in many] == [True, True, True, True, False]
    others = [viewers.enter("b") for _ in range(3)]
    assert [one is not None for one in others] == [True, True, False]
    assert [one.over for one in many if one] == [True, True, False, False]
    assert viewers.enter("c") and not viewers.enter("c")
    desk = [viewers.enter("desk", is_reserved=True) for _ in range(KEPT_STREAMS)]
    assert all(desk)
    viewers.leave(desk[0])
    assert viewers.enter("desk", is_reserved=True)
    viewers.close()
    assert not viewers.enter("desk", is_reserved=True) and desk[-1].over


def test_an_address_is_limited_in_requests_and_others_go_on(shown_box, clients):
    app = create_app(shown_box.backend)
    answering, free = long(app, clients)
    with serve_page(app, port=0) as served:
        ones = [connect_from(served, "127.0.0.1", clients) for _ in range(GREEDY)]
        for one in ones:
            one.request("GET", "/long")
        for _ in range(fair_server.AT_ONCE):
            assert answering.acquire(timeout=PATIENCE_S)
        assert ask_once(served, DIRECTOR) == 200
        assert not answering.acquire(blocking=False)
        free.set()
        assert [one.getresponse().read() for one in ones] == [b"done"] * GREEDY


def test_an_address_that_asks_too_much_rests_and_the_others_do_not():
    accounts = CpuQuota()
    rests = [accounts.rest("a", 0.1, 10.0) for _ in range(4)]
    assert rests == pytest.approx([0.0, 0.0, 0.05 / SHARE, 0.15 / SHARE])
    assert accounts.rest("a", 100.0, 10.0) == LONGEST_REST
    assert accounts.rest("b", 0.1, 10.0) == 0.0
    assert accounts.rest("a", 0.1, 10.0 + 101 / SHARE) == 0.0
    for number in range(MOST_ACCOUNTS + 1):
        accounts.rest(f"10.0.{number // 256}.{number % 256}", 1.0, 20.0)
    assert accounts.rest("b", 0.1, 20.0) == 0.0


def test_a_clock_that_jumps_leaves_every_rest_short():
    accounts = CpuQuota()
    assert accounts.rest("a", 0.1, 1e9) == 0.0
    assert accounts.rest("a", 0.1, -1e9) == 0.0
    assert accounts.rest("a", -1e9, 0.0) == 0.0
    assert accounts.rest("a", float("nan"), 0.0) == 0.0
    assert accounts.rest("b", 1e9, 0.0) == LONGEST_REST
    assert accounts.rest("a", 0.1, 1e9) == 0.0


def test_a_clock_that_is_set_back_lets_nobody_stay(served, clients, monkeypatch):
    one = slow(served, "127.0.0.1", clients)
    assert ask_once(served, DIRECTOR) == 200
    (visitor,) = [channel for channel in served._server.active_channels.values() if channel.address == "127.0.0.1"]
    since = visitor.since
    assert not visitor.is_late(since - 1e6) and visitor.is_late(since - 1e6 + fair_server.WHOLE_WITHIN + 1)
    served._server.looked += 1e6
    monkeypatch.setattr(fair_server, "WHOLE_WITHIN", 0.0)
    assert is_closed(one)


@LONG
@pytest.mark.skipif(not can_set_back(), reason=NO_COMPILER)
def test_a_page_answers_though_the_system_refuses_to_sleep(tmp_path):
    environment = {**os.environ, **SetBack(tmp_path).without_sleep(), "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", SLEEPLESS], env=environment, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("200 200 200\n", "")


def test_places_are_kept_for_who_is_named(shown_box, clients, monkeypatch):
    monkeypatch.setattr(fair_server, "MOST_PLACES", 4)
    app = create_app(shown_box.backend, access=AccessConfig(reserved=[DIRECTOR]))
    answering, _ = long(app, clients)
    with serve_page(app, port=0) as served, clients:
        for number in range(4):
            connect_from(served, f"127.0.0.{1 + number}", clients).request("GET", "/long")
            assert answering.acquire(timeout=PATIENCE_S)
        assert connect_from(served, "127.0.0.8", clients).sock.recv(1000).endswith(fair_server.NO_ROOM)
        assert ask_once(served, DIRECTOR) == ask_once(served, DIRECTOR, "/health") == 200


def test_earlier_turns_are_drawn_once_for_all_who_ask(shown_box, monkeypatch):
    drawings: list[object] = []
    model = web.page.public_views.PageModel

    def counted(*arguments: object) -> object:
        drawings.append(arguments)
        return model(*arguments)

    monkeypatch.setattr(web.page.public_views, "PageModel", counted)
    client = create_app(shown_box.backend).test_client()
    addresses = [f"/?turn={turn}&lang={lang}" for turn in range(8) for lang in ("en", "de")]
    pages = {client.get(address).data for address in addresses * 5}
    assert len(pages) == len(drawings) == len(addresses)
    shown_box.show(take_snapshot(superko(), number=9))
    client.get("/?turn=1")
    assert len(drawings) == len(addresses) + 1


def test_only_one_page_is_drawn_at_a_time(shown_box, monkeypatch):
    drawing, most = [0], [0]
    model = web.page.public_views.PageModel

    def counted(*arguments: object) -> object:
        drawing[0] += 1
        most[0] = max(most[0], drawing[0])
        try:
            return model(*arguments)
        finally:
            drawing[0] -= 1

    monkeypatch.setattr(web.page.public_views, "PageModel", counted)
    app = create_app(shown_box.backend)
    threads = [threading.Thread(target=app.test_client().get, args=(f"/?turn={turn}",)) for turn in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1]


def test_what_counts_as_one_address():
    assert address_of("192.168.1.5") == address_of("::ffff:192.168.1.5") == "192.168.1.5"
    assert address_of("fd00:1:2:3:4:5:6:7") == address_of("fd00:1:2:3::1") != address_of("fd00:1:2:4::1")
    assert address_of("fe80::1%eth0") == address_of("fe80::2")
    assert address_of(None) == "" and "10.0.0.1" in ReservedAddresses(["10.0.0.1"])


def test_streams_are_counted_by_the_address_that_asks(shown_box, clients):
    with serve_page(create_app(shown_box.backend, access=AccessConfig(viewers=2)), port=0) as served:
        streams = []
        for address in ("127.0.0.1", "127.0.0.1", "127.0.0.1", DIRECTOR):
            stream = connect_from(served, address, clients)
            stream.request("GET", "/events")
            streams.append(stream.getresponse())
        assert [stream.status for stream in streams] == [200, 200, 503, 200]
        assert streams[0].read().startswith(b"retry")
