"""Penalty points of a player, which the opponent receives when the game is counted."""

from referee.game.board import Colour
from referee.game.messages import message
from referee.game.penalties import Offence, Penalty, fine_players, points_to_white

B, W = Colour.BLACK, Colour.WHITE


def test_the_opponent_receives_the_points():
    fines = fine_players([(B, 3), (W, 1)], Offence.PRISONERS)
    assert [fine.to_white for fine in fines] == [3, -1] and points_to_white(fines) == 2


def test_who_is_fined_nothing_has_no_penalty():
    assert fine_players([(B, 0), (W, 2)], Offence.TIME) == (Penalty(W, 2, Offence.TIME),)


def test_the_message_says_who_receives_them_and_why():
    penalty_message = Penalty(B, 3, Offence.TIME).message
    assert penalty_message == message("penalty.time", player=W, other=B, n=3)
