"""To which names the box answers: no other site's page may read it by making its own name lead here."""

from __future__ import annotations

import http.client
import socket

import pytest

from tests.support.waiting import PATIENCE_S
from tests.support.web.snapshots import box, ultimate_game
from web.allowed_hosts import is_here
from web.app import create_app
from web.language import ENGLISH
from web.page_config import PageIdentity
from web.page_server import serve_page

NO_HOSTS = [
    *("[::1].evil", "[::1]evil", "[::1]@evil", "[::1]:80@evil", "[::1", "::1]", "[[::1]]", "::1", "[evil.example]"),
    *("127.0.0.1:80@evil", "127.0.0.1%00evil", "127.0.0.1%evil", "127.0.0.1%25eth0", "127.0.0.1/evil", "[]"),
    *("127.0.0.1#evil", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:80:80", "127.0.0.1:-1", "127.0.0.1:65536"),
    *("localhost:80@evil", "localhost@evil", "user@localhost", "localhost/evil", "localhost\\evil", "localhost?evil"),
    *("local host", "localhost,evil", "localhost..", "localhost.evil", ".localhost", "localhost%00.evil", "127.1"),
    *("[::1%25evil]", "[::1%evil]:80", "127.0.0.1:\u0663", "127.0.0.1:+80", "0x7f.0.0.1", "2130706433", "127.0.0.01"),
    *("localhost\t", "", ".", ":80"),
]
"""Host headers that are no host and port, or another's; all would be answered by a reader that only looks at a part."""
ADDRESSES = ["/", "/status.json", "/events", "/frame.jpg", "/health", "/game.sgf", "/static/page.js", "/nowhere"]


@pytest.fixture(scope="module")
def app():
    return create_app(box(ultimate_game()).backend, PageIdentity(names=["Table-3.club.example"]))


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize(
    "host", ["evil.example", "localhost.evil.example", "evil.example:8000", "8.8.8.8", "[2001:db8::1]:80"]
)
def test_another_sites_name_reads_nothing(app, address, host):
    answer = app.test_client().get(address, headers={"Host": host})
    assert (answer.status_code, answer.get_data(as_text=True)) == (421, ENGLISH("http.strange-name") + "\n")


@pytest.mark.parametrize("host", NO_HOSTS)
def test_a_header_that_is_no_host_and_port_reads_nothing(app, host):
    environ = {"HTTP_HOST": host}
    assert app.test_client().get("/status.json", environ_overrides=environ).status_code in (400, 421)


@pytest.mark.parametrize(
    "host",
    [
        *("localhost", "LOCALHOST:8000", "localhost.", "127.0.0.1", "127.0.0.1:8000", "[::1]", "[::1]:8000"),
        *("table-3.club.example", "table-3.club.example:80"),
        *(socket.gethostname(), f"{socket.gethostname().partition('.')[0]}.local:8000"),
    ],
)
def test_its_own_names_are_answered(app, host):
    assert app.test_client().get("/status.json", headers={"Host": host}).status_code == 200


def test_the_address_at_which_it_was_reached_is_its_own():
    assert is_here("192.168.1.7", "192.168.1.7") and is_here("192.168.1.7", "::ffff:192.168.1.7")
    assert is_here("fe80::1", "fe80::1%wlan0")
    assert (
        not is_here("192.168.1.8", "192.168.1.7") and not is_here("192.168.1.7", None) and not is_here("", "10.0.0.1")
    )


def test_over_the_network_a_strange_host_and_none_at_all_are_refused(app):
    with serve_page(app, port=0) as served:
        for host, code in ((f"127.0.0.1:{served.port}", 200), ("evil.example", 421), (None, 421)):
            connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=PATIENCE_S)
            connection.putrequest("GET", "/", skip_host=True)
            if host is not None:
                connection.putheader("Host", host)
            connection.endheaders()
            assert connection.getresponse().status == code, host
            connection.close()
