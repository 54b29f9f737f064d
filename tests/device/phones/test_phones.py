"""A box with phones, met by its page alone: who may pair, press and send pictures, and who may not."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.benchmarks.parts.filmed_game import play_filmed_game
from tests.benchmarks.parts.long_game import play_long_game
from tests.support import ROOT
from tests.support.phones import PhonesBox, play_game, tried_by_strangers
from tests.support.tiers import LONG
from tests.support.web.schemas import faults

pytestmark = pytest.mark.slow

SETTINGS = '[game]\nrules = "chinese"\nsize = 9\n'
PICTURE = (ROOT / "tests/pictures/club-9.jpg").read_bytes()


@pytest.fixture(scope="module")
def box(tmp_path_factory) -> Iterator[PhonesBox]:
    with PhonesBox(tmp_path_factory.mktemp("box"), settings=SETTINGS) as running:
        running.login()
        yield running


def press(box: PhonesBox, cookie: str, number: int = 1, **other: object) -> dict[str, object]:
    now = box.contact(cookie)
    fields = {"number": number, "run": now["run"], "side": 1, "button": "done", "held": False, "t": now["t"]}
    fields["heard"] = now["nonce"]
    return {**fields, **other}


def test_a_press_is_heard_once(box):
    cookie = box.pair("clock")
    body = press(box, cookie)
    answers = [box.ask("POST", "/phone/press", body, cookie).json for _ in range(2)]
    assert [one["heard"] for one in answers] == ["taken", "again"]
    contact = box.contact(cookie)
    assert contact["last"] == 1
    assert [faults(contact, "PhoneContact"), *(faults(one, "PhoneHeard") for one in answers)] == [[]] * 3


def test_a_phone_is_listed_and_removed_with_one_tap(box):
    cookie = box.pair("side")
    number = box.contact(cookie)["number"]
    page = box.ask("GET", "/director/phones", cookie=box.cookie, secure=False).body.decode()
    assert f"phones/{number}/revoke" in page
    assert box.ask("POST", f"/director/phones/{number}/revoke", {}, box.cookie, secure=False).code == 403
    assert box.act(f"/director/phones/{number}/revoke").code == 200
    assert box.ask("POST", "/phone/press", press(box, box.pair("side")), cookie).code == 403


def test_the_desk_asks_for_the_pin(box):
    for path in ("/director/phones", "/director/phones/now"):
        answer = box.ask("GET", path, secure=False)
        assert answer.code in (302, 401) and b"#" not in answer.body


def test_a_cookie_is_out_of_reach(box):
    answer = box.ask("POST", "/phone/pair", {"code": box.codes()["clock"]})
    set_cookie = answer.headers["Set-Cookie"]
    assert all(
        word in set_cookie for word in ("__Secure-phone=", "Secure", "HttpOnly", "SameSite=Strict", "Path=/phone")
    )


def test_nothing_of_it_works_without_tls(box):
    cookie, code = box.pair("clock"), box.codes()["clock"]
    for path, body in (("pair", {"code": code}), ("press", press(box, cookie)), ("contact", {})):
        assert box.ask("POST", f"/phone/{path}", body, cookie, secure=False).code == 403
    assert box.ask("GET", "/phone/clock", cookie=cookie, secure=False).code == 302
    assert box.codes()["clock"] == code


@pytest.mark.parametrize("body", [{}, {"code": 7}, {"code": ""}, {"code": "x" * 5000}, {"code": "ü\ud800"}, [1]])
def test_no_code_is_guessed(box, body):
    assert box.ask("POST", "/phone/pair", body).code == 403 or not isinstance(body, dict)


def test_pictures_are_answered_with_what_is_seen(box):
    cookie = box.pair("camera")
    answer = box.ask("POST", "/phone/picture", PICTURE, cookie, X_State="{}")
    assert faults(answer.json, "PhonePicture") == []
    assert answer.code == 200 and answer.json["taken"] and 2 <= answer.json["rate"] <= 10
    bad = box.ask("POST", "/phone/picture", b"x" * 70_000, cookie, X_State="{}").json
    assert "no baseline JPEG" in bad["say"]
    for state in ("", "[]", "{", '{"t": 1e999, "battery": "x"}', "[" * 900):
        assert box.ask("POST", "/phone/picture", PICTURE, cookie, X_State=state).code in (200, 403)
    assert box.ask("GET", "/health").code in (200, 503) and "Traceback" not in box.said


def test_the_certificate_is_told_where_a_person_can_compare_it(box):
    page = box.ask("GET", "/director/phones", cookie=box.cookie, secure=False).body.decode()
    fingerprint = next(line for line in box.said.splitlines() if "fingerprint" in line).rstrip(".").split()[-1]
    assert fingerprint in page and len(fingerprint) == 95
    assert b"BEGIN CERTIFICATE" in box.ask("GET", "/ca.crt", secure=False).body


@LONG
def test_strangers_get_nothing(box, tmp_path):
    with PhonesBox(tmp_path, settings=SETTINGS) as other:
        tries = tried_by_strangers(box, other)
    assert {what for what, answer in tries.items() if not 400 <= answer.code < 500} == set() and len(tries) == 8


@LONG
def test_a_game_by_two_phones(tmp_path):
    lines = list[str]()
    assert play_game(tmp_path, lines.append).is_right, lines


@LONG
def test_a_whole_game_by_a_camera_and_two_clocks(tmp_path):
    lines = list[str]()
    result = play_long_game(tmp_path, lines.append)
    assert result.is_right, "\n".join([*lines, str(result)])


@LONG
def test_a_real_game_by_a_camera_and_a_clock(tmp_path):
    lines = list[str]()
    result = play_filmed_game(tmp_path, lines.append)
    assert result.is_right, "\n".join([*lines, str(result)])
