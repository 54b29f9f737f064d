"""The page that removes a name: for directors alone, and nothing is removed that was not looked for."""

from __future__ import annotations

import pytest

from tests.support.device.directed import ORIGIN, DirectedTable

PAGE = "/director/forget"
NAME = "Ada Example"


@pytest.fixture
def table(tmp_path):
    table = DirectedTable(tmp_path)
    yield table
    table.close()


def test_strangers_and_foreign_pages_can_do_nothing(table):
    stranger, (client, headers) = table.app.test_client(), table.inside()
    assert stranger.get(PAGE).headers["Location"] == "/director"
    assert stranger.get(f"{PAGE}/now").status_code == 401
    act = {"act": "find", "name": NAME}
    assert stranger.post(PAGE, json=act, headers=ORIGIN).status_code == 401
    assert client.post(PAGE, json=act, headers=ORIGIN).status_code == 403
    assert client.post(PAGE, json=act, headers={**headers, "Origin": "http://evil.example"}).status_code == 403
    assert client.post(PAGE, data="{", headers=headers).status_code == 400
    page = client.get(PAGE).get_data(as_text=True)
    assert "See where it is" in page and "data-remove" not in page


@pytest.mark.parametrize(
    ("act", "name", "why"),
    [
        ("find", "A", "A name has 2 to 200 letters"),
        ("find", "x" * 201, "name"),
        ("find", "Ada\nExample", "name"),
        ("remove", NAME, "See where this name is first"),
        ("delete", NAME, "act"),
    ],
)
def test_a_wrong_act_gets_one_sentence(table, act, name, why):
    client, headers = table.inside()
    answer = client.post(PAGE, json={"act": act, "name": name}, headers=headers)
    assert answer.status_code == 422 and why in answer.text and len(answer.text.splitlines()) == 1


@pytest.mark.parametrize("where", ["black", "event"])
def test_the_name_of_the_match_at_the_table_is_refused(table, where):
    client, headers = table.inside()
    table.act("set-up", rules="chinese", **{"black": "Cho", where: NAME})
    for act in ("find", "remove"):
        answer = client.post(PAGE, json={"act": act, "name": NAME.lower()}, headers=headers)
        assert answer.status_code == 422 and "The match at this table has this name" in answer.text


def test_the_desk_and_the_list_of_games_lead_there(table):
    client, _ = table.inside()
    table.act("report", result="B+R", why="for the test")
    assert PAGE in client.get("/director").get_data(as_text=True)
    assert PAGE in client.get("/games").get_data(as_text=True)
