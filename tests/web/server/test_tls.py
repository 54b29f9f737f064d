"""The page over TLS: who is slow, who speaks no TLS, who comes in hundreds, and who sends much."""

from __future__ import annotations

import asyncio
import http.client
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime

import pytest

from device.machine.tls import PageCertificate
from tests.support.waiting import PATIENCE_S, until
from tests.web.server.conftest import ask
from web.page_server import serve_page
from web.server import tls
from web.server.fair_server import MOST_ADDED, ReservedAddresses
from web.server.listening import listen_at
from web.server.tls import TlsServer
from web.server.tls_files import fingerprint_of

pytestmark = pytest.mark.slow


@pytest.fixture
def clients() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def test_a_page_knows_that_it_is_secure_and_who_asks(server, certificate):
    assert ask(server[1], certificate) == "200 https 127.0.0.1 127.0.0.1 0"


def test_who_trusts_the_authority_is_not_warned_and_others_are(server, certificate):
    with pytest.raises(ssl.SSLCertVerificationError):
        http.client.HTTPSConnection("127.0.0.1", server[1], timeout=PATIENCE_S).request("GET", "/")


def test_slow_handshakes_keep_nobody_waiting(server, certificate, clients):
    for _ in range(tls.AN_ADDRESS - 1):
        clients.enter_context(socket.create_connection(("127.0.0.1", server[1]))).send(b"\x16\x03\x01")
    assert ask(server[1], certificate).startswith("200")


def test_silent_clients_of_one_address_give_way_to_new_ones(server, certificate, clients):
    for _ in range(tls.AN_ADDRESS + 20):
        clients.enter_context(socket.create_connection(("127.0.0.1", server[1])))
    assert ask(server[1], certificate).startswith("200")


def test_no_client_is_lost_while_the_certificate_is_looked_up(server, certificate, monkeypatch):
    """A client that came in the moment of a look was accepted and then forgotten, and waited for ever."""
    monkeypatch.setattr(tls, "LOOK_UP_S", 0.0005)
    assert {ask(server[1], certificate)[:3] for _ in range(50)} == {"200"}


def test_a_renewed_certificate_is_served_however_many_connect(app, certificate, tmp_path, monkeypatch):
    """It was looked for only after a second in which nobody had connected."""
    monkeypatch.setattr(tls, "LOOK_UP_S", 0.2)
    other = PageCertificate(tmp_path / "other")
    other.renew(datetime.now(UTC))
    before = certificate.fingerprint
    with serve_page(app, port=0) as served:
        listening = listen_at("127.0.0.1", 0)
        secure = TlsServer(certificate, listening, served.adopt)
        certificate.files.certificate.write_bytes(other.files.certificate.read_bytes())
        certificate.files.key.write_bytes(other.files.key.read_bytes())
        until(lambda: certificate.fingerprint != before or not _connect(listening.getsockname()))
        assert certificate.fingerprint == fingerprint_of(other.files.certificate)
        secure.close()


def _connect(address: tuple[str, int]) -> bool:
    socket.create_connection(address).close()
    return True


class Ticks:
    """Timers that run when a test says so."""

    def __init__(self) -> None:
        self.loop, self.later = asyncio.new_event_loop(), list[tuple[Callable[[str], None], str]]()

    def call_later(self, delay: float, callback: Callable[[str], None], address: str) -> None:
        assert delay == tls.TURN_S
        self.later.append((callback, address))

    def create_future(self) -> asyncio.Future[None]:
        return self.loop.create_future()

    def tick(self) -> None:
        now, self.later = self.later, []
        for callback, address in now:
            callback(address)


def test_the_newest_client_of_an_address_takes_its_turn():
    ticks = Ticks()
    turns = tls.HandshakeTurns(ticks)
    crowd = [turns.wait("crowd") for _ in range(200)]
    other = turns.wait("other")
    crowd[-2].cancel()
    ticks.tick()
    assert other.done() and [number for number, turn in enumerate(crowd) if turn.done()] == [198, 199]
    newest = turns.wait("crowd")
    ticks.tick()
    assert newest.done() and not crowd[197].done()
    for turn in crowd:
        turn.cancel()
    ticks.tick()
    assert ticks.later == [] and not turns.wait("crowd").done()
    ticks.tick()
    ticks.tick()
    assert ticks.later == []
    ticks.loop.close()


def test_what_is_no_tls_is_dropped(server, certificate, clients):
    link = clients.enter_context(socket.create_connection(("127.0.0.1", server[1]), timeout=PATIENCE_S))
    link.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    assert not link.recv(1000).startswith(b"HTTP")
    assert ask(server[1], certificate).startswith("200")


def test_a_plain_client_is_not_secure(server):
    link = http.client.HTTPConnection("127.0.0.1", server[0].port, timeout=PATIENCE_S)
    link.request("GET", "/", headers={"X-Forwarded-Proto": "https"})
    assert link.getresponse().read().startswith(b"http ")


def test_a_long_answer_arrives_whole(app, certificate):
    app.add_url_rule("/long", view_func=lambda: "x" * 3_000_000)
    with serve_page(app, port=0) as served:
        listening = listen_at("127.0.0.1", 0)
        secure = TlsServer(certificate, listening, served.adopt)
        assert len(ask(listening.getsockname()[1], certificate, "/long")) == 3_000_004
        secure.close()


def test_it_ends_while_clients_are_there(app, certificate, clients):
    with serve_page(app, port=0) as served:
        listening = listen_at("127.0.0.1", 0)
        secure = TlsServer(certificate, listening, served.adopt)
        clients.enter_context(socket.create_connection(listening.getsockname()))
        before = threading.active_count()
        secure.close()
        assert threading.active_count() < before


def test_paired_phones_keep_their_places_in_a_crowd_of_addresses(app, certificate, clients):
    paired = ReservedAddresses()
    with serve_page(app, port=0) as served:
        listening = listen_at("127.0.0.1", 0)
        port = listening.getsockname()[1]
        secure = TlsServer(certificate, listening, served.adopt, paired)
        clients.callback(secure.close)
        trust = ssl.create_default_context(cafile=str(certificate.files.authority))
        phone = http.client.HTTPSConnection("127.0.0.1", port, context=trust, timeout=PATIENCE_S)
        clients.callback(phone.close)
        phone.request("GET", "/")
        assert phone.getresponse().read()
        own_socket = phone.sock
        paired.add("127.0.0.1")
        for number in range(tls.MOST_CLIENTS + 20):  # No address has more than the phone, which is the oldest.
            source = (f"127.0.{1 + number // 200}.{1 + number % 200}", 0)
            clients.enter_context(socket.create_connection(("127.0.0.1", port), source_address=source))
        assert ask(port, certificate).startswith("200")
        phone.request("GET", "/")
        assert phone.getresponse().status == 200 and phone.sock is own_socket


def test_of_the_addresses_that_were_added_the_newest_are_kept():
    addresses = ReservedAddresses(["10.0.0.1"])
    for number in range(3 * MOST_ADDED):
        addresses.add(f"10.1.0.{number}")
        addresses.add("10.2.0.1")
    assert "10.0.0.1" in addresses and "10.2.0.1" in addresses
    assert sum(f"10.1.0.{number}" in addresses for number in range(3 * MOST_ADDED)) == MOST_ADDED - 1
