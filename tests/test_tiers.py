"""The tiers of tests, the summary of a run, and the patience of whatever waits."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.tiers import LARGE, YARDSTICKS, large_tests
from tests.support.waiting import PATIENCE_S, USUAL_PATIENCE_S, comes, measure_yardstick, until


def report_of(name: str, yardsticks: float | None) -> pytest.TestReport:
    properties = [] if yardsticks is None else [(YARDSTICKS, yardsticks)]
    return pytest.TestReport(name, ("", None, ""), {}, "passed", None, "call", user_properties=properties)


def test_large_tests_are_named_and_no_others():
    reports = [report_of("small", LARGE / 2), report_of("large", 2.0 * LARGE), report_of("slow", None)]
    reports.append(report_of("larger", 3.0 * LARGE))
    assert [line.split() for line in large_tests(reports)] == [
        [str(3 * LARGE), "yardsticks", "larger"],
        [str(2 * LARGE), "yardsticks", "large"],
    ]


def test_patience_is_never_less_than_usual():
    assert PATIENCE_S >= USUAL_PATIENCE_S
    assert all(seconds > 0 for seconds in measure_yardstick())


def test_until_returns_what_comes_at_last():
    results: Iterator[list[int]] = iter(([], [], [7]))
    assert until(lambda: next(results), again=0.0) == [7]


def test_what_never_comes_is_given_up():
    assert not comes(lambda: False, within=0.0) and comes(lambda: True, within=0.0)
