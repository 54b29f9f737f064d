"""Every act of the director: what becomes of the game, what the players are told, what the journal holds."""

from __future__ import annotations

import io
import json
import time
import zipfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from device.journal.archive import newest_bundled
from device.journal.replay import replay_journal
from device.journal.store import Kind, read_journal
from device.table.director import ACTS
from referee.codec import read_message
from referee.game.actor import Actor
from referee.game.board import Colour
from referee.game.game_info import GameInfo
from referee.game.messages import message
from referee.table.display_state import BoxStatus, Paused, Phase, State
from referee.table.events import Button, Pause, Remark
from referee.time.steps import Act
from tests.support import ROOT
from tests.support.device.directed import DirectedTable
from tests.support.device.player import Player
from tests.support.wording import english, raises
from web.director.actions import parts_that_fit, taps_of
from web.errors import BadAct
from web.page.headline import headline_of

B, W = Colour.BLACK, Colour.WHITE


@pytest.fixture
def table(tmp_path: Path) -> Iterator[DirectedTable]:
    table = DirectedTable(tmp_path)
    yield table
    table.close()


@pytest.fixture
def timed_table(tmp_path: Path) -> Iterator[DirectedTable]:
    table = DirectedTable(tmp_path, "chinese", "10m+3x30s")
    yield table
    table.close()


def same_again(table: DirectedTable) -> bool:
    """Return whether the journal leads to the same rulings and answers again."""
    return replay_journal(sorted(table.archive._folder.glob("*.journal"))[-1]).differs is None


def test_a_pause_is_told_with_its_reason_and_journaled(table):
    answer = table.act("pause", why="a phone rang")
    assert answer.startswith("The director pauses the game. Reason: a phone rang.") and table.now.paused
    words = [entry for entry in table.entries if entry.kind is Kind.SAID]
    assert words[-1].body["word"] == "remark"
    assert english(read_message(words[-1].body)) == "The director pauses the game. Reason: a phone rang."
    table.act("resume")
    assert not table.now.paused and same_again(table)


def test_what_lies_at_a_point_is_read_out_to_the_players(table):
    assert table.act("read", point="E5") == "E5 is empty."
    assert english(table.now.notice) == "E5 is empty." and same_again(table)
    assert table.refused("read", point="Z99") == "'Z99' is no point of a 5x5 board; name it like D4."


def test_the_directors_own_pause_says_whose_it_is_why_and_since_when(timed_table):
    timed_table.act("time", step="start")
    timed_table.act("pause", why="a phone rang")
    now = timed_table.now
    assert (now.display_state.state, now.pause) == (State.PAUSED, Paused(Actor.DIRECTOR, "a phone rang", timed_table.t))
    headline = headline_of(now)
    assert headline.text == "The director has paused the game. Both players, please wait."
    assert [why.text for why in headline.reasons][:1] == ["Reason: a phone rang."] and headline.since == timed_table.t
    page = timed_table.app.test_client().get("/").text
    assert f'data-t="{timed_table.t}" data-text="since #"' in page and "been called" not in page
    status = timed_table.app.test_client().get("/status.json").get_json()
    assert status["pause"] == {"by": "director", "why": "a phone rang", "since": timed_table.t}
    assert "already paused" in timed_table.refused("pause")
    timed_table.act("resume")
    assert timed_table.now.pause is None and timed_table.now.game.clocks.running_player is B and same_again(timed_table)


def test_players_do_not_end_the_directors_pause_by_a_tap(tmp_path):
    player = Player(tmp_path, rules="chinese", control="10m").look().press(2)
    player.box.carry_out([Pause(player.t)], Remark(player.t, message("director.pause"), Actor.DIRECTOR))
    player.press(1)
    assert english(player.now.notice) == "The director has paused the game. Please wait for them."
    player.press(0, Button.PAUSE)
    assert player.now.display_state.state is State.PAUSED and "director" in english(player.now.notice)
    player.press(0, Button.PAUSE, lasting=2.5)
    assert (player.now.pause, player.clocks.running_player) == (None, B)
    assert replay_journal(player.journal).differs is None


