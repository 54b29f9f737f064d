"""The director's page of the hall: assigning a round to the boxes, with the state of each."""

from tests.web.hall.test_auth import app, come_in


def test_only_a_director_with_a_token_hands_out():
    client = app().test_client()
    assert client.post("/round", json={"matches": []}).status_code == 401
    token = come_in(client, pin="2222", name="Ben", role="director").get_json()["token"]
    headers = {"Origin": "http://localhost", "X-Token": token}
    assert client.post("/round", json={"matches": "all"}, headers=headers).status_code == 400
    assert client.post("/round", json={"matches": [{}]}, headers=headers).get_json() == {"tables": ["1"]}


def test_without_a_session_the_page_is_a_door():
    client = app().test_client()
    assert 'name="pin"' in client.get("/round").get_data(as_text=True)
    assert client.get("/round.json").get_json() == {"tables": []}
