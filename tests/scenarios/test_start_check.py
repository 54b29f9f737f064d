"""The start check: what is missing is said in words and on the lamps, and no clock starts before the table is ready."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from device.journal.entries import Terms
from device.journal.replay import replay_journal
from device.panel.signals import Sound, signal_of, sound_of
from device.table.controller import TableController
from referee.game.board import Colour
from referee.game.messages import message
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.table.display_state import Phase, State
from referee.table.events import Button
from referee.time.steps import Act, Step
from tests.support.device.player import Player
from tests.support.panel.tables import state_of
from tests.support.table import B, W
from tests.support.wording import english


def player_with_clock(folder: Path, rules: str = "ultimate", **how: object) -> Player:
    return Player(folder, rules=rules, control="10m", **how)


def set_up(folder: Path, setup: Setup) -> Player:
    """A player before a box with another start; the table is still bare."""
    player = player_with_clock(folder)
    player.terms = Terms(setup, player.terms.config)
    player.box = TableController(player.terms, player.folder, player.panel, player.snapshots.append)
    return player


def assert_checks(player: Player, *named: str) -> None:
    """The start check is on: in words, on the lamps, and the clock cannot be started by either player."""
    assert state_of(player.now)[0] is State.CHECKING and player.now.trouble is not None
    for name in named:
        assert name in english(player.now.trouble)
    for side in (2, 1):
        player.press(side)
        assert player.clocks is not None and not player.clocks.begun
        assert player.now.notice == message("notice.not-ready") + player.now.trouble.message
        assert sound_of(replace(player.snapshots[-2], notice=None), player.now) is Sound.PUT_RIGHT


def test_stones_on_the_board_are_named(tmp_path):
    player = player_with_clock(tmp_path, "chinese").put(B, "C3").put(W, "D4").look()
    assert_checks(player, "remove the stones at D4 and C3")
    player.position = player.position.without_stones(player.position.occupied)
    player.look().press(2)
    assert (
        player.clocks.running_player is B
        and english(player.now.notice) == "White starts the clock. It is Black's turn."
    )


def test_empty_lids_are_named_until_the_starting_stones_lie_in_them(tmp_path):
    player = player_with_clock(tmp_path)
    full, player.lids = player.lids, player.lids.change_count(B, W, -1).change_count(W, B, -1)
    assert_checks(player.look(), "lid")
    player.lids = full
    player.look().press(2)
    assert player.clocks.running_player is B


def test_komi_in_the_lids_is_asked_for(tmp_path):
    player = set_up(tmp_path, Setup(rule_set("ultimate"), size=(5, 5), komi=2)).look()
    assert_checks(player, "White")
    player.lids = player.lids.change_count(W, B, 2)
    player.look().press(2)
    assert player.clocks.running_player is B


def test_handicap_stones_that_are_set_are_asked_for(tmp_path):
    rules = rule_set("japanese", {"handicap": "traditional"})
    player = set_up(tmp_path, Setup(rules, size=(9, 9), handicap=2))
    player.board, start = Setup(rules, size=(9, 9), handicap=2).record().position.board, player.position
    player.position = type(start)(player.board, (0, 0))
    assert_checks(player.look(), "put Black's stones on G7 and C3")
    player.put(B, "C3").put(B, "G7").look().press(1)
    assert player.clocks.running_player is W


def test_a_table_that_was_never_seen_is_not_ready(tmp_path):
    player = player_with_clock(tmp_path).press(2)
    assert not player.now.game.clocks.begun


def test_the_first_stone_may_lie_there_when_its_player_presses(tmp_path):
    player = player_with_clock(tmp_path, "chinese").put(B, "C3").look().press(1).look()
    assert (player.now.game.turn, player.clocks.running_player) == (1, W)


def test_who_holds_done_claims_black_whatever_the_table_shows(tmp_path):
    player = player_with_clock(tmp_path, "chinese").put(B, "C3").put(W, "D4").look().press(2, Button.DONE, 2.5)
    assert player.now.game.black_side == 2 and not player.clocks.begun


def test_a_player_cannot_start_it_on_the_page_but_the_director_can(tmp_path):
    player = player_with_clock(tmp_path, "chinese").put(B, "C3").put(W, "D4").look()
    player.box.say(Step(player.t, Act.START, W))
    assert not player.clocks.begun and player.now.notice == message("notice.not-ready") + player.now.trouble.message
    player.box.say(Step(player.t + 1, Act.START))
    assert player.clocks.running_player is B


@pytest.mark.parametrize("rules", ["ultimate", "chinese"])
def test_a_replay_knows_when_the_table_was_ready(tmp_path, rules):
    player = player_with_clock(tmp_path, rules).put(W, "A1").look().press(2)
    player.position = player.position.without_stones(player.position.occupied)
    for _ in range(5):
        player.look()
    player.press(2).put(B, "C3").press(1).look().restarted()
    replayed = replay_journal(player.journal)
    assert replayed.differs is None and replayed.table.record.number == 1
    assert player.clocks.begun and player.clocks.restored


def test_every_state_is_come_to_at_a_table_and_left_again(tmp_path):
    """A whole match with buttons, looks and two power cuts: each state has its own signal."""
    player = player_with_clock(tmp_path).put(W, "A1").look()
    player.position = player.position.without_stones(player.position.occupied)
    player.look().press(2).put(B, "C3").press(1).look()
    player.put(B, "E5").press(2).look()
    player.position = player.box.table.record.position
    player.wait(4).look().press(2).look().wait(4).look()
    capture(player)
    player.press(0, Button.PAUSE).press(0, Button.PAUSE, 2.5).restarted().press(1).press(2)
    player.press(0, Button.PAUSE).press(0, Button.PAUSE, 2.5)
    mover = player.now.game.side_of(player.now.game.to_play)
    player.press(mover, Button.CALL, 2.5).press(mover, Button.SCORE)
    player.press(mover, Button.CALL, 2.5).press(mover).press(1).press(2)
    states = {state_of(snapshot)[0] for snapshot in player.snapshots}
    elsewhere = {"BOX_PROPOSAL", "PLACES", "PAUSED", "CLAIM", "COUNT", "UNCOUNTED", "LOST", "UNSHOWN"}
    assert {state.name for state in set(State) - states} <= elsewhere
    assert player.now.phase is Phase.FINAL


def capture(player: Player) -> None:
    """White captures A1 and leaves it on the board, then lifts it."""
    for number, (colour, point) in enumerate(((W, "A2"), (B, "A1"))):
        player.put(colour, point).press((2, 1)[number]).look()
    player.put(W, "B1").press(2).look()
    player.position = player.box.table.record.position
    player.lids = player.box.table.record.bowls
    player.look().press(2).look()


def test_the_states_that_want_other_terms(tmp_path):
    unsure = Player(tmp_path / "a", rules="chinese")
    unsure.terms = Terms(unsure.terms.setup, replace(unsure.terms.config, black_side=None))
    unsure.box = TableController(unsure.terms, unsure.folder, unsure.panel, unsure.snapshots.append)
    unsure.look()
    assert state_of(unsure.now)[0] is State.PLACES
    unsure.press(0, Button.PAUSE)
    assert state_of(unsure.now)[0] is State.PAUSED
    unsure.press(0, Button.PAUSE).put(Colour.BLACK, "C3").press(1).look()
    assert state_of(unsure.now)[0] is State.TURN
    late = Player(tmp_path / "b", rules="chinese", control="10s").look().press(2).wait(11)
    assert state_of(late.now) == (State.CLAIM, (2,)) and signal_of(late.now) != signal_of(unsure.now)
    late.press(2, Button.CALL)
    assert late.now.game.result == "W+T"


def test_players_may_change_seats_until_the_first_turn(tmp_path):
    player = player_with_clock(tmp_path).look().look()
    assert player.box.table.snapshot.black_side == 1 and player.now.phase is Phase.PLAY
    player.seats = 2
    player.look().press(1).put(B, "C3").press(2).look()
    assert player.box.table.snapshot.black_side == 2
    assert (player.now.game.turn, player.now.trouble) == (1, None) and player.clocks.running_player is W
    player.seats = 1
    player.look().put(W, "D4").press(1).look()
    assert player.box.table.snapshot.black_side == 2, "later lids that seem to be exchanged are read with care"
    assert replay_journal(player.journal).differs is None
