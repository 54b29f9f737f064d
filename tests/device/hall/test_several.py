"""A hall with a table of more than two players: on its wall, in its results and in its gallery."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator

import pytest

from device.hall.box_connection import Connections
from device.hall.hall import Hall
from device.hall.public.records import fetch_record
from device.hall.tables import TableEntry
from tests.support.device.player import NAMES, SeveralPlayers
from tests.support.device.venues import Venues, pages, tile_of
from tests.support.waiting import PATIENCE_S
from web.gallery.app import create_gallery_app
from web.gallery.publication import PublicTable
from web.hall.tiles import Outcome as Becomes
from web.hall.tiles import Tile, Urgency


@pytest.fixture
def four(venues: Venues) -> Iterator[SeveralPlayers]:
    folder = venues.folder / "four"
    folder.mkdir()
    players = SeveralPlayers(folder, control="10m")
    yield players
    players.close()


def line_of(venues: Venues, box: SeveralPlayers) -> TableEntry:
    return TableEntry("9", venues.serve(box.app).url, box.public, box.secret, delay=0)


def finished(tile: Tile) -> bool:
    return tile.urgency is Urgency.FINISHED


def test_a_table_of_four_is_followed_with_all_names_and_clocks(venues, four):
    hall = venues.hall(line_of(venues, four))
    tile = tile_of(hall, lambda tile: tile.urgency is not Urgency.OFFLINE)
    assert tile.trouble is None
    client, _ = pages(venues, hall)
    tile_html = client.get("/tiles?lang=en").get_json()["tiles"]["9"]
    assert all(name in tile_html for name in NAMES[:4])
    assert tile_html.count('class="time"') == 4


def test_its_result_is_one_and_listed_with_all_who_played(venues, four):
    hall = venues.hall(line_of(venues, four))
    tile_of(hall, lambda tile: tile.urgency is not Urgency.OFFLINE)
    four.finish()
    tile_of(hall, finished)
    four.act("set-up", rules="kee", black="Ann")
    tile_of(hall, lambda tile: not finished(tile) and tile.urgency is not Urgency.OFFLINE)
    ((result, outcome),) = hall.entering().results
    assert result.result == "B:1 W:1 R:1 G:1" and outcome is Becomes.NO_FILE
    client, _ = pages(venues, hall)
    assert "Ann – Ben – Cleo – Dan" in client.get("/results").get_data(as_text=True)
    (row,) = csv.DictReader(client.get("/results.csv").data.decode("utf-8-sig").splitlines())
    assert (row["black"], row["white"], row["others"]) == ("Ann", "Ben", "Cleo, Dan")
    assert row["result"] == "B:1 W:1 R:1 G:1"


def public(hall: Hall) -> PublicTable:
    """Its table as everybody sees it, as soon as its record is out."""
    state = hall.room.public_state()
    while "9" not in state.tables or state.tables["9"].record is None:
        newest = hall.room.wait(state, PATIENCE_S)
        assert newest is not state
        state = newest
    return state.tables["9"]


def test_everybody_gets_its_record_in_the_form_that_it_has(venues, four):
    four.place(four.playing[0], "A1")
    line = line_of(venues, four)
    record = fetch_record(line, Connections())
    assert record is not None
    start, turn = map(json.loads, record.splitlines())
    assert start["players"] == "BWRG" and turn == {"player": "B", "place": "A1"}
    hall = venues.hall(line)
    table = public(hall)
    client = create_gallery_app(hall.room).test_client()
    answer = client.get("/live/9.jsonl")
    assert (answer.status_code, answer.mimetype) == (200, "application/x-ndjson")
    assert answer.get_data(as_text=True) == record and client.get("/live/9.sgf").status_code == 404
    (entry,) = client.get("/live/index.json").get_json()["tables"]
    assert entry["record"] == "live/9.jsonl" and entry["players"] == list(NAMES[:4])
    assert client.get("/live/round.sgf").data == b""
    tile = client.get(f"/live/tiles/en/{table.version}.html").get_data(as_text=True)
    assert "SGF" not in tile and "/live/9.jsonl" in tile
