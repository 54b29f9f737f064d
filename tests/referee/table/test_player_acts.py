"""Presses at a refereed table beyond a plain `done`: forgotten ones, doubled ones, draws, a first move."""

from __future__ import annotations

import pytest

from referee.game.ruling import Reason, Status
from referee.table.events import Button, Pressed
from referee.table.table import Table, TableConfig
from tests.support.play import start_game
from tests.support.referee.looks import lid, lids_of, look, look_at
from tests.support.referee.table import EMPTY, B, W, begin_seen
from tests.support.wording import english


def test_a_forgotten_press_is_noticed_when_the_opponent_has_gone_on() -> None:
    table = begin_seen()
    table.put(B, "B2").put(W, "D4")
    rulings = table.done(W)
    assert [(r.status, r.turn, r.player) for r in rulings] == [(Status.LEGAL, 1, B), (Status.LEGAL, 2, W)]
    assert english(rulings[0]) == "Black played B2. Black did not press DONE."
    assert "did not press" not in english(rulings[1])


def test_a_delay_without_its_press_is_found_with_the_next_turn() -> None:
    table = begin_seen()
    table.lid(B, W, -1).lid(W, W, +1).put(W, "D4")
    rulings = table.done(W)
    assert [r.turn for r in rulings] == [1, 2]
    assert table.referee.record.bowls.ultimate is W


def test_a_press_out_of_turn_does_not_close_a_single_turn() -> None:
    table = begin_seen()
    table.put(B, "B2")
    (ruling,) = table.done(W)
    assert (ruling.status, ruling.reason, ruling.player) == (Status.ILLEGAL, Reason.NOT_YOUR_TURN, W)
    assert table.referee.record.number == 0
    (ruling,) = table.done(B)
    assert (ruling.status, ruling.turn) == (Status.LEGAL, 1)


@pytest.mark.parametrize("presses", [2, 3, 5])
def test_impatient_presses_close_one_turn(presses: int) -> None:
    table = begin_seen()
    table.put(B, "B2")
    for _ in range(presses):
        assert table.press(B, Button.DONE) == ()
    assert [r.turn for r in table.look()] == [1]
    assert table.referee.players_waiting == ()


def test_a_press_waits_for_a_look() -> None:
    table = begin_seen()
    table.put(B, "B2").press(B, Button.DONE)
    assert table.referee.players_waiting == (B,)
    table.look()
    assert table.referee.players_waiting == ()


def test_a_draw_is_declared_though_the_opponent_forgot_to_press() -> None:
    table = begin_seen(to_play=W, bowls={"B": {"W": 2}, "W": {}}, ultimate=W, black_side=1)
    table.put(W, "D4")
    rulings = table.call(B)
    assert [(r.turn, r.player, r.status) for r in rulings] == [(1, W, Status.LEGAL), (2, B, Status.LEGAL)]
    assert "White did not press DONE" in english(rulings[0])
    assert table.referee.record.result == "0"


def test_a_draw_out_of_turn_is_refused() -> None:
    table = begin_seen(to_play=W, bowls={"B": {"W": 2}, "W": {}}, ultimate=W, black_side=1)
    (ruling,) = table.call(B)
    assert ruling.reason is Reason.NOT_YOUR_TURN
    assert not table.referee.record.ended


def test_the_start_check_names_stones_on_the_board_and_missing_lids() -> None:
    record = start_game("ultimate", *EMPTY)
    referee = Table(record, TableConfig(refereed=True))
    (ruling,) = referee.receive(look_at(("O....", *EMPTY[1:]), 1.0, lids_of(record.bowls))).rulings
    assert (ruling.status, ruling.turn) == (Status.UNFINISHED, 0) and "A5" in english(ruling)
    (ruling,) = referee.receive(look(record.position, 2.0)).rulings
    assert (ruling.status, ruling.turn) == (Status.UNFINISHED, 0) and "lids" in english(ruling)
    (ruling,) = referee.receive(look(record.position, 3.0, (lid(0, 0), lid(1, 0)))).rulings
    assert "Black's lid" in english(ruling)
    assert referee.receive(look(record.position, 4.0, lids_of(record.bowls))).rulings == ()


def test_a_first_move_made_before_the_table_was_seen_is_no_fault() -> None:
    record = start_game("ultimate", *EMPTY)
    referee = Table(record, TableConfig(refereed=True))
    lids = lids_of(record.bowls)
    assert referee.receive(look_at(("..X..", *EMPTY[1:]), 1.0, lids)).rulings == ()
    referee.receive(Pressed(2.0, 1, Button.DONE))
    (ruling,) = referee.receive(look_at(("..X..", *EMPTY[1:]), 3.0, lids)).rulings
    assert (ruling.status, ruling.turn) == (Status.LEGAL, 1)
