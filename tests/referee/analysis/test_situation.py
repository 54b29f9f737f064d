"""The complete situation of a game of Fundamental Go: player to move, board, earlier boards, bowls."""

from referee.analysis.situation import FullSituation, full_situation
from referee.game.board import Colour, board_of
from tests.support.play import play_turns, start_game


def test_a_game_of_ultimate_go_has_its_situation():
    record = play_turns(start_game("ultimate", ".....", ".....", ".....", ".....", "....."), "B C3", "W B2")
    situation = full_situation(record)
    assert situation is not None and situation.to_play is Colour.BLACK and situation.turn == 0
    assert len(situation.earlier) == 2 and situation.stones == tuple(record.position.stones)


def test_a_game_with_passes_has_none():
    assert full_situation(start_game("chinese", "...", "...", "...")) is None


def test_a_game_that_has_ended_has_none():
    record = start_game("ultimate", "...", "...", "...")
    assert full_situation(record) is not None
    assert full_situation(play_turns(record, "B resign")) is None


def test_who_has_a_prisoner_can_delay():
    black, white = (
        FullSituation(board_of(3), (0, 0), player, prisoners=(2, 0)) for player in (Colour.BLACK, Colour.WHITE)
    )
    assert black.difference == white.difference == 2
    assert black.can_delay and not white.can_delay
