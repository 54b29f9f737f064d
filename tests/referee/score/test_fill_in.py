"""Ing's count with stones: the text's three games, and the margin against the areas on any position."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.game.board import Colour, board_of
from referee.game.diagram import position_of
from referee.game.penalties import Offence, Penalty
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.score import area, fill_in
from referee.score.methods import count
from tests.support.referee.positions import FORTY_SIX, VIEWS, View, boards, mask
from tests.support.shared import cases
from tests.support.tiers import examples
from tests.support.wording import english

BLACK, WHITE = Colour.BLACK, Colour.WHITE


def counted(rows=FORTY_SIX, **how):
    return fill_in.count(position_of(rows), **how)


def test_the_position_is_the_one_the_text_counts() -> None:
    assert area.measure_areas(position_of(FORTY_SIX)) == (46, 35)


def test_the_even_game() -> None:
    count_ = counted(to_white=8)
    assert count_.result == "B+3" and count_.counts["compensation_stones"] == 4
    assert count_.counts["W"] == {"area": 35, "left_over": 1, "empty": 0, "missing": 0}
    assert count_.counts["B"]["empty"] == 2 and len(count_.counts["empty"]) == 1
    assert [step.act for step in count_.steps] == ["compensate", "fill", "fill", "losing-stones", "margin", "result"]
    assert english(count_.steps[-2]) == "Black is ahead by 1 (the winning point) + 2 x 1 (losing stones) = 3."


def test_two_and_three_stones() -> None:
    two, three = counted(to_white=2, ties_to=WHITE), counted(to_white=3, ties_to=WHITE)
    assert two.result == "B+9" and two.counts["W"]["left_over"] == 4 and two.counts["B"]["empty"] == 5
    assert three.result == "B+8" and three.counts["W"]["left_over"] == 4 and three.counts["B"]["empty"] == 4
    assert three.counts["left_open"] == 1 and len(three.counts["empty"]) == 1
    assert english(three.steps[-2]) == "Black is ahead by 2 x 4 (losing stones) = 8."
    opened = next(step for step in three.steps if step.act == "leave-open")
    assert english(opened).startswith("As compensation one point of Black's area, ")


@pytest.mark.parametrize("view", VIEWS, ids=str)
@pytest.mark.parametrize("number", range(3))
def test_the_shared_cases_from_every_side(number: int, view: View) -> None:
    case = json.loads(cases("ing_cases.json").read_text())["counting"][number]
    to_white = 8 if not case["handicap"] else case["handicap"]
    position = position_of(view.rows(FORTY_SIX))
    ours = fill_in.count(position, to_white=-to_white if view.exchanged else to_white)
    assert ours.result == view.result(case["result"])
    winner, loser = ("W", "B") if view.exchanged else ("B", "W")
    assert ours.counts["compensation_stones"] == case["white_compensation_stones_in_black"]
    assert ours.counts[loser]["left_over"] == case["white_left_over"]
    assert ours.counts[winner]["empty"] == case["black_empty_points_before_losing_stones"]
    assert ours.counts["left_open"] == case.get("point_left_open", 0)


@pytest.mark.parametrize(
    "cols, rows, size", [(19, 19, 180), (9, 9, 40), (13, 13, 84), (7, 5, 17), (6, 6, 18), (1, 1, 0)]
)
def test_the_stones_of_a_set(cols: int, rows: int, size: int) -> None:
    assert fill_in.set_size(board_of(cols, rows)) == size


def test_an_odd_shared_point_stays_empty_and_a_tie_can_be() -> None:
    rows = (".XXOO", "XX.O.", ".XXOO", "XXXO.", "XXXOO")
    difference = int.__sub__(*area.measure_areas(position_of(rows)))
    for ties_to in (BLACK, WHITE):
        tie = counted(rows, to_white=difference, ties_to=ties_to)
        assert tie.result == f"{ties_to}+0" and "wins ties" in english(tie.steps[-1])
    ahead = counted(rows, to_white=difference - 2)
    assert ahead.result == "B+2" and ahead.counts["empty"] == ["C4"]
    assert english(ahead.steps[-2]) == "Black is ahead by 2 x 1 (losing stones) = 2."


def test_two_empty_points_make_the_extra_stone_count_one() -> None:
    rows = (".XXOO", "XX.O.", ".XXOO", "XXXO.", "XXXOO")
    difference = int.__sub__(*area.measure_areas(position_of(rows)))
    ahead = counted(rows, to_white=difference - 3)
    assert ahead.result == "B+3" and len(ahead.counts["empty"]) == 2
    assert "2 x 1 (losing stones) + 1 (a losing stone with no place left) = 3" in english(ahead.steps[-2])


def test_shared_points_are_filled_alternately_over_all_sekis() -> None:
    rows = ("X.OXO", "X.OXO", "XXOX.", ".XOXX", "XXOO.")
    count_ = counted(rows, to_white=0)
    share = next(step for step in count_.steps if step.act == "share")
    assert count_.counts["shared"] % 2 == len(english(share).split("stays empty")) - 1


LEFT_HAND = ("...XO....",) * 9
"""Black has 36 points, White 45."""


@pytest.mark.parametrize(
    ("to_white", "receiver", "before", "end"),
    [
        (7.5, "White", "White is ahead by 2 x 8 (losing stones) = 16.", "White wins by 16.5 points."),
        (-7.5, "Black", "White is ahead by 2 x 1 (losing stones) = 2.", "White wins by 1.5 points."),
    ],
)
def test_points_on_paper_are_counted_for_who_receives_them(to_white, receiver, before, end) -> None:
    sentences = [english(step) for step in counted(LEFT_HAND, to_white=to_white).steps]
    assert f"0.5 more points for {receiver} cannot be laid out in stones and are counted at the end." in sentences
    assert sentences[-2:] == [f"{before} 0.5 points on paper still have to be counted for {receiver}.", end]


def test_an_odd_point_that_finds_no_room_is_counted_on_paper() -> None:
    """Black's area is one point, which one stone of the compensation fills: none is left to stay open."""
    count_ = counted(("X.O", "..O", "OOO"), to_white=3)
    assert (count_.counts["compensation_stones"], count_.counts["left_open"], count_.result) == (1, 0, "W+7")
    sentences = [english(step) for step in count_.steps]
    assert "1 more point for White cannot be laid out in stones and is counted at the end." in sentences


