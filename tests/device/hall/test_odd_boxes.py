"""One box of the hall that says odd things takes nothing from the other tables."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from functools import partialmethod
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from device.hall.box_connection import LimitedConnection
from device.hall.event_log import HallEventLog, Note
from device.hall.hall import NOTED_A_SECOND, NOTED_AT_ONCE, TOO_MUCH, Hall
from device.hall.sse_client import NotTheBox, parse_status
from device.hall.tables import HallConfig, TableEntry
from tests.support.attack.paired import FREE, ODD, PairedBox, odd, usual
from tests.support.device.venues import ends
from tests.support.tiers import is_long_run, sample
from tests.support.waiting import PATIENCE_S
from tests.support.web.public import BOARD, news, room_of
from web.gallery.app import create_gallery_app
from web.gallery.publication import check_news
from web.hall.app import HallDesk, create_hall_app
from web.hall.tiles import HallWall, Tile, Trouble
from web.language import ENGLISH

BOX = "a" * 64
TOLD = {"game": "", "turn": 0, "text": "for the test"}
UNREADABLE = ENGLISH("hall.trouble.unreadable")


@pytest.mark.parametrize("kind", ODD)
def test_an_odd_status_is_refused_where_it_arrives(kind):
    with pytest.raises(NotTheBox) as refused:
        parse_status(json.dumps(odd(kind, BOX)), BOX)
    assert refused.value.trouble is Trouble.UNREADABLE


def test_the_usual_status_is_taken():
    assert parse_status(json.dumps(usual(BOX)), BOX)["box"] == BOX


def wall(*tiles: Tile) -> Any:
    nothing: Any = SimpleNamespace()
    hall_state = HallWall(1, "Cup", tiles)
    callbacks = lambda: hall_state, lambda *_: hall_state, dict, dict, lambda: 0.0, lambda *_: False
    desk = HallDesk(*callbacks, nothing, lambda _: False, lambda: "")
    return create_hall_app(desk).test_client()


def said(table: str, status: Any) -> Tile:
    return Tile(table, "http://192.0.2.1/", status, 0.0, 0.0, number=1)


@pytest.mark.parametrize("kind", ["no rows", "an odd letter", "an empty last move", "clocks of nobody"])
def test_a_tile_that_cannot_be_drawn_says_so_and_the_others_go_on(kind):
    tiles = wall(said("1", odd(kind, BOX)), said("2", usual(BOX))).get("/tiles").get_json()["tiles"]
    assert "<svg" in tiles["2"]
    assert "<svg" not in tiles["1"] and UNREADABLE in tiles["1"]


@pytest.mark.parametrize("rows", [(), ("QX.",)])
def test_an_undrawable_gallery_board_says_so_and_others_go_on(rows):
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
    pair = PairedBox("1", 1), PairedBox("2", 2)
    yield pair
    for one in pair:
        one.close()


def tile(hall: Hall, table: int, wanted: Any) -> Tile:
    number = -1
    while not wanted(hall.current_wall().tiles[table]):
        before, number = number, hall.wait(number, PATIENCE_S).number
        assert number != before, hall.current_wall().tiles[table]
    return hall.current_wall().tiles[table]


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


def test_a_hall_ends_while_a_box_trickles_its_answer(boxes, tmp_path, monkeypatch):
    answers_late = partialmethod(LimitedConnection.exchange, within=2 * PATIENCE_S)
    monkeypatch.setattr(LimitedConnection, "exchange", answers_late)
    slow, _ = boxes
    slow.trickles = True
    slow.say(**FREE)
    with Hall(HallConfig("Cup", folder=str(tmp_path), tables=(TableEntry(**slow.line),))) as hall:
        tile(hall, 0, lambda one: one.status is not None)
        hall.rounds.hand_out([{"table": "1", "rules": "chinese", "black": "Ada", "white": "Ben"}], "Ada")
        assert slow.asked.wait(PATIENCE_S)
        assert ends(hall)


def final(number: int) -> dict[str, Any]:
    names = {"players": ["Ada", "Ben"], "event": "", "round": "1", "table": "1", "seal": None}
    return {"game": f"{number:05}_x", "result": "B+R", **names}


def test_thousands_of_results_cost_one_transaction_and_no_delay(boxes, tmp_path):
    bad, good = boxes
    bad.say()
    good.say()
    tables, statements = tuple(TableEntry(**one.line) for one in boxes), list[str]()
    with Hall(HallConfig("Cup", folder=str(tmp_path), tables=tables)) as hall:
        tile(hall, 0, lambda one: one.status is not None)
        tile(hall, 1, lambda one: one.status is not None)
        hall.event_log._log._base.set_trace_callback(statements.append)
        bad.say(finals=[final(number) for number in range(1500, 0, -1)])
        tile(hall, 0, lambda one: one.status is not None and one.status["number"] == 2)
        assert sum("COMMIT" in one for one in statements) == 1
        good.say(called=True)
        assert tile(hall, 1, lambda one: one.call is not None).call is not None
        games = [entry.body["game"] for entry in hall.event_log.entries if entry.kind is Note.RESULT]
    assert games == [f"{number:05}_x" for number in range(1493, 1501)]


def test_what_is_written_together_is_known_once_all_of_it_is_on_disk(tmp_path):
    event_log = HallEventLog(tmp_path)
    with event_log.together():
        assert event_log.keep(1.0, Note.INCIDENT, "1", TOLD, "one") and not event_log.keep(
            1.0, Note.INCIDENT, "1", TOLD, "one"
        )
        assert event_log.keep(1.0, Note.INCIDENT, "1", TOLD, "two") and event_log.entries == []
    assert [entry.number for entry in event_log.entries] == [1, 2]
    with pytest.raises(KeyError), event_log.together():
        event_log.keep(1.0, Note.INCIDENT, "2", TOLD, "three")
        raise KeyError
    event_log.close()
    assert [entry.table for entry in HallEventLog(tmp_path).entries] == ["1", "1", "2"]


@pytest.fixture
def paced(tmp_path) -> Iterator[tuple[Hall, list[float]]]:
    """A hall of two tables whose boxes are away, and its clock."""
    now = [0.0]
    tables = tuple(TableEntry(str(one), "http://127.0.0.1:1/", f"{one:064x}", f"{one:032x}") for one in (1, 2))
    with Hall(HallConfig("Cup", folder=str(tmp_path), tables=tables), steady=lambda: now[0]) as hall:
        yield hall, now


USUAL = usual(BOX)


def says(hall: Hall, table: int, **changes: Any) -> None:
    one = hall._venue.tables[table - 1]
    status: Any = {**USUAL, "box": one.box, "table": one.table, **changes}
    hall.handle_status(one, status)


def noted(hall: Hall, table: str, kind: Note) -> int:
    return sum(entry.table == table and entry.kind is kind for entry in hall.event_log.entries)


def refusal(number: int) -> dict[str, Any]:
    return {**USUAL["rulings"][0], "status": "illegal", "text": f"refused {number}"}


def test_endless_reports_of_a_paired_box_spare_journal_and_calls(paced):
    hall, _ = paced
    for number in range(300):
        says(hall, 1, rulings=[refusal(number)])
    assert noted(hall, "1", Note.INCIDENT) < NOTED_AT_ONCE
    assert [one.sentence.text for one in hall.current_wall().incidents].count(ENGLISH.sentence(TOO_MUCH)) <= 1
    assert hall.event_log.entries[-1].body["text"] == ENGLISH.sentence(TOO_MUCH)
    says(hall, 1, called=True)
    says(hall, 2, called=True, rulings=[refusal(1)])
    assert noted(hall, "1", Note.CALLED) == noted(hall, "2", Note.CALLED) == noted(hall, "2", Note.INCIDENT) == 1


def test_a_box_that_calls_and_reports_without_end_is_noted(paced):
    """Nothing of it is known before it is noted: the box's status repeats the last results, and says that it calls."""
    hall, now = paced
    says(hall, 1)
    for number in range(300):
        says(hall, 1, called=number % 2 == 0, finals=[final(number)])
    entries = len(hall.event_log.entries)
    assert entries < 2 * NOTED_AT_ONCE
    says(hall, 1, called=True, finals=[final(number) for number in range(307, 299, -1)])
    assert len(hall.event_log.entries) == entries
    for _ in range(10):
        now[0] += 1 / NOTED_A_SECOND
        hall.handle_status(hall._venue.tables[0], None)
    results = [entry.body["game"] for entry in hall.event_log.entries if entry.kind is Note.RESULT]
    assert results[-8:] == [final(number)["game"] for number in range(300, 308)]
    assert hall._tiles["1"].call is not None


