"""The clearing of the board after a game, concluded from what lies on it."""

from device.match.cleared import was_cleared
from referee.game.diagram import position_of

FINAL = position_of(("XXXX", "OOOO", "XXXX", "OOOO"))


def test_a_bare_board_was_cleared_and_an_untouched_one_was_not():
    assert was_cleared(FINAL, position_of(("....",) * 4))
    assert not was_cleared(FINAL, FINAL)


def test_stones_of_the_next_game_lie_elsewhere():
    assert was_cleared(FINAL, position_of(("O...", "X...", "....", "....")))


def test_players_who_take_back_have_not_cleared():
    assert not was_cleared(FINAL, position_of(("XXXX", "OO..", "....", "....")))
