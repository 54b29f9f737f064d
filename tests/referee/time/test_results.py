"""The end of a game: resignation, the reported result, its verification, and when it is final."""

import pytest

from referee.game.board import COLOURS, Colour
from referee.time.results import is_result
from referee.time.steps import Act, Refusal
from tests.support.referee.time_table import B, Table, W


@pytest.mark.parametrize("text", ["B+R", "W+T", "B+F", "B+3", "W+0.5", "0", "Void"])
def test_a_result_of_two_players(text):
    assert is_result(text, COLOURS[:2])


@pytest.mark.parametrize("text", ["", "B", "R+3", "B+", "B+3.25", "B+12345", "draw", "B:5 W:2", "b+r"])
def test_what_is_no_result_of_two_players(text):
    assert not is_result(text, COLOURS[:2])


def test_three_players_have_points_each():
    assert is_result("B:5 W:2 R:2", COLOURS[:3]) and is_result("R+R", COLOURS[:3])
    assert not is_result("B:5 W:2", COLOURS[:3])


def test_a_result_is_final_once_both_verified_it_and_the_board_is_bare():
    table = Table().started()
    table(5, Act.REPORT, B, result="W+3")
    assert table(6, Act.CLEAR).refusal is Refusal.NOTHING_OPEN
    table(7, Act.VERIFY, B)
    table(8, Act.VERIFY, W)
    assert not table.now.final
    table(9, Act.CLEAR)
    assert table.now.final and table.now.result == "W+3"


def test_a_result_reported_anew_has_to_be_verified_anew():
    table = Table().started()
    table(5, Act.REPORT, B, result="W+3")
    table(6, Act.VERIFY, W)
    table(7, Act.REPORT, W, result="W+4")
    assert table.now.verified == frozenset() and table.now.result == "W+4"


def test_who_resigns_loses_whatever_the_clock_said():
    table = Table().started()
    table(1, Act.RESIGN, B)
    assert table.now.result == "W+R" and table.now.clock.running_player is None


def test_a_disputed_result_calls_the_director():
    table = Table().started()
    table(5, Act.REPORT, B, result="B+1")
    table(6, Act.VERIFY, B)
    table(7, Act.DISPUTE, W)
    assert table.now.called and table.now.verified == frozenset()
    assert table.now.clock.turn in (Colour.BLACK, Colour.WHITE)
