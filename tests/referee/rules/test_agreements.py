"""Agreements of both players during play: prisoners exchanged, dead stones removed; what stood stays known."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.codec import settlement_from_json, settlement_to_json
from referee.game.board import Colour, Position, points_of
from referee.game.errors import RefereeError
from referee.game.record import GameRecord
from referee.game.ruling import Reason
from referee.game.turns import Delay, Exchange, Placement, Removal, Settlement
from referee.rules import ruling_messages
from referee.rules.agreements import apply_action, judge_settlement
from referee.rules.legality import available_delays, illegal_points, judge, legal_placements, may_draw
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from tests.support.play import assert_board, play_turns, reason, start_game
from tests.support.referee.positions import mask
from tests.support.wording import english

DEAD = ("..XO.", "O.XO.", "..XO.", "..XO.", "..XO.")
"""White's stone at A4 is dead."""


def agreed(record: GameRecord, *settlements: Settlement) -> GameRecord:
    for settlement in settlements:
        after = judge_settlement(record, settlement).after
        assert after is not None, settlement
        record = after
    return record


def removal(record: GameRecord, names: str) -> Removal:
    return Removal(mask(record.position.board, names))


def why(record: GameRecord, settlement: Settlement) -> str:
    verdict = judge_settlement(record, settlement)
    assert verdict.after is None
    return english(ruling_messages.settlement_message(record, settlement, verdict))


def komi(by_black: int, rules: str = "ultimate", **start: object) -> GameRecord:
    return start_game(rules, size=(5, 5), komi=by_black, **start)


# What they do


def test_an_exchange_takes_as_many_from_both_bowls_and_no_turn():
    record = komi(2)
    after = agreed(record, Exchange(1))
    assert after.bowls.as_dict() == {"B": {}, "W": {"B": 2}}
    assert (after.number, after.to_play, after.position) == (0, Colour.BLACK, record.position)
    sentence = english(ruling_messages.settlement_message(record, Exchange(1), judge_settlement(record, Exchange(1))))
    assert sentence == "The players exchanged one stone each. Nobody has used a turn."
    assert agreed(record, Exchange(1)).acts == (Exchange(1),) and after.turns == ()


def test_removed_stones_become_prisoners():
    record = start_game("ultimate", *DEAD, to_play="W")
    before = record.bowls.count_prisoners(Colour.BLACK, Colour.WHITE)
    after = agreed(record, removal(record, "A4"))
    assert_board(after, "..XO.", "..XO.", "..XO.", "..XO.", "..XO.")
    assert after.bowls.count_prisoners(Colour.BLACK, Colour.WHITE) == before + 1 and after.to_play is Colour.WHITE
    sentence = english(
        ruling_messages.settlement_message(
            record, removal(record, "A4"), judge_settlement(record, removal(record, "A4"))
        )
    )
    assert sentence == "By agreement A4 left the board as dead. Nobody has used a turn."


def test_a_stone_stands_for_its_chain_and_both_colours_may_be_dead():
    record = start_game("fundamental", "OO.X.", "..XX.", "....X", "XX...", "O....")
    after = agreed(record, removal(record, "B5 A1"))
    assert_board(after, "...X.", "..XX.", "....X", "XX...", ".....")
    assert after.bowls.as_dict() == {"B": {"W": 3}, "W": {}}


def test_the_acts_of_a_game_are_told_in_order():
    record = play_turns(komi(2), "B C3", "W C4")
    record = play_turns(agreed(record, Exchange(1), removal(record, "C4")), "B C4")
    made_by = [type(act).__name__ for act in record.acts]
    assert made_by == ["Placement", "Placement", "Exchange", "Removal", "Placement"]
    again = komi(2)
    for act in record.acts:
        again = apply_action(again, act).after or again
    assert (again.situation, again.number) == (record.situation, record.number)


def test_a_turn_taken_back_takes_its_agreements_with_it():
    record = play_turns(komi(2), "B C3", "W C4")
    after = agreed(record, removal(record, "C4"), Exchange(1))
    assert after.taken_back() is record.before
    assert after.unsettled is not None and after.unsettled.unsettled is record


def test_an_exchange_that_empties_the_bowl_opens_the_draw():
    record = start_game("ultimate", "..X.O..", "XXX.OOO", "..X.O..", komi=1, to_play="W")
    record = play_turns(record, "W delay", "B D3", "W D2", "B D1")
    assert not may_draw(record)
    settled = agreed(record, Exchange(1))
    assert settled.bowls.as_dict() == {"B": {}, "W": {}} and may_draw(settled)


# What they may not do


