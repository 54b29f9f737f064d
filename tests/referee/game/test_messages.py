"""Messages of the referee and the box as values: a key and its arguments."""

import pickle

from referee.game.board import board_of
from referee.game.errors import BadPoint
from referee.game.messages import Points, error_message, for_players, message, name_points, plain_message


def test_the_order_of_arguments_does_not_matter():
    assert message("key", a=1, b=2) == message("key", b=2, a=1)


def test_sentences_follow_one_another():
    both = message("one") + message("two") + None
    assert both.key == "one" and both.then == (message("two"),)


def test_a_message_hashes_the_same_after_it_was_sent():
    two_messages = message("key", a=1) + message("other")
    hash_before = hash(two_messages)
    assert hash(pickle.loads(pickle.dumps(two_messages))) == hash_before


def test_more_than_two_players_have_their_own_sentence():
    assert [for_players("time.result-is", players) for players in (2, 3)] == ["time.result-is", "time.result-is-all"]


def test_an_error_says_its_message_or_its_sentence():
    assert error_message(BadPoint(message("key"))) == message("key")
    assert error_message(BadPoint("There is no such point.")) == plain_message("There is no such point.")
    assert error_message(ValueError()) == plain_message("")


def test_points_are_named_in_the_boards_order():
    board = board_of(3)
    assert name_points(board, [8, 0]) == name_points(board, 1 << 8 | 1) == Points(("A3", "C1"))
