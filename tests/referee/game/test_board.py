"""Boards and positions as Python integers."""

import pickle

import pytest

from referee.game.board import Colour, board_of, empty_position, mask_of, points_of
from referee.game.diagram import position_of, rows_of
from referee.game.errors import BadPoint


def test_names_skip_the_letter_i_and_count_from_below():
    board = board_of(9, 5)
    assert (board.name(0), board.name(8), board.name(44)) == ("A5", "J5", "J1")
    assert all(board.point(board.name(point)) == point for point in range(board.points))


@pytest.mark.parametrize("name", ["", "I1", "K1", "A0", "A6", "A", "5", "A1x", "A１", "AA1", "A-1"])
def test_what_names_no_point_is_refused(name):
    with pytest.raises(BadPoint):
        board_of(9, 5).point(name)


def test_the_points_beside_a_point_do_not_wrap_round_the_edge():
    board = board_of(3)
    assert set(board.names(board.adjacent_to(board.mask(["C2"])))) == {"C3", "C1", "B2"}
    assert set(board.names(board.adjacent_to(board.mask(["A3"])))) == {"B3", "A2"}


def test_the_other_side_sees_the_board_turned_round():
    board = board_of(3, 2)
    assert board.names(board.rotate_mask(board.mask(["A2", "B2"]))) == ["B1", "C1"]


def test_a_stone_captures_every_chain_without_a_liberty():
    outcome = position_of((".OX", "OX.", "XO.")).place(Colour.BLACK, 0)
    assert rows_of(outcome.position) == ("X.X", ".X.", "XO.") and outcome.captured.bit_count() == 2
    assert outcome.surrounded == 0


def test_an_own_chain_without_liberty_is_told_and_stays():
    outcome = position_of((".O.", "O..", "...")).place(Colour.BLACK, 0)
    assert outcome.surrounded == 1 and outcome.captured == 0 and outcome.position.stones_of(Colour.BLACK) == 1


def test_positions_are_equal_by_stones_and_board():
    assert position_of(("X.", "..")) == empty_position(board_of(2)).with_stones(Colour.BLACK, 1)
    assert empty_position(board_of(2)) != empty_position(board_of(1, 4))
    assert empty_position(board_of(2)).colour_at(0) is None and position_of(("X.", "..")).colour_at(0) is Colour.BLACK


def test_points_taken_from_another_position_and_the_stones_it_lacks():
    before, after = position_of(("XO", "..")), position_of(("X.", "OX"))
    assert before.with_points_of(after, 0b1010) == position_of(("X.", ".X"))
    assert before.stones_not_in(after) == (0, 0b10)
    assert after.stones_not_in(before) == (0b1000, 0b100)


def test_a_board_is_the_same_one_in_another_process():
    pickled = pickle.dumps(board_of(19))
    assert pickle.loads(pickled) is pickle.loads(pickled) and pickle.loads(pickled) == board_of(19)


def test_a_mask_and_its_points_are_one():
    assert list(points_of(mask_of([7, 2, 5]))) == [2, 5, 7]
