"""Acts of the hall at a box: only those sealed with their secret, each once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from tests.support.device.directed import DirectedTable
from tests.support.web.schemas import faults
from web.connections import reserved_addresses_of
from web.hall_api import ANSWER, EVENTS, RECORD
from web.hmac_auth import CHALLENGE, HALL, SEAL, is_sealed, new_secret, sign_parts

PAUSE = json.dumps({"act": "pause", "why": "a round begins"})


@pytest.fixture
def table(tmp_path: Path) -> Iterator[DirectedTable]:
    table = DirectedTable(tmp_path)
    yield table
    table.close()


def asked(table: DirectedTable, body: str = PAUSE, secret: str | None = None, challenge: str | None = None):
    client = table.app.test_client()
    challenge_json = client.get("/hall/challenge").get_json()
    assert faults(challenge_json, "Challenge") == []
    word = challenge or challenge_json["challenge"]
    headers = {CHALLENGE: word, SEAL: sign_parts(secret or table.secret, "act", word, body)}
    return client.post("/hall/acts", data=body, headers=headers, content_type="application/json"), headers


def test_a_sealed_act_is_done_once(table):
    answer, headers = asked(table)
    assert answer.status_code == 200 and table.now.paused
    again = table.app.test_client().post("/hall/acts", data=PAUSE, headers=headers, content_type="application/json")
    assert again.status_code == 403


def test_the_answer_is_sealed_over_the_questions_challenge(table):
    for body, code in ((PAUSE, 200), (json.dumps({"act": "nothing"}), 422)):
        answer, headers = asked(table, body)
        assert answer.status_code == code
        parts = str(code), answer.get_data(as_text=True)
        assert is_sealed(table.secret, answer.headers[SEAL], ANSWER, headers[CHALLENGE], *parts)
        assert not is_sealed(table.secret, answer.headers[SEAL], ANSWER, new_secret(), *parts)
    answer, _ = asked(table, secret=new_secret())
    assert SEAL not in answer.headers


def test_an_act_of_anybody_else_is_not_done(table):
    answer, _ = asked(table, secret=new_secret())
    assert answer.status_code == 403 and not table.now.paused
    answer, _ = asked(table, challenge=new_secret())
    assert answer.status_code == 403 and not table.now.paused


def test_the_seal_is_of_the_body_that_was_sent(table):
    _, headers = asked(table, "{}")
    word = table.app.test_client().get("/hall/challenge").get_json()["challenge"]
    headers = {CHALLENGE: word, SEAL: sign_parts(table.secret, "act", word, "{}")}
    answer = table.app.test_client().post("/hall/acts", data=PAUSE, headers=headers, content_type="application/json")
    assert answer.status_code == 403 and not table.now.paused


def test_a_match_is_taken_only_while_none_is_running(table):
    match = {"act": "set-up", "rules": "chinese", "black": "Ada", "white": "Ben", "round": "2", "table": "7"}
    answer, _ = asked(table, json.dumps(match))
    assert answer.status_code == 200 and table.now.names == ("Ada", "Ben") and table.now.game_info.table == "7"
    table.act("enter", player="B", turn="place", point="C3", why="for the test")
    answer, _ = asked(table, json.dumps(match))
    assert answer.status_code == 409 and table.now.game.turn == 1


def test_an_overheard_request_is_worth_nothing(table):
    client, hall_nonce = table.app.test_client(), new_secret()
    for path, what in (("/events", EVENTS), ("/game.sgf", RECORD)):
        challenge = client.get("/hall/challenge").get_json()["challenge"]
        headers = {HALL: hall_nonce, CHALLENGE: challenge, SEAL: sign_parts(table.secret, what, challenge, hall_nonce)}
        with client.get(path, headers=headers) as answer:
            assert answer.status_code == 200
        for address in ("127.0.0.1", "192.0.2.1"):
            again = client.get(path, headers=headers, environ_base={"REMOTE_ADDR": address})
            assert again.status_code == 403 and SEAL not in again.headers
        assert "192.0.2.1" not in reserved_addresses_of(table.app)


def test_parts_cannot_be_moved_from_one_to_the_next():
    secret = new_secret()
    assert is_sealed(secret, sign_parts(secret, "ab", "c"), "ab", "c")
    assert not is_sealed(secret, sign_parts(secret, "ab", "c"), "a", "bc")
    assert not is_sealed("", sign_parts("", "ab"), "ab")


def test_the_desk_shows_the_lines_to_directors_alone(table):
    client, _ = table.inside()
    text = client.get("/director/pairing").get_data(as_text=True)
    assert table.secret in text and table.public in text
    stranger = table.app.test_client().get("/director/pairing")
    assert stranger.status_code == 302 and table.secret not in stranger.get_data(as_text=True)


def test_a_record_is_sealed_for_the_hall_alone(table):
    ask, word = table.app.test_client(), new_secret()
    table.act("enter", player="B", turn="place", point="C3", why="for the test")
    challenge = ask.get("/hall/challenge").get_json()["challenge"]
    headers = {HALL: word, CHALLENGE: challenge, SEAL: sign_parts(table.secret, RECORD, challenge, word)}
    answer = ask.get("/game.sgf", headers=headers)
    assert is_sealed(table.secret, answer.headers[SEAL], word, RECORD, sha256(answer.data).hexdigest())
    for sent_headers in ({}, {HALL: word}, {HALL: word, SEAL: sign_parts(table.secret, EVENTS, "", word)}):
        assert SEAL not in ask.get("/game.sgf", headers=sent_headers).headers
