"""The assignment of matches to tables' boxes by the hall: pure values."""

from typing import cast

import pytest

from web.hall.assignment import is_running
from web.openapi import Status

IDLE = {"turn": 0, "ended": False, "phase": "play", "result": None, "clocks": None}


@pytest.mark.parametrize(
    ("changes", "running"),
    [({}, False), ({"turn": 1}, True), ({"ended": True}, True), ({"clocks": {"begun": True}}, True),
     ({"clocks": {"begun": False}}, False), ({"result": "B+R"}, True), ({"turn": 9, "phase": "final"}, False)],
)  # fmt: skip
def test_a_match_runs_from_its_beginning_to_its_final_result(changes, running):
    assert is_running(cast(Status, IDLE | changes)) is running
