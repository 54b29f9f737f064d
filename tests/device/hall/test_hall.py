"""A hall follows real boxes over the network, and shows what becomes of them."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from device.hall.event_log import HallEventLog, Note
from device.hall.tables import TableEntry
from tests.support.device.directed import DirectedTable
from tests.support.device.venues import Venues, ends, pages, tile_of
from tests.support.tiers import sample
from tests.support.web.snapshots import box, superko
from web.app import create_app
from web.backend import DirectorBackend
from web.csv_files import spreadsheet_cell
from web.hall.tiles import OFFLINE, STALE, Tile, Trouble, Urgency
from web.hmac_auth import new_secret
from web.page.thumbnail import small_board
from web.page_config import PageIdentity


def urgency(wanted: Urgency) -> Callable[[Tile], bool]:
    return lambda tile: tile.urgency is wanted


def test_a_box_is_followed(venues):
    hall = venues.hall()
    tile = tile_of(hall, urgency(Urgency.WAITING))
    assert tile.status is not None and tile.status["rules"] == "ultimate"
    venues.box.act("enter", player="B", turn="place", point="C3", why="for the test")
    tile = tile_of(hall, urgency(Urgency.PLAYING))
    assert tile.status["last_move"] == "C3"


def test_a_hall_ends_without_waiting_for_its_boxes_next_words(venues, monkeypatch):
    monkeypatch.setattr("web.app.HEARTBEAT", 10**9)
    hall = venues.hall()
    tile_of(hall, urgency(Urgency.WAITING))
    assert ends(hall)


def call(table: DirectedTable) -> None:
    """White calls the director."""
    table.act("time", step="start")
    table.act("time", step="pause", by="W")


def list_superko_box(venues: Venues) -> TableEntry:
    """The line of a box at whose table a superko was refused."""
    shown_box, secret = box(superko(), number=3, match="00001_x"), new_secret()
    director = DirectorBackend(*[lambda *_: None] * 7, hall=lambda: secret)  # type: ignore[list-item]
    app = create_app(replace(shown_box.backend, director=director), PageIdentity(box="a" * 64))
    return TableEntry("9", venues.serve(app).url, "a" * 64, secret)


def test_a_call_outlives_the_hall_and_is_answered(venues):
    hall = venues.hall()
    tile_of(hall, urgency(Urgency.WAITING))
    call(venues.box)
    tile_of(hall, urgency(Urgency.CALLED))
    assert hall.comes("7", "Ada (192.0.2.1)") and not hall.comes("7", "Ben (192.0.2.2)")
    hall.close()
    venues.now += 60
    again = venues.hall()
    tile = again.current_wall().tiles[0]
    assert tile.call is not None and (tile.call.since, tile.call.by) == (1000.0, "Ada (192.0.2.1)")
    assert again.waits() == {"7": 60.0}
    venues.box.act("resume")
    tile_of(again, lambda tile: tile.call is None)
    assert again.waits() == {}
    kinds = [entry.kind for entry in again.event_log.entries]
    assert kinds == [Note.MET, Note.CALLED, Note.COMES, Note.ANSWERED]


def test_what_does_not_know_the_secret_raises_an_alarm(venues):
    hall = venues.hall(replace(venues.line, secret=new_secret()))
    tile = tile_of(hall, urgency(Urgency.ALARM))
    assert tile.trouble is Trouble.UNSEALED and tile.status is None
    assert [entry.kind for entry in hall.event_log.entries] == [Note.ALARM]


def test_another_box_at_the_same_address_raises_an_alarm(venues):
    hall = venues.hall(replace(venues.line, box="0" * 64))
    assert tile_of(hall, urgency(Urgency.ALARM)).trouble is Trouble.OTHER_BOX


def test_a_silent_box_is_marked_and_then_gone(venues):
    hall = venues.hall()
    tile_of(hall, urgency(Urgency.WAITING))
    venues.served.close()
    tile_of(hall, lambda tile: tile.trouble is Trouble.GONE)
    venues.now += STALE + 1
    assert tile_of(hall, lambda tile: tile.stale).urgency is Urgency.WAITING
    venues.now += OFFLINE - STALE
    assert tile_of(hall, urgency(Urgency.OFFLINE)).status is not None
    assert hall.ages() == {"7": OFFLINE + 1}


@pytest.mark.parametrize("seconds", [3600.0, -3600.0])
def test_a_silent_box_is_told_by_a_clock_that_nobody_sets(venues, seconds):
    hall = venues.hall()
    tile_of(hall, urgency(Urgency.WAITING))
    venues.set = seconds
    assert hall.ages() == {"7": 0.0}
    venues.served.close()
    tile_of(hall, lambda tile: tile.trouble is Trouble.GONE)
    venues.now += OFFLINE + 1
    tile_of(hall, urgency(Urgency.OFFLINE))
    assert hall.ages() == {"7": OFFLINE + 1}


def test_incidents_are_kept_once(venues):
    line = list_superko_box(venues)
    hall = venues.hall(line)
    tile_of(hall, urgency(Urgency.DISPUTED))
    assert [(one.table, one.turn) for one in hall.current_wall().incidents] == [("9", 2)]
    hall.close()
    again = venues.hall(line)
    tile_of(again, urgency(Urgency.DISPUTED))
    assert len(again.current_wall().incidents) == 1


def test_a_final_result_is_kept_once(venues, tmp_path):
    hall = venues.hall()
    tile_of(hall, urgency(Urgency.WAITING))
    venues.box.act("enter", player="B", turn="place", point="C3", why="for the test")
    venues.box.act("report", result="B+R", why="for the test")
    venues.box.act("verify")
    tile_of(hall, urgency(Urgency.FINISHED))
    hall.close()
    tile_of(again := venues.hall(), urgency(Urgency.FINISHED))
    again.close()
    event_log = HallEventLog(tmp_path / "hall")
    assert [entry.body["result"] for entry in event_log.entries if entry.kind is Note.RESULT] == ["B+R"]


def play_and_report(venues: Venues, result: str) -> None:
    """A game that is begun and ended by the director."""
    venues.box.act("set-up", rules="chinese", black="Ada", white="Ben", event="Spring Cup", round="2", table="7")
    venues.box.act("enter", player="B", turn="place", point="C3", why="for the test")
    venues.box.act("report", result=result, why="for the test")
    venues.box.act("verify")


def results(venues: Venues) -> list[str]:
    """As the hall's journal has them."""
    event_log = HallEventLog(venues.folder / "hall")
    event_log.close()
    return [f"{entry.table} {entry.body['result']}" for entry in event_log.entries if entry.kind is Note.RESULT]


