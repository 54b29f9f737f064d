"""Proofs of the winner of Fundamental Go from a situation."""

from __future__ import annotations

import random
from itertools import count

from referee import board_of
from referee.analysis.prover import Prover
from tests.support.referee import worth_by_hand as by_hand
from tests.support.referee.late import always, stones_of, with_random_past
from tests.support.referee.worth_by_hand import Budget, Hand


def test_one_table_serves_pasts_that_change_the_outcome():
    """A table by the board alone would be wrong here: the past decides who wins, by hand and by one table for all."""
    table, rng, decided = Prover(board_of(4, 1), frozenset(), always), random.Random(5), 0
    while decided < 100:
        hand = with_random_past(rng, 4, 1, 4)
        alone, result = outcome(table, hand, ()), outcome(table, hand, tuple(map(stones_of, hand.stood)))
        by_hand.forget()
        Budget.left = 10**6
        assert result == (hand.player == "O") ^ by_hand.wins(hand) ^ True, hand
        decided += alone != result


def outcome(table: Prover, hand: Hand, past: tuple[tuple[int, int], ...]) -> int:
    """Return the winner by the table: 1 White, 0 Black."""
    query = stones_of(hand.board), "XO".index(hand.player), hand.black - hand.white
    return next(winner for most in count(1) if (winner := table.find_winner(*query, most, past)) is not None)
