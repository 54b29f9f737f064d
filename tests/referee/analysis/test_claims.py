"""Claims of section VI of the analysis of Ultimate Go, on the smallest boards, by the rules worked by hand."""

from __future__ import annotations

import random
from itertools import product

import pytest

from tests.benchmarks.parts import ultimate_by_hand as ultimate
from tests.support.referee import worth_by_hand as by_hand
from tests.support.referee.late import boards, with_random_past
from tests.support.referee.worth_by_hand import Budget, Hand


def small() -> list[Hand]:
    """Every situation without a past on two points, and some with one on three."""
    every = product(boards(2, 1), "XO", range(2), range(2))
    rng = random.Random(1)
    return [Hand(player, board, 2, frozenset({board}), black, white) for board, player, black, white in every] + [
        with_random_past(rng, 3, 1, 3) for _ in range(20)
    ]


@pytest.fixture(autouse=True)
def _anew():
    Budget.left, Budget.cancelled = 10**6, False
    by_hand.forget()
    ultimate.forget()


def test_both_versions_of_the_rules_and_each_change_agree():
    results = set[int]()
    for hand in small():
        original = ultimate.result(ultimate.start(hand, original=True))
        results.add(original)
        assert ultimate.result(ultimate.start(hand, original=False)) == original, hand
        for forced, late in ((True, False), (False, True), (True, True)):
            assert ultimate.result(ultimate.start(hand, True, forced, late)) == original, hand
    assert results == {-1, 0, 1}


def test_only_a_score_of_a_half_is_drawn():
    for hand in small():
        result, score = ultimate.result(ultimate.start(hand, original=True)), by_hand.score(hand)
        won = 1 if (score > 0) == (hand.player == "X") else -1
        assert result == won or abs(score) == 0.5, hand


def test_the_first_ultimate_delay_is_due_at_level_0_only():
    for hand in small():
        options = ultimate.options(ultimate.start(hand, original=True))
        after = {name: -ultimate.result(option) for name, option in options.items()}
        alone = after.pop("ultimate delay") > max(after.values(), default=-1)
        assert not (alone and by_hand.level(hand)), hand