def test_a_call_is_answered_and_then_it_is_the_directors_pause(timed_table):
    timed_table.act("time", step="start")
    timed_table.act("time", step="pause", by="W")
    now, called_at = timed_table.now, timed_table.t
    assert (now.display_state.state, now.pause.by) == (State.CALLED, W)
    assert headline_of(now).text == "White has called the director. Both players, please wait."
    timed_table.act("pause")
    now = timed_table.now
    assert (now.display_state.state, now.called) == (State.PAUSED, False)
    assert now.pause == Paused(Actor.DIRECTOR, "", called_at)
    assert (
        replay_journal(timed_table.journals[-1]).table.build_snapshot(BoxStatus(0, timed_table.t, now.sight)).pause
        == now.pause
    )
    timed_table.act("resume")
    assert (timed_table.now.pause, timed_table.now.game.clocks.running_player) == (None, B) and same_again(timed_table)


def test_a_clock_that_was_paused_by_a_player_is_resumed_by_the_director(timed_table):
    timed_table.act("time", step="start")
    assert timed_table.now.game.clocks.running_player is B
    timed_table.act("time", step="pause", by="W")
    assert timed_table.now.paused and timed_table.now.game.clocks.called
    timed_table.act("resume")
    assert timed_table.now.game.clocks.running_player is B and same_again(timed_table)


def test_clocks_are_set_with_a_reason(timed_table):
    timed_table.act("time", step="start")
    timed_table.act("pause")
    left = {"main": 300_000, "period": 30_000, "periods": 3}
    with raises(BadAct, "give a reason"):
        timed_table.act("clocks", B=left, W=left)
    answer = timed_table.act("clocks", B=left, W={**left, "main": 240_000}, why="the clock was not pressed")
    assert "the clock was not pressed" in answer and "The clocks are set" in answer
    assert [face.main for face in timed_table.now.game.clocks.faces] == [300_000, 240_000]
    assert "they stand until the game goes on" in answer and timed_table.now.game.clocks.running_player is None
    assert same_again(timed_table)


def test_clocks_are_set_without_procedures_too(timed_table):
    timed_table.act("set-up", rules="chinese", size=5, control="5m", procedures=False)
    timed_table.act("time", step="start")
    timed_table.act("pause")
    answer = timed_table.act("clocks", B={"main": 1000}, W={"main": 2000}, why="agreed")
    assert "they stand until the game goes on" in answer and timed_table.now.game.clocks.running_player is None
    assert [face.main for face in timed_table.now.game.clocks.faces] == [1000, 2000]


def test_each_act_bears_the_name_of_who_did_it(timed_table):
    timed_table.act("time", step="start")
    timed_table.act("enter", player="B", turn="place", point="C3", why="misread")
    timed_table.act("take-back", turns=1, why="misread")
    timed_table.act("pause")
    left = {"main": 300_000, "period": 30_000, "periods": 3}
    timed_table.act("clocks", B=left, W=left, why="the clock was not pressed")
    timed_table.act("resume")
    for player in ("B", "W"):
        timed_table.act("enter", player=player, turn="pass", why="passed")
    timed_table.act("propose", player="B")
    timed_table.act("agree", player="W")
    timed_table.act("verify")
    answers = timed_table.now.game.answers
    assert {answer.author for answer in answers} == {Actor.DIRECTOR, Actor.BOX}
    sentences = [english(answer.message) for answer in (*answers, *timed_table.now.game.rulings)]
    by_nobody = ("Black presses", "White presses", "Both players", "Black ", "White ")
    assert [one for one in sentences if one.startswith(by_nobody)] == []
    assert "The director gives White the turn. Their clock is running." in sentences
    assert next(one for one in sentences if "Both players and the director agree" in one).startswith("Entered by the")
    assert f"The result is {timed_table.now.game.result}. Both players have to confirm it." in sentences
    words = [entry.body for entry in timed_table.entries if entry.kind in (Kind.SAID, Kind.TIMED)]
    assert {body["author"] for body in words} == {"director"} and same_again(timed_table)


