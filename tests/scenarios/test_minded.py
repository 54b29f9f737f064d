"""Captured stones that are minded at a box: told by a lamp alone, kept in journal and record, refused without lids."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from device.__main__ import main
from device.hall.incidents import incidents_of
from device.hall.tables import RoundTerms
from device.journal.entries import from_entry, match_entry, terms_of, to_entry
from device.journal.replay import replay_journal
from device.journal.store import Kind, read_journal
from device.match.adjournment_code import decode_game
from device.match.request_fields import Fields
from device.panel.signals import signal_of, sound_of
from device.settings import BadSettings, Game, Settings, Table
from device.table.adjournment import current_code
from device.table.controller import TableController
from device.table.director import ACTS
from device.table.match_config import terms_from_request
from device.table.match_config import terms_of as terms_set
from referee.game.actor import Actor
from referee.game.errors import BadSetup
from referee.game.messages import message
from referee.game.penalties import Offence, Penalty
from referee.inference.missing_prisoners import MissingPrisonerPenalty
from referee.table.display_state import State, Task
from referee.table.events import BoxProposal, Button, Pause, Remark, WaiveReminder
from referee.table.lamps import LAMPS
from referee.table.snapshot import Stage
from referee.table.table import Table as GameTable
from referee.table.table import TableConfig
from tests.support.device.player import Player
from tests.support.table import B, W
from tests.support.wording import english
from vision.calibration.model import Box as LidBox
from vision.calibration.model import Calibration, Grid
from web.page.model import PageModel
from web.page.sheet import SheetModel
from web.page.status import status_of

GRID = Grid(5, ((100.0, 100.0), (500.0, 100.0), (500.0, 500.0), (100.0, 500.0)))
LIDS = LidBox(10, 10, 60, 60), LidBox(10, 200, 60, 60)


def minded(folder: Path, follows: MissingPrisonerPenalty = MissingPrisonerPenalty.TOLD, lids: bool = True) -> Player:
    """A box under plain rules that minds captured stones; White is about to be captured on C3."""
    player = Player(folder, rules="japanese", control="10m")
    player.terms = replace(player.terms, config=replace(player.terms.config, prisoners=follows))
    player.box = TableController(player.terms, player.folder, player.panel, player.snapshots.append)
    player.box.handle_positions(Calibration(GRID, LIDS if lids else ()), 0.0)
    return player


def captured(player: Player, in_lid: int = 0) -> Player:
    """Black takes A5 at the third turn."""
    player.look().press(2)
    for colour, point, side in ((B, "A4", 1), (W, "A5", 2)):
        player.put(colour, point).press(side).look()
    player.put(B, "B5").lift("A5").lid(B, W, in_lid)
    return player.press(1).look()


def test_it_is_told_by_a_lamp_alone(tmp_path):
    missing, there = captured(minded(tmp_path / "1")), captured(minded(tmp_path / "2"), in_lid=1)
    assert signal_of(missing.now).sides == (LAMPS[Task.PRISONERS], LAMPS[Task.PLAY])
    assert signal_of(there.now).sides == (LAMPS[Task.NOTHING], LAMPS[Task.PLAY])
    assert [card.act for card in PageModel(missing.now).players] == ["prisoners to lid", "to play"]
    assert (missing.now.display_state.state, missing.now.notice) == (State.TURN, None)
    assert missing.now.game.clocks == there.now.game.clocks
    assert [sound_of(*pair) for pair in zip(missing.snapshots, missing.snapshots[1:], strict=False)] == [
        sound_of(*pair) for pair in zip(there.snapshots, there.snapshots[1:], strict=False)
    ]


def test_the_lamp_goes_out_when_the_stone_is_in_the_lid(tmp_path):
    player = captured(minded(tmp_path)).lid(B, W, 1).look()
    assert signal_of(player.now).sides == (LAMPS[Task.NOTHING], LAMPS[Task.PLAY])


def test_it_is_kept_in_journal_record_and_page(tmp_path):
    player = captured(minded(tmp_path, MissingPrisonerPenalty.CAUTION))
    bodies = [entry.body for entry in read_journal(player.journal) if entry.kind is Kind.ANSWERED]
    assert "prisoners.told" in str(bodies[-1])
    sentence = "Captured stones belong in the lid. Black pressed DONE at turn 3, and one white stone was not there."
    assert sentence.encode() in player.box.sgf_record
    assert sentence.encode() in player.journal.with_suffix(".sgf").read_bytes()
    assert PageModel(player.now).act_sentences[0].text == f"{sentence} Black is cautioned."
    assert f"{sentence} Black is cautioned." in [one.sentence.text for one in incidents_of(status_of(player.now))]


def test_a_replay_says_the_same(tmp_path):
    player = captured(minded(tmp_path, MissingPrisonerPenalty.LOSS))
    replayed = replay_journal(player.journal)
    assert replayed.differs is None
    assert replayed.table.record.result == player.now.game.result == "W+F"
    assert replayed.terms.config.prisoners is MissingPrisonerPenalty.LOSS


def test_a_penalty_is_in_every_count_of_the_game(tmp_path, capsys):
    player = captured(minded(tmp_path, MissingPrisonerPenalty.POINTS))
    assert "2 penalty points for White" in PageModel(player.now).about
    for side in (2, 1):
        player.press(side, Button.CALL).press(side).look()
    for side in (1, 2):
        player.press(side, Button.SCORE).look()
    sentences = ["White receives 6.5 points as komi."]
    sentences += ["White receives 2 points as a penalty, because captured stones were not in Black's lid."]
    count, sheet = player.now.game.counting.count, SheetModel(player.now)
    assert (
        [english(step) for step in count.steps[-3:-1]]
        == sentences
        == [line.sentence.text for line in sheet.steps[-3:-1]]
    )
    assert ("Penalties", "2 penalty points for White") in sheet.facts
    assert b"PE[B:2:prisoners]" in player.box.sgf_record and f"RE[{count.result}]".encode() in player.box.sgf_record
    assert main(["score", str(player.journal.with_suffix(".sgf")), "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["result"] == count.result and err == ""
    assert replay_journal(player.journal).differs is None


def test_a_penalty_is_taken_along_when_the_game_is_adjourned(tmp_path):
    player = captured(minded(tmp_path, MissingPrisonerPenalty.POINTS))
    remark = Remark(player.t, message("director.adjourn"), Actor.DIRECTOR)
    player.box.carry_out([Pause(player.t, adjourned=True)], remark)
    fine = Penalty(B, 2, Offence.PRISONERS)
    sealed = decode_game(current_code(player.box)[0])
    assert sealed.record.penalties == (fine,)
    assert GameTable(sealed.record, sealed.build_config(TableConfig(True, 1))).snapshot.penalties == (fine,)


def test_an_adjourned_game_keeps_the_time_that_was_bought(tmp_path):
    player = Player(tmp_path, rules="japanese", control="ing 10s 3x5s").look()
    player.press(2).put(B, "A4").press(1, before=16.0).look()
    remark = Remark(player.t, message("director.adjourn"), Actor.DIRECTOR)
    player.box.carry_out([Pause(player.t, adjourned=True)], remark)
    fine = Penalty(B, 4, Offence.TIME)
    assert b"PE[B:4:time]" in player.box.sgf_record
    sealed = decode_game(current_code(player.box)[0])
    assert sealed.record.penalties == ()
    assert GameTable(sealed.record, sealed.build_config(TableConfig(True, 1))).snapshot.penalties == (fine,)


def test_a_match_in_which_nobody_minds_is_kept_as_ever(tmp_path):
    player = minded(tmp_path)
    free = replace(player.terms, config=replace(player.terms.config, prisoners=None)).with_size(5)
    assert "prisoners" not in match_entry(free, 0.0).body
    assert terms_of(match_entry(player.terms.with_size(5), 0.0)).config.prisoners is MissingPrisonerPenalty.TOLD


def test_without_lids_no_such_match_begins_until_they_are_seen(tmp_path):
    player = minded(tmp_path, lids=False).look()
    assert player.box.journal is None
    assert "prisoners.no-lids" in str(player.now.faults)
    player.box.handle_positions(Calibration(GRID, LIDS), player.t)
    player.look()
    assert player.box.journal is not None
    assert not player.now.faults


def test_without_lids_none_can_be_set_up(tmp_path):
    player = minded(tmp_path, lids=False)
    with pytest.raises(BadSetup) as error:
        player.box.set_up(player.terms, Remark(1.0, message("director.remark"), Actor.DIRECTOR))
    assert error.value.args[0].key == "prisoners.no-lids"
    replace(player.terms, config=replace(player.terms.config, prisoners=None)).check_place(player.box.place)


@pytest.mark.parametrize("named", ["told", "caution", "two points", "loss"])
def test_settings_and_acts_name_what_follows(named):
    settings = Settings(game=Game(rules="japanese", prisoners=named))
    terms = terms_set(settings)
    assert terms.config.prisoners is MissingPrisonerPenalty(named)
    assert terms_from_request(Fields({"rules": "chinese"}), terms.config).config.prisoners is MissingPrisonerPenalty(
        named
    )
    assert terms_from_request(Fields({"rules": "chinese", "prisoners": "free"}), terms.config).config.prisoners is None
    assert RoundTerms("japanese", prisoners=named).act(0, None)["prisoners"] == named


def test_nobody_minds_unless_it_is_said():
    assert terms_set(Settings()).config.prisoners is None
    assert "prisoners" not in RoundTerms("japanese").act(0, None)


@pytest.mark.parametrize(
    ("game", "table", "why"),
    [
        (
            Game(prisoners="told"),
            Table(),
            "[game] prisoners: Under Ultimate Go, current rules the stones in the lids count anyway.",
        ),
        (Game(rules="japanese", prisoners="loss"), Table(turns="steady"), "only where DONE ends a turn"),
        (Game(rules="japanese", prisoners="told"), Table(stones="shown"), "No lids are seen"),
    ],
)
def test_settings_that_cannot_be_are_refused(game, table, why):
    with pytest.raises(BadSettings) as error:
        terms_set(Settings(game=game, table=table))
    assert why in str(error.value)


def test_the_director_waives_it_and_says_why(tmp_path):
    player = captured(minded(tmp_path))
    doing = ACTS["waive"](Fields({}), player.now, 9.0, player.terms.config)
    assert (doing.then, doing.needs_why) == ((WaiveReminder(9.0, Actor.DIRECTOR),), True)
    assert from_entry(to_entry(doing.then[0], player.board), player.board) == doing.then[0]


def test_a_press_asks_again_if_a_fine_has_changed_the_count_proposed(tmp_path):
    player = captured(minded(tmp_path, MissingPrisonerPenalty.POINTS))
    for side in (2, 1):
        player.press(side, Button.CALL).press(side).look()
    player.box.say(BoxProposal(player.t, player.box.table.record.position, 0, 0, 0))
    before = player.wait(2).now.game.counting.proposal
    player.box.say(WaiveReminder(player.t))
    after = player.now.game.counting.proposal
    assert before is not None and after is not None and before.count.result != after.count.result
    player.press(1, Button.SCORE).look()
    assert player.now.game.counting.stage is Stage.CLOSED
    assert player.now.notice is not None and player.now.notice.key == "proposal.look-first"
    player.press(1, Button.SCORE).look().press(2, Button.SCORE).look()
    assert player.now.game.result == after.count.result
