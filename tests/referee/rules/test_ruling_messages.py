"""Refusals tell players what they can do: a refusal names all that is open to them, and nothing else."""

from __future__ import annotations

import pytest

from referee.game.board import Colour
from referee.game.prisoners import bowls_of
from referee.game.record import GameRecord
from referee.game.turns import Delay
from referee.rules import ruling_messages
from referee.rules.legality import available_delays, judge, legal_placements, may_draw, may_pass
from referee.rules.sets import RULESETS
from referee.rules.setup import Setup
from tests.support.play import play_turns, start_game, try_turn, turn_of
from tests.support.referee.table import DRAWN as DRAW_OPEN
from tests.support.referee.table import MANNERS, PlayedTable
from tests.support.wording import english

ONLY_RESIGNING = "has no legal placement, no prisoner to return and no draw to declare, and can only resign."
DRAWN_OUT = ("B D3", "W D2", "B D1", "W delay", "B A3", "W G3", "B A1", "W G1", "B delay")


def refusal(record: GameRecord, text: str) -> str:
    """Return what is said of a turn that may not be made."""
    prohibition = try_turn(record, text).prohibition
    assert prohibition is not None, f"{text} is legal"
    return english(ruling_messages.refusal_message(record, turn_of(text, record.position.board), prohibition))


def accepted(record: GameRecord, *turns: str) -> str:
    """Return what is said of the last of these turns."""
    return english(ruling_messages.accepted_turn_message(play_turns(record, *turns), 0))


def drawn_out() -> GameRecord:
    """White, who delayed first, may declare a draw."""
    return play_turns(start_game("ultimate", "..X.O..", "XXX.OOO", "..X.O.."), *DRAWN_OUT)


def test_where_only_resigning_is_left_a_refusal_says_that_alone():
    record = play_turns(start_game("fundamental", size=(2, 1)), "B A1", "W B1")
    for act in ("pass", "delay", "draw"):
        sentence = refusal(record, f"B {act}")
        assert sentence.endswith(f" Black {ONLY_RESIGNING}") and "Black can " not in sentence
    sentence = refusal(record, "B A1")
    assert sentence.endswith(f"Please take the stone back. Black {ONLY_RESIGNING}"), sentence


def test_a_refused_pass_names_what_can_be_done():
    record = start_game("fundamental", size=(5, 5), komi=1)
    assert refusal(record, "B pass") == (
        "Black may not pass. These rules have no pass. Black can place a stone or resign."
    )
    assert refusal(play_turns(record, "B C3"), "W pass").endswith(
        "White can place a stone, return a prisoner or resign."
    )


def test_a_refused_delay_names_the_ultimate_prisoner():
    assert refusal(start_game("ultimate-original", size=(5, 5)), "B delay") == (
        "Black may not delay. There is no prisoner to return. "
        "Black can place a stone, give the ultimate prisoner or resign."
    )


def test_a_refused_delay_under_rules_with_passes_names_the_pass():
    assert refusal(start_game("chinese", size=(5, 5)), "B delay") == (
        "Black may not delay. These rules have no delay. Black can place a stone, pass or resign."
    )


def test_handicap_stones_that_are_placed_first_leave_no_pass():
    assert refusal(start_game("chinese", size=(5, 5), handicap=2), "B pass").endswith(
        "2 handicap stones are still to come. Black can place a stone or resign."
    )


def test_a_draw_that_may_be_declared_is_named():
    record = drawn_out()
    assert refusal(record, "W pass").endswith("White can place a stone, declare a draw or resign.")
    assert refusal(record, "W D1").endswith(
        "There is already a stone there. Please take the stone back. White can place a stone, declare a draw or resign."
    )


def test_a_refused_placement_says_no_more_where_others_are_free():
    assert refusal(play_turns(start_game("ultimate", size=(5, 5)), "B C3"), "W C3").endswith(
        "Please take the stone back."
    )


def test_a_handicap_turn_without_a_prisoner_leaves_only_resigning():
    record = Setup(RULESETS["ultimate"], size=(5, 5), handicap=2, bowls=bowls_of({})).record()
    sentence = accepted(record, "B C3")
    assert sentence == f"Black played C3. White {ONLY_RESIGNING}"
    assert refusal(play_turns(record, "B C3"), "W D3").endswith(f"White {ONLY_RESIGNING}")


def test_who_is_not_to_move_is_not_advised():
    assert refusal(start_game("fundamental", size=(5, 5)), "W pass") == "White may not pass. It is Black's turn."


def test_an_open_draw_is_said():
    record = drawn_out()
    assert accepted(record).endswith("White may declare a draw.")
    assert "may declare" not in english(ruling_messages.accepted_turn_message(record.taken_back(), 0))
    assert "may declare" not in accepted(record, "W F3"), "it is Black's turn"


def test_the_second_ultimate_delay_says_once_that_a_draw_is_open():
    record = play_turns(start_game("ultimate-original", size=(5, 5)), "B C3", "W C4")
    for player in (Colour.BLACK, Colour.WHITE):
        record = judge(record, Delay(player, ultimate=True)).after or record
    assert english(ruling_messages.accepted_turn_message(record, 0)).count("declare a draw") == 1


@pytest.mark.parametrize("name", RULESETS)
def test_what_is_named_is_what_may_be_done(name):
    """On every turn of a small game: each act is named if, and only if, it may be done."""
    record = start_game(name, size=(2, 2))
    for text in ("B A1", "W B2", "B B1", "W A2", "B B1", "W A2", "B A1"):
        sentence = english(ruling_messages.legal_actions(record))
        assert ("place a stone" in sentence) is bool(legal_placements(record))
        assert ("return a prisoner" in sentence) is ("prisoner" in available_delays(record))
        assert ("give the ultimate" in sentence) is ("ultimate" in available_delays(record))
        assert ("declare a draw" in sentence) is may_draw(record)
        assert ("pass" in sentence) is may_pass(record)
        verdict = try_turn(record, text)
        record = verdict.after or record


# Starts


@MANNERS
def test_a_start_that_leaves_only_resigning_is_told(refereed: bool):
    table = PlayedTable((".",), rules="fundamental", refereed=refereed, black_side=1)
    (ruling,) = table.look()
    assert (ruling.turn, english(ruling)) == (0, f"The game has begun. Black {ONLY_RESIGNING}")
    assert not table.look(), "it is told once"


@MANNERS
def test_a_draw_that_is_open_at_the_start_is_told(refereed: bool):
    table = PlayedTable(refereed=refereed, **DRAW_OPEN)  # type: ignore[arg-type]
    assert [english(ruling) for ruling in table.look()] == ["The game has begun. Black may declare a draw."]


@MANNERS
def test_at_most_starts_nothing_is_told(refereed: bool):
    assert not PlayedTable(refereed=refereed).look()
