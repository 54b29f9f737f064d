"""The three tiers of tests, chosen with `--tier`, and the seed of a long run.

`check`: every test without a mark. `test`: also those marked `slow`. `all`: also those marked `long`, and Hypothesis
with new examples from `--seed`. Fixed examples and seeds are the same in every run of `check` and `test`, so that a
failure there belongs to the change that is tested.
"""

from __future__ import annotations

import gc
import os
import random
from collections.abc import Generator, Iterable
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests.support.waiting import WORKED_S

TIERS = {"check": ("slow", "long"), "test": ("long",), "all": ()}
"""Each tier and the marks that it leaves out."""
LARGE = 25
"""Yardsticks of processor time; a test without a mark that used more is named at the end of a run."""
YARDSTICKS = "yardsticks"
FEW, MANY = 12, 1000
"""Hypothesis examples of a test in `check` and `test`, and in `all`."""
LONG = pytest.mark.long

_run: dict[str, Any] = {"tier": "test", "seed": 0}
"""The tier of this run, and its seed, which only a long run uses."""

# One check measures time. The other counts what a strategy draws in vain, among the first few: Hypothesis also draws
# constants from the modules that happen to be imported, so that it fails in one order of the tests and not in another.
_tolerant = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
for _name, _profile in {
    "short": settings(_tolerant, derandomize=True, database=None, max_examples=FEW),
    "all": settings(_tolerant, max_examples=MANY, print_blob=True),
}.items():
    settings.register_profile(_name, _profile)
settings.load_profile("short")


def is_long_run() -> bool:
    """Return True in a run of the tier `all`."""
    return bool(_run["tier"] == "all")


def examples(few: int, many: int = MANY) -> settings:
    """Return Hypothesis settings for a test whose examples are dearer, or need to be more, than the usual FEW and MANY.

    few: examples in `check` and `test`
    many: examples in `all`
    """
    return settings(max_examples=many if is_long_run() else few)


def sample(cases: Iterable[Any], few: int) -> list[Any]:
    """Return the parametrize values of this tier: all of them in `all`, elsewhere `few`, spread evenly.

    cases: values or `pytest.param`; a tuple is the values of several parameters
    """
    every = list(cases)
    if is_long_run():
        return every
    chosen = {round(number * (len(every) - 1) / max(few - 1, 1)) for number in range(few)}
    return [case for index, case in enumerate(every) if index in chosen]


def seeds(few: int, many: int) -> list[Any]:
    """Return `few` fixed seeds that run in every tier; in `all` also others, drawn from `--seed`, up to `many`."""
    fixed = list(range(few))
    if not is_long_run():
        return fixed
    return fixed + random.Random(_run["seed"]).sample(range(few, 1_000_000), many - few)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--tier` and `--seed`."""
    group = parser.getgroup("shinpan")
    group.addoption("--tier", choices=tuple(TIERS), default="test", help="which tests to run (CONTRIBUTING.md)")
    group.addoption("--seed", type=int, help="seed of Hypothesis and of drawn games in the tier `all`")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Set the tier, its Hypothesis profile and its seed before any test module is imported."""
    _run["tier"] = config.getoption("--tier")
    if not is_long_run():
        return
    if config.getoption("--seed") is None:
        of_controller = getattr(config, "workerinput", {}).get("seed")
        config.option.seed = of_controller or random.SystemRandom().randrange(1, 1_000_000)
    _run["seed"] = config.option.hypothesis_seed = config.option.seed
    settings.load_profile("all")


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Give every worker process the controller's seed."""
    node.workerinput["seed"] = _run["seed"]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests that the tier does not run."""
    marks = TIERS[_run["tier"]]
    out = [item for item in items if _has_any(item, marks)]
    if out:
        config.hook.pytest_deselected(items=out)
        items[:] = [item for item in items if not _has_any(item, marks)]


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Keep the garbage collector from what was collected: searching it again and again takes a tenth of the time."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Note how much processor time a test without a mark used, its child processes' included, in yardsticks."""
    before = _processor_s()
    outcome = yield
    if not is_long_run() and not _has_any(item, TIERS["check"]):
        item.user_properties.append((YARDSTICKS, (_processor_s() - before) / WORKED_S))
    return outcome


def _has_any(item: pytest.Item, marks: Iterable[str]) -> bool:
    return any(item.get_closest_marker(mark) for mark in marks)


def _processor_s() -> float:
    return sum(os.times()[:4])


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the tier, the seed of a long run, a line to run each failure again, and the large tests."""
    failed = terminalreporter.stats.get("failed", []) + terminalreporter.stats.get("error", [])
    seed = f" --seed {_run['seed']}" if is_long_run() else ""
    terminalreporter.line(f"tier: {_run['tier']}" + (f", seed {_run['seed']}" if seed else ""))
    names = dict.fromkeys(report.nodeid for report in failed)
    if names:
        terminalreporter.section("to run these again")
    for name in names:
        terminalreporter.line(f".venv/bin/python -m pytest --tier {_run['tier']}{seed} '{name}'")
    large = large_tests(terminalreporter.stats.get("passed", []))
    if large:
        terminalreporter.section("large tests without a mark: mark them slow, or make them smaller")
    for line in large:
        terminalreporter.line(line)


def large_tests(reports: Iterable[pytest.TestReport]) -> list[str]:
    """Return a line for each fast test that used more than LARGE yardsticks of processor time, the largest first."""
    used = {report.nodeid: dict(report.user_properties).get(YARDSTICKS, 0.0) for report in reports}
    most = sorted(used.items(), key=lambda one: -one[1])
    return [f"{number:5.0f} yardsticks  {name}" for name, number in most if number > LARGE]
