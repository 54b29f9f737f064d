"""The authentication between a box and the hall, by a shared secret, so that nobody else in the."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.device.directed import DirectedTable
from web.hmac_auth import CHALLENGE, LASTS, SEAL, Challenges, new_secret, sign_parts


@pytest.fixture
def table(tmp_path: Path) -> Iterator[DirectedTable]:
    table = DirectedTable(tmp_path)
    yield table
    table.close()


ODD_BYTES = (b"\x87", b"\xff\xfe", b"\xed\xa0\x80", b"\x00", bytes(range(256)))


@pytest.mark.parametrize("body", ODD_BYTES)
def test_a_body_of_any_bytes_is_refused_without_a_fault(table, body):
    client = table.app.test_client()
    word = client.get("/hall/challenge").get_json()["challenge"]
    for headers in ({}, {CHALLENGE: word, SEAL: "\xe9"}, {CHALLENGE: "\xe9", SEAL: "x"}):
        assert client.post("/hall/acts", data=body, headers=headers).status_code == 403
    answer = client.post(
        "/hall/acts", data=body, headers={CHALLENGE: word, SEAL: sign_parts(table.secret, "act", word, body)}
    )
    assert answer.status_code == 400


def test_a_body_is_signed_as_it_is_sent():
    secret = new_secret()
    assert sign_parts(secret, "act", "審判") == sign_parts(secret, "act", "審判".encode())
    assert sign_parts(secret, b"\xe5") != sign_parts(secret, "\ufffd")


def test_a_challenge_is_used_once_ends_and_is_pushed_out_by_none():
    now = [0.0]
    challenges = Challenges(lambda: now[0])
    first, second = challenges.new(), challenges.new()
    for _ in range(1000):
        challenges.new()
    assert challenges.use_up(first) and not challenges.use_up(first)
    now[0] = LASTS + 1
    assert not challenges.use_up(second) and not challenges.use_up(first)
    third = challenges.new()
    now[0] += LASTS
    assert challenges.use_up(third) and not challenges.use_up(third)


def test_only_this_boxs_own_challenges_count():
    challenges = Challenges(lambda: 0.0)
    word = challenges.new()
    nonce, time, signature = word.split(".")
    for challenge in (
        "",
        "x",
        new_secret(),
        Challenges(lambda: 0.0).new(),
        f"{new_secret()}.{time}.{signature}",
        "\ud800",
    ):
        assert not challenges.use_up(challenge)
    assert not challenges.use_up(f"{nonce}.{signature}.{time}") and challenges.use_up(word)
