"""Self-capture of several stones at the table, where the rules have it: the placed stone is among what is lifted."""

from __future__ import annotations

import pytest

from referee.game.ruling import Ruling, Status
from tests.support.referee.table import B, PlayedTable
from tests.support.wording import english

ROWS = ("X.O.", "OO..", "....", "....")


def table(refereed: bool) -> PlayedTable:
    table = PlayedTable(ROWS, rules="new-zealand", refereed=refereed)
    table.look()
    return table


def end_turn(table: PlayedTable, refereed: bool) -> Ruling:
    return (table.done(B) if refereed else table.look())[-1]


@pytest.mark.parametrize("refereed", [False, True])
def test_what_stands_of_the_own_chain_is_named_and_lifted(refereed: bool) -> None:
    game = table(refereed).put(B, "B4")
    first = end_turn(game, refereed)
    assert (first.status, game.names(first)) == (Status.UNFINISHED, ["A4", "B4"])
    assert english(first) == "Black played B4. Please remove the captured stones at A4 and B4."
    game.lift("A4", "B4")
    last = end_turn(game, refereed)
    assert (last.status, last.captured) == (Status.LEGAL, (0, 1))
    assert english(last).endswith("Black played B4, a suicide that took A4 and B4 off the board.")


@pytest.mark.parametrize("refereed", [False, True])
def test_the_placed_stone_alone_may_still_stand(refereed: bool) -> None:
    game = table(refereed).put(B, "B4").lift("A4")
    first = end_turn(game, refereed)
    assert (first.status, game.names(first), first.captured) == (Status.UNFINISHED, ["B4"], (0, 1))


@pytest.mark.parametrize("refereed", [False, True])
def test_a_chain_that_is_gone_tells_where_the_stone_was_placed(refereed: bool) -> None:
    """All is lifted before anybody looks."""
    ruling = end_turn(table(refereed).lift("A4"), refereed)
    assert (ruling.status, ruling.captured) == (Status.LEGAL, (0, 1))
    assert english(ruling) == "Black played B4, a suicide that took A4 and B4 off the board."


def test_a_chain_that_is_gone_is_no_turn_where_there_is_no_suicide() -> None:
    game = PlayedTable(ROWS, rules="chinese", refereed=True)
    game.look()
    assert end_turn(game.lift("A4"), True).status is Status.UNEXPLAINED
