"""The director's door and acts over the network: who gets in, and what is refused before it is read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from device.machine.tls import PageCertificate
from tests.support.device.directed import ORIGIN, DirectedTable
from tests.support.web.schemas import OPENAPI, addresses, faults
from tests.support.web.snapshots import backend_with
from web.app import create_app
from web.auth import OF_ALL, Guard, Refused
from web.director.views import LARGEST_BODY
from web.language import ENGLISH
from web.page_config import PageIdentity
from web.server.fair_server import HERE
from web.server.tls import ServerCertificate

CHANGING = [("POST", "/director/acts"), ("DELETE", "/director/session")]
READING = ["/director/place.json", "/director/choices.json", "/director/bundle.zip", "/director/games/x.journal"]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[DirectedTable]:
    table = DirectedTable(tmp_path)
    yield table
    table.close()


@pytest.fixture(scope="module")
def refusing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[DirectedTable, FlaskClient, dict[str, str]]]:
    """A table at which nothing is done, a browser that came in there, and the headers that its acts carry."""
    table = DirectedTable(tmp_path_factory.mktemp("data"))
    yield table, *table.inside()
    table.close()


def test_every_address_is_described(table, tmp_path):
    page_certificate = PageCertificate(tmp_path)
    page_certificate.renew()
    with_phones = create_app(
        backend_with(table.backend), PageIdentity(certificate=ServerCertificate(page_certificate.files))
    )
    assert addresses(with_phones) == set(OPENAPI["paths"])
    of_phones = ("/phone", "/director/phones", "/ca.crt")
    assert addresses(table.app) == {path for path in OPENAPI["paths"] if not path.startswith(of_phones)}


def test_the_pin_lets_in_and_the_cookie_is_strict(table):
    client = table.app.test_client()
    answer = client.post("/director/session", json={"pin": table.pin.make()}, headers=ORIGIN)
    cookie = answer.headers["Set-Cookie"]
    assert answer.status_code == 200 and faults(answer.get_json(), "Token") == []
    assert all(part in cookie for part in ("HttpOnly", "SameSite=Strict", "Path=/director"))
    assert "data-token" in client.get("/director").get_data(as_text=True)


def test_the_door_shows_nothing_of_the_desk(table):
    table.pin.make()
    text = table.app.test_client().get("/director").get_data(as_text=True)
    assert 'id="pin"' in text and "token" not in text.replace("tokens.css", "")


@pytest.mark.parametrize(("code", "draw", "void"), [("en", "Draw", ""), ("de", "Remis", ' label="Ungültig"')])
def test_what_is_offered_as_a_result_says_which_is_a_draw(table, code, draw, void):
    client, _ = table.inside()
    text = client.get(f"/director?lang={code}").get_data(as_text=True)
    assert f'<option value="0" label="{draw}"><option value="Void"{void}></datalist>' in text


def test_an_act_is_done_and_told(table):
    client, headers = table.inside()
    answer = client.post("/director/acts", json={"act": "pause", "why": "rain"}, headers=headers)
    assert answer.status_code == 200 and faults(answer.get_json(), "Said") == []
    assert table.now.paused
    assert "The director pauses the game. Reason: rain." in client.get("/").get_data(as_text=True)


def test_an_act_that_cannot_be_done_is_told_why(table):
    client, headers = table.inside()
    answer = client.post("/director/acts", json={"act": "resume"}, headers=headers)
    assert (answer.status_code, answer.get_data(as_text=True)) == (422, "The game is not paused.\n")


@pytest.mark.parametrize(("method", "address"), CHANGING)
def test_acts_without_a_session(refusing, method, address):
    table, *_ = refusing
    answer = table.app.test_client().open(address, method=method, json={"act": "pause"}, headers=ORIGIN)
    assert (answer.status_code, answer.get_data(as_text=True)) == (401, ENGLISH("http.outside") + "\n")
    assert not table.now.paused


@pytest.mark.parametrize(("method", "address"), CHANGING)
@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://localhost", "http://localhost:81", None])
def test_acts_from_elsewhere(refusing, method, address, origin):
    table, client, headers = refusing
    headers = {**headers, "Origin": origin} if origin else {"X-Token": headers["X-Token"]}
    answer = client.open(address, method=method, json={"act": "pause"}, headers=headers)
    assert (answer.status_code, answer.get_data(as_text=True)) == (403, ENGLISH("http.foreign") + "\n")
    assert not table.now.paused


@pytest.mark.parametrize(("method", "address"), CHANGING)
@pytest.mark.parametrize("token", [None, "", "x"])
def test_acts_without_the_token(refusing, method, address, token):
    table, client, _ = refusing
    headers = {**ORIGIN, **({"X-Token": token} if token is not None else {})}
    answer = client.open(address, method=method, json={"act": "pause"}, headers=headers)
    assert (answer.status_code, answer.get_data(as_text=True)) == (403, ENGLISH("http.no-token") + "\n")
    assert not table.now.paused


@pytest.mark.parametrize("address", READING)
def test_spectators_read_nothing_of_the_desk(refusing, address):
    table, *_ = refusing
    answer = table.app.test_client().get(address)
    assert (answer.status_code, answer.get_data(as_text=True)) == (401, ENGLISH("http.outside") + "\n")


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"3", b"null", b"\xff", b"[" * 9000, b'{"act":"pause"'])
@pytest.mark.parametrize("address", ["/director/acts", "/director/session"])
def test_bodies_that_are_no_object(refusing, address, data):
    _, client, headers = refusing
    answer = client.post(address, data=data, content_type="application/json", headers=headers)
    assert (answer.status_code, answer.get_data(as_text=True)) == (400, ENGLISH("http.no-object") + "\n")


@pytest.mark.parametrize("key", ["act", "why", "rules"])
def test_half_a_character_is_refused_in_a_sentence(refusing, key):
    _, client, headers = refusing
    answer = client.post("/director/acts", json={"act": "set-up", "rules": "chinese", key: "\ud800"}, headers=headers)
    assert answer.status_code == 422 and answer.get_data(as_text=True).endswith(".\n")


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_bodies_of_other_kinds(refusing, kind):
    table, client, headers = refusing
    answer = client.post("/director/acts", data=b'{"act":"pause"}', content_type=kind, headers=headers)
    assert answer.status_code == 400 and not table.now.paused


@pytest.mark.parametrize("address", ["/director/acts", "/director/session"])
def test_bodies_that_are_too_large(refusing, address):
    _, client, headers = refusing
    answer = client.post(address, json={"act": "pause", "why": "x" * LARGEST_BODY}, headers=headers)
    assert answer.status_code == 413 and answer.get_data(as_text=True).endswith("16 kB.\n")


def test_wrong_pins_are_limited_and_a_new_pin_ends_the_wait(table):
    table.pin.make()
    client = table.app.test_client()
    answers = [client.post("/director/session", json={"pin": "no"}, headers=ORIGIN) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [403, 403, 403, 429]
    assert [answer.get_data(as_text=True) for answer in answers[2:]] == [
        ENGLISH("pin.wrong") + "\n",
        ENGLISH("pin.later") + "\n",
    ]
    assert client.post("/director/session", json={"pin": table.pin.make()}, headers=ORIGIN).status_code == 200


def failing(guard: Guard, address: str, times: int, here: str = "") -> int:
    """Count how often somebody at this address is told that the PIN is wrong, rather than to wait."""
    tried = 0
    for _ in range(times):
        with pytest.raises(Refused) as refused:
            guard.enter("2", address, here)
        tried += not refused.value.late
    return tried


def test_who_tries_wrong_pins_shuts_nobody_else_out():
    guard = Guard(lambda pin: pin == "1", lambda: "made", lambda: 0.0)
    assert failing(guard, "192.168.1.5", 20) == 3
    assert guard.enter("1", "192.168.1.6").token


def test_wrong_pins_are_limited_and_log_no_director_out():
    guard = Guard(lambda pin: pin == "1", lambda: "made", lambda: 0.0)
    assert guard.enter("1", "192.168.1.6").token
    assert sum(failing(guard, f"10.0.0.{number}", 4) for number in range(250)) == OF_ALL
    with pytest.raises(Refused) as refused:
        guard.enter("1", "192.168.1.7")
    assert refused.value.late
    for known_address in ("192.168.1.6", "127.0.0.1", "::1"):
        assert guard.enter("1", known_address).token, known_address


BOX = "2001:db8:1::10"
"""The box's address in its own network."""


