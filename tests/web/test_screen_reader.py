"""The words of a screen reader on the page, in the order in which it says them."""

from __future__ import annotations

from itertools import pairwise

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By

from tests.benchmarks.parts.screen_reader import read_page
from tests.support.device.directed import DirectedTable
from tests.support.tiers import LONG, is_long_run, sample
from tests.support.web.browser import DESKTOP, resize, until
from tests.support.web.moments import Moment, moments
from tests.support.web.snapshots import Box
from web.app import create_app
from web.page.headline import headline_of
from web.page_server import serve_page

pytestmark = pytest.mark.slow
PAGES = sample([pytest.param("", id="page"), pytest.param("wall", id="wall")], 1)


@pytest.fixture(scope="module", params=PAGES)
def said(chromium: webdriver.Chrome, request: pytest.FixtureRequest) -> list[tuple[Moment, list[str]]]:
    """Moments, and the lines that are said of each."""
    resize(chromium, DESKTOP)
    readings = []
    for moment in moments(4)[: 10 if is_long_run() else 4]:
        with serve_page(create_app(Box(moment.now).backend), port=0) as served:
            chromium.get(f"{served.url}{request.param}")
            readings.append((moment, read_page(chromium)))
            chromium.get("about:blank")
    return readings


def test_the_order_and_why_come_before_the_board(said):
    for moment, lines in said:
        headline = headline_of(moment.now)
        board = next(index for index, line in enumerate(lines) if line.startswith("image: Go board"))
        at = lines.index(f"heading: {headline.text}")
        assert lines[at - 1].startswith(headline.label) and at < board
        assert lines[at + 1 : at + 1 + len(headline.reasons)] == [why.text for why in headline.reasons]


def test_the_board_tells_what_is_new_before_all_its_stones(said):
    for moment, lines in said:
        line = next(line for line in lines if line.startswith("image: Go board"))
        for news in ("Last move:", "Refused:", "To be corrected:", "Barred now:"):
            assert line.find(news) < line.index("Black: "), moment.name


def test_nothing_is_said_twice_in_a_row(said):
    for _, lines in said:
        for before, line in pairwise(lines):
            assert line not in before.removeprefix("image: ").split(", ")


def test_every_clock_is_a_timer(said):
    assert any(moment.now.game.clocks for moment, _ in said)
    for moment, lines in said:
        clocks = moment.now.game.clocks
        timers = [line for line in lines if line.startswith("timer: ")]
        assert len(timers) == (len(clocks.faces) if clocks is not None else 0)


@pytest.fixture(scope="module")
def backend(chromium: webdriver.Chrome, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Return what is said of the director's desk, with a part of it opened, before the clock is started."""
    table = DirectedTable(tmp_path_factory.mktemp("desk"), "chinese", "10m+3x30s")
    resize(chromium, DESKTOP)
    with serve_page(table.app, port=0) as served:
        chromium.get(f"{served.url}director")
        chromium.find_element(By.ID, "pin").send_keys(table.pin.make() + "\n")
        until(chromium, lambda: chromium.find_elements(By.ID, "leave"))
        chromium.execute_script("document.getElementById('act-turn').open = true")
        text = read_page(chromium)
        chromium.get("about:blank")
    table.close()
    return text


@LONG
def test_the_desk_s_parts_are_said_without_their_signs(backend):
    parts = [line for line in backend if line.startswith("DisclosureTriangleGrouped: ")]
    assert len(parts) > 8 and "DisclosureTriangleGrouped: Correct a reading or rule on a turn, expanded" in parts
    assert not any(sign in backend or f" {sign}" in part for part in parts for sign in "+–")


@LONG
def test_every_button_begins_with_a_capital(backend):
    buttons = [line.removeprefix("button: ") for line in backend if line.startswith("button: ")]
    assert "Start the clock" in buttons and all(button[:1].isupper() for button in buttons)
