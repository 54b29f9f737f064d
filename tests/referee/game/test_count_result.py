"""A count as values that can be shown: its steps, its figures and its result."""

import pytest

from referee.game.count_result import lead_of, result_read, result_text, winning_result


@pytest.mark.parametrize("result", ["B+3", "W+0.5", "0", "Void", {"B": 5, "W": 2, "R": 2}])
def test_a_stored_result_is_read_back(result):
    assert result_read(result_text(result)) == result


@pytest.mark.parametrize(("lead", "text"), [(3, "B+3"), (-0.5, "W+0.5"), (0, "0"), (-12.0, "W+12")])
def test_a_lead_is_the_winners(lead, text):
    assert winning_result(lead) == text and lead_of(text) == lead


def test_a_tie_may_have_a_winner():
    assert winning_result(0, tie="B+0") == "B+0" and lead_of("B+0") == 0