def test_the_page_counts_by_the_network_that_it_was_asked_in(table):
    client = table.app.test_client()

    def code(address: str, pin: str) -> int:
        environ = {"REMOTE_ADDR": address, HERE: BOX}
        return client.post("/director/session", json={"pin": pin}, headers=ORIGIN, environ_base=environ).status_code

    assert [code("2001:db8:1::5", "no") for _ in range(4)] == [403, 403, 403, 429]
    assert code("2001:db8:1::6", table.pin.make()) == 200


def test_the_network_counts_wrong_pins_by_address(table):
    new_pin, client = table.pin.make(), table.app.test_client()
    for address, pin, code in (*[("10.0.0.1", "no", 403)] * 3, ("10.0.0.1", new_pin, 429), ("10.0.0.2", new_pin, 200)):
        answer = client.post(
            "/director/session", json={"pin": pin}, headers=ORIGIN, environ_base={"REMOTE_ADDR": address}
        )
        assert answer.status_code == code


def test_what_is_no_text_lets_nobody_in(table):
    client, _ = table.inside()
    for token in ("\xe4", "\u0436"):
        headers = {**ORIGIN, "X-Token": token.encode().decode("latin-1")}
        answer = client.post("/director/acts", json={"act": "pause"}, headers=headers)
        assert (answer.status_code, answer.get_data(as_text=True)) == (403, ENGLISH("http.no-token") + "\n")
    for pin in ("\ud800", "\xe4", "\0", "1" * 10_000):
        assert client.post("/director/session", json={"pin": pin}, headers=ORIGIN).status_code in (403, 429)
    for why in ("\ud800", "\udfff"):
        answer = client.post("/director/acts", json={"act": "pause", "why": why}, headers=table.inside()[1])
        assert answer.status_code in (401, 422)


