"""The list of turns, in words and as rows."""

import xml.etree.ElementTree as Tree

from tests.support.web.snapshots import running, superko, take_snapshot
from web.language import ENGLISH
from web.page.turn_list import row_of, turns_at


def test_every_turn_is_told_with_its_number_and_player():
    game = take_snapshot(running("5m").play("B A3", "W E3")).game
    moves = [move for then in game.past.thens for move in turns_at(then, game.position.board, ENGLISH)]
    assert [(move.number, move.colour, move.text) for move in moves] == [(1, "B", "A3"), (2, "W", "E3")]
    assert all(move.spent and not move.is_refused for move in moves)


def test_a_refused_turn_stands_after_the_one_before_it():
    game = take_snapshot(superko()).game
    moves = [move for then in game.past.thens for move in turns_at(then, game.position.board, ENGLISH)]
    tried = [move for move in moves if move.is_refused]
    assert len(tried) == 1 and tried[0].why and tried[0].number == moves[-2].number + 1


def test_a_row_is_well_formed_and_says_all_of_it():
    game = take_snapshot(superko()).game
    for then in game.past.thens:
        for move in turns_at(then, game.position.board, ENGLISH):
            row = Tree.fromstring(str(row_of(move, ENGLISH)).replace(" data-place", ""))
            assert str(move.number) in "".join(row.itertext()) and (row.get("class") == "tried") is move.is_refused
