"""Ultimate Go, rule by rule, and the analysis' own examples."""

from __future__ import annotations

import json

import pytest

from referee.game.board import Colour
from referee.game.errors import BadSetup
from referee.game.prisoners import bowls_of
from referee.rules.legality import available_delays, can_only_resign, illegal_points, legal_placements, may_draw
from tests.support.play import draw_record, play_turns, reason, start_game, try_turn
from tests.support.referee.positions import stones_astray
from tests.support.shared import cases

WORDS = {"UD": "delay"}


def examples() -> list[dict[str, object]]:
    examples = json.loads(cases("ultimate_examples.json").read_text(encoding="utf-8"))
    return [example for example in examples if example["variant"] == "current" and "moves" in example]


@pytest.mark.parametrize("number", range(6))
def test_the_analysis_examples_go_as_written(number: int) -> None:
    example = examples()[number]
    record = start_game("ultimate", *example["setup"], to_play=example["to_play"])
    for player, move in example["moves"]:
        record = play_turns(record, f"{player} {WORDS.get(move, move)}")
        assert stones_astray(record) == 0, draw_record(record)
    assert record.ended
    assert record.result == {"draw": "0", "B wins": "B+R", "W wins": "W+R"}[example["result"]]


def test_each_bowl_starts_with_one_stone_of_the_opponent() -> None:
    assert start_game(size=(19, 19)).bowls == bowls_of({"B": {"W": 1}, "W": {"B": 1}})


@pytest.mark.parametrize(
    ("komi", "black_bowl", "white_bowl", "draw"),
    [
        (0, 1, 1, "0"),
        (6, 1, 7, "0"),
        (-2, 3, 1, "0"),
        (6.5, 1, 7, "W+0.5"),
        (0.5, 1, 1, "W+0.5"),
        (-6.5, 7, 1, "B+0.5"),
    ],
)
def test_komi_lies_in_the_bowl_and_a_half_decides_a_draw(
    komi: float, black_bowl: int, white_bowl: int, draw: str
) -> None:
    record = start_game(size=(5, 5), komi=komi)
    assert record.bowls == bowls_of({"B": {"W": black_bowl}, "W": {"B": white_bowl}})
    drawable = start_game(size=(5, 5), komi=komi, bowls=bowls_of({"B": {"W": 1}}).with_ultimate(Colour.WHITE))
    assert play_turns(drawable, "B draw").result == draw


def test_komi_must_be_halves() -> None:
    with pytest.raises(BadSetup, match="whole or a half"):
        start_game(size=(5, 5), komi=3.75)


def test_the_first_delay_makes_the_ultimate_stone_others_supply() -> None:
    record = play_turns(start_game(size=(5, 5), komi=2), "B delay")
    assert (
        record.bowls.count_prisoners(Colour.BLACK, Colour.WHITE),
        record.bowls.count_prisoners(Colour.WHITE, Colour.BLACK),
    ) == (0, 3)
    assert record.bowls.ultimate is Colour.WHITE
    record = play_turns(record, "W delay")
    assert record.bowls == bowls_of({"W": {"B": 2}}).with_ultimate(Colour.WHITE)
    assert reason(record, "B delay") == "no-prisoner"


def test_the_ultimate_stone_is_no_prisoner() -> None:
    record = play_turns(start_game(size=(5, 5)), "B delay", "W delay", "B A1")
    assert record.bowls.count_visible_stones(Colour.WHITE, Colour.WHITE) == 1
    assert reason(record, "W delay") == "no-prisoner"
    assert available_delays(record) == ()


def test_only_the_first_to_delay_can_draw_and_with_an_empty_bowl() -> None:
    record = start_game(size=(5, 5))
    assert reason(record, "B draw") == "draw-not-available"
    record = play_turns(record, "B delay")
    assert reason(record, "W draw") == "draw-not-available"
    record = play_turns(record, "W A1")
    assert reason(record, "B draw") == "draw-not-available", "White still has a prisoner"
    record = play_turns(record, "B E5", "W delay")
    assert may_draw(record)
    assert play_turns(record, "B draw").result == "0"


def test_no_suicide_of_any_size() -> None:
    record = start_game("ultimate", ".XO..", "XXO..", "OOO..", ".....", ".....")
    assert reason(record, "B A5") == "surrounded"
    assert reason(start_game("ultimate", ".O.", "O..", "..."), "B A3") == "surrounded"


