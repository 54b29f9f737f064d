"""Resignations: held, confirmed, taken back, and forgotten after a while."""

from __future__ import annotations

from referee.game.ruling import Status
from referee.table.events import Button
from referee.table.resignations import CONFIRM_WITHIN
from tests.support.referee.table import B, W, begin_seen


def test_resigning_is_held_and_confirmed() -> None:
    table = begin_seen()
    assert table.press(B, Button.CALL, is_held=True) == ()
    assert table.referee.players_resigning(table.t) == (B,)
    (ruling,) = table.press(B, Button.DONE)
    assert (ruling.status, table.referee.record.result) == (Status.LEGAL, "W+R")


def test_a_resignation_that_nobody_confirms_lapses() -> None:
    table = begin_seen()
    table.press(B, Button.CALL, is_held=True)
    table.t += CONFIRM_WITHIN
    assert table.referee.players_resigning(table.t + 1) == ()
    table.done(B)
    assert not table.referee.record.ended


def test_another_press_takes_a_resignation_back_and_does_no_more() -> None:
    table = begin_seen()
    table.press(B, Button.CALL, is_held=True)
    assert table.press(B, Button.CALL) == ()
    assert table.referee.players_resigning(table.t) == ()
    assert table.look() == (), "the press was not a declared draw"


def test_only_the_player_to_move_can_resign() -> None:
    table = begin_seen()
    table.press(W, Button.CALL, is_held=True)
    assert table.referee.players_resigning(table.t) == (), "nobody is asked to confirm what would be refused"
    table.press(W, Button.DONE)
    assert not table.referee.record.ended
