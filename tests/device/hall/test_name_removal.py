"""A name is removed from a hall's folder while its boxes play on."""

from __future__ import annotations

import pytest

from device.hall.event_log import HallEventLog, Note
from device.hall.name_removal import HallNameRemover
from tests.support.device.hall_program import HallProgram
from tests.support.device.venues import Venues, directing, tile_of
from tests.support.waiting import until
from web.hall.tiles import Urgency

NAME, OTHER = "Ada Exämple", "Ben Sample"


def play_final(venues: Venues) -> None:
    """Her game ends, and its result is final."""
    venues.box.act("set-up", rules="chinese", black=NAME, white=OTHER, event="Spring Cup", round="1", table="7")
    venues.box.act("enter", player="B", turn="place", point="C3", why="for the test")
    venues.box.act("report", result="B+R", why="for the test")
    venues.box.act("verify")


def remove_at_box(venues: Venues) -> None:
    forget = venues.box.backend.director.forget
    for act in ("find", "remove"):
        assert forget({"act": act, "name": NAME}).is_busy
        until(lambda: not forget({}).is_busy)


@pytest.mark.slow
def test_a_name_is_removed_and_no_box_brings_it_back(venues):
    removal = HallNameRemover(venues.folder / "hall")
    play_final(venues)
    hall = venues.hall()
    tile_of(hall, lambda tile: tile.urgency is Urgency.FINISHED)
    until(lambda: hall.entering().results)
    client, headers = directing(venues, hall, removal)

    refused = client.post("/forget", json={"act": "find", "name": NAME}, headers=headers)
    assert refused.status_code == 422 and "These tables still have this name: 7." in refused.text
    venues.box.act("set-up", rules="chinese", black=OTHER, white="Cleo")
    remove_at_box(venues)
    tile_of(hall, lambda tile: tile.status is not None and NAME not in str(tile.status))

    assert client.post("/forget", json={"act": "remove", "name": NAME}, headers=headers).status_code == 422
    assert client.post("/forget", json={"act": "find", "name": NAME}, headers=headers).get_json() == {"busy": True}
    until(lambda: "data-busy" not in client.get("/forget/now").text)
    assert f"Remove “{NAME}”" in client.get("/forget/now").text and NAME in client.get("/results").text

    assert client.post("/forget", json={"act": "remove", "name": NAME}, headers=headers).status_code == 200
    assert removal.is_due.is_set() and "The name is being removed" in client.get("/forget").text
    hall.close()
    removal.remove()
    again = venues.hall()
    client, _ = directing(venues, again, removal)
    page, results = client.get("/forget").text, client.get("/results").text
    assert "The name has been removed from:" in page and "1 journal of a hall" in page and NAME not in page
    assert NAME not in results and OTHER in results and "N.N." in results
    tile_of(again, lambda tile: tile.status is not None)
    assert [one.black for one, _ in again.entering().results] == ["N.N."]


def test_boxes_that_are_not_heard_are_named(venues):
    removal = HallNameRemover(venues.folder / "hall")
    venues.served.close()
    hall = venues.hall()
    tile_of(hall, lambda tile: tile.trouble is not None)
    client, headers = directing(venues, hall, removal)
    assert client.post("/forget", json={"act": "find", "name": NAME}, headers=headers).status_code == 200
    until(lambda: "data-busy" not in client.get("/forget/now").text)
    page = client.get("/forget/now").text
    assert f"“{NAME}” is in no file here." in page and "These tables are not heard: 7." in page


def test_only_a_director_may_remove_a_name(venues):
    hall = venues.hall()
    client, headers = directing(venues, hall)
    client.delete_cookie("hall-director")
    assert "director" in client.get("/forget").text and client.get("/forget/now").status_code == 401
    assert client.post("/forget", json={"act": "find", "name": NAME}, headers=headers).status_code == 401
    client, headers = directing(venues, hall)
    del headers["X-Token"]
    assert client.post("/forget", json={"act": "find", "name": NAME}, headers=headers).status_code == 401


LIST = """folder = "{folder}"
host = "127.0.0.1"
gallery = 0
[[tables]]
table = "1"
address = "http://127.0.0.1:9/"
box = "0123456789abcdef0123456789abcdef"
secret = "5f1c0e6b7a2d49388c3e9d4a6b0f1e27"
"""


@pytest.mark.slow
def test_the_program_begins_again_at_its_address_with_its_logins(tmp_path):
    listed = tmp_path / "tables.toml"
    listed.write_text(LIST.format(folder=tmp_path / "hall"))
    event_log = HallEventLog(tmp_path / "hall")
    final = {"game": "1", "result": "B+R", "players": [NAME, OTHER], "round": "1", "table": "1"}
    event_log.keep(1000.0, Note.RESULT, "1", final)
    event_log.close()
    hall = HallProgram(listed, tmp_path / "hall")
    hall.start()
    try:
        token, cookie = hall.log_in()
        assert NAME in hall.page("results", cookie)
        hall.post("forget", {"act": "find", "name": NAME}, token, cookie)
        until(lambda: "Remove “" in hall.page("forget/now", cookie))
        hall.post("forget", {"act": "remove", "name": NAME}, token, cookie)
        until(lambda: "has been removed" in hall.page("forget/now", cookie))
        assert NAME not in hall.page("results", cookie) and OTHER in hall.page("results", cookie)
        assert NAME.encode() not in (tmp_path / "hall" / "hall.journal").read_bytes()
    finally:
        hall.kill()
