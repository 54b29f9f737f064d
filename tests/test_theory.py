"""docs/evidence/theory.md: its problems have solutions, and these are right."""

from __future__ import annotations

import json
import re

import pytest

from tests.support.theory import BLOCK, PAGE, solve_position
from tests.support.tiers import LONG

TEXT = PAGE.read_text()
BLOCKS = [(kind, json.loads(about)) for _, kind, about, _ in BLOCK.findall(TEXT)]
PROBLEMS = [start for kind, start in BLOCKS if kind == "problem"]


def test_there_are_five_problems_and_each_has_its_solution():
    assert len(PROBLEMS) == 5 and [start for kind, start in BLOCKS if kind == "solution"] == PROBLEMS


@pytest.mark.parametrize(
    "number", [pytest.param(1, marks=LONG), 2, pytest.param(3, marks=LONG), 4, pytest.param(5, marks=LONG)]
)
def test_the_solution_of_a_problem_begins_with_a_move_that_costs_nothing(number):
    _, worth = solve_position(PROBLEMS[number - 1])
    match = re.search(rf"^\*\*{number}\.\*\* (\w+)", TEXT.split("### Solutions")[1], re.M)
    assert match is not None and worth.optimal is not None and match[1] in worth.optimal
    assert any(worth.costs.values()), "where every move is right there is no problem"
