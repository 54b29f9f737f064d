"""The situation of a two-player game counted by area or territory: everything that its margin depends on."""

from __future__ import annotations

import pytest

from referee import Setup, board_of, rule_set
from referee.analysis.counting import CountedSituation, counted_situation
from referee.analysis.worth import worth
from tests.support.referee.late import always
from tests.support.tiers import LONG

SLOW = pytest.mark.slow


KNOWN = [
    *[(1, 1, 0), (2, 1, 0), (3, 1, 3), (4, 1, 4), (5, 1, 0), (2, 2, 1)],
    pytest.param(6, 1, 1, marks=LONG),
    pytest.param(3, 2, 0, marks=LONG),
]
"""Empty boards under positional superko by area (John Tromp, Go on small boards): width, height, Black's margin."""


@pytest.mark.parametrize(("cols", "rows", "margin"), KNOWN)
def test_empty_boards_have_their_known_margins(cols, rows, margin):
    value = worth(CountedSituation(board_of(cols, rows), (0, 0), superko=True), always)
    assert (value.score, value.exact) == (margin, True)


@pytest.mark.parametrize("rules", ["ultimate", "new-zealand", "spight", "kee", "ing"])
def test_games_that_are_not_counted_so_have_no_margin(rules):
    assert counted_situation(Setup(rule_set(rules), size=(3, 3)).record()) is None
