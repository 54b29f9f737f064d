"""Turns that no look showed: stones placed and captured between two looks, points filled again. Nothing that was not
played is written without a mark."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from referee.game.ruling import Ruling, Status
from referee.game.turns import Placement
from tests.support.referee.skipped import Gaps, hidden_turns
from tests.support.referee.table import PlayedTable, begin_table
from tests.support.table import B, W
from tests.support.tiers import sample
from tests.support.wording import english

CORNER = (".O...", ".....", "X....", "...X.", ".....")
"""A black stone on A5 is captured by a white one on A4."""


def moves_and_orders(rulings: tuple[Ruling, ...]) -> list[tuple[object, str | None]]:
    return [(ruling.move, ruling.order) for ruling in rulings if ruling.status is Status.LEGAL]


def point_of(table: PlayedTable, place: str) -> int:
    return table.board.point(place)


def two_in_one_look() -> PlayedTable:
    """Black, to move, and White have placed E1 and A4; Black may have placed A5 before, and lost it to A4."""
    table = begin_table(CORNER, refereed=False, rules="chinese")
    table.put(B, "E1").put(W, "A4")
    (waits,) = table.look()
    assert waits.status is Status.UNFINISHED and "may have come and gone" in english(waits)
    assert table.referee.record.number == 0
    return table


def test_two_stones_wait_where_a_third_may_have_been_captured_between_them() -> None:
    table = two_in_one_look()
    table.put(B, "C3")  # It was Black's turn: nothing was hidden.
    e1, a4, c3 = (point_of(table, place) for place in ("E1", "A4", "C3"))
    assert moves_and_orders(table.look()) == [
        (Placement(B, e1), None),
        (Placement(W, a4), None),
        (Placement(B, c3), None),
    ]


def test_a_captured_stone_is_written_when_the_next_turn_shows_it() -> None:
    table = two_in_one_look()
    table.put(W, "C3")  # It was White's turn: Black has placed one more than is seen.
    a5, a4, e1, c3 = (point_of(table, place) for place in ("A5", "A4", "E1", "C3"))
    turns = [Placement(B, a5), Placement(W, a4), Placement(B, e1), Placement(W, c3)]
    assert moves_and_orders(table.look()) == [(turn, None) for turn in turns]
    assert table.referee.record.turns == tuple(turns)


def test_what_waits_at_the_end_is_written_as_uncertain() -> None:
    table = two_in_one_look()
    assert [order for _, order in moves_and_orders(table.end())] == ["uncertain", "uncertain"]


def test_two_stones_that_can_hide_nothing_do_not_wait() -> None:
    table = begin_table((".....",) * 5, refereed=False, rules="chinese")
    table.put(B, "B2").put(W, "D4")
    assert len(moves_and_orders(table.look())) == 2


@pytest.mark.parametrize(
    ("rules", "gaps"),
    sample(product(("ultimate", "fundamental", "chinese", "situational"), (Gaps(0.15), Gaps(0.3), Gaps(0.15, 0.4))), 6),
)
def test_games_with_looks_left_out_have_no_turn_that_was_not_played(rules: str, gaps: Gaps) -> None:
    became = Counter[str]()
    for seed in range(7000, 7004):
        counts, wrong = hidden_turns(rules, seed, gaps)
        assert wrong == [] and counts["wrong"] == 0
        became += counts
    assert became["waits"] < 0.25 * became.total()
