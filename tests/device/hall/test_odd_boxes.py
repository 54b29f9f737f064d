"""One box of the hall that says odd things takes nothing from the other tables."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from device.hall.box_connection import ANSWERS_WITHIN
from device.hall.event_log import HallEventLog, Note
from device.hall.hall import Hall
from device.hall.sse_client import NotTheBox, status_read
from device.hall.tables import HallConfig, TableEntry
from tests.support.attack.paired import FREE, ODD, PairedBox, odd, usual
from tests.support.device.venues import SOON
from tests.support.web.public import BOARD, news, room_of
from web.gallery.app import create_gallery_app
from web.gallery.publication import check_news
from web.hall.app import HallDesk, create_hall_app
from web.hall.tiles import Shown, Tile, Trouble
from web.language import ENGLISH

BOX = "a" * 64
TOLD = {"game": "", "turn": 0, "text": "for the test"}
UNREADABLE = ENGLISH("hall.trouble.unreadable")


@pytest.mark.parametrize("kind", ODD)
def test_an_odd_status_is_refused_where_it_arrives(kind):
    with pytest.raises(NotTheBox) as refused:
        status_read(json.dumps(odd(kind, BOX)), BOX)
    assert refused.value.trouble is Trouble.UNREADABLE


def test_the_usual_status_is_taken():
    assert status_read(json.dumps(usual(BOX)), BOX)["box"] == BOX


def wall(*tiles: Tile) -> Any:
    nothing: Any = SimpleNamespace()
    shown = Shown(1, "Cup", tiles)
    told = lambda: shown, lambda *_: shown, dict, dict, lambda: 0.0, lambda *_: False
    desk = HallDesk(*told, nothing, lambda _: False, lambda: "")
    return create_hall_app(desk).test_client()


def said(table: str, status: Any) -> Tile:
    return Tile(table, "http://192.0.2.1/", status, 0.0, 0.0, number=1)


@pytest.mark.parametrize("kind", ["no rows", "an odd letter", "an empty last move", "clocks of nobody"])
def test_a_tile_that_cannot_be_drawn_says_so_and_the_others_go_on(kind):
    tiles = wall(said("1", odd(kind, BOX)), said("2", usual(BOX))).get("/tiles").get_json()["tiles"]
    assert "<svg" in tiles["2"]
    assert "<svg" not in tiles["1"] and UNREADABLE in tiles["1"]


@pytest.mark.parametrize("rows", [(), ("QX.",)])
def test_a_board_of_the_gallery_that_cannot_be_drawn_says_so_and_the_others_go_on(rows):
    bad = msgspec.structs.replace(BOARD, rows=rows)
    asking = create_gallery_app(room_of(news(1, bad), news(2, BOARD, table="8"))).test_client()
    tables = {one["table"]: one for one in asking.get("/live/index.json").get_json()["tables"]}
    texts = {name: asking.get(f"/live/tiles/en/{one['version']}.html") for name, one in tables.items()}
    assert [answer.status_code for answer in texts.values()] == [200, 200]
    assert "<svg" in texts["8"].get_data(as_text=True)
    assert ENGLISH("gallery.not-drawn") in texts["7"].get_data(as_text=True)


def test_odd_news_is_refused_where_it_arrives():
    check_news(news(1, BOARD))
    for changes in ({"rows": ()}, {"last_move": "Z25"}, {"players": ("A" * 100_000, "B")}, {"turn": 10**30}):
        with pytest.raises(ValueError, match=r"board|text|number"):
            check_news(news(1, msgspec.structs.replace(BOARD, **changes)))


@pytest.fixture
def boxes() -> Iterator[tuple[PairedBox, PairedBox]]:
    made = PairedBox("1", 1), PairedBox("2", 2)
    yield made
    for one in made:
        one.close()


def tile(hall: Hall, table: int, wanted: Any) -> Tile:
    number = -1
    while not wanted(hall.shown().tiles[table]):
        before, number = number, hall.wait(number, SOON).number
        assert number != before, hall.shown().tiles[table]
    return hall.shown().tiles[table]


def test_a_table_goes_on_while_the_box_of_another_says_odd_things(boxes, tmp_path):
    bad, good = boxes
    bad.said.append(odd("no rows", bad.box))
    good.say()
    tables = tuple(TableEntry(**one.line) for one in boxes)
    with Hall(HallConfig("Cup", folder=str(tmp_path), tables=tables)) as hall:
        assert tile(hall, 0, lambda one: one.trouble is not None).trouble is Trouble.UNREADABLE
        assert tile(hall, 1, lambda one: one.status is not None).trouble is None
        bad.say()
        assert tile(hall, 0, lambda one: one.status is not None).trouble is None


def test_a_hall_ends_while_a_box_trickles_its_answer(boxes, tmp_path):
    slow, _ = boxes
    slow.trickles = True
    slow.say(**FREE)
    with Hall(HallConfig("Cup", folder=str(tmp_path), tables=(TableEntry(**slow.line),))) as hall:
        tile(hall, 0, lambda one: one.status is not None)
        hall.rounds.hand_out([{"table": "1", "rules": "chinese", "black": "Ada", "white": "Ben"}], "Ada")
        assert slow.asked.wait(SOON)
        begun = time.monotonic()
    assert time.monotonic() - begun < ANSWERS_WITHIN / 2


def final(number: int) -> dict[str, Any]:
    names = {"players": ["Ada", "Ben"], "event": "", "round": "1", "table": "1", "seal": None}
    return {"game": f"{number:05}_x", "result": "B+R", **names}


def test_a_box_with_thousands_of_results_costs_one_transaction_and_delays_no_call(boxes, tmp_path):
    bad, good = boxes
    bad.say()
    good.say()
    tables, statements = tuple(TableEntry(**one.line) for one in boxes), list[str]()
    with Hall(HallConfig("Cup", folder=str(tmp_path), tables=tables)) as hall:
        tile(hall, 0, lambda one: one.status is not None)
        tile(hall, 1, lambda one: one.status is not None)
        hall.book._log._base.set_trace_callback(statements.append)
        bad.say(finals=[final(number) for number in range(1500, 0, -1)])
        tile(hall, 0, lambda one: one.status is not None and one.status["number"] == 2)
        assert sum("COMMIT" in one for one in statements) == 1
        good.say(called=True)
        assert tile(hall, 1, lambda one: one.call is not None).call is not None
        kept = [entry.body["game"] for entry in hall.book.entries if entry.kind is Note.RESULT]
    assert kept == [f"{number:05}_x" for number in range(1493, 1501)]


def test_what_is_written_together_is_known_once_all_of_it_is_on_disk(tmp_path):
    book = HallEventLog(tmp_path)
    with book.together():
        assert book.keep(1.0, Note.INCIDENT, "1", TOLD, "one") and not book.keep(1.0, Note.INCIDENT, "1", TOLD, "one")
        assert book.keep(1.0, Note.INCIDENT, "1", TOLD, "two") and book.entries == []
    assert [entry.number for entry in book.entries] == [1, 2]
    with pytest.raises(KeyError), book.together():
        book.keep(1.0, Note.INCIDENT, "2", TOLD, "three")
        raise KeyError
    book.close()
    assert [entry.table for entry in HallEventLog(tmp_path).entries] == ["1", "1", "2"]
