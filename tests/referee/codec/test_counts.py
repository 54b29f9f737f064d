"""Counts, worths and clock actions as JSON values."""

import json

import pytest

from referee.codec.counts import (
    cost_to_json,
    count_from_json,
    count_to_json,
    left_from_json,
    step_from_json,
    step_to_json,
)
from referee.game.actor import Actor
from referee.game.board import Colour
from referee.game.count_result import Count, CountStep
from referee.game.diagram import position_of
from referee.game.errors import BadRecord
from referee.game.messages import message
from referee.time.controls import TimeLeft
from referee.time.steps import Act, Step


def test_a_count_comes_back_as_it_was():
    laid_out = position_of(("XX", "OO"))
    step = CountStep(Colour.BLACK, "fill", message("some.step"), laid_out.board.point("A1"))
    count = Count(
        "fill-in", "B+2", (step,), {"B": 3}, laid_out.board.mask(["B2"]), True, (message("a.remark"),), laid_out
    )
    read = count_from_json(json.loads(json.dumps(count_to_json(count, laid_out.board))), laid_out.board)
    assert read == count and read.laid_out == laid_out


def test_a_step_about_time_comes_back_with_all_its_parts():
    lefts = ((Colour.BLACK, TimeLeft(60_000, 30_000, 2, 0)), (Colour.WHITE, TimeLeft(1)))
    step = Step(12.5, Act.PROPOSE, Colour.WHITE, Colour.BLACK, 300, lefts, "B+T", turns=2, author=Actor.DIRECTOR)
    assert step_from_json(json.loads(json.dumps(step_to_json(step)))) == step


def test_empty_parts_of_a_step_are_left_out():
    assert step_to_json(Step(1.0, Act.PAUSE)) == {"t": 1.0, "act": "pause"}


@pytest.mark.parametrize(
    "body", [{}, {"t": 1, "act": "dance"}, {"t": "x", "act": "pause"}, {"t": 1, "act": "pause", "ms": -1}]
)
def test_a_step_that_cannot_be_read_is_one_sentence(body):
    with pytest.raises(BadRecord, match=r"^The step about time cannot be read \(.*\)\.$"):
        step_from_json(body)


@pytest.mark.parametrize("values", [[1, 2, 3], [1, 2, 3, True], [1, 2, 3, -4], [1, 2, 3, 4.5], 7])
def test_what_is_no_time_left_is_refused(values):
    with pytest.raises((TypeError, ValueError)):
        left_from_json(values)


def test_a_cost_is_a_number_its_bounds_or_nothing():
    assert [cost_to_json(cost) for cost in (3, (1, None), None)] == [3, [1, None], None]