def test_acts_at_the_table_are_the_players_and_the_rest_the_boxs(tmp_path):
    player = Player(tmp_path, rules="chinese", control="10m").look().press(2).put(B, "C3").press(1).look()
    player.press(0, Button.PAUSE)
    authors = [(answer.act, answer.author) for answer in player.now.game.answers]
    assert authors == [(Act.START, W), (Act.PRESS, B), (Act.ACCEPT, Actor.BOX), (Act.PAUSE, Actor.TABLE)]


def test_a_call_that_cannot_count_leaves_a_trace(tmp_path):
    player = Player(tmp_path, rules="chinese", control="10m").look().press(2)
    player.press(2, Button.CALL)
    sentence = "White calls a pass, but it is Black's turn: Black presses DONE first."
    assert english(player.now.notice) == sentence == english(player.now.game.answers[-1].message)
    bodies = [entry.body for entry in read_journal(player.journal) if entry.kind is Kind.ANSWERED]
    assert (bodies[-1]["author"], bodies[-1]["player"]) == ("W", "W")


def test_a_call_where_the_rules_have_none_says_so(tmp_path):
    player = Player(tmp_path, rules="fundamental").look()
    player.press(1, Button.CALL)
    assert player.now.notice is not None and player.now.passing == ()
    assert english(player.now.game.answers[-1].message).startswith("Black may not pass.")


def test_a_reading_is_corrected(table):
    table.act("enter", player="B", turn="place", point="C3", why="played")
    assert table.now.game.turn == 1
    answer = table.act("take-back", turns=1, why="it was D3")
    assert "The director takes turn 1 back. It is Black's turn." in answer
    table.act("enter", player="B", turn="place", point="d3", why="it was D3")
    table.put(B, "D3").look()
    assert table.now.trouble is None and table.now.game.to_play is W and same_again(table)


def test_what_both_players_agreed_on_is_entered_and_journaled(table):
    table.act("enter", player="B", turn="place", point="C3", why="played")
    answer = table.act("remove", stones=["C3"])
    assert answer.startswith("The director enters what both players agreed on. Entered by the director:")
    assert "By agreement C3 left the board as dead." in answer
    assert table.now.game.position.occupied == 0 and table.now.game.bowls.as_dict() == {"B": {"W": 1}, "W": {"B": 2}}
    answer = table.act("exchange", count=1)
    assert answer.endswith("The players exchanged one stone each. Nobody has used a turn.")
    assert (table.now.game.turn, table.now.game.to_play) == (1, W)
    words = [entry.body for entry in table.entries if entry.kind is Kind.SAID and entry.body["word"] == "settle"]
    by = {"author": "director"}
    assert words == [{"word": "settle", "remove": ["C3"], **by}, {"word": "settle", "exchange": 1, **by}]
    assert "Black has no prisoner to exchange." in table.refused("exchange", count=1)
    assert same_again(table)


def test_what_the_rules_refuse_is_refused_or_stands(table):
    assert "It is Black's turn." in table.refused("enter", player="W", turn="place", point="C3", why="x")
    table.act("enter", player="B", turn="place", point="A1", why="x")
    assert "already a stone there" in table.refused("enter", player="W", turn="place", point="A1", why="x", stands=True)
    assert table.now.game.turn == 1


def test_a_result_is_ruled_and_the_match_ended(table):
    table.act("report", result="W+F", why="Black left")
    assert (table.now.game.result, table.now.phase) == ("W+F", Phase.RESULT)
    table.act("verify")
    assert table.now.phase is Phase.FINAL and same_again(table)


