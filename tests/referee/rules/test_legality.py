"""Reasons, their order, and the Chinese set."""

from __future__ import annotations

import pytest

from referee.game.board import Colour
from referee.game.turns import OFF_BOARD, Delay, Placement
from referee.rules.legality import judge, may_pass
from referee.rules.sets import RULESETS
from tests.support.play import assert_board, play_turns, reason, start_game, try_turn

KO = (".XO.", "X.XO", ".XO.", "....")


def why(rules: str, turn: object, *rows: str) -> str | None:
    prohibition = judge(start_game(rules, *rows), turn).prohibition  # type: ignore[arg-type]
    return prohibition.reason.value if prohibition else None


class TestOrder:
    """The order of reasons: if several would do, the first in the list is given."""

    def test_the_end_before_the_player(self) -> None:
        assert reason(play_turns(start_game(size=(3, 3)), "B resign"), "W A1") == "game-over"

    def test_the_player_before_the_point(self) -> None:
        assert why("ultimate", Placement(Colour.WHITE, OFF_BOARD), "X..", "...") == "not-your-turn"
        assert why("ultimate", Placement(Colour.WHITE, 0), "X..", "...") == "not-your-turn"

    def test_the_duty_before_the_point(self) -> None:
        record = play_turns(start_game(size=(3, 3), handicap=2), "B A1")
        assert judge(record, Placement(Colour.WHITE, OFF_BOARD)).prohibition.reason.value == "must-delay"  # type: ignore[union-attr]

    @pytest.mark.parametrize("point", [OFF_BOARD, 6, 99])
    def test_beside_the_board(self, point: int) -> None:
        assert why("ultimate", Placement(Colour.BLACK, point), "X..", "...") == "off-board"

    def test_occupied(self) -> None:
        assert why("ultimate", Placement(Colour.BLACK, 0), "X..", "...") == "occupied"
        assert why("ultimate", Placement(Colour.BLACK, 0), "O..", "...") == "occupied"


def test_a_refused_turn_leaves_nothing_behind() -> None:
    record = play_turns(start_game("chinese", *KO), "B D1", "W B3")
    verdict = try_turn(record, "B C3")
    assert (verdict.after, verdict.captured, verdict.legal) == (None, 0, False)
    assert record.number == 2
    assert_board(record, ".XO.", "XO.O", ".XO.", "...X")


class TestChinese:
    """Simple ko, two passes, no suicide, free handicap placement."""

    def test_ko_may_be_retaken_after_a_turn_elsewhere(self) -> None:
        record = play_turns(start_game("chinese", *KO), "B D1", "W B3")
        verdict = try_turn(record, "B C3")
        assert verdict.prohibition is not None
        assert (verdict.prohibition.reason.value, verdict.prohibition.repeats) == ("ko", 1)
        assert play_turns(record, "B A1", "W C1", "B C3").bowls.count_prisoners(Colour.BLACK, Colour.WHITE) == 1

    def test_two_passes_end_it_without_a_result(self) -> None:
        record = play_turns(start_game("chinese", size=(5, 5)), "B pass")
        assert not record.ended and may_pass(record)
        record = play_turns(record, "W pass")
        assert (record.ended, record.result) == (True, None)
        assert reason(record, "B A1") == "game-over"
        assert reason(record, "B resign") == "game-over"

    def test_a_turn_between_passes_starts_the_count_again(self) -> None:
        assert not play_turns(start_game("chinese", size=(5, 5)), "B pass", "W A1", "B pass").ended

    def test_no_delays_no_draws(self) -> None:
        record = start_game("chinese", size=(5, 5))
        assert reason(record, "B delay") == "delay-not-available"
        assert reason(record, "B draw") == "draw-not-available"

    def test_komi(self) -> None:
        assert start_game("chinese", size=(9, 9)).komi == 7.5
        assert start_game("chinese", size=(9, 9), komi=5.5).komi == 5.5
        assert start_game("chinese", size=(9, 9), handicap=2).komi == 0

    def test_handicap_stones_are_placed_in_a_row(self) -> None:
        record = start_game("chinese", size=(9, 9), handicap=3)
        assert reason(record, "B pass") == "pass-not-available"
        record = play_turns(record, "B C3", "B G7")
        assert reason(record, "W D4") == "not-your-turn"
        assert reason(record, "B pass") == "pass-not-available"
        record = play_turns(record, "B C7", "W D4", "B E5")
        assert record.to_play is Colour.WHITE

    def test_handicap_stones_on_the_board_leave_white_to_begin(self) -> None:
        assert start_game("chinese", "X.X", "...", handicap=2).to_play is Colour.WHITE

    def test_handicap_of_one_is_only_the_first_turn(self) -> None:
        assert play_turns(start_game("chinese", size=(9, 9), handicap=1), "B C3", "W D4").number == 2


def test_a_placement_that_stood_is_not_judged_for_suicide_or_ko() -> None:
    record = play_turns(start_game("chinese", *KO), "B D1", "W B3")
    stood = judge(record, Placement(Colour.BLACK, record.position.board.point("C3"), stood=True)).after
    assert stood is not None
    assert_board(stood, ".XO.", "X.XO", ".XO.", "...X")
    drowned = judge(start_game("chinese", ".O.", "O.."), Placement(Colour.BLACK, 0, stood=True)).after
    assert drowned is not None
    assert_board(drowned, ".O.", "O..")


def test_a_delay_by_another_name_is_not_available() -> None:
    assert why("ultimate", Delay(Colour.BLACK, ultimate=True), "...", "...") == "delay-not-available"


def test_captures_go_to_the_bowl_of_who_made_them() -> None:
    verdict = try_turn(start_game("chinese", "XO.", ".XO"), "B C2")
    assert verdict.after is not None
    assert verdict.after.position.board.names(verdict.captured) == ["B2", "C1"]
    assert verdict.after.bowls.count_prisoners(Colour.BLACK, Colour.WHITE) == 2


def test_every_rule_set_judges_a_first_placement() -> None:
    for name in RULESETS:
        assert play_turns(start_game(name, size=(3, 4)), "B A1").number == 1
