"""The survey of quiet points against each point judged by itself."""

import random

import pytest

from referee.game.board import Colour, points_of
from referee.game.record import GameRecord
from referee.game.survey import non_capturing_safe_points, repeating_points
from referee.game.turns import Placement
from referee.rules.legality import judge, legal_placements
from tests.support.play import play_turns, start_game


def random_game(seed: int, turns: int) -> GameRecord:
    chance, record = random.Random(seed), start_game("new-zealand", *["....."] * 4)
    for _ in range(turns):
        after = judge(record, Placement(record.to_play, chance.choice(list(points_of(legal_placements(record)))))).after
        assert after is not None
        record = after
    return record


@pytest.mark.parametrize("seed", range(4))
def test_quiet_points_capture_nothing_and_keep_a_liberty(seed: int):
    position = random_game(seed, 14).position
    for colour in (Colour.BLACK, Colour.WHITE):
        quiet = non_capturing_safe_points(position, colour)
        for point in points_of(position.empty):
            outcome = position.place(colour, point)
            assert bool(quiet >> point & 1) == (not outcome.captured and not outcome.surrounded)


def test_a_quiet_point_that_brings_a_board_back_is_found():
    record = play_turns(start_game("new-zealand", "..X", "XXX", "...", to_play="W"), "W A3", "B pass", "W B3", "B pass")
    board = record.position.board
    assert repeating_points(record, record.position.empty) == board.mask(["A3"])
    assert repeating_points(record, board.mask(["B3"])) == 0