def test_dead_stones_are_named_and_agreed_to(tmp_path):
    table = DirectedTable(tmp_path, "chinese")
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
    answer = table.act("set-up", **fields)
    assert "Ōta (Black) against Li (White)" in answer
    now = table.now
    assert (now.game.rules, now.game.turn, now.names) == ("japanese", 0, ("Ōta", "Li"))
    assert now.game.clocks.control == "30m+5x30s"
    assert "PB[Ōta]".encode() in table.box.sgf_record and b"KM[5.5]" in table.box.sgf_record
    assert len(sorted(table.archive._folder.glob("*.journal"))) == 2
    again = replay_journal(sorted(table.archive._folder.glob("*.journal"))[-1])
    assert again.differs is None and again.terms.names == ("Ōta", "Li")


def test_a_match_is_part_of_an_event_until_the_director_says_another(table):
    info = {"event": "Autumn Open", "round": "3", "table": "12", "place": "Jena"}
    table.act("set-up", rules="japanese", black="Ōta", **info)
    assert table.now.game_info == GameInfo(**info)
    status = table.app.test_client().get("/status.json").get_json()
    assert [status[key] for key in ("event", "round", "table", "players")] == ["Autumn Open", "3", "12", ["Ōta", ""]]
    again = replay_journal(table.journals[-1])
    assert (again.terms.game_info, again.table.game_info) == (GameInfo(**info), GameInfo(**info))
    assert again.table.began == table.box.table.began == table.entries[0].wall != ""
    table.act("set-up", rules="japanese", round="4", event="")
    assert table.now.game_info == GameInfo("", "4", "12", "Jena")


def test_a_match_began_on_the_day_that_it_is_where_it_is_played(tmp_path, monkeypatch):
    for zone, hours in (("XXX-14", "+14:00"), ("XXX+12", "-12:00")):
        monkeypatch.setenv("TZ", zone)
        time.tzset()
        table = DirectedTable(tmp_path / hours)
        assert table.box.table.began.endswith(hours), "the record's date is that day"
        table.close()
    monkeypatch.undo()
    time.tzset()


def test_board_and_lids_are_shown(table):
    corners = [[100, 100], [500, 110], [510, 500], [90, 490]]
    table.act("calibrate", size=5, corners=corners, lids=[[10, 10, 50, 50], [600, 10, 50, 50]])
    assert table.calibrated[0].grid.corners[1] == (500.0, 110.0) and len(table.calibrated[0].lids) == 2


def test_what_is_said_before_there_is_a_match_is_kept_for_it(tmp_path):
    table = DirectedTable(tmp_path, "chinese", looks=False)
    corners = [[100, 100], [500, 110], [510, 500], [90, 490]]
    table.act("calibrate", size=5, corners=corners, lids=[])
    assert len(table.calibrated) == 1 and table.journals == []
    assert "board has not been found" in table.refused("enter", player="B", turn="pass", why="x")
    table.look()
    (remark,) = (answer for answer in table.now.game.answers)
    assert (remark.author, english(remark.message)) == (
        Actor.DIRECTOR,
        "The director shows where the board and lids lie.",
    )
    table.close()


def test_players_are_told_something(table):
    table.act("remark", why="lunch is at one")
    assert english(table.now.notice) == "From the director: lunch is at one."


def test_a_game_without_a_long_cycle_is_not_void(table):
    assert "Only a game in which a long cycle has occurred" in table.refused("void", why="tired")
    assert table.now.game.result is None


REFUSED = [
    ("enter", {"player": "B", "turn": "place", "point": "E5", "why": "x"}),
    ("enter", {"player": "W", "turn": "place", "point": "C3", "why": "x", "stands": True}),
    ("enter", {"player": "B", "turn": "pass", "why": "x"}),
    ("take-back", {"turns": 2, "why": "x"}),
    ("exchange", {"count": 1}),
    ("remove", {"stones": ["E5"]}),
    ("clocks", {"B": {"main": 1000}, "W": {"main": 1000}, "why": "x"}),
    ("report", {"result": "X+1", "why": "x"}),
    ("verify", {}),
    ("propose", {"player": "W"}),
    ("agree", {"player": "B"}),
    ("disagree", {"player": "W"}),
    ("void", {"why": "x"}),
    ("resume", {}),
    *(("time", {"step": step, "by": by}) for step in ("start", "claim", "ready", "verify", "dispute") for by in "BW"),
    *(("time", {"step": step}) for step in ("start", "clear", "dismiss", "admit", "adjudicate", "penalise", "resign")),
    ("time", {"step": "report", "result": "?"}),
]


