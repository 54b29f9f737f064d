"""The hall's wall in a browser: clocks run on between two words of a box, and stop where its word is old."""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import replace

import pytest
from selenium.webdriver.common.by import By

from tests.support.web.browser import until
from tests.support.web.showings import running, showing
from web.hall.app import HallDesk, create_hall_app
from web.hall.tiles import STALE, Call, Entering, Shown, Tile
from web.server import serve
from web.status import status_of

pytestmark = pytest.mark.slow
RUNS = tuple(f"4:{seconds}" for seconds in range(10, 47))
"""What a clock shows soon after its box said that 4:50 are left, and that it said so four seconds ago."""


@contextmanager
def wall(since: float, call: Call | None = None):
    """A wall of one table whose box said so many seconds ago that 4:50 are left to Black, who moves."""
    began = time.monotonic()
    status = status_of(showing(running("5m")))
    made = Tile("1", "http://192.0.2.1/", status, heard=began, told=began - since, call=call).on(
        1, began + since, Tile("1", "")
    )
    shown = Shown(1, "Spring Cup", (replace(made, number=1),))
    desk = HallDesk(
        lambda: shown,
        lambda number, timeout: shown,
        lambda: {"1": since},
        lambda: {"1": since} if call else {},
        time.monotonic,
        lambda table, by: False,
        lambda: Entering(()),
        lambda pin: False,
        lambda: None,
    )
    with serve(create_hall_app(desk), port=0) as served:
        yield served.url


def times(browser) -> list[str]:
    return [one.text for one in browser.find_elements(By.CSS_SELECTOR, ".tile .time")]


def test_a_clock_on_the_wall_runs_on(chromium):
    with wall(since=4.0) as url:
        chromium.get(url)
        until(chromium, lambda: len(times(chromium)) == 2)
        until(chromium, lambda: times(chromium)[0] in RUNS)
        first = times(chromium)[0]
        until(chromium, lambda: times(chromium)[0] < first)
        assert times(chromium)[1] == "5:00"
        chromium.get("about:blank")


def test_a_clock_whose_box_has_not_been_heard_for_long_stands(chromium):
    with wall(since=STALE + 5) as url:
        chromium.get(url)
        until(chromium, lambda: times(chromium) == ["4:50", "5:00"])
        until(chromium, lambda: "35" in chromium.find_element(By.CSS_SELECTOR, ".age").text)
        assert times(chromium) == ["4:50", "5:00"]
        chromium.get("about:blank")


def test_a_call_says_for_how_long_it_has_waited(chromium):
    with wall(since=70.0, call=Call(1, 0.0)) as url:
        chromium.get(url)
        until(chromium, lambda: "for 1:1" in chromium.find_element(By.CSS_SELECTOR, ".tile strong").text)
        chromium.get("about:blank")
