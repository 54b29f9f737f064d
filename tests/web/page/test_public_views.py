"""Public views besides the game as it stands: earlier turns, barred points, earlier games."""

from __future__ import annotations

from itertools import product

import pytest
from flask.testing import FlaskClient

from tests.support.tiers import sample
from tests.support.web.schemas import faults
from tests.support.web.snapshots import Box, box, superko, ultimate_game
from web.app import create_app
from web.language import ENGLISH


@pytest.fixture
def shown_box() -> Box:
    box_with_games = box(ultimate_game(), number=8)
    box_with_games.games = {"2026-05-01T10-00-00": b"(;FF[4])"}
    return box_with_games


@pytest.fixture
def client(shown_box: Box) -> FlaskClient:
    return create_app(shown_box.backend).test_client()


def test_the_position_now(client):
    now = client.get("/position.json").get_json()
    assert faults(now, "Then") == []
    assert (now["turn"], now["player"], now["text"]) == (8, "B", "E4")
    assert now["rows"] == client.get("/status.json").get_json()["rows"]


def test_the_position_after_an_earlier_turn(client):
    then = client.get("/position.json?turn=1").get_json()
    assert faults(then, "Then") == []
    assert (then["turn"], then["player"], then["text"]) == (1, "W", "B8")
    assert then["rows"][:3] == [".XO......", "XO.O.....", ".XO......"]
    start = client.get("/position.json?turn=0").get_json()
    assert (start["player"], start["rows"][1]) == (None, "X.XO.....")


@pytest.mark.parametrize(
    ("turn", "address"),
    sample(product(["9", "-1", "x", "", "1.5", "99999999999999999999", "²"], ["/", "/board.svg", "/position.json"]), 8),
)
def test_turns_that_the_game_has_not(client, address, turn):
    answer = client.get(address, query_string={"turn": turn})
    assert (answer.status_code, answer.get_data(as_text=True)) == (404, ENGLISH("http.no-turn") + "\n")


@pytest.mark.parametrize("address", ["?turn=9", "?turn=1&tried=1", "?turn=1&tried=0", "?tried=1", "?turn=x"])
def test_an_address_of_nothing_gets_a_sentence(client, address):
    answer = client.get(f"/{address}")
    assert answer.status_code == 404 and answer.get_data(as_text=True).startswith("The game has no such turn.")


def test_the_page_steps_without_a_script(client):
    text = client.get("/?turn=3").get_data(as_text=True)
    assert 'href="?turn=2" data-go="back"' in text and 'href="?turn=4" data-go="on"' in text
    assert "Turn 3 of 8" in text
    assert client.get("/board.svg?turn=3").get_data(as_text=True) in text
    assert "Turn 8 of 8" in client.get("/").get_data(as_text=True)


def test_the_barred_point_and_why_come_from_the_referee():
    client = create_app(box(superko()).backend).test_client()
    barred = client.get("/position.json").get_json()["barred"]
    assert [(one["point"], one["reason"], one["repeats"]) for one in barred] == [("C8", "superko", 0)]
    assert barred[0]["text"].startswith("Black may not play C8. This would repeat the starting position")
    assert barred[0]["text"] in client.get("/").get_data(as_text=True)
    assert client.get("/position.json?turn=0").get_json()["barred"] == []


def test_earlier_games(client):
    assert client.get("/games.json").get_json() == {"games": ["2026-05-01T10-00-00"]}
    assert 'href="/games/2026-05-01T10-00-00.sgf"' in client.get("/games").get_data(as_text=True)
    record = client.get("/games/2026-05-01T10-00-00.sgf")
    assert (record.data, record.mimetype) == (b"(;FF[4])", "application/x-go-sgf")


@pytest.mark.parametrize("name", ["2026", "..%2F..%2Fetc%2Fpasswd", "%00", "*", "..."])
def test_games_that_there_are_not(client, name):
    answer = client.get(f"/games/{name}.sgf")
    assert answer.status_code == 404
    assert answer.get_data(as_text=True) in (ENGLISH("http.no-game") + "\n", ENGLISH("http.nothing-here") + "\n")
