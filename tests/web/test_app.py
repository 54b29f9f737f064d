"""Every address of the page, asked for without a network."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from flask import Flask
from flask.testing import FlaskClient

from referee.game.messages import plain_message
from referee.game.ruling import Ruling, Status
from referee.sgf.records import read_sgf
from tests.support.web.named_links import named_links
from tests.support.web.schemas import OPENAPI, addresses, faults
from tests.support.web.snapshots import (
    Box,
    backend_with,
    box,
    counted_table,
    random_game,
    superko,
    take_snapshot,
    ultimate_game,
)
from web.app import create_app
from web.language import ENGLISH
from web.language_traits import ALL
from web.page.model import MOST_LISTED
from web.page_config import AccessConfig

ADDRESSES = ("/", "/status.json", "/board.svg", "/frame.jpg", "/game.sgf", "/health", "/openapi.json")
MORE = ("/position.json", "/games", "/games.json")


@pytest.fixture
def shown_box() -> Box:
    box_with_pictures = box(ultimate_game(), number=8)
    box_with_pictures.pictures = {False: b"\xff\xd8plain", True: b"\xff\xd8drawn"}
    return box_with_pictures


@pytest.fixture
def app(shown_box: Box) -> Flask:
    return create_app(shown_box.backend, access=AccessConfig(viewers=2))


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


# The page


def test_the_page_shows_the_game_without_a_script(client):
    page = client.get("/")
    text = page.get_data(as_text=True)
    assert (page.status_code, page.mimetype) == (200, "text/html")
    assert "White: play, then press DONE." in text
    assert "Black played E4." in text
    assert "2 black stones and the ultimate stone" in text
    assert 'aria-label="Black"></span> <span>prisoner returned</span>' in text
    assert '<noscript><meta http-equiv="refresh"' in text


@pytest.mark.parametrize("code", ALL)
def test_a_link_s_name_has_the_words_that_it_shows(code):
    """Speech control finds a link by the words that stand there."""
    client = create_app(box(superko(), number=8).backend).test_client()
    pages = [client.get(path).get_data(as_text=True) for path in (f"/?lang={code}", "/?turn=1&tried=1", "/games")]
    links = [one for page in pages for one in named_links(page)]
    assert links and [one for one in links if one.shown.strip().casefold() not in one.name.casefold()] == []


def test_the_seal_stands_at_the_end_alone():
    client = create_app(box(counted_table(), archive_name="1", seal="a" * 64).backend).test_client()
    assert 'class="seal"' in client.get("/").get_data(as_text=True)
    assert 'class="seal"' not in client.get("/?turn=0").get_data(as_text=True)


def test_a_long_game_lists_its_newest_turns_and_links_to_all():
    client = create_app(box(random_game(MOST_LISTED + 2)).backend).test_client()
    first, every = (client.get(path).get_data(as_text=True) for path in ("/", "/?turn=1"))
    listed = [page.partition('class="moves"')[2].partition("</ol>")[0].count("<li") for page in (first, every)]
    assert listed == [MOST_LISTED, MOST_LISTED + 2]
    assert '<p class="rest" data-live="rest"><a href="./?turn=1">' in first


def test_the_page_and_its_files_name_no_other_host(client):
    for address in ("/", "/static/page.css", "/static/page.js", "/static/icon.svg"):
        text = client.get(address).get_data(as_text=True)
        assert set(re.findall(r"//[\w-]+\.[\w.-]+", text)) <= {"//www.w3.org"}
    page = client.get("/").get_data(as_text=True)
    assert " style=" not in page
    assert " onclick=" not in page


def test_whatever_the_box_says_is_escaped(shown_box, client):
    ruling = Ruling(Status.UNEXPLAINED, 9, plain_message("<script>alert(1)</script>"))
    now = shown_box.now
    game = replace(now.game, rulings=(*now.game.rulings, ruling), rules="<b>")
    shown_box.show(
        replace(
            now, number=9, game=game, trouble=ruling, notice=plain_message("<i>x</i>"), faults=(plain_message("<u>"),)
        )
    )
    text = client.get("/").get_data(as_text=True)
    assert "&lt;script&gt;alert(1)" in text
    assert not [bad for bad in ("<script>alert", "<b>", "<i>", "<u>") if bad in text]


# The status


def test_the_status_and_its_etag(shown_box, client):
    first = client.get("/status.json")
    assert first.status_code == 200
    assert faults(first.get_json(), "Status") == []
    tag = first.headers["ETag"]
    same = client.get("/status.json", headers={"If-None-Match": tag})
    assert (same.status_code, same.data, same.headers["ETag"]) == (304, b"", tag)
    shown_box.show(replace(shown_box.now, number=9, paused=True))
    changed = client.get("/status.json", headers={"If-None-Match": tag})
    assert (changed.status_code, changed.get_json()["paused"]) == (200, True)
    assert changed.headers["ETag"] != tag


def test_another_run_of_the_box_has_other_etags(shown_box, client):
    tag = client.get("/status.json").headers["ETag"]
    again = create_app(shown_box.backend).test_client().get("/status.json", headers={"If-None-Match": tag})
    assert again.status_code == 200


def test_the_page_carries_the_version_of_the_status(client):
    version = client.get("/status.json").headers["ETag"].strip('"')
    assert f'data-version="{version}"' in client.get("/").get_data(as_text=True)


@pytest.mark.parametrize(("health", "code"), [({"ok": True, "camera": "seen"}, 200), ({"ok": False}, 503), ({}, 503)])
def test_health(shown_box, client, health, code):
    shown_box.health = health
    answer = client.get("/health")
    assert (answer.status_code, answer.get_json()) == (code, health)


# Events


def test_events_begin_with_the_status_and_go_on_with_each_change(shown_box, client):
    stream = client.get("/events", buffered=False)
    assert (stream.status_code, stream.mimetype) == (200, "text/event-stream")
    events = iter(stream.response)
    first = next(events).decode()
    assert "\nevent: status\n" in first
    assert _data(first) == client.get("/status.json").get_json()
    shown_box.show(take_snapshot(superko(), number=9))
    second = next(events).decode()
    assert _data(second)["number"] == 9
    assert f"id: {client.get('/status.json').headers['ETag'].strip(chr(34))}\n" in second
    stream.close()


def test_a_quiet_stream_has_a_heartbeat(shown_box):
    backend = replace(shown_box.backend, wait=lambda number, seconds: shown_box.now)
    stream = create_app(backend).test_client().get("/events", buffered=False)
    events = iter(stream.response)
    next(events)
    assert next(events).decode().startswith(": heartbeat\n\nevent: heartbeat\n")
    stream.close()


def test_so_many_streams_and_no_more(client):
    first, second = (client.get("/events", buffered=False) for _ in range(2))
    refused = client.get("/events")
    assert (refused.status_code, refused.get_data(as_text=True)) == (503, ENGLISH("http.full") + "\n")
    assert client.get("/status.json").status_code == 200
    first.close()
    third = client.get("/events", buffered=False)
    assert third.status_code == 200
    second.close()
    third.close()


def test_asking_for_the_head_of_a_stream_takes_no_place(client):
    assert [client.head("/events").status_code for _ in range(5)] == [200] * 5


# Pictures and the record


def test_the_board(client):
    answer = client.get("/board.svg")
    assert (answer.status_code, answer.mimetype) == (200, "image/svg+xml")
    assert answer.get_data(as_text=True).startswith("<svg")


@pytest.mark.parametrize(("query", "picture"), [("", b"plain"), ("?overlay=0", b"plain"), ("?overlay=1", b"drawn")])
def test_the_picture(client, query, picture):
    answer = client.get(f"/frame.jpg{query}")
    assert (answer.mimetype, answer.data) == ("image/jpeg", b"\xff\xd8" + picture)


def test_no_picture(shown_box, client):
    shown_box.pictures = {}
    answer = create_app(shown_box.backend).test_client().get("/frame.jpg?overlay=1")
    assert (answer.status_code, answer.get_data(as_text=True)) == (404, ENGLISH("http.no-picture") + "\n")


def test_the_record(client):
    answer = client.get("/game.sgf")
    assert answer.mimetype == "application/x-go-sgf"
    assert "game.sgf" in answer.headers["Content-Disposition"]
    _, turns = read_sgf(answer.data)
    assert len(turns) == 8


# Manners


MARKED = ("/", "/board.svg")
"""Not sent again to a browser that has them."""


@pytest.mark.parametrize("address", [*ADDRESSES, "/static/page.js", "/nowhere"])
def test_headers_of_every_answer(client, address):
    headers = client.get(address).headers
    assert "default-src 'self'" in headers["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert "Server" not in headers
    if address in ADDRESSES:
        assert headers["Cache-Control"] == ("no-cache" if address in MARKED else "no-store")
        assert ("ETag" in headers) == (address in (*MARKED, "/status.json"))


@pytest.mark.parametrize(
    "address", ["/nowhere", "/static/nothing", "/status.json/", "/../etc/passwd", "/%00", "/<script>"]
)
def test_unknown_addresses_get_one_plain_sentence(client, address):
    answer = client.get(address)
    assert (answer.status_code, answer.mimetype) == (404, "text/plain")
    assert answer.get_data(as_text=True) == ENGLISH("http.nothing-here") + "\n"


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
@pytest.mark.parametrize("address", ["/", "/status.json", "/nowhere"])
def test_the_page_can_only_be_read(client, method, address):
    answer = client.open(address, method=method)
    assert (answer.status_code, answer.headers["Allow"]) == (405, "GET, HEAD")
    assert answer.get_data(as_text=True) == "This page can only be read. Please use GET.\n"


def test_a_failure_of_the_box_is_one_plain_sentence(shown_box):
    def broken() -> bytes:
        raise RuntimeError("secret")

    app = create_app(replace(shown_box.backend, sgf=broken))
    answer = app.test_client().get("/game.sgf")
    assert (answer.status_code, answer.mimetype) == (500, "text/plain")
    assert answer.get_data(as_text=True) == "This could not be shown. The log says why.\n"


@pytest.mark.parametrize("address", ADDRESSES)
def test_head_has_no_body(client, address):
    answer = client.head(address)
    assert (answer.status_code, answer.data) == (200, b"")


# The description


def test_every_address_is_described(app, client):
    description = client.get("/openapi.json").get_json()
    assert set(description["paths"]) == addresses(app) and not {
        path for path in description["paths"] if "phone" in path
    }
    assert all(OPENAPI["paths"][path] == methods for path, methods in description["paths"].items())
    named = set(re.findall(r'"#/components/schemas/(\w+)"', json.dumps(description)))
    assert named == set(description["components"]["schemas"]) < set(OPENAPI["components"]["schemas"])
    others = ("/director", "/hall", "/phone", "/ca.crt")
    assert addresses(app) == {path for path in OPENAPI["paths"] if not path.startswith(others)}


@pytest.mark.parametrize("method", ["GET", "PUT", "OPTIONS", "PROPFIND"])
def test_allow_names_the_methods_that_an_address_has(method):
    client = create_app(backend_with(box(ultimate_game()).backend, part="clock", sides=[1, 2])).test_client()
    for path, methods in OPENAPI["paths"].items():
        if path.startswith("/phone/") and method.lower() not in methods:
            answer = client.open(path.replace("{sides}", "1-2"), method=method, base_url="https://localhost")
            has = {one.upper() for one in methods} | ({"HEAD"} if "get" in methods else set())
            assert answer.status_code == 405 and set(answer.headers["Allow"].split(", ")) == has, path


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("/?lang=fr", f"lang= in the address has to be one of: {', '.join(ALL)}."),
        ("/parts?since=" + "x" * 41, "since= in the address may have 40 letters at most."),
        ("/lamps/1/parts?since=" + "x" * 81, "since= in the address may have 80 letters at most."),
        ("/games.json?rules=" + "x" * 101, "rules= in the address may have 100 letters at most."),
        ("/games.json?result=green", "result= in the address has to be one of: black, white, other, draw, void, none."),
    ],
)
def test_what_the_description_does_not_allow_is_refused(client, query, said):
    answer = client.get(query)
    assert (answer.status_code, answer.get_data(as_text=True)) == (400, f"{said}\n")


def test_no_own_version_is_too_long_to_ask_with(client):
    assert client.get("/parts?since=" + "x" * 40).status_code == 200
    assert client.get("/games.json?rules=" + "x" * 100 + "&result=").status_code == 200


@pytest.mark.parametrize("path", OPENAPI["paths"])
def test_another_method_and_what_the_box_lacks_are_described(path):
    for operation in OPENAPI["paths"][path].values():
        assert {"405", "501"} <= set(operation["responses"])


def test_every_schema_is_described_and_used():
    named = set(re.findall(r'"#/components/schemas/(\w+)"', json.dumps(OPENAPI)))
    assert named == set(OPENAPI["components"]["schemas"])


@pytest.mark.parametrize("address", ADDRESSES)
def test_answers_are_of_the_kind_described(shown_box, address):
    for health in ({"ok": True}, {"ok": False}):
        shown_box.health = health
        for pictures in ({}, {False: b"x"}):
            shown_box.pictures = pictures
            answer = create_app(shown_box.backend).test_client().get(address)
            described = OPENAPI["paths"][address]["get"]["responses"][str(answer.status_code)]
            assert answer.mimetype in described["content"]


def _data(event: str) -> dict[str, object]:
    line = next(line for line in event.splitlines() if line.startswith("data: "))
    data = json.loads(line.removeprefix("data: "))
    assert isinstance(data, dict)
    return data
