"""All steps about time together: each has its procedure and its paragraph, and random ones keep what is promised."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.codec import step_from_json, step_to_json
from referee.game.board import Colour
from referee.game.errors import BadRecord
from referee.time.clock import Clock
from referee.time.controls import read_control
from referee.time.state import Timekeeping
from referee.time.steps import Act, Answer, Ground, Refusal, Step
from referee.time.timekeeping import AFTER_THE_GAME, GUIDELINES, PROCEDURES, handle_step
from tests.support import ROOT
from tests.support.referee.time_schedules import check_looks, check_schedule, random_schedule
from tests.support.tiers import examples

B, W = Colour.BLACK, Colour.WHITE
PAGE = (ROOT / "docs/clocks.md").read_text()


def answer_to(*steps: Step, procedures: bool = True) -> Answer:
    """The answer to the last of these steps in a game that has begun."""
    now, answers = Timekeeping(Clock.for_control(read_control("10m")), procedures), ()
    for step in (Step(0, Act.START), *steps):
        now, answers = handle_step(now, step)
    return answers[-1]


def test_every_act_has_a_procedure_and_guidelines_are_optional():
    assert set(PROCEDURES) == set(Act)
    for act in GUIDELINES:
        assert answer_to(Step(1, act, B), procedures=False).refusal is Refusal.PROCEDURES_OFF
    for act in set(Act) - AFTER_THE_GAME:
        assert answer_to(Step(1, Act.RESIGN, B), Step(2, act, W)).refusal is Refusal.GAME_OVER


@pytest.mark.parametrize("word", [*Act, *Refusal, *Ground])
def test_every_word_has_its_paragraph(word):
    assert re.search(rf"^[-|] `{word}`", PAGE, re.M)


def test_every_control_of_the_page_can_be_read():
    controls = re.findall(r"^\| [^|`]*\| `([^`]+)` \|", PAGE, re.M)
    assert len(controls) == 5
    for text in controls:
        assert str(read_control(text)) == text


@examples(30)
@given(seed=st.integers(0, 10**9))
def test_any_steps_get_an_answer_and_times_add_up(seed):
    check_schedule(seed)


@examples(30)
@given(seed=st.integers(0, 10**9))
def test_steps_kept_as_json_are_the_same_steps(seed):
    now, steps = random_schedule(seed)
    again = now
    for step in steps:
        read_back = step_from_json(json.loads(json.dumps(step_to_json(step))))
        assert read_back == step
        now, answers = handle_step(now, step)
        again, answered = handle_step(again, read_back)
        assert answered == answers and again == now


@examples(30)
@given(seed=st.integers(0, 10**9))
def test_when_one_looks_changes_nothing(seed):
    check_looks(seed)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"t": 1},
        {"t": 1, "act": "dance"},
        {"t": "x", "act": "due"},
        {"t": 1, "act": "due", "by": "X"},
        {"t": 1, "act": "due", "ms": -1},
        {"t": 1, "act": "due", "lefts": [1]},
        {"t": 1, "act": "due", "turns": "2"},
    ],
)
def test_a_kept_step_that_is_none_gets_a_sentence(body):
    with pytest.raises(BadRecord, match=r"^The step about time cannot be read .*\.$"):
        step_from_json(body)