def test_a_stranger_who_comes_and_goes_fills_no_journal(paced):
    hall, _ = paced
    for _ in range(300):
        hall.handle_loss(hall._venue.tables[0], Trouble.UNSEALED)
        hall.handle_loss(hall._venue.tables[0], Trouble.GONE)
    assert 0 < noted(hall, "1", Note.ALARM) < NOTED_AT_ONCE


ANYTHING = (
    *(None, True, -1, 0, 2**53, 1.5, -1e300, 10**400, float("nan"), float("inf")),
    *("", "x", "<b>", "\ud800", "\0", "\n", "A" * 5000, "=1+1", "../../etc", "\u0661", "\u202e", "I5"),
    *([], [None], ["x"], [[]] * 3, {}, {"x": 1}, {"B": 1}),
)


def with_players(clocks: Any) -> Any:
    """The clocks of Black and White."""
    (face,) = clocks["players"].values()
    return {**clocks, "players": {"B": face, "W": {**face, "running": False}}}


FINISHED = {"phase": "final", "result": "B+R", "called": True, "finals": [final(1)]}
WHOLE = {**USUAL, **FINISHED, "clocks": with_players(odd("clocks of nobody", BOX)["clocks"])}
"""The status of a game that has just ended, in which nothing is missing."""


def places(value: Any, before: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The ways to everything in a value, of lists to their first two."""
    yield before
    inside = value.items() if isinstance(value, dict) else enumerate(value[:2]) if isinstance(value, list) else ()
    for key, one in inside:
        yield from places(one, (*before, key))


def with_at(value: Any, place: tuple[Any, ...], replacement: object) -> Any:
    """A copy of the value with this at that place."""
    if not place:
        return replacement
    copy: Any = dict(value) if isinstance(value, dict) else list(value)
    copy[place[0]] = with_at(value[place[0]], place[1:], replacement)
    return copy


@pytest.mark.slow
@pytest.mark.parametrize("key", sample(WHOLE, 2))
def test_whatever_stands_anywhere_in_a_status_is_refused_or_shown(paced, key):
    """Every place of a status with odd values, one after the other; in a long run with all of them."""
    hall, now = paced
    table, count = hall._venue.tables[0], 0
    chance = random.Random(key)
    for place in places(WHOLE[key], (key,)):
        odd_values = ANYTHING if is_long_run() else chance.sample(ANYTHING, 6)
        for odd_value in odd_values:
            text = json.dumps(with_at({**WHOLE, "box": table.box}, place, odd_value))
            try:
                status = parse_status(text, table.box)
            except NotTheBox:
                continue
            now[0] += 1000.0
            hall.handle_status(table, status)
            tile = hall._tiles["1"].on(count, now[0], hall._tiles["1"])
            answer = wall(tile).get("/tiles").get_json()["tiles"]["1"]
            assert "<svg" in answer and UNREADABLE not in answer, (place, odd_value)
            count += 1
    hall.entering()
    hall.public.turn()
