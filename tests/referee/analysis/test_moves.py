"""The legal placements on a board, superko left out, each board's computed once."""

from referee.analysis.moves import Moves
from referee.game.diagram import position_of


def test_captures_come_first_and_own_eyes_last():
    position = position_of((".XO.", "XXX.", "....", "...."))
    moves = Moves(position.board).placements_of((position.stones[0], position.stones[1]), 0)
    names = [position.board.name(move.point) for move in moves]
    assert [move.captured for move in moves] == [1, *[0] * (len(moves) - 1)]
    assert (names[0], names[-1]) == ("D4", "A4")


def test_a_capture_takes_its_stones_and_is_tried_first():
    position = position_of(("OX.", "...", "..."))
    moves = Moves(position.board).placements_of((position.stones[0], position.stones[1]), 0)
    assert position.board.name(moves[0].point) == "A2"
    assert moves[0].captured == 1 and moves[0].after[1] == 0


def test_self_capture_is_no_placement():
    position = position_of((".X.", "X..", "..."))
    points = {move.point for move in Moves(position.board).placements_of((position.stones[0], position.stones[1]), 1)}
    assert position.board.point("A3") not in points and len(points) == 6
