"""Complexes of kos between the same groups, and their consequences (Ing's rules, part 6, as read in docs)."""

from __future__ import annotations

from referee.rules.ko.ing_complexes import find_complexes
from referee.rules.legality import illegal_points
from tests.support.oracle.ing import LONG_LIFE
from tests.support.play import draw_record, play_turns, start_game

TRIPLE_KO = ("OOOOOOO", "O.O.OXO", "XOXOX.X", "XXXXXXX", "OOOOOOO", ".......")


def test_a_long_life_is_seen_whichever_of_its_turns_is_next():
    record = start_game("ing", *LONG_LIFE)
    for turn in ("B F1", "W D1", "B A4", "W B4", "B E1", "W C1"):
        lives = {
            name
            for ko_complex in find_complexes(record.position)
            for name in record.position.board.names(ko_complex.lives)
        }
        assert lives >= {"C1", "D1", "E1", "F1"}, draw_record(record)
        record = play_turns(record, turn)


def test_fights_are_worked_out_only_where_one_could_be():
    """All empty points of a board with a ko: nothing is looked into until the newest turn was near one."""
    record = play_turns(start_game("ing", *(row + "X" + "." * 11 for row in TRIPLE_KO), *("." * 19,) * 13), "B K8")
    find_complexes.cache_clear()
    assert illegal_points(record) == {} and find_complexes.cache_info().misses == 0
    record = play_turns(record, "W O5", "B D18")
    assert len(illegal_points(record)) == 2
    assert find_complexes.cache_info().misses == 2, "once for the turn that captured, once for all the points after it"
