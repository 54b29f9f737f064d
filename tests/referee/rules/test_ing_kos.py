"""Ing's kos: every position of the cases beside the project, as given, turned, mirrored and with colours exchanged."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from tests.support.play import drawn, played, reason, started
from tests.support.referee.views import VIEWS, View
from tests.support.shared import cases

Case = dict[str, Any]


@cache
def read_cases() -> tuple[Case, ...]:
    return tuple(json.loads(cases("ing_ko_cases.json").read_text(encoding="utf-8")))


@pytest.mark.parametrize("view", VIEWS, ids=str)
def test_every_verdict_of_the_cases(view):
    verdicts = [verdict for case in read_cases() for verdict in judged(case, view)]
    wrong = [verdict for verdict in verdicts if verdict is not None]
    assert not wrong, "\n\n".join(wrong)
    assert len(verdicts) > 100


def judged(case: Case, view: View) -> list[str | None]:
    """One entry a verdict: None where it is the expected one."""
    cols, rows = len(case["rows"][0]), len(case["rows"])
    records = [started("ing", *view.rows(case["rows"]), to_play=view.player(case["to_play"]))]
    for player, act in case["moves"]:
        seen = act if act == "pass" else view.point(act, cols, rows)
        records.append(played(records[-1], f"{view.player(player)} {seen}"))
    found: list[str | None] = []
    for expect in case["expect"]:
        then, point = records[expect["after"]], view.point(expect["point"], cols, rows)
        why = reason(then, f"{then.to_play} {point}")
        wrong = f"{case['name']}: {point} gets {why}, not {expect['reason']}, on\n{drawn(then)}"
        found.append(wrong if why != expect["reason"] else None)
    return found
