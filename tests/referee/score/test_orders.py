"""The order of filling: it does not matter on settled positions, and where it does the count says so."""

from __future__ import annotations

import random
from unittest import mock

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from referee.game.board import Colour
from referee.game.diagram import position_of
from referee.score import orders
from referee.score.expedited import count
from referee.score.orders import all_results, is_settled, look_at_orders, played_out, result_at_end
from referee.score.procedure import Amendments, ProcedureState, list_moves, open_table
from tests.support.oracle.expedited import breath, chain_of, stones_of
from tests.support.referee.positions import boards, mask, neighbours, random_divided_rows, record_of
from tests.support.tiers import examples
from tests.support.wording import english

BLACK, WHITE = Colour.BLACK, Colour.WHITE
FEW_FIT = examples(10, 300)
"""Most positions that are drawn are not settled and left out."""


def table_of(rows, to_play: str = "B", first: str = "W", dead: int = 0) -> ProcedureState:
    return open_table(record_of(rows, Colour(to_play), Colour(first)), dead, Amendments())


def at_random(table: ProcedureState, chance: random.Random) -> str:
    """The result when a player fills any of the points open to her, chosen anew at every move."""
    while not table.over:
        table = table.after_move(chance.choice(list_moves(table)))
    return result_at_end(table)


def closed_and_breathing(rows) -> bool:
    """Every chain has two liberties and no empty point has stones of both colours in sight, plainly counted."""
    position = position_of(rows)
    stones = stones_of(position)
    for point in stones:
        if len(breath(position, stones, chain_of(position, stones, point), set())) < 2:
            return False
    colours = {frozenset(stones[p] for p in seen_over_empty(position, stones, e)) for e in empties(position, stones)}
    return colours <= {frozenset("B"), frozenset("W")}


def empties(position, stones) -> list[int]:
    return [p for p in range(position.board.cols * position.board.rows) if p not in stones]


def seen_over_empty(position, stones, point: int) -> set[int]:
    walked, left, seen_stones = {point}, [point], set()
    while left:
        for beside in neighbours(position.board, left.pop()):
            if beside in stones:
                seen_stones.add(beside)
            elif beside not in walked:
                walked.add(beside)
                left.append(beside)
    return seen_stones


@FEW_FIT
@given(random_divided_rows(), st.sampled_from("BW"), st.sampled_from("BW"), st.integers(0, 2**32))
def test_on_settled_positions_no_order_matters(rows, to_play: str, first: str, seed: int) -> None:
    assume(closed_and_breathing(rows))
    table, chance = table_of(rows, to_play, first), random.Random(seed)
    assert is_settled(table)
    final_count = count(table.record)
    assert {at_random(table, chance) for _ in range(8)} == {final_count.result} and not final_count.order_matters


@FEW_FIT
@given(random_divided_rows(dame=True), st.sampled_from("BW"), st.sampled_from("BW"), st.integers(0, 2**32))
def test_what_is_taken_for_settled_is_so_with_dame_too(rows, to_play: str, first: str, seed: int) -> None:
    table, chance = table_of(rows, to_play, first), random.Random(seed)
    assume(is_settled(table))
    assert {at_random(table, chance) for _ in range(8)} == {result_at_end(played_out(table)[1])}


def test_the_settled_positions_that_are_tried_are_not_all_empty_cases() -> None:
    assert closed_and_breathing(("..X.", "XXXO", "OOOO", ".O..")) is False
    assert closed_and_breathing((".XO.", "XXOO", ".XO."))
    assert is_settled(table_of((".XO.", "XXOO", ".XO.")))
    assert is_settled(table_of((".X.O.", "XXXOO", ".XXO.")))


@pytest.mark.slow
@examples(2, 200)
@given(boards(most=4), st.sampled_from("BW"), st.sampled_from("BW"), st.integers(0, 2**32))
def test_elsewhere_another_end_is_found_and_said(rows, to_play: str, first: str, seed: int) -> None:
    table, chance = table_of(rows, to_play, first), random.Random(seed)
    orders = look_at_orders(table)
    natural = result_at_end(played_out(table)[1])
    if orders.other is not None:
        assert orders.other != natural
    else:
        assert {at_random(table, chance) for _ in range(20)} == {natural}


@pytest.mark.parametrize(
    "rows, dead, results",
    [
        ((".XO.", "XXOO", ".XO."), "", {"W+1"}),
        (("O.X.OO", "XXX.O.", "...XOO", "XXXXO."), "A4", None),
        ((".X.O.", "XX.OO", "X.XO."), "", None),
    ],
)
def test_all_orders_of_a_small_board_are_gone_through(rows, dead: str, results) -> None:
    table = table_of(rows, dead=mask(position_of(rows).board, dead))
    results_found = all_results(table, most=20_000)
    assert results_found is not None and (results is None or results_found == results)
    assert (look_at_orders(table).other is not None) is (len(results_found) > 1)


@pytest.mark.slow
@examples(3, 200)
@given(boards(most=4), st.sampled_from("BW"), st.sampled_from("BW"), st.integers(0, 2**32))
def test_where_all_orders_are_gone_through_none_need_be_tried(rows, to_play: str, first: str, seed: int) -> None:
    """The search through all finds what trying finds, and what it does not find is nowhere."""
    table, chance = table_of(rows, to_play, first), random.Random(seed)
    with mock.patch.object(orders, "other_results", lambda table: iter(())):
        searched = look_at_orders(table)
    assume(searched.tried is None)
    natural = result_at_end(played_out(table)[1])
    assert searched.other != natural
    others = {at_random(table, chance) for _ in range(20)} - {natural}
    assert (searched.other is not None) or not others


def test_a_count_that_another_order_would_end_otherwise_offers_to_play_on() -> None:
    final_count = count(record_of(("O..X.O..", "XXXX.OOO", "...X.O.."), BLACK, first=WHITE), 1)
    assert final_count.order_matters
    assert "in another order this would come to" in english(final_count.remarks[-1]) and "play on" in english(
        final_count.remarks[-1]
    )


def test_large_boards_are_not_searched_through() -> None:
    rows = ("." * 19,) * 8 + ("X" * 19, "O" * 19) + ("." * 19,) * 9
    assert all_results(table_of(rows)) is None
