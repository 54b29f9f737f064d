"""Begin and end of a game at the table, and lids that are not in view or cannot be counted."""

from __future__ import annotations

import pytest

from referee.game.board import Colour
from referee.game.ruling import Reason, Status
from tests.support.referee.looks import lid, unsure_lid
from tests.support.referee.table import ATARI, DRAWN, MANNERS, B, PlayedTable, W, begin_table, turn
from tests.support.wording import english


@MANNERS
@pytest.mark.parametrize(
    ("owner", "colour", "komi", "said"),
    [
        (B, W, 0.0, "put one white stone into Black's lid"),
        (W, B, 0.0, "put one black stone into White's lid"),
        (W, B, 6.5, "put one black stone into White's lid"),
    ],
)
def test_starting_or_komi_stone_missing(refereed: bool, owner: Colour, colour: Colour, komi: float, said: str) -> None:
    table = PlayedTable(("....",) * 4, refereed=refereed, komi=komi)
    table.lid(owner, colour, -1)
    (ruling,) = table.look()
    assert (ruling.status, ruling.turn) == (Status.UNFINISHED, 0)
    assert said in english(ruling)
    assert table.look() == ()
    table.lid(owner, colour, +1)
    assert table.look() == ()
    table.put(B, "B2")
    assert turn(table, B, refereed).status is Status.LEGAL


@MANNERS
def test_empty_lids_at_the_start(refereed: bool) -> None:
    table = PlayedTable(("....",) * 4, refereed=refereed)
    table.lid(B, W, -1).lid(W, B, -1)
    (ruling,) = table.look()
    assert ruling.status is Status.UNFINISHED
    assert "white stone into Black's lid" in english(ruling)
    assert "black stone into White's lid" in english(ruling)


def test_a_recorded_game_goes_on_without_starting_stones() -> None:
    table = PlayedTable(("....",) * 4)
    table.lid(B, W, -1).lid(W, B, -1)
    table.look()
    table.put(B, "B2")
    assert [ruling.turn for ruling in table.look()] == [1]
    table.put(W, "C3")
    assert [ruling.turn for ruling in table.look()] == [2]


def test_a_refereed_game_does_not_begin_without_starting_stones() -> None:
    table = PlayedTable(("....",) * 4, refereed=True, black_side=1)
    table.lid(B, W, -1)
    table.look()
    table.put(B, "B2")
    rulings = table.done(B)
    assert table.referee.record.number == 0
    assert [ruling.status for ruling in rulings] in ([], [Status.UNFINISHED])


@MANNERS
def test_the_starting_stones_say_whose_lid_is_whose(refereed: bool) -> None:
    table = PlayedTable(("....",) * 4, refereed=refereed, black_side=1)
    table.seen_lids = (lid(1, 0), lid(0, 1))
    assert table.look() == ()
    assert table.referee.snapshot.black_side == 2


@MANNERS
def test_without_lids_in_view_placements_are_judged(refereed: bool) -> None:
    table = PlayedTable(ATARI, refereed=refereed, black_side=1)
    table.seen_lids = ()
    table.look()
    table.put(B, "D3").lift("C3")
    assert turn(table, B, refereed).status is Status.LEGAL


def test_without_lids_in_view_nothing_proves_a_delay() -> None:
    table = PlayedTable(ATARI, refereed=True, black_side=1)
    table.seen_lids = ()
    (ruling,) = table.done(B)
    assert ruling.status is Status.UNFINISHED
    assert "lids" in english(ruling)


@MANNERS
def test_a_capture_with_an_unsure_lid_whose_range_allows_it(refereed: bool) -> None:
    table = begin_table(refereed=refereed)
    table.put(B, "D3").lift("C3")
    table.seen_lids = (unsure_lid((0, 0), (1, 3)), lid(1, 0))
    assert turn(table, B, refereed).status is Status.LEGAL


@MANNERS
def test_after_the_end(refereed: bool) -> None:
    table = begin_table(refereed=refereed, **DRAWN)
    table.call(B)
    table.lift("C3", "C2")
    assert table.look() == ()
    table.put(B, "C3").put(B, "C2")
    table.lift("C3").put(W, "C3").put(W, "A1")
    (ruling,) = table.look()
    assert (ruling.status, ruling.reason) == (Status.ILLEGAL, Reason.GAME_OVER)
    assert table.look() == ()
    assert table.referee.record.number == 1