def test_superko_counts_the_start_and_whoever_was_to_move() -> None:
    record = play_turns(start_game("ultimate", ".XO.", "X.XO", ".XO.", "...."), "B D1", "W B3")
    verdict = try_turn(record, "B C3")
    assert verdict.prohibition is not None and verdict.prohibition.repeats == 1
    start = start_game("ultimate", ".XO.", "XO.O", ".XO.", "....", to_play="B")
    verdict = try_turn(play_turns(start, "B C3"), "W B3")
    assert verdict.prohibition is not None and verdict.prohibition.repeats == 0
    assert reason(play_turns(start, "B C3", "W delay", "B delay"), "W B3") == "superko"


def test_superko_has_no_window() -> None:
    """A position may not come back however many turns lie between."""
    bowls = bowls_of({"B": {"W": 80}, "W": {"B": 80}})
    start = start_game("ultimate", ".XO.", "XO.O", ".XO.", "....", bowls=bowls)
    record = play_turns(start, "B C3")
    for _ in range(80):
        record = play_turns(record, "W delay", "B delay")
    verdict = try_turn(record, "W B3")
    assert verdict.prohibition is not None and verdict.prohibition.repeats == 0


def test_there_is_no_pass() -> None:
    assert reason(start_game(size=(5, 5)), "B pass") == "pass-not-available"


def test_resigning_is_done_at_ones_own_turn() -> None:
    record = start_game(size=(5, 5))
    assert reason(record, "W resign") == "not-your-turn"
    assert play_turns(record, "B resign").result == "W+R"
    assert reason(play_turns(record, "B resign"), "W A1") == "game-over"


def test_a_player_who_can_do_nothing_else_is_left_to_resign() -> None:
    record = start_game("ultimate", ".O.", "OO.", ".O.", bowls=bowls_of({"B": {}, "W": {"B": 1}}))
    assert not can_only_resign(record)
    record = start_game("ultimate", ".O.O.", bowls=bowls_of({"W": {"B": 1}}))
    assert can_only_resign(record)
    assert not record.ended
    assert play_turns(record, "B resign").result == "W+R"


class TestUltimateHandicap:
    """Black gives komi H - 1; White's first H - 1 turns return a prisoner to the supply."""

    def test_the_bowl_and_what_white_must_do(self) -> None:
        record = start_game(size=(5, 5), handicap=3)
        assert record.bowls == bowls_of({"B": {"W": 1}, "W": {"B": 3}})
        record = play_turns(record, "B A1")
        for act in ("C3", "A1", "draw", "pass"):
            assert reason(record, f"W {act}") == "must-delay"
        assert legal_placements(record) == 0
        assert len(illegal_points(record)) == 24
        assert reason(record, "B A2") == "not-your-turn"

    def test_delays_in_the_stretch_go_to_the_supply(self) -> None:
        record = play_turns(start_game(size=(5, 5), handicap=3), "B A1", "W delay", "B delay", "W delay")
        assert record.bowls == bowls_of({"W": {"B": 1}})
        record = play_turns(record, "B A2", "W delay")
        assert record.bowls.ultimate is Colour.BLACK

    def test_black_can_be_the_first_after_the_stretch(self) -> None:
        record = play_turns(start_game(size=(5, 5), handicap=2), "B A1", "W delay", "B delay")
        assert record.bowls.ultimate is Colour.WHITE

    def test_white_may_resign_in_the_stretch(self) -> None:
        assert play_turns(start_game(size=(5, 5), handicap=4), "B A1", "W resign").result == "B+R"

    def test_one_stone_is_no_stretch(self) -> None:
        assert play_turns(start_game(size=(5, 5), handicap=1), "B A1", "W C3").number == 2

    def test_the_count_holds(self) -> None:
        record = start_game(size=(5, 5), handicap=3, komi=-1.5)
        for text in ("B A1", "W delay", "B B1", "W delay", "B delay", "W C3", "B D1"):
            record = play_turns(record, text)
            assert stones_astray(record) == 0, draw_record(record)


def test_a_miscount_is_found() -> None:
    record = play_turns(start_game(size=(5, 5)), "B A1", "W B1")
    from_the_lid = record.bowls.change_count(Colour.WHITE, Colour.BLACK, 1)
    assert stones_astray(record, record.situation.with_bowls(from_the_lid)) == 1
