"""Score, cost, sente level and phase of a complete situation, from the thresholds T that searches find."""

from referee.analysis.figures import DELAY
from referee.analysis.fundamental import Fundamental
from referee.analysis.situation import full_situation
from tests.support.play import start_game


def test_a_tiny_board_is_valued_to_its_end():
    situation = full_situation(start_game("ultimate", "..", ".."))
    assert situation is not None
    worth = Fundamental(situation, lambda: True).worth()
    assert worth.exact and worth.score is not None
    assert worth.bounds == (worth.score, worth.score)
    assert worth.optimal and set(worth.optimal) <= set(worth.costs)
    assert min(worth.costs.values()) == 0


def test_without_a_budget_there_are_bounds_alone():
    situation = full_situation(start_game("ultimate", "...", "...", "..."))
    assert situation is not None
    worth = Fundamental(situation, lambda: False).worth()
    assert not worth.exact and worth.score is None
    assert worth.bounds[0] < worth.bounds[1]
    assert DELAY not in worth.costs
