"""The first difference of what grows with a game, however two versions of it differ."""

from __future__ import annotations

import sys

from hypothesis import given
from hypothesis import strategies as st

from referee.game.differences import common_length, first_difference

ITEMS = st.lists(st.integers(0, 2), max_size=12)
NUMBERED = st.dictionaries(st.integers(0, 9), st.integers(0, 1))
"""In any order: turns that are taken back are annotated later than those after them."""


@given(ITEMS, ITEMS, ITEMS)
def test_as_many_items_are_common_as_are_equal_one_by_one(first, before, now):
    before, now = first + before, first + now
    equal = [one == other for one, other in zip(before, now, strict=False)]
    assert common_length(before, now) == [*equal, False].index(False)


@given(NUMBERED, NUMBERED)
def test_the_first_difference_is_the_lowest_number_that_differs(before, now):
    different = (n for n in before.keys() | now.keys() if before.get(n) != now.get(n))
    assert first_difference(before, now) == min(different, default=sys.maxsize)