def test_dead_stones_go_back_and_missing_ones_are_replaced() -> None:
    rows = (FORTY_SIX[0], ".O..XO...", *FORTY_SIX[2:])
    board = board_of(9)
    black, white = (40 - position_of(rows).stones_of(colour).bit_count() for colour in (BLACK, WHITE))
    count_ = counted(rows, dead=mask(board, "B8"), to_white=8, supplies=(black, white - 2))
    assert count_.result == "B+3" and count_.counts["W"]["missing"] == 2
    assert [step.act for step in count_.steps][:2] == ["replace", "lift"]
    assert "Of White's 40 stones, 2 cannot be found" in english(count_.steps[0])
    too_many = counted(rows, dead=mask(board, "B8"), to_white=8, supplies=(black + 1, white))
    assert too_many.result == "B+3" and too_many.steps[0].act == "remove"


@examples(60)
@given(boards(least=1, most=7), st.integers(-60, 120), st.sampled_from([BLACK, WHITE]))
def test_the_margin_is_the_area_difference_less_compensation(rows, halves: int, ties_to: Colour) -> None:
    position, to_white = position_of(rows), halves / 2
    black, white = area.measure_areas(position)
    lead = black - white - to_white
    count_ = fill_in.count(position, to_white=to_white, ties_to=ties_to)
    expected = f"{'B' if lead > 0 else 'W'}+{abs(lead):g}" if lead else f"{ties_to}+0"
    assert count_.result == expected and count_.counts["margin"] == abs(lead)


@examples(20)
@given(boards(least=3, most=7), st.integers(0, 12))
def test_the_stones_add_up_and_at_most_one_point_is_empty(rows, to_white: int) -> None:
    position = position_of(rows)
    count_ = fill_in.count(position, to_white=to_white)
    points, size = position.board.cols * position.board.rows, fill_in.set_size(position.board)
    fits = 2 * count_.counts["compensation_stones"] + count_.counts["left_open"] == to_white
    odd = count_.counts["shared"] % 2 + count_.counts["left_open"]
    if fits and points % 2:
        assert len(count_.counts["empty"]) == max(odd, 1)
    assert size == points // 2


@pytest.mark.parametrize(
    "handicap, compensation, result", [(2, "none", "B+11"), (2, "stones", "B+9"), (3, "stones", "B+8")]
)
def test_handicap_games_with_and_without_the_presidents_convention(handicap, compensation, result) -> None:
    rules = rule_set("ing", {"compensation": compensation})
    record = Setup(rules, board=FORTY_SIX, handicap=handicap, to_play=WHITE).record()
    assert count(record).result == result


def fined(record, points):
    return record.with_penalties((Penalty(Colour.BLACK, points, Offence.TIME),))


def test_an_even_game_of_ings_rules_has_eight_points_and_black_wins_ties() -> None:
    record = Setup(rule_set("ing"), board=FORTY_SIX).record()
    assert count(record).method == "fill-in" and count(record).result == "B+3"
    assert count(fined(record, 3)).result == "B+0"
    assert [english(step) for step in count(fined(record, 3)).steps[:2]] == [
        "White receives 8 points as komi.",
        "White receives 3 points for time that Black bought.",
    ]
    assert "receives" not in english(count(record).steps[0])
    assert count(fined(Setup(record.rules, board=FORTY_SIX, handicap=2).record(), 11)).result == "W+0"
