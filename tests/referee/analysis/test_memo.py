"""A memo of findings about many boards, computed once each within a budget."""

import pytest

from referee.analysis.memo import BudgetedMemo, Exhausted
from referee.analysis.situation import Stones
from referee.game.board import board_of


class CountedMemo(BudgetedMemo[int]):
    """The stones of a player."""

    def _find_one(self, stones: Stones, player: int) -> int:
        return stones[player].bit_count()


def test_each_board_is_computed_once():
    memo = CountedMemo(board_of(2), frozenset(), lambda: True)
    assert memo.find_both((0b11, 0b100)) == memo.find_both((0b11, 0b100)) == (2, 1)
    assert memo.nodes == 1


def test_the_first_board_is_computed_whatever_the_budget():
    memo = CountedMemo(board_of(2), frozenset(), lambda: False)
    assert memo.find_both((1, 0)) == (1, 0)
    with pytest.raises(Exhausted):
        memo.find_both((0, 1))
    assert memo.find_both((1, 0)) == (1, 0)
