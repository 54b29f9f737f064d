"""Nothing that strangers send to box, hall or gallery is an error, at any address that they have."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from flask import Flask
from werkzeug.routing import Rule

from device.cli.hall import DIRECTOR, build_backend
from device.hall.name_removal import HallNameRemover
from device.machine.pin import Pin
from tests.support.device.venues import Venues
from tests.support.tiers import seeds
from tests.support.web.public import BOARD, RECORD, news, room_of
from web.gallery.app import create_gallery_app
from web.hall.app import create_hall_app
from web.hall.auth import Logins
from web.hall_api import HOME
from web.hmac_auth import CHALLENGE, HALL, SEAL

pytestmark = pytest.mark.slow
BYTES = (b"\x87", b"\xff\xfe", b"\xed\xa0\x80", b"\x00", b"[" * 300, b'{"pin": "\\ud800"}', b'{"act": 1e999}', b"")
BODIES = (*BYTES, b"[]", b'{"table": {"a": []}, "pin": 1, "code": [], "name": null}', b"1" * 5000, b'"\\u0000"')
PARTS = ("\ud7ff", "\x00", "%00", "é", "審判", "-1", "9" * 400, "..", "a\nb", "1.5", " ", "'", "x" * 300, "x" * 3000)
HEADERS = (
    "\xe9",
    "\x7f",
    "x" * 5000,
    "bytes=0-",
    'W/"x"',
    "application/json",
    "text/plain; charset=x",
    "=?utf-8?b?/w==?=",
)
NAMES = (
    *("Accept-Language", "Accept-Encoding", "If-None-Match", "If-Modified-Since", "Range", "Content-Type", "Cookie"),
    *("Authorization", "Origin", "X-Token", "X-State", "X-Forwarded-For", "User-Agent", "Referer"),
    *(HALL, CHALLENGE, SEAL),
)
KEYS = ("since", "lang", "turn", "step", "run", "v", "overlay", "only", "sort", "q", "rules", "page")


@pytest.fixture(scope="module")
def apps(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Flask]]:
    with ExitStack() as stack:
        venues = Venues(tmp_path_factory.mktemp("venue"))
        stack.callback(venues.close)
        hall, folder = venues.hall(), venues.folder / "hall"
        wall = create_hall_app(
            build_backend(hall, Pin(folder), Pin(folder, DIRECTOR), HallNameRemover(folder), Logins())
        )
        yield {
            "box": venues.box.app,
            "hall": wall,
            "gallery": create_gallery_app(room_of(news(1, BOARD), news(2, RECORD))),
        }


def path_of(rule: Rule, chance: random.Random) -> str:
    """An address of this rule, with odd parts and questions."""
    parts = [chance.choice(PARTS) if dynamic else text for dynamic, text in rule._trace]
    path = "".join(parts).removeprefix("|").replace("|", "")
    keys = chance.sample(
        ("since", "lang", "turn", "step", "run", "v", "overlay", "only", "sort", "q", "rules", "page"), 3
    )
    return f"{path}?" + "&".join(f"{key}={chance.choice(PARTS)}" for key in keys)


@pytest.mark.parametrize("seed", seeds(1, 20))
@pytest.mark.parametrize("which", ["box", "hall", "gallery"])
def test_no_request_of_a_stranger_is_an_error(apps, which, seed, caplog):
    app, chance, odd = apps[which], random.Random(seed), list[tuple[str, str, int]]()
    for rule in app.url_map.iter_rules():
        for method in ("GET", "HEAD", "POST", "DELETE", "PUT", "OPTIONS"):
            if rule.endpoint == "stream_events" and method == "GET":
                continue
            path, names = path_of(rule, chance), chance.sample(NAMES, 4)
            environ = {f"HTTP_{name.upper().replace('-', '_')}": chance.choice(HEADERS) for name in names}
            environ["HTTP_ORIGIN"] = chance.choice(("http://localhost", *HEADERS))
            kind = chance.choice(("application/json", "text/plain", "", *HEADERS))
            client = app.test_client()
            with client.open(
                path, method=method, data=chance.choice(BODIES), content_type=kind, environ_overrides=environ
            ) as answer:
                if answer.status_code >= 500:
                    odd.append((method, path, answer.status_code))
    assert odd == []
    assert [record.getMessage() for record in caplog.records if record.levelname in ("WARNING", "ERROR")] == []


def test_every_kind_of_byte_is_refused_as_an_act_of_the_hall(apps, caplog):
    client = apps["box"].test_client()
    for byte in range(256):
        assert client.post(f"{HOME}/acts", data=bytes([byte])).status_code == 403
    assert caplog.records == []
