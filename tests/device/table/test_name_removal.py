"""A name is looked for, and then removed, while the box runs and plays."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from device.journal.archive import back_up
from device.journal.removal import NOBODY
from device.journal.replay import replay_journal
from device.session.evening_store import NAME as WATCHED
from device.table.match_store import Finals
from tests.support.device.directed import DirectedTable
from tests.support.waiting import until
from tests.support.wording import english
from web.backend import NameRemoval

pytestmark = pytest.mark.slow
NAME, OTHER = "Ada Exämple", "Ben Sample"


@pytest.fixture
def table(tmp_path):
    """A table at which her game is over, and copied to a stick, and the next is set up. The journal before hers tells
    that she was announced."""
    (tmp_path / "games").mkdir()
    (stick := tmp_path / "stick").mkdir()
    table = DirectedTable(tmp_path / "games", also=[stick, tmp_path / "other stick"])
    table.act("set-up", rules="chinese", black=NAME, white=OTHER, event="Spring Cup")
    table.act("report", result="B+R", why=f"{NAME} won")
    table.act("verify")
    table.act("set-up", rules="chinese", black=OTHER, white="")
    back_up(tmp_path / "games", stick)
    (stick / "evening").mkdir()
    (stick / "evening" / WATCHED).touch()
    (stick / "evening" / "report.html").write_text(NAME)
    yield table
    table.close()


def request_removal(table: DirectedTable, act: str, name: str) -> NameRemoval:
    """Do it, and wait until it is done."""
    assert table.backend.director.forget({"act": act, "name": name}).is_busy
    return until(lambda: not (now := table.backend.director.forget({})).is_busy and now)


def holders(folder: Path, name: str = NAME) -> list[str]:
    """The files in which the name is, as it is or in JSON."""
    forms = {name.encode(), json.dumps(name)[1:-1].encode()}
    paths = (path for path in folder.rglob("*") if path.is_file())
    return sorted(path.name for path in paths if any(form in path.read_bytes() for form in forms))


def test_a_name_is_removed_while_another_game_is_played(table, tmp_path):
    seal = replay_journal(table.journals[1]).head.short
    before = holders(tmp_path)
    search = request_removal(table, "find", NAME)
    assert search.name == NAME and not search.is_removed and holders(tmp_path) == before
    assert dict(search.holders) == {"forget.game": 2, "forget.backup": 2, "forget.evening": 1, "forget.other": 1}
    assert [message.key for message in search.left] == ["forget.absent"] and "other stick" in english(search.left[0])
    done = request_removal(table, "remove", NAME)
    assert done.is_removed and done.name == "" and done.holders == search.holders
    assert holders(tmp_path) == [] and holders(tmp_path, OTHER) != []
    assert replay_journal(table.journals[1]).head.short == seal and replay_journal(table.journals[1]).terms.names == (
        NOBODY,
        OTHER,
    )
    table.act("report", result="W+R", why="for the test")
    table.act("verify")
    assert holders(tmp_path) == [], "the box still knew the name"
    assert [one.names for one in Finals(tmp_path / "games").all_but("")] == [(NOBODY, OTHER), (OTHER, "")]
    assert all(NAME not in str(entry.body) for entry in table.entries)


@pytest.mark.long
def test_a_name_that_only_a_remark_has_stays_in_the_game_that_is_played(table, tmp_path):
    table.act("remark", why=f"{NAME} watches")
    search = request_removal(table, "find", NAME)
    assert [message.key for message in search.left] == ["forget.at-table", "forget.absent"]
    assert [message.key for message in request_removal(table, "remove", NAME).left] == [
        "forget.at-table",
        "forget.absent",
    ]
    assert {name.partition(".")[0] for name in holders(tmp_path)} == {table.journals[-1].stem}
