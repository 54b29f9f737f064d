"""The shapes in Ing's ko rules: kos, and the long life, in which two stones are captured at a time."""

from referee.game.board import Colour
from referee.game.diagram import position_of
from referee.rules.ko.ing_shapes import Ko, find_all_kos, ko_taken, long_lives, may_be_in_long_life

ROWS = (".....", ".XO..", "XO.O.", ".XO..", ".....")
POSITION = position_of(ROWS)
BOARD = POSITION.board


def test_a_ko_is_a_lone_stone_with_one_liberty_among_the_others():
    assert find_all_kos(POSITION) == (Ko(BOARD.point("C3"), BOARD.point("B3"), Colour.WHITE),)
    assert find_all_kos(position_of(("XX.", "OO.", "..."))) == ()


def test_both_points_of_a_ko_change_when_it_is_taken():
    (ko,) = find_all_kos(POSITION)
    outcome = POSITION.place(Colour.BLACK, ko.point)
    assert outcome.captured == 1 << ko.stone and ko.mask == outcome.captured | 1 << ko.point
    assert ko_taken(POSITION, Colour.BLACK, ko.point, outcome.captured) == ko
    (back,) = find_all_kos(outcome.position)
    assert (back.holder, back.point, back.stone) == (Colour.BLACK, ko.stone, ko.point)


def test_two_captured_stones_are_no_ko():
    assert ko_taken(POSITION, Colour.BLACK, BOARD.point("C3"), BOARD.mask(["B3", "C4"])) is None


def test_most_positions_have_no_long_life():
    assert long_lives(POSITION) == ()
    large = position_of(("XXX..", ".....", "....."))
    assert not may_be_in_long_life(large, large.board.point("A3"))
