"""Nothing of a move leaves the hall before it is due, by whatever address; everything does after."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from device.hall.public.delay import NOTED, PublicationDelay
from device.hall.tables import HallConfig, TableEntry
from referee.sgf.records import read_sgf
from tests.support.device.public_hall import ShownHall, paths
from web.gallery.publication import BoardNews, News

DELAY = 900.0


@pytest.fixture
def shown(tmp_path: Path) -> Iterator[ShownHall]:
    shown_hall = ShownHall(tmp_path)
    yield shown_hall
    shown_hall.close()


def moves(shown_hall: ShownHall) -> int:
    """So many turns does the public record have."""
    status, _, record = shown_hall.asked()["/live/7.sgf"]
    return len(read_sgf(record)[1]) if status == 200 else 0


def index(shown_hall: ShownHall):
    return shown_hall.app.test_client().get("/live/index.json").get_json()


def test_every_kind_of_address_is_asked(shown):
    shown.handle()
    shown.wait(DELAY)
    addresses = set(paths(shown.app, {"f" * 16}))
    assert {
        "/",
        "/de/",
        "/ja/tv",
        "/en/table/7",
        "/live/index.json",
        "/live/7.sgf",
        "/live/7.jsonl",
        "/live/round.sgf",
        "/live/events",
        "/live/boards/de/japanese/9x9.svg",
        f"/live/last/{'f' * 16}.svg",
    } <= addresses
    assert len({one.rule for one in shown.app.url_map.iter_rules()}) == 13


def test_nothing_changes_anywhere_before_a_move_is_due(shown):
    shown.handle()
    shown.wait(DELAY)
    before = shown.asked()
    for number, point in enumerate(("C3", "B2"), 1):
        shown.place(point)
        for seconds in (0.0, 1.0, 60.0, DELAY / 2, DELAY / 2 - 61.5):
            shown.wait(seconds)
            answers = shown.asked()
            assert {path: answers[path] for path in before} == before
            assert all(answers[path][0] == 404 for path in answers.keys() - before.keys())
        shown.wait(0.5)
        after = shown.asked()
        assert moves(shown) == number and index(shown)["tables"][0]["last_move"] == point
        for path in ("/live/index.json", "/live/7.sgf", "/live/round.sgf", "/live/events"):
            assert after[path] != before[path]
        before = after


def test_moves_come_out_one_by_one_as_they_were_played(shown):
    shown.handle()
    shown.wait(DELAY)
    for point in ("C3", "B2", "D4"):
        shown.place(point)
        shown.wait(100.0)
    counts = []
    for _ in range(12):
        counts.append(moves(shown))
        shown.wait(100.0)
    assert counts == [0] * 6 + [1, 2, 3, 3, 3, 3]


def test_a_turn_that_was_taken_back_is_shown_as_it_was(shown):
    shown.place("C3")
    shown.wait(60.0)
    shown.play("take-back", turns=1, why="for the test")
    shown.place("D4")
    shown.wait(DELAY - 60.0)
    assert index(shown)["tables"][0]["last_move"] == "C3"
    shown.wait(60.0)
    assert index(shown)["tables"][0]["last_move"] == "D4"


def test_a_result_is_told_at_once_and_its_moves_are_not(shown):
    shown.handle()
    shown.wait(DELAY)
    shown.place("C3")
    shown.play("report", result="B+R", why="for the test")
    assert index(shown)["results"] == []
    shown.play("verify")
    (result,) = index(shown)["results"]
    assert (result["table"], result["result"]) == ("7", "B+R")
    assert (result["rules"], result["turns"], result["at"]) == ("chinese", 1, 1_000_000.0)
    assert moves(shown) == 0 and index(shown)["tables"][0]["turn"] == 0 and result["board"] is None
    shown.wait(DELAY)
    assert moves(shown) == 1 and index(shown)["tables"][0]["result"] == "B+R"
    (result,) = index(shown)["results"]
    assert shown.app.test_client().get(f"/{result['board']}").status_code == 200


def test_a_result_that_the_hall_missed_is_told_when_it_is_back(shown):
    shown.handle()
    shown.wait(DELAY)
    shown.hall.close()
    shown.box.act("enter", player="B", turn="place", point="C3", why="for the test")
    shown.box.act("report", result="B+R", why="for the test")
    shown.box.act("verify")
    shown.box.act("set-up", rules="chinese")
    shown.box.act("enter", player="B", turn="place", point="D4", why="for the test")
    shown.open()
    shown.handle()
    assert [one["result"] for one in index(shown)["results"]] == ["B+R"]
    assert moves(shown) == 0


@pytest.mark.parametrize("away", [0.0, 20.0])
def test_the_delay_outlives_the_hall(shown, away):
    shown.handle()
    shown.wait(DELAY)
    shown.place("C3")
    shown.wait(DELAY - 10.0)
    shown.hall.close()
    shown.now += away  # Time in which the hall does not run counts for nothing: no clock could be trusted with it.
    shown.open()
    shown.handle()
    assert moves(shown) == 0
    shown.wait(9.0)
    assert moves(shown) == 0
    shown.wait(1.0)
    assert moves(shown) == 1


def test_what_is_out_is_shown_again_after_the_hall_was_ended(shown):
    shown.place("C3")
    shown.wait(DELAY)
    before = shown.asked()
    shown.again()
    shown.handle()
    assert shown.asked() == before


def test_a_longer_delay_holds_for_what_waits_too(shown):
    shown.handle()
    shown.wait(DELAY)
    shown.place("C3")
    shown.wait(DELAY - 1.0)
    shown.again(delay=30.0)
    shown.wait(DELAY)
    assert moves(shown) == 0
    shown.wait(1.0)
    assert moves(shown) == 1


def test_a_table_has_a_delay_of_its_own(tmp_path):
    shown_hall = ShownHall(tmp_path, of_table={"delay": 0.0})
    shown_hall.place("C3")
    assert moves(shown_hall) == 1
    shown_hall.close()


@pytest.mark.parametrize(("of_table", "terms"), [({"public": False}, {}), ({}, {"public": False})])
def test_who_is_not_public_is_not_shown(tmp_path, of_table, terms):
    shown_hall = ShownHall(tmp_path, of_table, **terms)
    shown_hall.box.act("enter", player="B", turn="place", point="C3", why="for the test")
    shown_hall.wait(10 * DELAY)
    assert index(shown_hall)["tables"] == [] and moves(shown_hall) == 0
    shown_hall.close()


def test_what_waits_outlives_a_hall_that_was_killed(shown, tmp_path):
    shown.place("C3")
    shown.wait(DELAY - 10.0)
    killed = tmp_path / "killed"
    shutil.copytree(tmp_path / "hall", killed)  # As it stood on the disk at that moment.
    news_list, now = list[News](), [0.0]
    line = TableEntry("7", "http://192.0.2.7/", "a" * 64, "b" * 32)
    again = PublicationDelay(HallConfig("Spring Cup", tables=(line,)), killed, news_list.append, lambda: now[0])
    again.turn()
    now[0] = 9.9
    again.turn()
    assert [news.what.turn for news in news_list if isinstance(news.what, BoardNews)] == []
    now[0] = 10.0 + NOTED
    again.turn()
    assert [news.what.turn for news in news_list if isinstance(news.what, BoardNews)][-1] == 1
    again.close()
