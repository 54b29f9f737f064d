"""A page that is served over TLS too, and takes large bodies from browsers that it knows."""

from __future__ import annotations

import http.client
import ssl
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from flask import Flask, request

from device.machine.tls import PageCertificate
from tests.support.waiting import PATIENCE_S
from web.page_server import PageServer, serve_page
from web.server.large_bodies import LargeBodies
from web.server.listening import listen_at
from web.server.tls import ServerCertificate, TlsServer

PATH, COOKIE = "/picture", "phone"


@pytest.fixture
def certificate(tmp_path) -> ServerCertificate:
    page_certificate = PageCertificate(tmp_path)
    page_certificate.renew(datetime.now(UTC))
    return ServerCertificate(page_certificate.files)


@pytest.fixture
def bodies() -> LargeBodies:
    return LargeBodies(PATH, COOKIE, 1_000_000)


@pytest.fixture
def app(bodies) -> Flask:
    app = Flask("web")
    app.extensions["bodies"] = bodies

    @app.route("/", methods=["GET", "POST"])
    @app.route(PATH, methods=["POST"])
    def answer() -> str:
        data = request.environ["wsgi.input"].read()
        return f"{request.scheme} {request.remote_addr} {request.environ['shinpan.here']} {len(data)}"

    return app


@pytest.fixture
def server(app, certificate) -> Iterator[tuple[PageServer, int]]:
    with serve_page(app, port=0) as served:
        listening = listen_at("127.0.0.1", 0)
        port = listening.getsockname()[1]
        secure = TlsServer(certificate, listening, served.adopt)
        yield served, port
        secure.close()


def ask(port: int, certificate: ServerCertificate, path: str = "/", body: bytes | None = None, cookie: str = "") -> str:
    trust = ssl.create_default_context(cafile=str(certificate.files.authority))
    link = http.client.HTTPSConnection("127.0.0.1", port, context=trust, timeout=PATIENCE_S)
    try:
        link.request("GET" if body is None else "POST", path, body, {"Cookie": cookie})
        answer = link.getresponse()
        return f"{answer.status} {answer.read().decode()}"
    finally:
        link.close()
