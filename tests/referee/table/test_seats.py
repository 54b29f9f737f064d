"""Seats, as far as presses decide them."""

from __future__ import annotations

from referee.table.events import Button, Pressed
from referee.table.table import Table, TableConfig
from tests.support.play import start_game
from tests.support.referee.table import EMPTY


def test_holding_done_before_the_first_move_claims_black() -> None:
    referee = Table(start_game("chinese", *EMPTY), TableConfig(refereed=True))
    referee.receive(Pressed(1.0, 2, Button.DONE, is_held=True))
    assert referee.snapshot.black_side == 2
    referee.receive(Pressed(2.0, 1, Button.DONE, is_held=True))
    assert referee.snapshot.black_side == 1
