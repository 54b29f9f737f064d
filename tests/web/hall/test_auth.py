"""The login of helpers and directors at the hall: each with a PIN and a name."""

from flask import Flask

from web.hall.app import HallDesk, create_hall_app
from web.hall.assignment import Draft
from web.hall.auth import DIRECTOR, HELPER, Keys
from web.hall.round import RoundDesk
from web.hall.tiles import Entering, HallWall


def app() -> Flask:
    rounds = RoundDesk(
        Keys(lambda pin: pin == "2222", lambda: "stamp"), lambda request: Draft("1"), lambda matches, by: ["1"],
        lambda table, by: True, list, lambda code: {"rules": [], "times": []},
    )  # fmt: skip
    return create_hall_app(
        HallDesk(
            lambda: HallWall(1, "Cup"), lambda number, timeout: HallWall(1),
            dict, dict, lambda: 0.0, lambda table, by: True,
            lambda: Entering(), lambda pin: pin == "1111", lambda: "stamp", rounds,
        )
    )  # fmt: skip


def come_in(client, **body: str):
    return client.post("/session", json=body, headers={"Origin": "http://localhost"})


def test_a_helper_needs_the_pin_and_a_name():
    client = app().test_client()
    assert come_in(client, pin="1111", name=" ").status_code == 400
    assert come_in(client, pin="9999", name="Ada").status_code == 403
    answer = come_in(client, pin="1111", name="Ada")
    assert answer.status_code == 200 and answer.get_json()["token"]
    assert HELPER in answer.headers["Set-Cookie"] and "HttpOnly" in answer.headers["Set-Cookie"]


def test_the_helpers_pin_opens_no_directors_page():
    client = app().test_client()
    assert come_in(client, pin="1111", name="Ada", role="director").status_code == 403
    answer = come_in(client, pin="2222", name="Ben", role="director")
    assert answer.status_code == 200 and answer.headers["Set-Cookie"].startswith(f"{DIRECTOR}=")


def test_who_tries_too_many_pins_waits():
    client = app().test_client()
    answers = [come_in(client, pin=f"{number:04}", name="Eve").status_code for number in range(3000, 3020)]
    assert 429 in answers and come_in(client, pin="1111", name="Eve").status_code == 429