def test_what_is_tried_in_vain_is_told_to_the_director_alone(timed_table):
    timed_table.act("time", step="start")
    timed_table.act("enter", player="B", turn="place", point="C3", why="x")
    client, headers = timed_table.inside()
    for act, fields in REFUSED:
        before, entries = timed_table.now, len(timed_table.entries)
        timed_table.t += 1
        answer = client.post("/director/acts", json={"act": act, "sure": True, **fields}, headers=headers)
        assert answer.status_code == 422 and answer.text[0].isupper() and "Entered by" not in answer.text, (act, fields)
        after = timed_table.now
        assert (after.notice, after.trouble, after.pause) == (before.notice, before.trouble, before.pause), (
            act,
            fields,
        )
        assert (after.game.answers, after.game.rulings) == (before.game.answers, before.game.rulings), fields
        tried = [entry.body for entry in timed_table.entries[entries:]]
        assert not any(body.get("word") == "remark" for body in tried), (act, fields)
        assert [body["author"] for body in tried] in ([], ["director", "director"]), "the act, and that it is refused"
    assert same_again(timed_table)


def preview_loss(table: DirectedTable, inside: tuple[FlaskClient, dict[str, str]], act: str, **fields: object) -> str:
    """Try it without being sure: what would be lost. Nothing is done."""
    before, entries = table.now, len(table.entries)
    client, headers = inside
    answer = client.post("/director/acts", json={"act": act, **fields}, headers=headers)
    assert (answer.status_code, table.now.game, len(table.entries)) == (409, before.game, entries)
    return answer.text.strip()


def test_what_would_be_lost_is_told_before_it_is_done(timed_table):
    lost_by = partial(preview_loss, timed_table, timed_table.inside())
    timed_table.act("time", step="start")
    for player, point in (("B", "C3"), ("W", "D3"), ("B", "A1")):
        timed_table.act("enter", player=player, turn="place", point=point, why="x")
    match = {"rules": "chinese", "size": 5}
    running = "This ends the game in progress: 3 turns, no result yet."
    assert lost_by("set-up", control="5m", **match) == running
    assert lost_by("set-up", **match) == f"{running} The new match has no clocks, because no time is given."
    assert lost_by("take-back", turns=2, why="x") == "This takes back 2 turns, 2 to 3."
    assert lost_by("enter", player="W", turn="resign", why="x") == "This ends the game after 3 turns: White resigns."
    assert lost_by("report", result="B+F", why="x") == "This ends the game after 3 turns: B+F."
    assert lost_by("void", why="x") == "This ends the game after 3 turns, and nobody wins."
    assert "This can end the game" in lost_by("time", step="resign", by="W")
    timed_table.act("report", result="B+F", why="left")
    assert lost_by("report", result="W+F", why="x") == "The result is B+F now. It becomes W+F."
    assert lost_by("verify") == "This makes the result final for both players: B+F."
    assert lost_by("set-up", control="5m", **match) == "This ends a match whose result, B+F, is not final yet."
    timed_table.act("verify")
    timed_table.director.act({"act": "set-up", "control": "5m", **match})
    assert timed_table.now.game.clocks is not None and timed_table.now.game.turn == 0
    assert lost_by("set-up", **match) == "The new match has no clocks, because no time is given."


