"""Ing's rule sets: what the kos are called, suicide, handicap, adjournment, empty lids; what must hold in any game."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.game.board import Colour, points_of
from referee.game.errors import BadSetup
from referee.game.prisoners import bowls_of, empty_bowls
from referee.game.record import GameRecord
from referee.game.turns import Placement
from referee.rules import ruling_messages
from referee.rules.ing import is_adjourned
from referee.rules.legality import illegal_points, judge
from referee.rules.opening_and_end import passes_in_a_row
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from tests.support.oracle.ing import LONG_LIFE, LONG_LIFE_WITH_KO, SENDING_TWO, TWO_DOUBLE_KOS, starts
from tests.support.play import assert_board, play_turns, reason, start_game, try_turn, turn_of
from tests.support.referee.positions import VIEWS, View
from tests.support.wording import english

TRIPLE_KO = ("OOOOOOO", "O.O.OXO", "XOXOX.X", "XXXXXXX", "OOOOOOO", ".......")
TRIPLE_KO_WITH_EYES = ("O.OOOOO", "OOOOOOO", "O.O.OXO", "XOXOX.X", "XXXXXXX", "XXX.XXX")

BALANCED = ("O.OOO", "OOOOO", "O.OXO", "XOX.X", "XXXXX", "XXX.X")


def refusal_sentence(record: GameRecord, text: str) -> str:
    """The sentence of a refusal."""
    prohibition = try_turn(record, text).prohibition
    assert prohibition is not None, f"{text} is legal"
    return english(ruling_messages.refusal_message(record, turn_of(text, record.position.board), prohibition))


# The classes, in words


def test_a_stone_that_has_just_taken_may_not_be_taken_back():
    record = play_turns(start_game("ing", ".XO.", "X.XO", ".XO.", "....", to_play="W"), "W B3")
    text = "Black may not play C3. The stone at B3 has just captured in this ko. Play elsewhere or pass first (ko)."
    assert refusal_sentence(record, "B C3") == f"{text} Please take the stone back."
    assert reason(play_turns(record, "B D1", "W A1"), "B C3") is None


def test_twin_hot_stones_of_a_triple_ko():
    record = play_turns(start_game("ing", *TRIPLE_KO), "B D5")
    assert reason(record, "W D4") == "ko"
    assert "F5, like D5, is a twin hot stone in one triple ko." in refusal_sentence(record, "W F4")
    assert reason(play_turns(record, "W pass", "B A1"), "W F4") is None


def test_a_hot_stone_stays_hot_through_turns_that_capture_nothing():
    record = play_turns(start_game("ing", *LONG_LIFE), "B F1", "W D1", "B A4", "W B4", "B E1", "W C1", "B F1")
    assert "(double hot stones)" in refusal_sentence(record, "W D1")


def test_a_ko_and_a_long_life_are_twins():
    record = play_turns(start_game("ing", *LONG_LIFE_WITH_KO), "B K1")
    assert reason(record, "W K2") == "ko"
    assert "twin hot stones in one long life with a ko" in refusal_sentence(record, "W D1")


def test_balanced_kos_may_be_disturbed_once_by_each_player():
    record = play_turns(start_game("ing", *BALANCED), "B B4")
    used_up = "That disturbed the balanced kos at B4 and D3, which Black may not do again."
    assert english(ruling_messages.accepted_turn_message(record, 0)) == f"Black played B4. {used_up}"
    record = play_turns(record, "W D3")
    assert english(ruling_messages.accepted_turn_message(record, 0)) == "White played D3."
    record = play_turns(record, "B pass", "W B3", "B D4", "W pass")
    assert "may be disturbed once; turn 1 did (disturbing)" in refusal_sentence(record, "B B4")


def test_a_double_ko_of_groups_without_eyes_is_not_balanced_and_free():
    """Two internal liberties in all are too few for balance, though there are as many on either side."""
    rows = (".XXXX", "OOOOO", "OXO.O", "X.XOX", "XXXXX", ".OOOO")
    record = play_turns(start_game("ing", *rows), "B D4", "W B3", "B pass", "W pass")
    assert illegal_points(record) == {}
    assert_board(play_turns(record, "B B4", "W D3"), *rows)


def test_who_has_begun_a_cycle_may_not_begin_it_again():
    record = play_turns(start_game("ing", *SENDING_TWO), "B A3", "W A1", "B A2")
    assert english(ruling_messages.accepted_turn_message(record, 0)).endswith(
        "as it was before turn 1. Black began that cycle and may not begin it again."
    )
    record = play_turns(record, "W pass")
    assert "Black began the cycle of turns 1 to 3 and may not begin it again (cycle)." in refusal_sentence(
        record, "B A3"
    )


def test_what_takes_more_than_the_cycle_is_not_the_cycle():
    """Black may not begin the cycle again, but kill the group when its last outside liberty is gone."""
    turns = ("B D11", "W B10", "B D3", "W B4", "B B11", "W D10", "B B3", "W D4")
    record = play_turns(start_game("ing", *TWO_DOUBLE_KOS), *turns, "B pass", "W B13")
    verdict = try_turn(record, "B D11")
    assert verdict.legal and verdict.captured.bit_count() > 8


# The rest of the game


def test_a_single_self_capture_is_a_pass_that_cools_and_counts():
    """White captures her own stone in Black's eye at C1: her next turn on the kos no longer follows Black's capture."""
    record = play_turns(start_game("ing", *TRIPLE_KO_WITH_EYES), "B D4")
    assert reason(record, "W F3") == "hot-stone"
    cooled = play_turns(record, "W D1")
    assert (cooled.position, cooled.bowls) == (record.position, record.bowls)
    assert passes_in_a_row(cooled) == 1
    sentence = "White played D1, a suicide that took D1 off the board. That counts as a pass."
    assert english(ruling_messages.accepted_turn_message(cooled, 1 << cooled.position.board.point("D1"))) == sentence
    cooled = play_turns(cooled, "B B6")
    assert is_adjourned(cooled) and "a pass. The game is adjourned." in english(
        ruling_messages.accepted_turn_message(cooled, 0)
    )


def test_two_stones_may_take_themselves_off_and_the_lids_stay_empty():
    verdict = try_turn(start_game("ing", ".XO", "OO.", "...", to_play="B"), "B A3")
    assert verdict.after is not None and verdict.captured.bit_count() == 2
    assert_board(verdict.after, "..O", "OO.", "...")
    assert verdict.after.bowls == empty_bowls() and verdict.after.to_play is Colour.WHITE


def test_captured_stones_go_back_to_the_supply():
    record = play_turns(start_game("ing", "XO.", "...", "..."), "B C3", "W pass")
    verdict = try_turn(record, "B B2")
    assert verdict.captured and verdict.after is not None and verdict.after.bowls == empty_bowls()


def test_a_handicap_is_passed_for():
    record = start_game("ing", size=(9, 9), handicap=3)
    record = play_turns(record, "B C3")
    assert reason(record, "W G7") == "must-pass"
    record = play_turns(record, "W pass", "B G7")
    assert reason(record, "W G3") == "must-pass"
    record = play_turns(record, "W pass", "B G3", "W C7")
    assert not is_adjourned(record) and record.komi == 0


def test_passes_that_the_handicap_demands_adjourn_nothing():
    record = play_turns(start_game("ing", size=(9, 9), handicap=4), "B C3", "W pass", "B pass")
    assert not is_adjourned(record) and english(ruling_messages.accepted_turn_message(record, 0)) == "Black passed."
    record = play_turns(record, "W pass")
    text = "White passed for the handicap. This pass does not count towards the end of play."
    assert not is_adjourned(record) and english(ruling_messages.accepted_turn_message(record, 0)) == text
    record = play_turns(record, "B pass", "W pass", "B pass")
    assert not is_adjourned(record) and not record.ended
    assert is_adjourned(play_turns(record, "W pass")), "the first of her turns on which White need not pass"
    assert not is_adjourned(play_turns(record, "W C4", "B pass"))


@pytest.mark.parametrize("ending", ["two-passes", "repeated-pass", "pass-stones"])
def test_passes_that_the_handicap_demands_end_nothing(ending):
    start = Setup(rule_set("ing", {"ending": ending}), size=(9, 9), handicap=3).record()
    record = play_turns(start, "B C3", "W pass", "B pass", "W pass")
    assert not record.ended
    assert play_turns(record, "B C4", "W C5", "B pass", "W pass").ended


@pytest.mark.parametrize("start", [{"handicap": 2, "to_play": "W"}, {"handicap": 1}])
def test_no_handicap_turn_is_passed_for_where_the_stones_are_there(start):
    record = start_game("ing", size=(9, 9), **start)
    record = record if start.get("to_play") else play_turns(record, "B C3")
    assert reason(record, "W G7") is None


def test_stones_on_the_board_are_the_handicap():
    record = start_game("ing", "X..", "...", "..X", handicap=2)
    assert record.to_play is Colour.WHITE and reason(record, "W B2") is None


def test_two_passes_adjourn_and_two_more_end_the_game():
    record = play_turns(start_game("ing", size=(5, 5)), "B C3", "W pass", "B pass")
    assert is_adjourned(record) and not record.ended
    assert "If you agree on the groups, both pass once more; otherwise White plays on." in english(
        ruling_messages.accepted_turn_message(record, 0)
    )
    agreed = play_turns(record, "W pass")
    assert not agreed.ended and not is_adjourned(agreed)
    assert play_turns(agreed, "B pass").ended
    resumed = play_turns(record, "W C4", "B pass", "W B4", "B pass")
    assert not resumed.ended
    assert play_turns(resumed, "W pass").ended


def test_one_pass_at_a_time_ends_nothing():
    record = play_turns(start_game("ing", size=(5, 5)), "B C3", "W pass", "B C4", "W pass", "B pass")
    assert is_adjourned(record) and not record.ended
    assert not play_turns(record, "W A1", "B pass", "W A2", "B pass").ended


def test_bowls_of_a_start_stay_empty():
    with pytest.raises(BadSetup, match="supply"):
        Setup(rule_set("ing"), bowls=bowls_of({"B": {"W": 1}})).record()


def test_ing_s_kos_are_for_two_players():
    with pytest.raises(BadSetup, match="Only two players"):
        Setup(rule_set("kee", {"ko": "ing"}), players="BWR", size=(5, 5)).record()


def test_the_simplified_set_has_superko_for_the_kos():
    record = play_turns(start_game("ing-simplified", *TRIPLE_KO), "B D5", "W F4", "B B5", "W D4", "B F5")
    assert reason(record, "W B4") == "superko"
    ing, simplified = rule_set("ing"), rule_set("ing-simplified")
    assert (ing.suicide, ing.ending, ing.komi) == (simplified.suicide, simplified.ending, simplified.komi)


# What must hold in any game

SEEDS = st.integers(0, 2**32 - 1)


def random_game(rng: random.Random, rows: tuple[str, ...], view: View, turns: int) -> tuple[GameRecord, GameRecord]:
    """The same legal turns twice: as they are, and as another view has them; every refusal compared on the way."""
    player = rng.choice("BW")
    plain = start_game("ing", *rows, to_play=player)
    mirrored_record = start_game("ing", *view.rows(rows), to_play=view.player(player))
    cols, lines = len(rows[0]), len(rows)
    for _ in range(turns):
        board, other = plain.position.board, mirrored_record.position.board
        why = {view.point(board.name(p), cols, lines): r for p, r in illegal_points(plain).items()}
        assert why == {other.name(p): r for p, r in illegal_points(mirrored_record).items()}
        act = turn_at_random(rng, plain)
        mirrored = act if act == "pass" else view.point(act, cols, lines)
        plain, mirrored_record = (
            play_turns(plain, f"{plain.to_play} {act}"),
            play_turns(mirrored_record, f"{mirrored_record.to_play} {mirrored}"),
        )
        if plain.ended:
            break
    return plain, mirrored_record


def turn_at_random(rng: random.Random, record: GameRecord) -> str:
    verdicts = {p: judge(record, Placement(record.to_play, p)) for p in points_of(record.position.empty)}
    legal = [p for p, verdict in verdicts.items() if verdict.legal]
    captures = [p for p in legal if verdicts[p].captured]
    if not legal or rng.random() < 0.15:
        return "pass"
    return record.position.board.name(rng.choice(captures if captures and rng.random() < 0.9 else legal))


@given(SEEDS, st.sampled_from(VIEWS[1:]))
def test_no_verdict_changes_with_the_side_one_looks_from(seed: int, view: View) -> None:
    rng = random.Random(seed)
    plain, mirrored_record = random_game(rng, starts(rng), view, 30)
    assert (plain.number, plain.ended) == (mirrored_record.number, mirrored_record.ended)


@given(SEEDS)
def test_kos_refuse_only_captures_and_the_first_point_of_a_cycle(seed: int) -> None:
    rng = random.Random(seed)
    record = start_game("ing", size=(4, 4))
    for _ in range(80):
        begun = {cycle.first for cycle in record.memory.cycles if cycle.player is record.to_play}  # type: ignore[attr-defined]
        for point in illegal_points(record):
            assert point in begun or record.position.place(record.to_play, point).captured
        record = play_turns(record, f"{record.to_play} {turn_at_random(rng, record)}")
        if record.ended:
            break


@given(SEEDS)
def test_without_repetitions_and_kos_nothing_is_refused(seed: int) -> None:
    """Every empty point is free if no ko stands, nothing stood before and no two stones are taken."""
    rng = random.Random(seed)
    record = start_game("ing", size=(6, 5))
    for _ in range(60):
        capture_counts = {
            p: record.position.place(record.to_play, p).captured.bit_count() for p in illegal_points(record)
        }
        cycles = record.memory.cycles  # type: ignore[attr-defined]
        assert cycles or all(count in (1, 2) for count in capture_counts.values())
        record = play_turns(record, f"{record.to_play} {turn_at_random(rng, record)}")
        if record.ended:
            break
