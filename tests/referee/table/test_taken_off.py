"""A stone that takes itself off the board, under Ing's rules and others, and is lifted by hand."""

from __future__ import annotations

from referee.game.ruling import Reason, Status
from referee.game.turns import Placement
from referee.table.events import Button
from tests.support.referee.table import B, PlayedTable, W, begin_table
from tests.support.wording import english

TOOK_ITSELF = "White played D4, a suicide that took D4 off the board. That counts as a pass."


def ing_table(rules: str = "ing") -> PlayedTable:
    return begin_table(("...X.", "..X.X", "...X.", ".....", "....."), rules=rules, to_play=W, black_side=1)


def test_a_stone_that_takes_itself_off_by_hand_is_the_pass_that_it_says() -> None:
    table = ing_table()
    table.put(W, "D4")
    assert table.look() == ()
    table.lift("D4")
    assert table.look() == ()
    (ruling,) = table.done(W)
    assert (ruling.status, ruling.turn, table.names(ruling)) == (Status.LEGAL, 1, [])
    assert english(ruling) == TOOK_ITSELF and ruling.move == Placement(W, table.board.point("D4"))
    (adjourned,) = table.press(B, Button.CALL) + table.done(B)
    assert "The game is adjourned." in english(adjourned), "two passes in a row"


def test_a_suicide_lifted_by_hand_is_a_turn_unless_it_is_a_pass() -> None:
    table = ing_table("new-zealand")
    table.put(W, "D4").look()
    table.lift("D4")
    (ruling,) = table.done(W)
    assert (ruling.status, english(ruling)) == (Status.LEGAL, "White played D4, a suicide that took D4 off the board.")


def test_a_stone_that_takes_itself_off_may_be_lifted_after_done() -> None:
    table = ing_table()
    table.put(W, "D4")
    (ruling,) = table.done(W)
    assert (ruling.status, english(ruling)) == (
        Status.UNFINISHED,
        "White played D4. Please remove the captured stone at D4.",
    )
    table.lift("D4")
    (ruling,) = table.done(W)
    assert (ruling.status, english(ruling)) == (Status.LEGAL, TOOK_ITSELF)


def test_a_turn_made_after_the_stone_was_lifted_is_that_turn() -> None:
    table = ing_table()
    table.put(W, "D4").look()
    table.lift("D4").put(W, "A1")
    (ruling,) = table.done(W)
    assert ruling.move == Placement(W, table.board.point("A1"))
    table.put(B, "E1").done(B)
    (nothing,) = table.done(W)
    assert nothing.reason is Reason.PASS_NOT_AVAILABLE, "what White did a turn ago is over"


def test_a_stone_that_only_looks_as_if_it_took_itself_off_is_no_pass() -> None:
    table = begin_table(("...X.", "..X..", "...X.", ".....", "....."), rules="ing", to_play=W, black_side=1)
    table.put(W, "D4").look()
    table.lift("D4")
    (ruling,) = table.done(W)
    assert ruling.reason is Reason.PASS_NOT_AVAILABLE, "D4 had a liberty, and was taken back"