@pytest.mark.parametrize("rules", ["chinese", "japanese", "kee", "ing", "aga"])
def test_other_rules_leave_no_room_for_them(rules):
    record = play_turns(start_game(rules, size=(5, 5)), "B C3")
    for settlement in (Exchange(1), removal(record, "C3")):
        verdict = judge_settlement(record, settlement)
        assert verdict.prohibition is not None
        assert verdict.prohibition.reason is Reason.AGREEMENT_NOT_AVAILABLE
        assert why(record, settlement).startswith("That agreement has no effect. These rules leave no room for it")


def test_more_than_there_is_cannot_be_exchanged():
    assert why(komi(2), Exchange(2)) == ("That agreement has no effect. Black has only one white stone to exchange.")
    assert judge_settlement(komi(2), Exchange(2)).prohibition.reason is Reason.NO_PRISONER  # type: ignore[union-attr]


def test_white_keeps_what_has_to_be_returned_in_handicap_turns():
    record = play_turns(komi(0, handicap=2), "B C3")
    assert "before the handicap turns are over" in why(record, Exchange(1))
    assert judge_settlement(play_turns(record, "W delay", "B D3"), Exchange(1)).legal


def test_an_empty_point_is_no_dead_stone():
    record = start_game("ultimate", *DEAD)
    assert why(record, removal(record, "A4 A1")).endswith("A1 is empty. Only stones can be named as dead.")


def test_a_game_that_is_over_is_over():
    record = play_turns(komi(2), "B resign")
    assert why(record, Exchange(1)) == "That agreement has no effect. The game is over."


# What stood before


def test_a_board_that_stood_before_a_removal_may_not_come_again():
    record = play_turns(komi(2), "B A1", "W E5", "B C3", "W E1")
    settled = agreed(record, removal(record, "E1"))
    assert reason(play_turns(settled, "B delay"), "W E1") == "superko", "E1 stood there after turn 4"
    assert reason(play_turns(settled, "B B1"), "W E1") is None


@pytest.mark.parametrize("ko", ["positional", "situational", "kee", "spight"])
def test_the_board_a_removal_makes_has_stood(ko):
    rules = rule_set("ultimate", {"ko": ko})
    record = Setup(rules, size=(5, 5), komi=3).record()
    record = play_turns(record, "B A1", "W E5", "B C3", "W E1")
    settled = agreed(record, removal(record, "E5"))
    assert settled.first_stood(settled.position) == 4 and settled.first_stood(record.position) == 4
    assert settled.earlier_with(record.position) == (settled,)


@given(st.integers(0, 2**32 - 1), st.booleans())
def test_superko_knows_every_board_of_a_game_with_agreements(seed: int, branches: bool) -> None:
    """Every board that stood, before and after each agreement, and no other, is refused; also on another branch."""
    chance = random.Random(seed)
    record = start_game("ultimate", size=(3, 2), komi=3)
    stood: list[Position] = [record.position]
    other = (record, stood)
    for _ in range(40):
        record, stood = at_random(record, stood, chance)
        assert_superko(record, stood)
        if branches and chance.random() < 0.3:
            (record, stood), other = other, (record, stood)
        if record.ended:
            break


def at_random(record: GameRecord, stood: list[Position], chance: random.Random) -> tuple[GameRecord, list[Position]]:
    """A turn, or an agreement."""
    stones = list(points_of(record.position.occupied))
    if stones and chance.random() < 0.3:
        record = agreed(record, Removal(1 << chance.choice(stones)))
    elif points := list(points_of(legal_placements(record))):
        record = judge(record, Placement(record.to_play, chance.choice(points))).after or record
    elif available_delays(record):
        record = judge(record, Delay(record.to_play)).after or record
    return record, [*stood, record.position]


def assert_superko(record: GameRecord, stood: list[Position]) -> None:
    """Judged one by one and all at once."""
    why_not = illegal_points(record)
    for point in points_of(record.position.empty):
        outcome = record.position.place(record.to_play, point)
        verdict = judge(record, Placement(record.to_play, point))
        if not outcome.surrounded:
            assert verdict.legal is (outcome.position not in stood)
            assert (why_not.get(point) is Reason.SUPERKO) is (outcome.position in stood)


# As JSON


@pytest.mark.parametrize("settlement", [Exchange(3), Removal(0b1000010)])
def test_they_are_read_back_as_they_were_written(settlement):
    board = komi(0).position.board
    assert settlement_from_json(settlement_to_json(settlement, board), board) == settlement


@pytest.mark.parametrize(
    "body",
    [
        *({"exchange": value} for value in (0, -1, True, "2", 1.5, None, 10**9)),
        *({"remove": value} for value in ([], "A1", None, [1], ["Z99"], ["A1", None])),
        *({"exchange": 1, "remove": ["A1"]}, {"exchange": 1, "player": "B"}, {"remove": ["A1"], "pass": True}, {}),
    ],
)
def test_what_is_no_agreement_is_refused_in_a_sentence(body):
    with pytest.raises(RefereeError) as exc_info:
        settlement_from_json(body, komi(0).position.board)
    assert str(exc_info.value).endswith(".")