def test_a_result_survives_a_board_cleared_while_none_listened(venues):
    play_and_report(venues, "W+R")
    venues.box.act("set-up", rules="chinese", black="Ada", white="Ben", event="Spring Cup", round="1", table="7")
    hall = venues.hall()
    tile_of(hall, urgency(Urgency.WAITING))
    hall.close()
    assert results(venues) == []  # It was over before the hall knew the box.
    play_and_report(venues, "B+R")
    play_and_report(venues, "B+T")
    venues.box.act("set-up", rules="chinese", black="Cleo", white="Dan", event="Spring Cup", round="3", table="7")
    for _ in range(2):
        hall = venues.hall()
        tile_of(hall, urgency(Urgency.WAITING))
        hall.close()
        assert results(venues) == ["7 B+R", "7 B+T"]


def test_a_result_of_more_than_two_is_kept_once_too(venues):
    hall = venues.hall()
    status = tile_of(hall, lambda tile: tile.status is not None).status
    over = {**status, "phase": "final", "result": {"B": 3, "W": 2, "R": 1}, "players": ["Ada", "Ben", "Cleo"]}
    hall.handle_status(venues.line, over)
    hall.handle_status(venues.line, over)
    assert [entry.kind for entry in hall.event_log.entries].count(Note.RESULT) == 1


# The pages


def test_the_wall_sends_only_tiles_that_differ(venues):
    hall = venues.hall()
    tile_of(hall, urgency(Urgency.WAITING))
    client, _ = pages(venues, hall)
    assert "Spring Cup" in client.get("/").get_data(as_text=True)
    run = client.get("/").get_data(as_text=True).partition('data-run="')[2][:8]
    answer = client.get("/tiles").get_json()
    assert answer["order"] == [["7", "waiting", False]] and "Not begun" in answer["tiles"]["7"]
    assert client.get(f"/tiles?since={answer['number']}&run={run}").get_json()["tiles"] == {}
    assert "7" in client.get(f"/tiles?since={answer['number']}&run=other").get_json()["tiles"]


def test_only_who_knows_the_pin_says_that_they_come(venues):
    hall = venues.hall()
    tile_of(hall, urgency(Urgency.WAITING))
    call(venues.box)
    tile_of(hall, urgency(Urgency.CALLED))
    client, pin = pages(venues, hall)
    own = {"Origin": "http://localhost"}
    assert client.post("/comes", json={"table": "7"}, headers=own).status_code == 401
    assert client.post("/session", json={"pin": "nope", "name": "Ada"}, headers=own).status_code == 403
    assert client.post("/session", json={"pin": pin, "name": ""}, headers=own).status_code == 400
    token = client.post("/session", json={"pin": pin, "name": "Ada"}, headers=own).get_json()["token"]
    assert client.post("/comes", json={"table": "7"}, headers=own).status_code == 401
    assert client.post("/comes", json={"table": "7"}, headers={**own, "X-Token": token}).status_code == 200
    assert client.post("/comes", json={"table": "7"}, headers={**own, "X-Token": token}).status_code == 409
    assert hall.event_log.entries[-1].body["by"] == "Ada (127.0.0.1)"


