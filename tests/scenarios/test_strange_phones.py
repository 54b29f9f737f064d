"""Nothing that a paired phone sends, or a stranger to the phones' addresses, is an error or a fault of the table."""

from __future__ import annotations

import json
import random
import socket
import ssl
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, fields, replace
from logging import INFO
from typing import Any

import cv2
import numpy as np
import pytest
from flask import Flask

from device.machine.tls import PageCertificate
from device.panel.phone_presses import PhonePresses
from device.phones.pairing import Pairings
from device.phones.phones import Phones
from tests.scenarios.test_strange_requests import BODIES, HEADERS, PARTS
from tests.support.device.directed import DirectedTable
from tests.support.tiers import seeds
from tests.support.waiting import PATIENCE_S
from web.app import create_app
from web.backend import PHONE_PARTS, PhoneBackend
from web.page_config import PageIdentity
from web.page_server import listen_at, serve_page
from web.phone.views import ACTS, COOKIE, PHONE, PICTURE, STATE
from web.server.tls import ServerCertificate, TlsServer

pytestmark = pytest.mark.slow
METHODS = ("GET", "HEAD", "POST", "DELETE", "PUT", "PATCH", "OPTIONS", "TRACE", "BREW")
HOST = "https://localhost"
PRESS = {"number": 1, "run": "run", "side": 1, "held": False, "t": 10.0, "button": "done", "heard": "", "made": 1}
SAID = {**PRESS, "hidden": False, "battery": 0.5, "charging": False, "hot": False, "code": "x"}
"""All that a phone says of itself and of a press."""
ODD = (
    *(None, True, -1, 0, 0.5, -0.0, 2**53, 2**53 + 1, 10**18, 1e300, -1e300, 10**400, "", "x" * 3000, "\ud800", "\x00"),
    *("9" * 400, [], {}, [[[]]] * 200, {"a": {"b": []}}, "pause", "call", "score", "審判"),
)
LENGTHS = ("0", "-1", "1", "999999999", "9" * 40, "x", "+5", "5, 5", "0x10", "", " 7 ", "²")
FRAMINGS = (
    "Transfer-Encoding: chunked",
    "Transfer-Encoding: chunked\r\nContent-Length: 3",
    "Transfer-Encoding: x",
    "X: x",
)
UNFINISHED = tuple(f"Content-Length: {one}" for one in ("999999999", "9" * 40)) + FRAMINGS[:1]
"""Headers after which the box may wait for more."""


@dataclass
class PhonesBox:
    """A box with phones. secrets: of a paired camera, a clock and one side's clock."""

    table: DirectedTable
    phones: Phones
    app: Flask
    secrets: tuple[str, ...]
    certificate: ServerCertificate

    def check(self, caplog: pytest.LogCaptureFixture) -> None:
        """Nothing is logged or wrong but that the phones make no contact, and all of them are still paired."""
        self.table.event_loop.settle()
        warnings = [record for record in caplog.records if record.levelno > INFO and record.module != "faults"]
        assert [record.getMessage() for record in warnings] == []
        assert {message.key.partition(".")[0] for message in self.table.now.faults} <= {"phone"}
        assert not self.table.event_loop.failed.is_set()
        assert all(self.phones.phone_part(secret) is not None for secret in self.secrets)


@pytest.fixture(scope="module")
def phones_box(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PhonesBox]:
    folder = tmp_path_factory.mktemp("phones")
    with ExitStack() as stack:
        table = DirectedTable(folder, rules="chinese", control="30m")
        stack.callback(table.close)
        presses = PhonePresses("run", table.t, table.event_loop.press)
        event_loop, pairings = table.event_loop, Pairings(folder, (1, 2))
        place = lambda: (None, None)  # noqa: E731
        phones = Phones(pairings, presses, lambda: table.t, place, event_loop.set_fault, event_loop.remark)
        stack.callback(phones.close)
        backend = PhoneBackend(*(getattr(phones, one.name) for one in fields(PhoneBackend)))
        page_certificate = PageCertificate(folder)
        page_certificate.renew()
        certificate = ServerCertificate(page_certificate.files)
        app = create_app(replace(table.backend, phones=backend), PageIdentity(certificate=certificate))
        pairs = [phones.phone_pair(pairings.codes()[part], "a browser") for part in PHONE_PARTS]
        secrets = tuple(str(one["secret"]) for one in pairs if one is not None)
        yield PhonesBox(table, phones, app, secrets, certificate)


def odd_body(chance: random.Random) -> bytes:
    """A body that a phone would send, with some parts wrong; or no such body at all."""
    if chance.random() < 0.3:
        return chance.choice((*BODIES, chance.randbytes(40)))
    body = {**SAID, **{key: chance.choice(ODD) for key in chance.sample(list(SAID), chance.randrange(4))}}
    for key in chance.sample(list(body), chance.randrange(3)):
        del body[key]
    return json.dumps(body).encode()