def test_nobody_comes_in_where_there_is_no_pin(table):
    answer = table.app.test_client().post("/director/session", json={"pin": ""}, headers=ORIGIN)
    assert answer.status_code == 403


def test_journal_and_bundle(table):
    client, _ = table.inside()
    table.act("remark", why="hello")
    (name,) = client.get("/games.json").get_json()["games"]
    assert client.get(f"/director/games/{name}.journal").data.startswith(b"SQLite format 3")
    assert client.get("/director/bundle.zip").data.startswith(b"PK")
    for path in ("..%2Fpin", "pin", "..%2F..%2Fetc%2Fpasswd", "*"):
        assert client.get(f"/director/games/{path}.journal").status_code == 404


def test_choices_and_place_are_as_described(table):
    client, _ = table.inside()
    assert faults(client.get("/director/choices.json").get_json(), "Choices") == []
    assert faults(client.get("/director/place.json").get_json(), "Place") == []


def test_spectators_can_only_read_here_too(table):
    client = table.app.test_client()
    for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS"):
        for address in ("/", "/director", "/games", "/director/bundle.zip", "/director/nowhere"):
            assert client.open(address, method=method, headers=ORIGIN).status_code == 405


def test_where_nothing_can_be_read_nobody_is_told_to_read(table):
    answer = table.app.test_client().get("/director/acts")
    assert (answer.status_code, answer.get_data(as_text=True)) == (405, ENGLISH("http.nothing-here") + "\n")
    assert "POST" in answer.headers["Allow"]


@pytest.mark.long
def test_the_secret_is_told_nowhere(table):
    new_pin = table.pin.make()
    client = table.app.test_client()
    for path in OPENAPI["paths"]:
        if "{" not in path and path != "/events":
            data = client.get(path).data
            assert new_pin.encode() not in data and (table.pin.stamp or "-").encode() not in data


def test_only_directors_see_what_the_camera_saw(table):
    table.act("remark", why="hello")
    (name,) = table.app.test_client().get("/games.json").get_json()["games"]
    frames = table.journals[0].with_suffix(".frames")
    frames.mkdir()
    (frames / "000012.legal.jpg").write_bytes(b"seen")
    stranger, (client, _) = table.app.test_client(), table.inside()
    page, picture = f"/director/games/{name}/", f"/director/games/{name}/000012.legal.jpg"
    assert (stranger.get(page).status_code, stranger.get(page).headers["Location"]) == (302, "/director")
    assert stranger.get(picture).status_code == 401
    text = client.get(page).get_data(as_text=True)
    assert f'src="{picture}"' in text and "Entry 12 of the journal: Legal" in text
    assert (client.get(picture).data, client.get(picture).mimetype) == (b"seen", "image/jpeg")
    assert client.get(f"/director/games/{name}/000013.legal.jpg").status_code == 404
    assert "No pictures of this game" in client.get("/director/games/nothing/").get_data(as_text=True)
