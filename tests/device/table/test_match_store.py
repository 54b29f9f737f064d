"""The results that a box keeps beyond their matches."""

from __future__ import annotations

from dataclasses import replace

import pytest

from device.table.match_store import FILE, MOST, Finals
from referee.game.game_info import GameInfo
from referee.table.display_state import Final, TableSnapshot
from tests.support.device.directed import DirectedTable
from tests.support.web.schemas import faults
from tests.support.web.snapshots import begun_table, take_snapshot
from tests.support.wording import english
from web.page.status import status_of


def won(game: str, result: str = "B+R") -> TableSnapshot:
    table = begun_table(rules="chinese")
    ended = replace(table.referee.snapshot, result=result)
    return take_snapshot(
        table, game=ended, match=game, names=("Ada", "Ben"), game_info=GameInfo("Spring Cup", "2", "7")
    )


def test_results_outlive_the_box_and_the_oldest_make_room(tmp_path):
    finals = Finals(tmp_path)
    for number in range(MOST + 2):
        assert finals.store_result(won(f"{number:05}_x")) is None
    again = Finals(tmp_path)
    assert [one.game for one in again.all_but("00009_x")] == [f"{number:05}_x" for number in range(2, 9)]
    assert again.all_but("")[0] == Final("00002_x", "B+R", ("Ada", "Ben"), GameInfo("Spring Cup", "2", "7"))


def test_a_result_that_was_put_right_takes_the_place_of_the_other(tmp_path):
    finals = Finals(tmp_path)
    finals.store_result(won("00001_x"))
    finals.store_result(won("00001_x", "W+R"))
    assert [one.result for one in Finals(tmp_path).all_but("")] == ["W+R"]


@pytest.mark.parametrize("text", ["", "[", "{}", '[{"game": 1}]', "[3]", '{"a": 1}', "\ufffd"])
def test_what_cannot_be_read_is_nothing(tmp_path, text):
    (tmp_path / FILE).write_text(text)
    assert Finals(tmp_path).all_but("") == ()


def test_what_cannot_be_written_is_told_kept_and_written_later(tmp_path):
    finals = Finals(tmp_path)
    (tmp_path / FILE).mkdir()
    assert "is a folder" in english(finals.store_result(won("00001_x")))
    assert [one.game for one in finals.all_but("")] == ["00001_x"] and Finals(tmp_path).all_but("") == ()
    (tmp_path / FILE).rmdir()
    assert finals.store_result(won("00001_x")) is None
    assert [one.game for one in Finals(tmp_path).all_but("")] == ["00001_x"]


def test_the_status_tells_results_of_matches_before(tmp_path):
    table = DirectedTable(tmp_path)
    match = {"rules": "chinese", "black": "Ada", "white": "Ben", "event": "Spring Cup", "round": "2", "table": "7"}
    table.act("set-up", **match)
    table.act("report", result="B+R", why="for the test")
    assert status_of(table.now)["finals"] == []
    table.act("verify")
    assert status_of(table.now)["finals"] == []
    table.act("set-up", **match)
    (one,) = status_of(table.now)["finals"]
    assert (one["result"], one["players"], one["round"], one["table"]) == ("B+R", ["Ada", "Ben"], "2", "7")
    assert faults(status_of(table.now), "Status") == []
    table.close()