def addresses(app: Flask, chance: random.Random) -> list[str]:
    """Every address of the phones, with odd parts."""
    addresses = []
    for rule in app.url_map.iter_rules():
        if "/phone" in str(rule) or str(rule) == "/ca.crt":
            parts = [chance.choice((*PARTS, "1", "1-2")) if dynamic else text for dynamic, text in rule._trace]
            addresses.append("".join(parts).removeprefix("|").replace("|", ""))
    return addresses


def request(path: str, method: str, chance: random.Random) -> dict[str, Any]:
    """A request; of every two one is wrong in no more than its body and what it says of the phone."""
    is_framed = chance.random() < 0.5
    state = odd_body(chance).decode("latin-1")[:3000]
    environ = {f"HTTP_{STATE.upper().replace('-', '_')}": state, "HTTP_ORIGIN": HOST, "HTTP_USER_AGENT": "é" * 900}
    if path == PICTURE:
        environ["shinpan.large-body"] = chance.random() < 0.7
    kind, scheme = "application/json", HOST
    if not is_framed:
        environ["HTTP_ORIGIN"] = chance.choice((HOST, "null", *HEADERS))
        kind = chance.choice(("application/json; charset=utf-16", "text/plain", *HEADERS))
        scheme = chance.choice((HOST, "http://localhost"))
        environ |= {"CONTENT_LENGTH": chance.choice(LENGTHS)} if chance.random() < 0.3 else {}
        environ[f"HTTP_{STATE.upper().replace('-', '_')}"] = chance.choice((state, *HEADERS))
    body = odd_body(chance) if path != PICTURE or chance.random() < 0.3 else odd_picture(chance)
    options = {"method": method, "base_url": scheme, "content_type": kind, "environ_overrides": environ}
    return {"path": path, "data": body, **options}


def odd_picture(chance: random.Random) -> bytes:
    """A JPEG, whole, cut off, or with a byte that is wrong."""
    whole = cv2.imencode(".jpg", np.full((72, 128, 3), chance.randrange(256), np.uint8))[1].tobytes()
    at = chance.randrange(len(whole))
    return chance.choice((whole, whole[:at], whole[:at] + chance.randbytes(1) + whole[at + 1 :]))


@pytest.mark.parametrize("seed", seeds(1, 30))
def test_no_request_of_a_phone_is_an_error(phones_box, seed, caplog):
    chance, statuses = random.Random(seed), Counter[tuple[str, str, int]]()
    for secret in (*phones_box.secrets, "x", "é\x7f", ""):
        client = phones_box.app.test_client()
        client.set_cookie(COOKIE, secret, path="/")
        asked = [(path, method) for path in addresses(phones_box.app, chance) for method in METHODS]
        for path, method in (*asked, *((path, "POST") for path in ACTS for _ in range(12))):
            with client.open(**request(path, method, chance)) as answer:
                statuses[method, path, answer.status_code] += 1
            if secret:
                client.set_cookie(COOKIE, secret, path="/")
    assert [asked for asked in statuses if asked[2] >= 500] == []
    assert all(statuses["POST", path, 200] for path in ACTS if path != f"{PHONE}/pair"), "some were answered as phones"
    phones_box.check(caplog)


def test_no_length_on_the_wire_is_an_error(phones_box, caplog):
    listening, trusting = listen_at("127.0.0.1", 0), ssl._create_unverified_context()
    address = listening.getsockname()[:2]
    with ExitStack() as stack:
        served = stack.enter_context(serve_page(phones_box.app, port=0))
        stack.callback(TlsServer(phones_box.certificate, listening, served.adopt).close)

        def answer(path: str, lengths: str, body: bytes) -> bytes:
            """The first line that comes, none if the box waits for more."""
            own = f"https://127.0.0.1:{address[1]}"
            head = (
                f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{address[1]}\r\nOrigin: {own}\r\n{lengths}\r\n{STATE}: {{}}"
            )
            head += f"\r\nContent-Type: application/json\r\nCookie: {COOKIE}={phones_box.secrets[0]}\r\n\r\n"
            with trusting.wrap_socket(socket.create_connection(address, PATIENCE_S)) as line:
                line.sendall(head.encode("latin-1") + body)
                line.settimeout(0.2 if lengths in UNFINISHED else PATIENCE_S)
                with suppress(TimeoutError, ConnectionError):
                    return line.recv(4096).partition(b"\r\n")[0]
            return b""

        answers = {
            (path, lengths): answer(path, lengths, b"5;x\r\n{}")
            for path in ACTS
            for lengths in (*(f"Content-Length: {one}" for one in LENGTHS), *FRAMINGS)
        }
        odd = {request: reply for request, reply in answers.items() if b" 500 " in reply or b" 503 " in reply}
        assert odd == {}
        assert b" 200 " in answer(f"{PHONE}/contact", "Content-Length: 2", b"{}")
    phones_box.check(caplog)
