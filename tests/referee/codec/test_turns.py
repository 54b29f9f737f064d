"""Turns, agreements and the referee's answers as JSON values."""

import pytest

from referee.codec.turns import parse_act, settlement_from_json, settlement_to_json, turn_from_json, turn_to_json
from referee.game.board import Colour, board_of
from referee.game.errors import BadRecord
from referee.game.turns import OFF_BOARD, Exchange, Placement, Removal
from tests.support.play import turn_of

BOARD = board_of(5)


@pytest.mark.parametrize("text", ["B C3", "W delay", "B pass", "W draw", "B resign"])
def test_every_turn_comes_back(text):
    turn = turn_of(text, BOARD)
    assert turn_from_json(turn_to_json(turn, BOARD), BOARD) == turn


def test_a_point_beyond_the_board_is_off_it():
    assert turn_from_json({"player": "B", "place": "T19"}, BOARD) == Placement(Colour.BLACK, OFF_BOARD)


@pytest.mark.parametrize(
    "body",
    [{}, {"player": "B"}, {"player": "X", "pass": True}, {"player": "R", "pass": True}, {"player": "B", "pass": 1},
     {"player": "B", "place": 7}, {"player": "B", "place": "C3", "pass": True}, {"player": "B", "delay": "gold"}],
)  # fmt: skip
def test_what_is_no_turn_is_one_sentence(body):
    with pytest.raises(BadRecord, match=r"^[^\n]+\.$"):
        turn_from_json(body, BOARD)


@pytest.mark.parametrize("settlement", [Exchange(3), Removal(0b101)])
def test_an_agreement_comes_back(settlement):
    assert settlement_from_json(settlement_to_json(settlement, BOARD), BOARD) == settlement


@pytest.mark.parametrize(
    "body", [{}, {"exchange": 0}, {"exchange": True}, {"remove": []}, {"exchange": 1, "player": "B"}]
)
def test_what_is_no_agreement_is_one_sentence(body):
    with pytest.raises(BadRecord, match=r"^[^\n]+\.$"):
        settlement_from_json(body, BOARD)


def test_one_word_is_a_turns_json():
    assert parse_act("place", "C3") == {"place": "C3"}
    assert (parse_act("ultimate", None), parse_act("pass", None)) == ({"delay": "ultimate"}, {"pass": True})
