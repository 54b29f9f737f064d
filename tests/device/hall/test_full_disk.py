"""The hall's disk is full for a while: what boxes say is shown all the same, and noted once there is room."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from device.hall.event_log import FILE, EventLogError, HallEventLog, Note
from device.hall.hall import Hall
from tests.support.device.hall_program import HallProgram
from tests.support.device.public_hall import full_disk
from tests.support.device.public_hall import until as awaited
from tests.support.device.venues import Venues, directing, pages, tile_of
from tests.support.faulty_disk import NO_MOUNT, fill, small_disk
from tests.support.tiers import LONG
from tests.support.waiting import PATIENCE_S
from web.hall.tiles import Trouble, Urgency
from web.openapi import Status

MATCH = {"event": "Spring Cup", "round": "2", "table": "7", "black": "Ada", "white": "Ben", "rules": "chinese"}
UNKEPT = "Nothing can be noted"


@pytest.fixture
def hall(venues: Venues) -> Iterator[Hall]:
    """A hall that has met its box, whose further statuses are told by hand."""
    hall = venues.hall()
    tile_of(hall, lambda tile: tile.status is not None)
    yield hall


def full(venues: Venues) -> AbstractContextManager[None]:
    return full_disk(venues.folder / "hall" / f"{FILE}-wal")


def status(hall: Hall, **changes: object) -> Status:
    status = hall.current_wall().tiles[0].status
    assert status is not None
    return {**status, "game": "00001_x", **changes}  # type: ignore[typeddict-item]


def noted(hall: Hall) -> list[Note]:
    return [entry.kind for entry in hall.event_log.entries if entry.kind is not Note.MET]


def on_disk(venues: Venues) -> list[Note]:
    event_log = HallEventLog(venues.folder / "hall")
    event_log.close()
    return [entry.kind for entry in event_log.entries if entry.kind is not Note.MET]


def test_a_result_final_on_a_full_disk_is_noted_once_it_has_room(venues, hall):
    over = status(hall, phase="final", result="B+R")
    with full(venues):
        hall.handle_status(venues.line, over)
        assert noted(hall) == [], "it is not known before it is on disk"
    hall.handle_status(venues.line, over)
    hall.event_log.mend()
    assert noted(hall) == [Note.RESULT]
    hall.close()
    assert on_disk(venues) == [Note.RESULT]


def test_it_is_noted_though_the_box_says_nothing_more(venues, hall):
    with full(venues):
        hall.handle_status(venues.line, status(hall, phase="final", result="B+R"))
        tile_of(hall, lambda _: hall.current_wall().unkept)
        assert noted(hall) == []
    tile_of(hall, lambda _: not hall.current_wall().unkept)
    assert noted(hall) == [Note.RESULT]


def test_a_call_is_shown_while_the_disk_is_full_and_noted_with_its_time(venues, hall):
    with full(venues):
        hall.handle_status(venues.line, status(hall, called=True))
        tile_of(hall, lambda tile: tile.urgency is Urgency.CALLED)
        assert hall.comes("7", "Ada (192.0.2.1)")
        assert tile_of(hall, lambda tile: tile.call.by).call.since == venues.now
        venues.set = 30.0
        hall.handle_status(venues.line, None)
        assert noted(hall) == []
    hall.handle_status(venues.line, status(hall, called=False))
    assert noted(hall) == [Note.CALLED, Note.COMES, Note.ANSWERED]
    called, _, answered = hall.event_log.entries[-3:]
    assert (called.at, answered.at, answered.body) == (1000.0, 1030.0, {"call": called.number})


def test_an_incident_is_shown_while_the_disk_is_full_and_an_alarm_too(venues, hall):
    ruling = {"turn": 3, "status": "illegal", "text": "That repeats the board."}
    with full(venues):
        hall.handle_status(venues.line, status(hall, rulings=[ruling]))
        hall.handle_status(venues.line, status(hall, rulings=[ruling]))
        hall.handle_loss(venues.line, Trouble.OTHER_BOX)
        tile_of(hall, lambda tile: tile.urgency is Urgency.ALARM and len(hall.current_wall().incidents) == 1)
        assert noted(hall) == []
    hall.handle_status(venues.line, status(hall, rulings=[ruling]))
    hall.event_log.mend()
    assert noted(hall) == [Note.INCIDENT, Note.ALARM]


def test_a_game_that_ended_since_is_not_taken_for_an_earlier_one(venues):
    hall = venues.hall()
    tile_of(hall, lambda tile: tile.status is not None)
    stranger = venues.line.__class__("7", "http://127.0.0.1:1/", "c" * 64, "s")
    final = {"game": "00009_x", "result": "W+R", "players": ["", ""], "event": "", "round": "", "table": "", "seal": ""}
    with full(venues):
        hall.handle_status(stranger, status(hall))
        hall.handle_status(stranger, status(hall, finals=[final]))
    hall.event_log.mend()
    assert noted(hall) == [Note.RESULT]


def test_pages_say_the_disk_is_full_and_hand_out_nothing_partial(venues, hall):
    client, headers = directing(venues, hall)
    assert UNKEPT not in client.get("/").get_data(as_text=True)
    assert client.get("/tiles").get_json()["unkept"] == ""
    with full(venues):
        refused = client.post("/round", json={"matches": [MATCH]}, headers=headers)
        assert (refused.status_code, refused.mimetype) == (503, "text/plain")
        assert f"{UNKEPT}: no room is left in {venues.folder / 'hall'}" in refused.get_data(as_text=True)
        tile_of(hall, lambda _: hall.current_wall().unkept)
        assert UNKEPT in client.get("/tiles").get_json()["unkept"]
        assert UNKEPT not in client.get("/tiles?lang=de").get_json()["unkept"]
        for page in ("/incidents", "/results", "/round"):
            assert UNKEPT in client.get(page).get_data(as_text=True)
        assert client.get("/tables.json").get_json()["kept"] is False
    assert hall.rounds.handed_out() == () and noted(hall) == []
    assert client.post("/round", json={"matches": [MATCH]}, headers=headers).get_json() == {"tables": ["7"]}


def test_a_match_stays_handed_out_where_the_disk_refuses_to_take_it_back(venues, hall):
    venues.served.close()
    tile_of(hall, lambda tile: tile.trouble is not None)
    client, headers = directing(venues, hall)
    hall.rounds.hand_out([MATCH], "Ada")
    with full(venues):
        refused = client.post("/round/withdraw", json={"table": "7"}, headers=headers)
        assert refused.status_code == 503 and UNKEPT in refused.get_data(as_text=True)
    assert [one.standing.value for one in hall.rounds.handed_out()] == ["away"]


def test_what_waits_is_listed_among_the_results(venues, hall):
    client, _ = pages(venues, hall)
    with full(venues):
        hall.handle_status(venues.line, status(hall, phase="final", result="B+R"))
        assert [what.value for _, what in hall.entering().results] == ["unkept"]
        assert "Waits, because the hall can note nothing now" in client.get("/results").get_data(as_text=True)


def test_a_hall_closed_on_a_full_disk_says_what_is_lost(venues, hall, caplog):
    with full(venues):
        hall.handle_status(venues.line, status(hall, phase="final", result="B+R"))
        hall.close()
    assert "1 entry could not be written to the hall's journal and is lost" in caplog.text
    assert on_disk(venues) == []


def test_several_entries_are_written_together_or_not_at_all(tmp_path):
    event_log = HallEventLog(tmp_path)
    event_log.write(1.0, Note.COMES, "7", {"by": "Ada"})
    long = {"by": "x" * 5000}
    with full_disk(tmp_path / f"{FILE}-wal"):
        with pytest.raises(EventLogError):
            event_log.write_together(2.0, Note.COMES, {"1": long, "2": long})
        waits = event_log.keep(3.0, Note.COMES, "3", long)
        with pytest.raises(EventLogError):
            event_log.write(4.0, Note.COMES, "4", long)
    assert waits is not None and len(event_log.entries) == 1 and event_log.trouble
    note = event_log.write(5.0, Note.COMES, "5", long)
    assert [(entry.table, entry.number) for entry in event_log.entries] == [("7", 1), ("3", 2), ("5", 3)]
    assert (waits.number, note.number, event_log.trouble) == (2, 3, "")
    event_log.close()
    assert HallEventLog(tmp_path).entries == event_log.entries


LIST = """event = "Spring Cup"
host = "127.0.0.1"
public = false
folder = "{folder}"
[[tables]]
table = "7"
address = "{line.address}"
box = "{line.box}"
secret = "{line.secret}"
"""


@pytest.fixture
def program(venues: Venues, tmp_path: Path) -> Iterator[tuple[HallProgram, Path]]:
    """A hall as a program of its own whose folder is on a small disk of its own."""
    listed, disk = tmp_path / "tables.toml", tmp_path / "disk"
    try:
        with small_disk(disk):
            listed.write_text(LIST.format(folder=disk / "hall", line=venues.line))
            hall_program = HallProgram(listed, disk / "hall")
            hall_program.start()
            yield hall_program, disk
            if hall_program.runs:
                hall_program.kill()
    except OSError as error:
        if str(error) != NO_MOUNT:
            raise
        pytest.skip(NO_MOUNT)


def fetch_json(hall: HallProgram, path: str) -> dict[str, Any]:
    with urlopen(hall.address + path, timeout=PATIENCE_S) as answer:
        body: dict[str, Any] = json.load(answer)
        return body


@LONG
def test_a_full_small_disk_shows_calls_and_notes_results_later(venues, program):
    hall, disk = program
    awaited(lambda: fetch_json(hall, "tables.json")["tables"][0]["status"])
    filler = fill(disk)
    venues.box.act("set-up", **MATCH, control="20m")
    venues.box.act("time", step="start")
    venues.box.act("time", step="pause", by="W")
    awaited(lambda: fetch_json(hall, "tables.json")["tables"][0]["urgency"] == "called")
    with pytest.raises(HTTPError) as refused:
        hall.hand_out(MATCH)
    assert refused.value.code == 503 and UNKEPT in refused.value.read().decode()
    venues.box.act("resume")
    venues.box.act("report", result="B+R", why="for the test")
    venues.box.act("verify")
    awaited(lambda: fetch_json(hall, "tables.json")["tables"][0]["urgency"] == "finished")
    assert fetch_json(hall, "tables.json")["kept"] is False and UNKEPT in fetch_json(hall, "tiles")["unkept"]
    filler.unlink()
    awaited(lambda: fetch_json(hall, "tables.json")["kept"])
    hall.kill()
    kinds = [entry.kind for entry in hall.journal()]
    assert kinds.count(Note.RESULT) == 1 and [kind for kind in kinds if kind in (Note.CALLED, Note.ANSWERED)] == [
        Note.CALLED,
        Note.ANSWERED,
    ]
