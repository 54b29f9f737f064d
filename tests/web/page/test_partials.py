"""The parts sent to the browser: those that differ, small, and nothing to those who have it."""

from __future__ import annotations

import gzip
import random
import re

import pytest
from flask.testing import FlaskClient

from referee.game.board import points_of
from referee.rules.legality import legal_placements
from referee.table.events import Button
from tests.support.referee.table import B, PlayedTable, W
from tests.support.web.snapshots import Box, begun_table, box, superko, take_snapshot, ultimate_game
from web.app import create_app
from web.language_traits import ALL
from web.page.partials import parts_of, select_changed, select_parts
from web.page.unconfirmed import mark_stone

GZIP = {"Accept-Encoding": "gzip"}
FIRST, TURN = 30_000, 6_000
"""The most bytes of a first visit, however long the game is, and of a turn, headers included."""
HEAD = 300
"""Bytes that a browser reckons for the headers of an answer, in its `transferSize`."""


def version(text: str) -> str:
    match = re.search(r'data-version="([^"]+)"', text)
    assert match is not None
    return match[1]


def names(text: str) -> list[str]:
    return re.findall(r'data-live="(\w+)"', text)


def changed_parts(client: FlaskClient, old_version: str) -> str:
    return client.get(f"/parts?since={old_version}").get_data(as_text=True)


@pytest.fixture
def shown_box() -> Box:
    return box(ultimate_game(), number=8)


def test_only_what_differs_is_sent(shown_box):
    client = create_app(shown_box.backend).test_client()
    old_version = version(client.get("/").get_data(as_text=True))
    assert names(changed_parts(client, old_version)) == []
    shown_box.show(take_snapshot(ultimate_game().play("W D2"), number=9))
    text = changed_parts(client, old_version)
    assert names(text) == ["banner", "players", "board", "steps", "moves", "caption"]
    assert re.findall(r"<li.*?</li>", text.partition('data-live="moves"')[2].partition("</ol>")[0]) == [
        '<li><a href="?turn=9" data-place><span class="number">9</span> '
        '<span class="stone W" role="img" aria-label="White"></span> <span>D2</span></a></li>'
    ], "of a list its new items alone"


def test_a_turn_that_was_taken_back_sends_the_whole_list(shown_box):
    client = create_app(shown_box.backend).test_client()
    old_version = version(client.get("/").get_data(as_text=True))
    shown_box.show(take_snapshot(superko(), number=9))
    text = changed_parts(client, old_version)
    assert 'data-live="moves" data-grows' in text and text.count("data-place") == 3


@pytest.mark.parametrize("known", ["", "nothing", "0-0", "x" * 40])
def test_who_has_nothing_that_is_known_gets_all(shown_box, known):
    client = create_app(shown_box.backend).test_client()
    assert names(changed_parts(client, known)) == list(names(client.get("/").get_data(as_text=True)))


def test_another_language_has_other_parts(shown_box):
    client = create_app(shown_box.backend).test_client()
    old_version = version(client.get("/").get_data(as_text=True))
    german = client.get(f"/parts?since={old_version}&lang=de").get_data(as_text=True)
    assert "Weiß" in german and len(names(german)) > 8


def test_a_place_has_its_parts(shown_box):
    client = create_app(shown_box.backend).test_client()
    text = client.get("/parts?turn=3").get_data(as_text=True)
    assert names(text) == ["banner", "board", "steps", "players", "ruling"] and "Turn 3 of 8" in text


def test_lists_grow_only_at_their_head():
    def listed(*items: str) -> str:
        body = "".join(f"<li>{item}</li>" for item in items)
        return f'<main x="1"><!--a--><ol data-live="a" data-grows>{body}</ol><!--/a--></main>'

    before = parts_of(listed("2", "1"))
    assert "<li>3</li></ol>" in select_changed(listed("3", "2", "1"), before) and "data-grown" in select_changed(
        listed("3", "2"), before
    )
    assert "data-grown" not in select_changed(listed("3", "1"), before) and "data-grown" not in select_changed(
        listed("1"), before
    )
    assert select_parts(listed("1"), ["a"]) == '<main x="1"><ol data-live="a" data-grows><li>1</li></ol></main>'


