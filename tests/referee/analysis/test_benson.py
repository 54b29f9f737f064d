"""Benson's unconditional life: chains that cannot be captured even if their owner never plays again."""

from referee.analysis.benson import alive_beside, split_parts, unconditionally_alive
from referee.game.diagram import position_of


def test_a_corner_with_two_eyes_lives_without_a_move():
    position = position_of((".X.X.", "XXXX.", ".....", "OO...", ".O..."))
    black, white = position.stones
    assert unconditionally_alive(position.board, black, white) == black


def test_a_corner_with_one_eye_does_not():
    position = position_of((".XX..", "XXX..", ".....", ".....", "....."))
    assert unconditionally_alive(position.board, *position.stones) == 0


def test_a_chain_beside_a_living_wall_lives_with_it():
    position = position_of((".X..", "XX..", "....", "...."))
    board, (black, white) = position.board, position.stones
    wall = board.mask(["C4"])
    assert alive_beside(board, black, white, 0, board.full) == 0
    assert alive_beside(board, black, white, wall, board.full) == black


def test_a_set_of_points_falls_into_its_connected_parts():
    board = position_of(("...", "...", "...")).board
    assert split_parts(board, board.mask(["A3", "B3", "C1"])) == [board.mask(["A3", "B3"]), board.mask(["C1"])]