def test_a_preview_says_what_an_act_would_do_and_does_nothing(timed_table):
    timed_table.act("time", step="start")
    for player, point in (("B", "C3"), ("W", "D3")):
        timed_table.act("enter", player=player, turn="place", point=point, why="x")
    before = timed_table.now
    sentences = [english(one) for one in timed_table.director.act({"act": "take-back", "turns": 2, "preview": True})]
    assert sentences == ["The director takes 2 turns back.", "This takes back 2 turns, 1 to 2."]
    assert timed_table.now == before and same_again(timed_table)


def test_komi_is_changed_during_a_game_and_counts_at_its_end(timed_table):
    timed_table.act("time", step="start")
    timed_table.act("enter", player="B", turn="place", point="C3", why="played")
    answer = timed_table.act("komi", komi=3.5, why="agreed before the game")
    assert answer == "The director changes the komi from 7.5 to 3.5. Reason: agreed before the game."
    assert (timed_table.now.game.komi, timed_table.now.game.turn) == (3.5, 1)
    assert "komi 3.5 ·" in timed_table.app.test_client().get("/").get_data(as_text=True)
    timed_table.act("take-back", turns=1, why="misread")  # The komi is no turn.
    timed_table.act("enter", player="B", turn="place", point="C3", why="played")
    assert timed_table.refused("komi", komi=3.5, why="x") == "The komi is 3.5 already."
    timed_table.act("komi", komi=0.5, why="a slip")
    timed_table.act("undo")
    assert timed_table.now.game.komi == 3.5
    for player in ("W", "B"):
        timed_table.act("enter", player=player, turn="pass", why="passed")
    timed_table.act("propose", player="B")
    timed_table.act("agree", player="W")
    assert timed_table.now.game.result == "B+21.5"
    record = timed_table.box.sgf_record.decode()
    assert "KM[3.5]" in record and "changes the komi from 7.5 to 3.5" in record
    assert timed_table.refused("komi", komi=6.5, why="x").startswith("The game has the result B+21.5.")
    assert [entry.body["komi"] for entry in timed_table.entries if entry.body.get("word") == "komi"] == [
        3.5,
        3.5,
        0.5,
        3.5,
        6.5,
    ]
    assert same_again(timed_table)


def test_komi_in_the_lids_is_not_changed(table):
    assert table.refused("komi", komi=3, why="x").startswith("Under these rules komi lies in the lids")
    assert "komi" not in parts_that_fit(table.now)


def test_a_turn_that_came_between_is_not_taken_back_instead(timed_table):
    timed_table.act("time", step="start")
    timed_table.act("enter", player="B", turn="place", point="C3", why="x")
    (tap,) = [json.loads(tap.body) for tap in taps_of(timed_table.now) if "take-back" in tap.body]
    timed_table.act("enter", player="W", turn="place", point="D3", why="x")
    assert timed_table.refused(**tap) == "Turn 1 is not the newest any more. Please look again."
    assert timed_table.now.game.turn == 2
    timed_table.act(**{**tap, "last": 2})
    assert timed_table.now.game.turn == 1


def test_what_is_easily_done_again_is_done_at_once(timed_table):
    client, headers = timed_table.inside()
    turn = {"player": "B", "turn": "place", "point": "C3"}
    acts = [("pause", {}), ("resume", {}), ("enter", {"why": "x", **turn}), ("take-back", {"turns": 1, "why": "x"})]
    timed_table.act("time", step="start")
    for act, fields in acts:
        timed_table.t += 1
        answer = client.post("/director/acts", json={"act": act, **fields}, headers=headers)
        assert answer.status_code == 200, act


def test_a_clock_that_may_not_start_yet_is_refused_to_the_director_alone(tmp_path):
    table = DirectedTable(tmp_path, "chinese", "10m")
    table.put(B, "C3", "D3").act("set-up", rules="chinese", size=5, control="10m")
    table.look()
    before = table.now
    assert "before the table is ready" in table.refused("time", step="start", by="W")
    assert (table.now.notice, table.now.game.answers) == (before.notice, before.game.answers)
    table.close()