def test_incidents_can_be_read_by_people_and_programs(venues):
    hall = venues.hall(line := list_superko_box(venues))
    tile_of(hall, urgency(Urgency.DISPUTED))
    client, _ = pages(venues, hall)
    assert f"{line.address}director/games/00001_x/" in client.get("/incidents").get_data(as_text=True)
    rows = list(csv.DictReader(client.get("/incidents.csv").get_data(as_text=True).removeprefix("\ufeff").splitlines()))
    assert [(row["table"], row["turn"]) for row in rows] == [("9", "2")]


FORMULAS = ("=1+1", "+1", "-1", "@SUM(1)", "\t=1", "\r=1", "\n=1", "＝1", "\u200b－1", "Ada;=1")


@pytest.mark.parametrize("name", sample(FORMULAS, 4))
def test_no_cell_is_a_formula(venues, name):
    hall = venues.hall()
    status = tile_of(hall, lambda tile: tile.status is not None).status
    ruling = {"turn": 3, "status": "illegal", "text": name}
    fields = {"phase": "final", "result": "B+R", "game": name, "round": name, "players": [name, name, name]}
    hall.handle_status(venues.line, {**status, **fields, "rulings": [ruling]})
    tile_of(hall, lambda _: hall.current_wall().incidents)
    client, _ = pages(venues, hall)
    for page, columns in (("results", ("round", "black", "white", "others")), ("incidents", ("game", "what"))):
        text = client.get(f"/{page}.csv").get_data(as_text=True).removeprefix("\ufeff")
        (row,) = csv.DictReader(io.StringIO(text, newline=""))
        assert {row[column] for column in columns} == {spreadsheet_cell(name)} != {name}
        assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r")) for cell in row.values())


def test_a_result_keeps_its_last_position(venues):
    hall = venues.hall()
    status = tile_of(hall, lambda tile: tile.status is not None).status
    rows, earlier = ["X.O", "...", "..X"], {"result": "W+R", "players": ["Cleo", "Dan"], "event": "", "round": "1"}
    over = {"phase": "final", "result": "B+R", "game": "2", "round": "2", "rows": rows, "last_move": "C1"}
    over |= {"rules": "chinese", "turn": 31}
    finals = [{**earlier, "game": "1", "table": "7", "seal": None}]
    hall.handle_status(venues.line, {**status, **over, "finals": finals})
    client, _ = pages(venues, hall)
    text = client.get("/results").get_data(as_text=True)
    (address,) = re.findall(r'src="(/results/[^"]*)"', text)
    assert (
        'loading="lazy" decoding="async" alt="Last position">' in text
        and ">31 turns</td>" in text
        and ">Chinese" in text
        and text.count("small.svg") == 1
    )
    answer = client.get(address)
    assert answer.mimetype == "image/svg+xml" and "immutable" in answer.headers["Cache-Control"]
    assert answer.get_data(as_text=True) == small_board(rows, (2, 2))
    numbers = [one.number for one in hall.event_log.entries]
    codes = {number: client.get(f"/results/{number}/small.svg").status_code for number in (*numbers, 10**30)}
    assert [number for number, code in codes.items() if code == 200] == [int(address.split("/")[2])]
    assert set(codes.values()) == {200, 404}


def test_results_are_listed_with_what_becomes_of_them(venues, tmp_path):
    (tmp_path / "cup.xml").write_text(
        '<Tournament><Players><Player name="Example" firstName="Ada"/><Player name="Sample" firstName="Ben"/></Players>'
        '<Games><Game blackPlayer="EXAMPLEADA" whitePlayer="SAMPLEBEN" roundNumber="2" tableNumber="7"/></Games>'
        "</Tournament>"
    )
    match = {"rules": "chinese", "black": "Ada Example", "white": "Ben Sample", "round": "2", "table": "7"}
    venues.box.act("set-up", **match)
    hall = venues.hall(opengotha=str(tmp_path / "cup.xml"))
    tile_of(hall, lambda tile: tile.status is not None)
    client, _ = pages(venues, hall)
    assert list(ElementTree.fromstring(client.get("/results.xml").data).iter("Game")) == []
    venues.box.act("report", result="B+R", why="for the test")
    venues.box.act("verify")
    tile_of(hall, urgency(Urgency.FINISHED))
    (game,) = ElementTree.fromstring(client.get("/results.xml").data).iter("Game")
    assert (game.get("result"), game.get("tableNumber")) == ("RESULT_BLACKWINS", "7")
    assert "Goes into the tournament" in client.get("/results").get_data(as_text=True)
    (tmp_path / "cup.xml").write_text("<nothing")
    (row,) = csv.DictReader(client.get("/results.csv").get_data(as_text=True).removeprefix("\ufeff").splitlines())
    assert (row["black"], row["result"], row["outcome"]) == ("Ada Example", "B+R", "bad-file")
