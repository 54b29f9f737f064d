"""Incidents that a director finds besides refused turns: cautions, penalties, and late arrivals."""

from __future__ import annotations

from dataclasses import replace

import pytest

from device.hall.hall import Hall
from device.hall.incidents import Lateness
from tests.support.device.venues import Venues, pages, tile_of
from web.hall.assignment import HandedOut, Handing
from web.hall.tiles import Tile
from web.openapi import Status

LATE = "Nobody has begun here 15 minutes after round 2 began."


def incident_texts(hall: Hall) -> list[str]:
    return [one.sentence.text for one in hall.current_wall().incidents]


def test_what_a_director_remarks_and_enters_is_an_incident_once(venues):
    hall = venues.hall()
    venues.box.act("remark", why="Caution: prisoners in the lid")
    venues.box.act("pause")
    venues.box.act("resume")
    venues.box.act("time", step="missing", about="W")
    venues.box.act("time", step="penalise", about="W", ms=60_000, why="late")
    tile_of(hall, lambda tile: tile.status is not None and len(tile.status["answers"]) >= 6)
    tile_of(hall, lambda tile: len(hall.current_wall().incidents) >= 3)
    wanted = ["From the director: Caution: prisoners in the lid.", "Entered by the director: White is absent."]
    assert incident_texts(hall)[0] == wanted[0] and incident_texts(hall)[1].startswith(wanted[1])
    assert incident_texts(hall)[2:] == ["Entered by the director: White loses 1 minute as a penalty."]
    hall.close()
    again = venues.hall()
    tile_of(again, lambda tile: tile.status is not None)
    assert len(incident_texts(again)) == 3


def test_incidents_are_worded_for_their_reader_after_a_restart_too(venues):
    hall = venues.hall()
    venues.box.act("time", step="missing", about="W")
    tile_of(hall, lambda tile: bool(hall.current_wall().incidents))
    hall.close()
    client, _ = pages(venues, venues.hall())
    shown = client.get("/incidents?lang=ja").get_data(as_text=True)
    assert "<td>審判長" in shown and 'lang="en">' not in shown
    assert "Entered by the director: White is absent." in client.get("/incidents.csv").get_data(as_text=True)


def handed(table: str, **changes: object) -> HandedOut:
    return replace(HandedOut(table, "2", "Ada", "Ben", Handing.TAKEN), **changes)


class Room:
    """Tables as a real box tells of its own: one that has not begun, and one where a move was made."""

    def __init__(self, venues: Venues) -> None:
        venues.box.act("set-up", rules="chinese", black="Ada", white="Ben", round="2", control="20m")
        self.waiting = self._status(venues)
        venues.box.act("enter", player="B", turn="place", point="C3", why="for the test")
        self.playing = self._status(venues)
        self.tables = {"1": self.waiting, "2": self.waiting}

    def _status(self, venues: Venues) -> Status:
        status: Status = venues.box.app.test_client().get("/status.json").get_json()
        return status

    def tile(self, table: str) -> Tile:
        return Tile(table, "", self.tables[table])


def test_a_table_is_late_so_long_after_the_first_of_its_round(venues):
    room, lateness = Room(venues), Lateness(15)
    both = [handed("1"), handed("2")]
    assert list(lateness.late(both, room.tile, 0.0)) == []
    assert list(lateness.late(both, room.tile, 5000.0)) == []
    room.tables["1"] = room.playing
    assert list(lateness.late(both, room.tile, 6000.0)) == []
    assert list(lateness.late(both, room.tile, 6899.0)) == []
    assert [(table, said.text) for table, _, said in lateness.late(both, room.tile, 6900.0)] == [("2", LATE)]
    room.tables["2"] = room.playing
    assert list(lateness.late(both, room.tile, 9000.0)) == []


@pytest.mark.parametrize(
    "other", [{"round": "3"}, {"white": "Cleo"}, {"standing": Handing.PLAYING}, {"standing": Handing.AWAY}]
)
def test_only_a_table_that_has_taken_its_match_of_this_round_is_late(venues, other):
    room, lateness = Room(venues), Lateness(15)
    room.tables["1"] = room.playing
    both = [handed("1"), handed("2", **other)]
    assert list(lateness.late(both, room.tile, 0.0)) == []
    assert list(lateness.late(both, room.tile, 9000.0)) == []


def test_nobody_is_late_where_the_hall_does_not_ask(venues):
    room, lateness = Room(venues), Lateness(0)
    room.tables["1"] = room.playing
    both = [handed("1"), handed("2")]
    assert list(lateness.late(both, room.tile, 0.0)) == [] == list(lateness.late(both, room.tile, 9000.0))