@pytest.mark.parametrize("address", ["/", "/board.svg", "/?turn=3"])
def test_who_has_it_is_not_sent_it_again(shown_box, address):
    client = create_app(shown_box.backend).test_client()
    etag = client.get(address).headers["ETag"]
    again = client.get(address, headers={"If-None-Match": etag})
    assert (again.status_code, again.data) == (304, b"")
    shown_box.show(take_snapshot(superko(), number=9))
    assert client.get(address.partition("?")[0], headers={"If-None-Match": etag}).status_code == 200


def test_answers_are_compressed_for_who_can_read_that(shown_box):
    client = create_app(shown_box.backend).test_client()
    for address in ("/", "/status.json", "/board.svg", "/openapi.json"):
        plain, small = client.get(address), client.get(address, headers=GZIP)
        assert small.headers["Content-Encoding"] == "gzip" and "Accept-Encoding" in small.headers["Vary"]
        assert gzip.decompress(small.data) == plain.data and len(small.data) < 0.6 * len(plain.data)
        assert "Content-Encoding" not in plain.headers
    assert "Content-Encoding" not in client.get("/game.sgf", headers=GZIP).headers


def size(client: FlaskClient, address: str) -> tuple[int, str]:
    """Bytes of an answer with its headers, and what it says."""
    answer = client.get(address, headers=GZIP)
    head = sum(len(name) + len(value) + 4 for name, value in answer.headers)
    packed = answer.headers.get("Content-Encoding") == "gzip"
    return head + len(answer.data), (gzip.decompress(answer.data) if packed else answer.data).decode()


def first_load(client: FlaskClient, code: str = "en") -> int:
    """Bytes of a first visit, as a browser counts them: the page, what it names, and what it asks for at once."""
    page = client.get(f"/?lang={code}", headers=GZIP).data
    named = set(re.findall(r'(?:src|href)="(/(?:static/|icon|manifest)[^"]+)"', gzip.decompress(page).decode()))
    files = [*(file for file in named if not file.endswith(".png")), "/icon.svg", "/health"]  # The manifest's icon too.
    answers = [page, *(client.get(file, headers=GZIP).data for file in files)]
    return sum(HEAD + len(data) for data in answers)


def test_a_first_visit_is_light(shown_box):
    assert first_load(create_app(shown_box.backend).test_client()) < FIRST


@pytest.mark.slow
def test_a_long_game_stays_light():
    rng, table = (
        random.Random(18),
        PlayedTable(("." * 19,) * 19, rules="chinese", refereed=True, black_side=1, control="9m+5x9s"),
    )
    table.look()
    table.press(W, Button.DONE)
    shown_box = box(table)
    client = create_app(shown_box.backend).test_client()
    old_version, turns = version(size(client, "/")[1]), []
    for number in range(2, 302):
        record = table.referee.record
        point = rng.choice(list(points_of(legal_placements(record))))
        table.wait(rng.randint(1, 9))
        shown_box.now = take_snapshot(table.play(f"{record.to_play} {table.board.name(point)}"), number)
        sent_size, text = size(client, f"/parts?since={old_version}")
        old_version = version(text)
        turns.append(sent_size)
    assert max(turns) < TURN
    assert max(first_load(client, code) for code in ALL) < FIRST


def test_a_mark_of_a_single_frame_sends_the_board_alone():
    table = begun_table()
    shown_box = box(table, number=1)
    client, point = create_app(shown_box.backend).test_client(), table.board.point("E5")
    first_version, status = version(client.get("/").get_data(as_text=True)), client.get("/status.json").get_json()
    shown_box.show(mark_stone(take_snapshot(table, number=2), B, point))
    text = changed_parts(client, first_version)
    assert names(text) == ["board"] and text.count('opacity="0.6"') == 1
    assert client.get("/status.json").get_json() == {**status, "number": 2}
    shown_box.show(take_snapshot(table.play("B E5"), number=3))
    board = changed_parts(client, version(text)).partition('data-live="board"')[2]
    assert 'opacity="0.6"' not in board and 'class="last"' in board
