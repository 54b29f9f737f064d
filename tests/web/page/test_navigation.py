"""Earlier moments in a browser: everything shown is of that moment, what was refused is a moment, and each has its
address."""

from __future__ import annotations

import pytest
from selenium import webdriver
from selenium.webdriver.common.keys import Keys

from referee.game.board import Colour
from tests.support.tiers import LONG
from tests.support.web.browser import Visit, choose_theme
from tests.support.web.snapshots import B, box, random_game, running, superko, take_snapshot
from web.app import create_app
from web.page.model import MOST_LISTED
from web.page.svg import lid_words
from web.page_server import serve_page

pytestmark = pytest.mark.slow


def lids(visit: Visit) -> list[str]:
    return [visit.text(f".player.of-{which} .count").replace("\n", " ") for which in "BW"]


@LONG
def test_the_lids_and_the_ruling_are_those_of_the_turn(visit):
    visit.open()
    for then in visit.shown_box.now.game.past.thens[1:-1]:
        visit.one(f".moves a[href='?turn={then.number}']").click()
        visit.until(lambda then=then: visit.text("#where") == f"Turn {then.number} of 8")
        assert lids(visit) == [lid_words(then.bowls, colour) for colour in (Colour.BLACK, Colour.WHITE)]
        assert visit.text(".banner .label") == f"You are at turn {then.number} of 8"
        assert visit.count(".player .act:not(:empty)") == 0, "nobody had anything to do"
    visit.one("body").send_keys(Keys.END)
    visit.until(lambda: visit.text(".banner .notice") == "Black played E4.")


@LONG
def test_the_clocks_are_those_of_the_turn(chromium):
    table = running("1m+3x10s").wait(5).play("B A3")
    table.wait(20).play("W E3")
    shown_box = box(table, number=3)
    with serve_page(create_app(shown_box.backend), port=0) as served:
        visit = Visit(chromium, shown_box, served).open()
        for then in shown_box.now.game.past.thens[:-1]:
            visit.browser.get(f"{served.url}?turn={then.number}")
            times = [visit.text(f".player.of-{which} .time") for which in "BW"]
            assert times == [face.time for face in then.faces]
            assert "then 3 × 10 seconds" in visit.text(".player .clock")
        assert visit.count(".clock.running") == 0
        chromium.get("about:blank")


def test_a_refused_turn_is_a_moment_of_its_own_with_an_address(visit):
    visit.open()
    visit.shown_box.show(take_snapshot(superko(), number=9))
    visit.until(lambda: visit.text(".moves .tried a").split() == ["2", "✕", "C8", "superko"])
    visit.one(".moves .tried a").click()
    visit.until(lambda: visit.text("#where") == "Turn 2: refused")
    assert "may not play C8" in visit.text("h1") and visit.count("#board path[stroke='#d3281c']") == 1
    assert visit.browser.current_url.endswith("?turn=1&tried=1")
    visit.browser.refresh()
    visit.until(lambda: visit.text("#where") == "Turn 2: refused")
    assert visit.text(".moves [aria-current]").split() == ["2", "✕", "C8", "superko"]
    visit.one("body").send_keys(Keys.ARROW_LEFT)
    visit.until(lambda: visit.text("#where") == "Turn 1 of 1")
    visit.one("body").send_keys(Keys.END)
    visit.until(lambda: "remove C8" in visit.text("h1") and "?" not in visit.browser.current_url)


@LONG
def test_a_long_list_begins_with_the_newest_turns(chromium):
    shown_box = box(random_game(75))
    with serve_page(create_app(shown_box.backend), port=0) as served:
        visit = Visit(chromium, shown_box, served).open()
        assert visit.count(".moves li") == MOST_LISTED and visit.one("#slider").get_attribute("max") == "75"
        visit.one(".rest a").click()
        visit.until(lambda: visit.count(".moves li") == 75)
        assert not visit.one(".rest").is_displayed() and visit.same_page
        visit.browser.refresh()
        visit.until(lambda: visit.link == "live")
        slid = "slider.value = 4; slider.dispatchEvent(new Event('input'))"
        visit.browser.execute_script(f"const slider = document.getElementById('slider'); {slid}")
        visit.until(lambda: visit.text(".moves a[aria-current] .number") == "4")
        assert visit.count(".moves li") == 75 and visit.complaints() == []
        chromium.get("about:blank")


@LONG
def test_it_stays_when_the_game_goes_on(visit):
    table = superko()
    visit.shown_box.now = take_snapshot(table, number=8)
    visit.open()
    table.lift("C8").put(Colour.WHITE, "B8").lid(B, Colour.WHITE, -1).look()
    table.play("B G3")
    visit.shown_box.show(take_snapshot(table, number=9))
    visit.until(lambda: visit.count(".moves li") == 3)
    assert visit.text(".moves").split() == ["2", "G3", "2", "✕", "C8", "superko", "1", "B8", "takes", "1"]


@LONG
def test_the_position_that_would_be_repeated_flashes_up(visit):
    choose_theme(visit.browser, "light")
    visit.open()
    visit.shown_box.show(take_snapshot(superko(), number=9))
    visit.until(lambda: visit.text(".flash p") == "At the start")
    assert visit.count(".flash [data-stones] circle") == 7 and visit.count(".banner .see") == 1
    visit.until(lambda: visit.count(".flash") == 0)
    visit.one(".banner .see").click()
    visit.until(lambda: visit.text("#where") == "Turn 0 of 1")
    assert visit.complaints() == []


@LONG
def test_nothing_flashes_for_readers_who_want_nothing_to_move(visit):
    choose_theme(visit.browser, "light", still=True)
    visit.open()
    visit.shown_box.show(take_snapshot(superko(), number=9))
    visit.until(lambda: "remove C8" in visit.text("h1"))
    assert visit.count(".flash") == 0 and visit.count(".banner .see") == 1
    choose_theme(visit.browser, "light")


@LONG
def test_without_a_script_links_lead_from_moment_to_moment(chromium: webdriver.Chrome, visit: Visit):
    visit.shown_box.now = take_snapshot(superko())
    chromium.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        chromium.get(visit.served.url)
        texts = []
        for _ in range(3):
            texts.append(visit.one("#where").text)
            visit.one("[data-go=back]").click()
        assert texts == ["Turn 1 of 1", "Turn 2: refused", "Turn 1 of 1"]
        assert visit.one("#where").text == "Turn 0 of 1"
    finally:
        chromium.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
