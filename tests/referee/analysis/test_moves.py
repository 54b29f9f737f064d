"""The legal placements on a board, superko left out, each board's computed once."""

from referee.analysis.moves import Moves
from referee.game.diagram import position_of


def test_captures_come_first_and_own_eyes_last():
    position = position_of((".XO.", "XXX.", "....", "...."))
    found = Moves(position.board).of((position.stones[0], position.stones[1]), 0)
    names = [position.board.name(move.point) for move in found]
    assert [move.captured for move in found] == [1, *[0] * (len(found) - 1)]
    assert (names[0], names[-1]) == ("D4", "A4")


def test_a_capture_takes_its_stones_and_is_tried_first():
    position = position_of(("OX.", "...", "..."))
    found = Moves(position.board).of((position.stones[0], position.stones[1]), 0)
    assert position.board.name(found[0].point) == "A2"
    assert found[0].captured == 1 and found[0].after[1] == 0


def test_self_capture_is_no_placement():
    position = position_of((".X.", "X..", "..."))
    points = {move.point for move in Moves(position.board).of((position.stones[0], position.stones[1]), 1)}
    assert position.board.point("A3") not in points and len(points) == 6
