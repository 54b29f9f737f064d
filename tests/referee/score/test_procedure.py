"""The procedure of Ultimate Go's expedited counting: the end of a game played out by its guidelines."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.game.board import Colour, points_of
from referee.game.turns import Placement
from referee.rules.legality import judge
from referee.score import expedited, orders
from referee.score.orders import look_at_orders
from referee.score.procedure import Amendments, Kind, ProcedureState, list_moves, open_table
from tests.support.oracle.expedited import fillings, may_be_dead
from tests.support.play import play_turns, start_game
from tests.support.referee.positions import boards, record_of
from tests.support.tiers import examples

BLACK, WHITE = Colour.BLACK, Colour.WHITE


FIRST = ("..X.O..", "XXX.OOO", "..X.O..")


SECOND = ("...XX.O..", "XXXX.OOOO", "..XX.OO..")


@pytest.fixture(autouse=True)
def _few_orders(monkeypatch: pytest.MonkeyPatch) -> None:
    """Try fewer other orders of filling: they are the subject of test_orders.py."""
    monkeypatch.setattr(orders, "MOST_MOVES", 600)


def test_counting_before_the_first_delay_needs_no_knowledge_of_the_dame() -> None:
    early = Amendments(first_delay=True)
    assert expedited.count(start_game("ultimate", *FIRST), amendments=early).result == "0"
    assert expedited.count(start_game("ultimate", *SECOND, to_play="W"), amendments=early).result == "B+1"
    literal = expedited.count(play_turns(start_game("ultimate", *SECOND, to_play="W"), "W F3", "B E2", "W E1"))
    assert literal.result == "0", "without the amendment Black fills territory first, as in the negligent example"


@examples(25)
@given(boards(), st.integers(0, 2**32), st.sampled_from("BW"), st.sampled_from("BW"))
def test_the_procedure_is_what_section_eight_says(rows, seed: int, to_play: str, first: str) -> None:
    chance = random.Random(seed)
    table = open_table(record_of(rows, Colour(to_play), Colour(first), 2, 2), some_dead(rows, chance), Amendments())
    for _ in range(60):
        if table.over:
            return
        open_now = list_moves(table)
        assert_by_the_text(table, open_now)
        table = table.after_move(chance.choice(open_now))


def some_dead(rows, chance: random.Random) -> int:
    """A set of dead stones that may be, drawn from a few."""
    position = start_game("ultimate", *rows).position
    for _ in range(20):
        dead_mask = sum({position.chain_at(p) for p in points_of(position.occupied) if chance.random() < 0.2})
        if dead_mask and may_be_dead(position, set(points_of(dead_mask))):
            return dead_mask
    return 0


def assert_by_the_text(table: ProcedureState, open_now) -> None:
    """The kind of the moves, and the points, are those that the slow reading of the text has; superko may take some."""
    dame, territory = fillings(table.record.position, set(points_of(table.dead)), table.player)
    points = {move.turn.point for move in open_now if isinstance(move.turn, Placement)}
    legal = {p for p in dame | territory if judge(table.record, Placement(table.player, p)).legal}
    kind = open_now[0].kind
    if table.may_fill_dame(table.player) and dame & legal:
        assert kind is Kind.DAME and points == dame & legal
    elif territory & legal:
        assert kind is Kind.TERRITORY and points == territory & legal
    else:
        assert kind in (Kind.DELAY, Kind.DRAW, Kind.RESIGN) and not points


def test_a_count_ends_on_the_largest_bowls() -> None:
    record = record_of(FIRST, BLACK, first=WHITE, black=200, white=201)
    assert look_at_orders(open_table(record, 0, Amendments())).other is None
    assert expedited.count(record).result == "W+1"
