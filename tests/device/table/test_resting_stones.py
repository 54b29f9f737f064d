"""The stones that rest on the table: long enough, unchanged, with no hand above them."""

from __future__ import annotations

from device.table.resting_stones import RESTS_S, RestingStones
from referee.game.board import Colour
from referee.game.messages import message
from referee.game.turns import SetUp
from referee.table.table_position import LyingStones
from tests.support.play import start_game

HELD = start_game("chinese", size=(5, 5)).situation
ONE, OTHER = LyingStones(SetUp((1, 2), Colour.BLACK)), LyingStones(SetUp((1, 6), Colour.WHITE))


def test_stones_rest_once_they_have_lain_there_unchanged():
    resting = RestingStones()
    resting.take_look(ONE, HELD, 10.0)
    assert resting.find_stones(HELD) == message("lying.moves", seconds=3)
    resting.take_look(ONE, HELD, 10.0 + RESTS_S)
    assert resting.find_stones(HELD) == ONE


def test_a_change_begins_anew_and_a_reason_is_told_at_once():
    resting = RestingStones()
    for t, reason in ((10.0, ONE), (12.0, OTHER), (10.5 + RESTS_S, OTHER)):
        resting.take_look(reason, HELD, t)
    assert resting.find_stones(HELD) == message("lying.moves", seconds=3)
    resting.take_look(message("lying.dead-chain"), HELD, 20.0)
    assert resting.find_stones(HELD) == message("lying.dead-chain")


def test_what_lay_under_a_hand_has_to_rest_again():
    resting = RestingStones()
    resting.take_look(ONE, HELD, 10.0)
    resting.take_look(ONE, HELD, 14.0)
    resting.forget_stones()
    assert resting.find_stones(HELD) == message("lying.unseen")
    resting.take_look(ONE, HELD, 15.0)
    assert resting.find_stones(HELD) == message("lying.moves", seconds=3)


def test_a_game_that_has_changed_needs_another_look():
    resting = RestingStones()
    for t in (10.0, 14.0):
        resting.take_look(ONE, HELD, t)
    other = start_game("chinese", size=(9, 9)).situation
    assert resting.find_stones(other) == message("lying.moves", seconds=3)
