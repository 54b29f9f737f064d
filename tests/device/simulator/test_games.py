"""Made-up refereed games: what they expect is what the referee rules when it is shown the truth."""

from pathlib import Path

import pytest

import device.simulator
from device.cli.demo import REHEARSAL, SCRIPTS, is_ruled_correctly
from device.simulator.games import Incident, hall_game, ultimate_game
from device.simulator.script import Press, open_script, write_script
from referee.game.board import Colour
from referee.game.ruling import Reason, Status
from referee.game.turns import Placement
from referee.table.display_state import BoxStatus, Sight
from referee.table.events import Button
from tests.support.simulator.game_scripts import matched_on_truth, refereed_on_truth, said
from tests.support.tiers import sample

DEMO = Path(device.simulator.__file__).parent / "demo.script"
DEMO_SEED = 3


@pytest.mark.parametrize("size", [9, 13, 19])
@pytest.mark.parametrize("seed", sample(range(8), 3))
def test_a_refereed_game_is_ruled_as_its_script_has_it(size, seed):
    game = ultimate_game(size, seed, refereed=True)
    referee = refereed_on_truth(game.script)
    assert [said(ruling, game.board) for ruling in referee.snapshot.rulings] == game.expected
    assert referee.record.ended and referee.record.result == game.result


@pytest.mark.parametrize("incident", Incident)
@pytest.mark.parametrize("seed", sample(range(101, 121), 1))
def test_a_game_of_the_hall_has_thirty_turns_and_one_incident(incident, seed):
    game = hall_game(9, seed, 30, incident)
    referee = refereed_on_truth(game.script)
    *rulings, _resignation = referee.snapshot.rulings
    assert [said(ruling, game.board) for ruling in rulings] == game.expected
    others = {one.status for one in game.expected} - {Status.LEGAL}
    assert game.turn >= 30 and len(others) == (incident is not Incident.NONE)
    assert referee.record.result == game.result


def test_the_rehearsal_of_a_new_version_is_ruled_as_it_must_be():
    assert is_ruled_correctly(refereed_on_truth(open_script(REHEARSAL)).snapshot)
    assert not is_ruled_correctly(refereed_on_truth(open_script(DEMO)).snapshot)


def test_every_turn_of_a_refereed_game_but_the_draw_is_closed_with_done():
    game = ultimate_game(9, 1, refereed=True)
    dones = [act for step in game.steps for act in step if isinstance(act, Press) and act.button is Button.DONE]
    assert len(dones) == len(game.expected) - 1 + 2


def test_who_insists_presses_the_end_again_and_changes_nothing():
    game = ultimate_game(9, 1, refereed=True, insist=2)
    assert game.steps[: -2 * 5] == ultimate_game(9, 1, refereed=True).steps
    referee = refereed_on_truth(game.script)
    again = referee.snapshot.rulings[len(game.expected) :]
    assert {ruling.reason for ruling in again} == {Reason.GAME_OVER}
    assert referee.record.result == game.result


def test_the_shipped_script_is_the_generated_one_and_plays_out():
    game, script = ultimate_game(9, DEMO_SEED, refereed=True), open_script(DEMO)
    assert DEMO.read_text(encoding="utf-8") == write_script(game.script)
    referee = refereed_on_truth(script)
    assert [said(ruling, game.board) for ruling in referee.snapshot.rulings] == game.expected
    assert referee.record.result == game.result


def test_the_handicap_game_has_no_fault_though_a_stone_is_moved():
    path = DEMO.with_name("handicap.script")
    script = open_script(path)
    assert write_script(script) == path.read_text(encoding="utf-8")
    referee = refereed_on_truth(script)
    board, turns = script.board, referee.record.turns
    placed = [turn for turn in turns if isinstance(turn, Placement)]
    assert {board.name(turn.point) for turn in placed[:4]} == {"D4", "K10", "D10", "L4"}
    assert [turn.player for turn in placed] == [*(Colour.BLACK,) * 4, *(Colour.WHITE, Colour.BLACK) * 2]
    assert all(ruling.status is Status.LEGAL for ruling in referee.snapshot.rulings)
    assert referee.record.result == "B+R"


def test_the_chinese_game_has_its_mistakes_and_is_counted():
    script = open_script(SCRIPTS["chinese"])
    assert write_script(script) == SCRIPTS["chinese"].read_text(encoding="utf-8")
    table = matched_on_truth(script)
    rulings = table.build_snapshot(BoxStatus(None, 0.0, Sight.SEEN)).game.rulings
    ruled = [(ruling.status, ruling.reason) for ruling in rulings if ruling.status is not Status.LEGAL]
    assert ruled == [(Status.ILLEGAL, Reason.KO), (Status.UNEXPLAINED, None), (Status.UNFINISHED, None)]
    assert (table.record.rules.name, table.record.result) == ("chinese", "W+14.5")