def test_the_bundle_holds_everything(table):
    table.act("enter", player="B", turn="place", point="C3", why="x")
    bundle = newest_bundled(table.archive._folder)
    assert bundle is not None
    with zipfile.ZipFile(io.BytesIO(bundle)) as archive:
        assert b";B[cc]" in archive.read("match.sgf") and b"The director enters a turn" in archive.read("answers.jsonl")


IMPOSSIBLE = [
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
]


def test_what_cannot_be_done_is_said_in_a_sentence(table):
    before = table.now.game
    for body in IMPOSSIBLE:
        with pytest.raises(BadAct) as refused:
            table.director.act(body)
        assert english(refused.value).endswith(".")
        assert table.now.game == before


def test_every_act_has_its_line_in_the_docs():
    page = (ROOT / "docs/desk.md").read_text()
    assert {act for act in ACTS if f"`{act}`" not in page} == set()


def test_a_set_up_does_not_wipe_a_move_that_was_made_a_moment_ago(tmp_path):
    """The director's page, or the hall, was told of the table before the move."""
    table = DirectedTable(tmp_path)
    try:
        before = table.now
        table.act("enter", player="B", turn="place", point="C3", why="for the test")
        table.page.publish(before)
        with pytest.raises(BadAct, match=r"sure\.set-up"):
            table.director.act({"act": "set-up", "rules": "chinese"})
        assert table.box.table.record.number == 1 and len(table.journals) == 1
    finally:
        table.close()


# Undoing


@pytest.mark.parametrize(
    ("act", "fields"),
    [
        ("pause", {}),
        ("enter", {"player": "B", "turn": "place", "point": "D3", "why": "x"}),
        ("take-back", {"turns": 1, "why": "x"}),
    ],
)
def test_a_one_tap_act_is_undone_within_ten_seconds(timed_table, act, fields):
    timed_table.act("time", step="start")
    timed_table.act("enter", player="B", turn="place", point="C3", why="x")
    fields = {**fields, "player": "W"} if act == "enter" else fields
    before = timed_table.now
    timed_table.act(act, **fields)
    changed = timed_table.now
    timed_table.t += 9 - 1
    answer = timed_table.act("undo")
    assert answer.startswith("Undone: ")
    assert (timed_table.now.game.turns, timed_table.now.paused) == (before.game.turns, before.paused)
    assert (changed.game.turns, changed.paused) != (before.game.turns, before.paused)
    assert "Undone" in str([english(one.message) for one in timed_table.now.game.answers]), "the journal has it"
    assert timed_table.refused("undo").startswith("Nothing can be undone")


def test_resuming_and_starting_the_clock_are_undone(timed_table):
    timed_table.act("time", step="start")
    timed_table.act("undo")
    assert timed_table.now.paused
    timed_table.act("resume")
    timed_table.act("undo")
    assert timed_table.now.paused


def test_nothing_is_undone_later_or_after_the_game_went_on(timed_table):
    timed_table.act("time", step="start")
    timed_table.act("enter", player="B", turn="place", point="C3", why="x")
    timed_table.t += 10
    assert timed_table.refused("undo").startswith("Nothing can be undone")
    timed_table.act("take-back", turns=1, why="x")
    timed_table.act("enter", player="B", turn="place", point="D3", why="x")
    timed_table.act("remark", why="hello")
    assert timed_table.refused("undo").startswith("Nothing can be undone"), "the newest act was a remark"


def test_what_cannot_be_undone_asks_before_the_tap(timed_table):
    timed_table.act("time", step="start")
    for player in "BW":
        timed_table.act("enter", player=player, turn="pass", why="x")
    timed_table.act("propose", player="B", dead=[])
    undo_by_act = {json.loads(tap.body)["act"]: (tap.undo, tap.sure) for tap in taps_of(timed_table.now)}
    assert undo_by_act["agree"] == undo_by_act["disagree"] == (0, "This cannot be undone.")
