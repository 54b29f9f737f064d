"""Every act of the director: what becomes of the game, what the players are told, what the journal holds."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from device.director import ACTS
from device.journal.archive import newest_bundled
from device.journal.replay import replay
from device.journal.store import Kind
from referee.board import Colour
from referee.occasion import Occasion
from referee.standing import Phase
from referee.wire import message_in
from tests.support import ROOT
from tests.support.device.directed import Directed
from tests.support.wording import english, raises
from web.errors import BadAct

B, W = Colour.BLACK, Colour.WHITE


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Directed]:
    made = Directed(tmp_path)
    yield made
    made.close()


@pytest.fixture
def timed(tmp_path: Path) -> Iterator[Directed]:
    made = Directed(tmp_path, "chinese", "10m+3x30s")
    yield made
    made.close()


def same_again(table: Directed) -> bool:
    """Whether the journal leads to the same rulings and answers again."""
    return replay(sorted(table.archive._folder.glob("*.journal"))[-1]).differs is None


def test_a_pause_is_told_with_its_reason_and_journaled(table):
    said = table.act("pause", why="a phone rang")
    assert said.startswith("The director pauses the game. Reason: a phone rang.") and table.now.paused
    words = [entry for entry in table.entries if entry.kind is Kind.SAID]
    assert words[-1].body["word"] == "remark"
    assert english(message_in(words[-1].body)) == "The director pauses the game. Reason: a phone rang."
    table.act("resume")
    assert not table.now.paused and same_again(table)


def test_a_clock_that_was_paused_by_a_player_is_resumed_by_the_director(timed):
    timed.act("time", step="start")
    assert timed.now.game.clocks.running is B
    timed.act("time", step="pause", by="W")
    assert timed.now.paused and timed.now.game.clocks.called
    timed.act("resume")
    assert timed.now.game.clocks.running is B and same_again(timed)


def test_clocks_are_set_with_a_reason(timed):
    timed.act("time", step="start")
    timed.act("pause")
    left = {"main": 300_000, "period": 30_000, "periods": 3}
    with raises(BadAct, "give a reason"):
        timed.act("clocks", B=left, W=left)
    said = timed.act("clocks", B=left, W={**left, "main": 240_000}, why="the clock was not pressed")
    assert "the clock was not pressed" in said and "The clocks are set" in said
    assert [face.main for face in timed.now.game.clocks.faces] == [300_000, 240_000]
    assert same_again(timed)


def test_clocks_are_set_without_procedures_too(timed):
    timed.act("set-up", rules="chinese", size=5, control="5m", procedures=False)
    timed.act("time", step="start")
    timed.act("pause")
    timed.act("clocks", B={"main": 1000}, W={"main": 2000}, why="agreed")
    assert [face.main for face in timed.now.game.clocks.faces] == [1000, 2000]


def test_a_reading_is_corrected(table):
    table.act("enter", player="B", turn="place", point="C3", why="played")
    assert table.now.game.turn == 1
    said = table.act("take-back", turns=1, why="it was D3")
    assert "The director takes turn 1 back. It is Black's turn." in said
    table.act("enter", player="B", turn="place", point="d3", why="it was D3")
    table.put(B, "D3").look()
    assert table.now.trouble is None and table.now.game.to_play is W and same_again(table)


def test_what_both_players_agreed_on_is_entered_and_journaled(table):
    table.act("enter", player="B", turn="place", point="C3", why="played")
    said = table.act("remove", stones=["C3"])
    assert said.startswith("The director enters what both players agreed on. By agreement C3 left the board as dead.")
    assert table.now.game.position.occupied == 0 and table.now.game.bowls.as_dict() == {"B": {"W": 1}, "W": {"B": 2}}
    said = table.act("exchange", count=1)
    assert said.endswith("The players exchanged one stone each. Nobody has used a turn.")
    assert (table.now.game.turn, table.now.game.to_play) == (1, W)
    words = [entry.body for entry in table.entries if entry.kind is Kind.SAID and entry.body["word"] == "settle"]
    assert words == [{"word": "settle", "remove": ["C3"]}, {"word": "settle", "exchange": 1}]
    assert "Black has no prisoner to exchange." in table.act("exchange", count=1)
    assert same_again(table)


def test_what_the_rules_refuse_is_refused_or_stands(table):
    assert "It is Black's turn." in table.act("enter", player="W", turn="place", point="C3", why="x")
    table.act("enter", player="B", turn="place", point="A1", why="x")
    assert "already a stone there" in table.act("enter", player="W", turn="place", point="A1", why="x", stands=True)
    assert table.now.game.turn == 1


def test_a_result_is_ruled_and_the_match_ended(table):
    table.act("report", result="W+F", why="Black left")
    assert (table.now.game.result, table.now.phase) == ("W+F", Phase.RESULT)
    table.act("verify")
    assert table.now.phase is Phase.FINAL and same_again(table)


def test_dead_stones_are_named_and_agreed_to(tmp_path):
    table = Directed(tmp_path, "chinese")
    for player, turn in (("B", "C3"), ("W", "A1"), ("B", None), ("W", None)):
        fields = {"turn": "place", "point": turn} if turn else {"turn": "pass"}
        table.act("enter", player=player, why="x", **fields)
    table.act("propose", player="B", dead=["A1"])
    assert table.now.game.counting.waits_for is W
    table.act("disagree", player="W")
    assert table.now.game.counting.count is None
    table.act("enter", player="B", turn="pass", why="x")
    table.act("enter", player="W", turn="pass", why="x")
    table.act("propose", player="B", dead=["A1"])
    assert "Counted by area" in table.act("agree", player="W")
    assert table.now.game.counting.count.dead and same_again(table)
    table.close()


def test_a_match_is_set_up_with_names_rules_and_clocks(table):
    table.act("enter", player="B", turn="place", point="C3", why="x")
    fields = {"black": "Ōta", "white": "Li", "rules": "japanese", "size": 5, "komi": 5.5, "control": "30m+5x30s"}
    said = table.act("set-up", **fields)
    assert "Ōta (Black) against Li (White)" in said
    now = table.now
    assert (now.game.rules, now.game.turn, now.names) == ("japanese", 0, ("Ōta", "Li"))
    assert now.game.clocks.control == "30m+5x30s"
    assert "PB[Ōta]".encode() in table.box.sgf and b"KM[5.5]" in table.box.sgf
    assert len(sorted(table.archive._folder.glob("*.journal"))) == 2
    again = replay(sorted(table.archive._folder.glob("*.journal"))[-1])
    assert again.differs is None and again.terms.names == ("Ōta", "Li")


def test_a_match_is_part_of_an_event_until_the_director_says_another(table):
    told = {"event": "Autumn Open", "round": "3", "table": "12", "place": "Jena"}
    table.act("set-up", rules="japanese", black="Ōta", **told)
    assert table.now.occasion == Occasion(**told)
    status = table.app.test_client().get("/status.json").get_json()
    assert [status[key] for key in ("event", "round", "table", "players")] == ["Autumn Open", "3", "12", ["Ōta", ""]]
    again = replay(table.journals[-1])
    assert (again.terms.occasion, again.match.occasion) == (Occasion(**told), Occasion(**told))
    assert again.match.began == table.box.match.began == table.entries[0].wall != ""
    table.act("set-up", rules="japanese", round="4", event="")
    assert table.now.occasion == Occasion("", "4", "12", "Jena")


def test_board_and_lids_are_shown(table):
    corners = [[100, 100], [500, 110], [510, 500], [90, 490]]
    table.act("calibrate", size=5, corners=corners, lids=[[10, 10, 50, 50], [600, 10, 50, 50]])
    assert table.calibrated[0].grid.corners[1] == (500.0, 110.0) and len(table.calibrated[0].lids) == 2


def test_players_are_told_something(table):
    table.act("remark", why="lunch is at one")
    assert english(table.now.notice) == "From the director: lunch is at one."


def test_a_game_without_a_long_cycle_is_not_void(table):
    assert "The director rules that the game is void" in table.act("void", why="tired")
    assert table.now.game.result is None


def test_the_bundle_holds_everything(table):
    table.act("enter", player="B", turn="place", point="C3", why="x")
    found = newest_bundled(table.archive._folder)
    assert found is not None
    with zipfile.ZipFile(io.BytesIO(found)) as held:
        assert b";B[cc]" in held.read("match.sgf") and b"The director enters a turn" in held.read("answers.jsonl")


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"act": "fly"},
        {"act": 3},
        {"act": "pause", "more": 1},
        {"act": "pause", "why": "x" * 301},
        {"act": "pause", "why": "two\nlines"},
        {"act": "pause", "why": "\ud800"},
        {"act": "resume"},
        {"act": "enter", "why": "x", "player": "G", "turn": "pass"},
        {"act": "enter", "why": "x", "player": "B", "turn": "place"},
        {"act": "enter", "why": "x", "player": "B", "turn": "place", "point": "?"},
        {"act": "enter", "why": "x", "player": "B", "turn": "jump"},
        {"act": "take-back", "why": "x", "turns": True},
        {"act": "take-back", "why": "x", "turns": 1.5},
        {"act": "exchange"},
        {"act": "exchange", "count": 0},
        {"act": "remove"},
        {"act": "remove", "stones": []},
        {"act": "remove", "stones": ["Z9"]},
        {"act": "propose", "player": "B", "dead": "A1"},
        {"act": "propose", "player": "B", "dead": ["Z9"]},
        {"act": "clocks", "why": "x", "B": 3, "W": {}},
        {"act": "clocks", "why": "x", "B": {"main": -1}, "W": {"main": 1}},
        {"act": "time", "step": "due"},
        {"act": "set-up", "rules": "mine"},
        {"act": "set-up", "rules": "chinese", "komi": float("nan")},
        {"act": "set-up", "rules": "chinese", "control": "soon"},
        {"act": "set-up", "rules": "chinese", "handicap": 300, "size": 5},
        {"act": "calibrate", "size": 19, "corners": [[0, 0]], "lids": []},
        {"act": "calibrate", "size": 19, "corners": [[0, 0], [1, float("inf")], [1, 1], [0, 1]]},
        {"act": "calibrate", "size": "x" * 1000},
        {"act": "calibrate"},
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(table, body):
    before = table.now.game
    with pytest.raises(BadAct) as refused:
        table.director.act(body)
    assert english(refused.value).endswith(".")
    assert table.now.game == before


def test_every_act_has_its_line_in_the_docs():
    told = (ROOT / "docs/page.md").read_text()
    assert {act for act in ACTS if f"`{act}`" not in told} == set()
