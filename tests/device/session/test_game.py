"""The record of one game of an evening: moves taken back, and positions that legal turns reach."""

from device.session.game import count_turns_to, find_way_back
from referee.game.diagram import position_of
from tests.support.play import play_turns, start_game
from tests.support.referee.looks import look

ROWS = (".....",) * 5
GAME = play_turns(start_game("chinese", *ROWS), "B C3", "W B2", "B D4", "W D2")


def observe(record, *texts: str):
    position = play_turns(record, *texts).position
    return look(position, 5.0), position


def test_moves_that_were_taken_back_are_found():
    earlier = next(record for record in GAME.iterate_back() if record.number == 2)
    way = find_way_back(GAME, look(earlier.position, 5.0), earlier.position)
    assert way is not None and way.earlier is earlier and way.anew == 0


def test_another_move_in_its_place_is_found_too():
    earlier = next(record for record in GAME.iterate_back() if record.number == 3)
    observed, position = observe(earlier, "W A1")
    way = find_way_back(GAME, observed, position)
    assert way is not None and way.earlier.number == 3 and way.anew == 1


def test_legal_turns_that_lead_there_are_counted():
    observed, position = observe(GAME, "B A5")
    assert (
        count_turns_to(GAME, observed, position) == 1 and count_turns_to(GAME, look(GAME.position), GAME.position) == 0
    )


def test_another_game_is_reached_by_no_turns():
    other = position_of(("OXOXO", "XOXO.", ".....", ".....", "....."))
    assert (
        count_turns_to(GAME, look(other, 5.0), other) is None and find_way_back(GAME, look(other, 5.0), other) is None
    )
