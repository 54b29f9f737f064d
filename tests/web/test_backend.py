"""The director's desk in a real browser: every act by mouse and by keyboard, and a whole game by the keyboard alone."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import Select

from referee.game.board import Colour
from referee.table.display_state import Phase
from tests.benchmarks.parts.thumb import WAYS, walked
from tests.support.device import directed
from tests.support.device.directed import DirectedTable
from tests.support.tiers import LONG
from tests.support.web.browser import DESKTOP, PHONE, resize, until
from web.page.svg import CELL, MARGIN
from web.page_server import serve_page

pytestmark = pytest.mark.slow
B, W = Colour.BLACK, Colour.WHITE


SETTLED = "return !window.shinpanDesk || shinpanDesk.settled(arguments[0])"


class Desk:
    """A browser at the desk. keyboard: everything is done by keys, else by the mouse."""

    def __init__(self, browser: webdriver.Chrome, table: DirectedTable, keyboard: bool) -> None:
        self.browser, self.table, self.keyboard = browser, table, keyboard

    def come_in(self, url: str) -> Desk:
        self.browser.get(f"{url}director")
        self.one("#pin").send_keys(self.table.pin.make())
        self.do(self.one("#door .main"))
        self.until(lambda: self.browser.find_elements(By.ID, "leave"))
        return self

    def one(self, selector: str) -> WebElement:
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def until(self, condition: Callable[[], object]) -> None:
        until(self.browser, condition)

    def do(self, button: WebElement) -> None:
        """Press it, by key or by mouse, once it has lain still."""
        self.until(lambda: self.browser.execute_script(SETTLED, button))
        self.browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", button)
        if self.keyboard:
            self.browser.execute_script("arguments[0].focus()", button)
            button.send_keys(Keys.ENTER)
        else:
            button.click()

    def open(self, part: str) -> None:
        opener = self.one("#open")
        if opener.is_displayed() and opener.get_attribute("aria-expanded") == "false":
            self.do(opener)
        if self.one(f"#act-{part}").get_attribute("open") is None:
            self.do(self.one(f"#act-{part} > summary"))
        self.until(lambda: self.one(f"#act-{part}").get_attribute("open") is not None)

    def act(self, part: str, act: str, **values: str) -> str:
        """Fill the form that has this act's button, press that, and be sure; what is answered."""
        self.open(part)
        button = self.one(f"#act-{part} [data-act={act}]")
        form = button.find_element(By.XPATH, "./ancestor::form")
        for name, value in values.items():
            self._fill(form.find_element(By.NAME, name), value)
        answer = form.find_element(By.CSS_SELECTOR, ".answer")
        self.browser.execute_script("arguments[0].textContent = ''", answer)
        self.do(button)
        self.until(lambda: answer.text or self.one("#sure").get_attribute("open") is not None)
        if not answer.text:
            self.do(self.one("#sure [value=yes]"))
            self.until(lambda: answer.text)
        return answer.text

    def taps(self) -> list[str]:
        """The labels of what can be done by one tap: the pause, then the rest."""
        bars = ("[data-now=pause] button", "[data-now=taps] button")
        return [button.text for bar in bars for button in self.browser.find_elements(By.CSS_SELECTOR, bar)]

    def tap_on(self, label: str) -> None:
        """Do by one tap what is called so."""
        self.until(lambda: label in self.taps())
        (button,) = self.browser.find_elements(By.XPATH, f"//*[@data-now]/button[.='{label}']")
        self.do(button)

    def _fill(self, field: WebElement, value: str) -> None:
        if field.tag_name == "select":
            option = field.find_element(By.CSS_SELECTOR, f"option[value='{value}']")
            field.send_keys(option.text) if self.keyboard else option.click()
        else:
            field.clear()
            field.send_keys(value)

    def tap(self, point: str) -> None:
        """Tap the board there."""
        col, row = "ABCDE".index(point[0]), 5 - int(point[1])
        self.until(lambda: self.browser.execute_script(SETTLED, self.one("#board svg")))
        svg = self.one("#board svg")
        self.browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", svg)
        scale = svg.rect["width"] / (2 * MARGIN + 4 * CELL)
        right, down = (int(CELL * (n - 2) * scale) for n in (col, row))
        ActionChains(self.browser).move_to_element_with_offset(svg, right, down).click().perform()


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[DirectedTable]:
    grey = bytes(cv2.imencode(".jpg", np.full((720, 1280, 3), 110, np.uint8))[1])
    monkeypatch.setattr(directed, "PICTURE", {False: grey, True: grey})
    table = DirectedTable(tmp_path, "chinese", "10m+3x30s")
    yield table
    table.close()


@LONG
@pytest.mark.parametrize(
    ("keyboard", "size"), [pytest.param(False, DESKTOP, id="mouse"), pytest.param(True, PHONE, id="keyboard")]
)
def test_every_act(chromium, table, keyboard, size):
    resize(chromium, size)
    with serve_page(table.app, port=0) as served:
        desk = Desk(chromium, table, keyboard).come_in(served.url)
        turns_and_clocks(desk, table)
        count_and_end(desk, table)
        match_and_place(desk, table)
        chromium.get_log("browser")
        desk.do(desk.one("#leave"))
        desk.until(lambda: chromium.find_elements(By.ID, "pin"))
        chromium.get("about:blank")


@LONG
@pytest.mark.parametrize("size", [pytest.param(PHONE, id="phone"), pytest.param(DESKTOP, id="desktop")])
def test_the_page_leads_to_the_choice_of_rules_that_nobody_named(chromium, tmp_path, size):
    resize(chromium, size)
    table = DirectedTable(tmp_path, None)
    with serve_page(table.app, port=0) as served:
        desk = Desk(chromium, table, keyboard=False)
        chromium.get(served.url)
        desk.do(desk.one(".banner a"))
        desk.until(lambda: chromium.find_elements(By.ID, "pin"))
        desk.one("#pin").send_keys(table.pin.make())
        desk.do(desk.one("#door .main"))
        desk.until(lambda: chromium.find_elements(By.ID, "match-form") and desk.one("#match-form").is_displayed())
        desk.act("match", "set-up", rules="chinese")
        assert (table.now.game.rules, table.now.game.rules_named) == ("chinese", True)
        desk.until(lambda: "No rules are named" not in desk.one(".banner").text)
        chromium.get("about:blank")
    table.close()


def turns_and_clocks(desk: Desk, table: DirectedTable) -> None:
    assert desk.act("turn", "enter", player="B", turn="place", point="C3", why="the camera was covered") != ""
    assert table.now.game.turn == 1
    desk.act("turn", "take-back", turns="1", why="it was D3")
    assert table.now.game.turn == 0
    if desk.keyboard:
        desk.act("turn", "enter", player="B", point="d3", why="it was D3")
    else:
        desk.tap("D3")
        assert desk.one("#turn-form [name=point]").get_attribute("value") == "D3"
        desk.act("turn", "enter", player="B", why="it was D3")
    assert table.now.game.position.colour_at(table.position.board.point("D3")) is B
    assert "These rules leave no room for it" in desk.act("agreed", "exchange", count="1")
    assert "These rules leave no room for it" in desk.act("agreed", "remove", stones="D3")
    desk.act("clocks", "time", step="start")
    assert table.now.game.clocks.running_player is W
    desk.act("pause", "pause", why="a question")
    assert table.now.paused
    desk.open("clocks")
    desk.do(desk.one("#fill-clocks"))
    desk.until(lambda: desk.one("[name='B.main']").get_attribute("value") == "10:00")
    desk.act("clocks", "clocks", **{"B.main": "5:00", "W.main": "4:30"}, why="agreed at the table")
    assert [face.main for face in table.now.game.clocks.faces] == [300_000, 270_000]
    desk.act("pause", "resume")
    assert not table.now.paused
    assert "From the director: lunch at one" in desk.act("remark", "remark", why="lunch at one")


def count_and_end(desk: Desk, table: DirectedTable) -> None:
    for player in ("W", "B", "W"):
        desk.act("turn", "enter", player=player, turn="pass", why="passed")
        if table.now.game.ended:
            break
    desk.open("dead")
    if desk.keyboard:
        desk.one("#dead-form [name=dead]").send_keys("d3")
    else:
        desk.tap("D3")
        assert desk.one("#dead-form [name=dead]").get_attribute("value") == "D3"
    desk.act("dead", "propose", player="B")
    assert table.now.game.counting.named.dead == 1 << table.position.board.point("D3")
    desk.act("dead", "disagree", player="W")
    assert "Only a game in which a long cycle" in desk.act("result", "void", why="a cycle")
    desk.act("dead", "agree", player="W")
    desk.act("result", "report", result="B+3", why="counted by hand")
    assert table.now.game.result == "B+3"
    desk.act("result", "verify")
    assert table.now.phase is Phase.FINAL


def match_and_place(desk: Desk, table: DirectedTable) -> None:
    desk.act("match", "set-up", black="Ōta", white="Li", rules="japanese", komi="5.5", control="45m")
    assert (table.now.game.rules, table.now.names) == ("japanese", ("Ōta", "Li"))
    desk.until(lambda: "Ōta" in desk.one(".players").text)
    desk.open("lie")
    desk.until(lambda: desk.browser.find_elements(By.CSS_SELECTOR, "[data-key=corner-0]"))
    handle, grid_path = desk.one("[data-key=corner-0]"), desk.one(".grid").get_attribute("d")
    if desk.keyboard:
        handle.send_keys(Keys.ARROW_RIGHT, Keys.SHIFT, Keys.ARROW_DOWN)
    else:
        desk.browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", handle)
        ActionChains(desk.browser).drag_and_drop_by_offset(handle, 15, 20).perform()
    assert desk.one(".grid").get_attribute("d") != grid_path
    desk.do(desk.one("#lie-lids"))
    desk.act("lie", "calibrate")
    (calibration,) = table.calibrated
    assert calibration.grid.corners[0] > (384.0, 144.0) and len(calibration.lids) == 2
    assert json.loads(calibration.to_json())["size"] == 5


@pytest.fixture
def desk(chromium: webdriver.Chrome, table: DirectedTable) -> Iterator[Desk]:
    """A desk on a phone, in a game with a turn."""
    table.act("time", step="start")
    table.act("enter", player="B", turn="place", point="C3", why="misread")
    resize(chromium, PHONE)
    with serve_page(table.app, port=0) as served:
        yield Desk(chromium, table, keyboard=False).come_in(served.url)
        chromium.get("about:blank")


def free(desk: Desk, selector: str) -> bool:
    """Return whether it lies in the window, with nothing over it."""
    script = """const found = document.querySelector(arguments[0]);
        if (!found) return false;
        const { left, top, right, bottom } = found.getBoundingClientRect();
        const inside = left >= 0 && top >= 0 && right <= innerWidth + 1 && bottom <= innerHeight + 1;
        return inside && found.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));"""
    return bool(desk.browser.execute_script(script, selector))


def test_what_is_refused_is_red_keeps_what_was_typed_and_is_not_public(desk, table):
    before = table.app.test_client().get("/").text
    answer = desk.act("turn", "enter", player="W", point="C3", why="I saw it")
    form = desk.one("#turn-form")
    assert "already a stone there" in answer and "refused" in form.find_element(
        By.CSS_SELECTOR, ".answer"
    ).get_attribute("class")
    assert [form.find_element(By.NAME, name).get_attribute("value") for name in ("point", "why")] == ["C3", "I saw it"]
    assert table.app.test_client().get("/").text == before


@LONG
def test_the_player_field_follows_the_turn_until_one_is_chosen(desk, table):
    field = "#turn-form [name=player]"
    desk.until(lambda: desk.one(field).get_attribute("value") == "W")
    table.act("enter", player="W", turn="pass", why="passed")
    desk.until(lambda: desk.one(field).get_attribute("value") == "B")
    desk.open("turn")
    desk.one(f"{field} option[value=W]").click()
    table.act("enter", player="B", turn="place", point="A1", why="misread")
    desk.until(lambda: "Take back Black A1" in desk.taps())
    table.act("take-back", turns=1, why="misread")
    desk.until(lambda: "Take back White pass" in desk.taps())
    assert desk.one(field).get_attribute("value") == "W", "it was chosen"
    desk.act("turn", "enter", player="B", turn="pass", why="passed")
    desk.until(
        lambda: desk.one("#dead-form [name=player]").get_attribute("value") == desk.one(field).get_attribute("value")
    )


def test_a_tap_on_what_has_just_changed_under_the_thumb_does_nothing(desk, table):
    desk.until(lambda: "Take back Black C3" in desk.taps())
    desk.browser.execute_script("""
        const button = document.querySelector("[data-body*=take-back]");
        new MutationObserver(() => button.textContent === "Take back White D3" && button.click())
          .observe(button, { childList: true, characterData: true, subtree: true });
    """)
    table.act("enter", player="W", turn="place", point="D3", why="misread")
    desk.until(lambda: desk.one("#now-answer").text == "This has just changed. Tap again.")
    assert table.now.game.turn == 2
    desk.tap_on("Take back White D3")
    desk.until(lambda: table.now.game.turn == 1)


def test_what_the_table_waits_for_is_one_tap_away(desk, table):
    desk.until(lambda: desk.taps() == ["Pause", "Take back Black C3"])
    desk.tap_on("Take back Black C3")
    desk.until(lambda: table.now.game.turn == 0)
    desk.until(lambda: desk.one("#undo").is_displayed())
    desk.do(desk.one("#undo"))
    desk.until(lambda: table.now.game.turn == 1 and not desk.one("#undo").is_displayed())
    desk.until(lambda: "Take back Black C3" in desk.taps())
    desk.tap_on("Take back Black C3")
    desk.until(lambda: table.now.game.turn == 0)
    desk.tap("D3")
    desk.do(desk.one("#named button"))
    desk.until(lambda: table.now.game.turn == 1)
    assert table.now.game.position.colour_at(table.position.board.point("D3")) is B
    table.act("time", step="pause", by="W")
    desk.until(lambda: desk.taps() == ["Resume", "Call answered", "Take back Black D3"])
    desk.tap_on("Call answered")
    desk.until(lambda: table.now.pause is not None and not table.now.called)
    desk.tap_on("Resume")
    desk.until(lambda: not table.now.paused)
    for player in ("W", "B"):
        table.act("enter", player=player, turn="pass", why="passed")
    table.act("propose", player="B")
    desk.until(lambda: desk.taps() == ["Pause", "Agree for White", "Disagree for White"])
    desk.tap_on("Agree for White")
    desk.until(lambda: desk.one("#lost-by-it").text == "This cannot be undone.")
    desk.do(desk.one("#sure [value=yes]"))
    desk.until(lambda: table.now.game.result is not None)
    desk.tap_on(f"Both agree: {table.now.game.result}")
    desk.until(lambda: desk.one("#sure").get_attribute("open") is not None)
    desk.do(desk.one("#sure [value=yes]"))
    desk.until(lambda: table.now.phase is Phase.FINAL)


@LONG
def test_a_clock_act_has_only_its_own_fields(desk):
    desk.open("clocks")
    fields = (
        "return [...document.querySelectorAll('#act-clocks [data-field]')].filter(one => !one.hidden)"
        ".map(one => one.dataset.field)"
    )
    assert desk.browser.execute_script(fields) == []
    Select(desk.one("#step")).select_by_value("penalise")
    assert desk.browser.execute_script(fields) == ["about", "ms"]
    Select(desk.one("#step")).select_by_value("report")
    assert desk.browser.execute_script(fields) == ["by", "result"]


def test_what_would_be_lost_is_asked_and_no_leaves_all_as_it_was(desk, table):
    desk.open("match")
    desk.do(desk.one("#act-match [data-act=set-up]"))
    desk.until(lambda: desk.one("#sure").get_attribute("open") is not None)
    assert desk.one("#lost-by-it").text == "This ends the game in progress: 1 turn, no result yet."
    desk.do(desk.one("#sure [value=no]"))
    desk.until(lambda: desk.one("#sure").get_attribute("open") is None)
    assert (table.now.game.turn, len(table.journals)) == (1, 1)
    assert desk.one("#control").get_attribute("value") == "10m+3x30s", "the time is as it is now, and not empty"
    desk.one("#control").clear()
    desk.until(lambda: desk.one("#control-meaning").text == "Empty: this match has no clocks.")


@LONG
@pytest.mark.parametrize("size", [PHONE, (360, 640), (320, 568), (844, 390)], ids=str)
def test_the_board_stays_in_view_and_the_pause_in_reach(desk, size):
    resize(desk.browser, size)
    desk.until(lambda: free(desk, "[data-now=taps] button"))
    assert desk.taps()[0] == "Pause"
    desk.do(desk.one("#open"))
    for part in ("turn", "clocks", "match"):
        desk.open(part)
        desk.until(lambda: free(desk, "#board svg"))
        desk.until(lambda: free(desk, "[data-now=taps] button"))
    desk.do(desk.one("#close"))
    desk.until(lambda: not desk.one("#sheet").is_displayed())


@LONG
def test_a_call_vibrates_and_sounds(desk, table):
    script = "window.buzzed = []; navigator.vibrate = (how) => window.buzzed.push(how)"
    desk.browser.execute_script(script)
    desk.do(desk.one("#menu > summary"))
    desk.do(desk.one("#sound"))
    table.act("time", step="pause", by="W")
    desk.until(lambda: desk.browser.execute_script("return window.buzzed.length") == 1)
    desk.until(lambda: desk.one("#sound").get_attribute("data-played") == "called")
    table.act("remark", why="on my way")
    desk.until(lambda: len(desk.browser.find_elements(By.CSS_SELECTOR, "#act-log li")) == 4)
    assert desk.browser.execute_script("return window.buzzed.length") == 1, "once a call"


@LONG
def test_the_acts_and_their_reasons_are_listed_the_newest_first(desk, table):
    table.act("take-back", turns=1, why="it was D3")
    desk.open("log")
    desk.until(lambda: len(desk.browser.find_elements(By.CSS_SELECTOR, "#act-log li")) == 3)
    entries = [one.text for one in desk.browser.find_elements(By.CSS_SELECTOR, "#act-log li span")]
    assert entries[0] == "The director takes 1 turn back. Reason: it was D3."
    assert entries[1] == "The director enters a turn. Reason: misread."
    desk.until(lambda: all(one.text for one in desk.browser.find_elements(By.CSS_SELECTOR, "#act-log time")))


def test_the_sheet_is_opened_used_and_closed_by_keys_alone(desk, table):
    keys = ActionChains(desk.browser)
    focused = "return document.activeElement.textContent.trim()"

    def to(label: str) -> None:
        for _ in range(60):
            if desk.browser.execute_script(focused) == label:
                return
            keys.send_keys(Keys.TAB).perform()
        raise AssertionError(f"no way to {label}")

    to("Take back Black C3")
    table.act("take-back", turns=1, why="misread")
    desk.until(lambda: desk.taps() == ["Pause"])
    within = "return document.querySelector('.bar').contains(document.activeElement)"
    assert desk.browser.execute_script(within), "the focus does not fall to the body"
    to("Pause")
    keys.send_keys(Keys.ENTER).perform()
    desk.until(lambda: table.now.paused)
    to("More")
    keys.send_keys(Keys.ENTER).perform()
    desk.until(lambda: desk.one("#sheet").is_displayed())
    to("Message to the players")
    keys.send_keys(Keys.ENTER, Keys.TAB, "lunch at one", Keys.ENTER).perform()
    desk.until(lambda: "lunch at one" in str(table.now.notice))
    keys.send_keys(Keys.ESCAPE).perform()
    desk.until(lambda: not desk.one("#sheet").is_displayed())
    assert desk.browser.execute_script(focused) == "More"


FIGURES = {
    **dict.fromkeys(("pause", "resume", "answer a call", "take one turn back", "start the clock"), 1),
    **dict.fromkeys(("agree for White", "disagree for White"), 2),  # Neither can be undone, so both ask.
    **dict.fromkeys(("enter a stone", "end the match for both"), 2),
    **dict.fromkeys(("exchange prisoners", "show board and lids"), 3),
    **dict.fromkeys(("remove dead stones", "name dead stones", "set up a match", "send a message"), 4),
    **dict.fromkeys(("take two turns back", "set the clocks", "void"), 5),
    "report a result": 6,
}
"""Taps; docs/evidence/measured.md has the table of tests.benchmarks.thumb."""


@LONG
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
def test_every_act_is_under_the_thumb(chromium, tmp_path, way):
    walk = walked(chromium, tmp_path, way)
    assert walk.taps == FIGURES[way.name]
    assert walk.pixels <= (0 if way.near else 400), "what is near is never scrolled to"


# A whole game by the keyboard alone: nothing is clicked, focused or filled by a script


MOST_TABS = 150
"""More things than this are not on the page: what is looked for cannot be reached."""
ROUND = "const all = [...document.querySelectorAll(arguments[0])]; return all.indexOf(document.activeElement)"


class Keyboard:
    """Somebody who has no mouse."""

    def __init__(self, browser: webdriver.Chrome) -> None:
        self.browser = browser

    def press(self, *keys: str) -> None:
        """One after the other."""
        ActionChains(self.browser).send_keys(*keys).perform()

    def to(self, selector: str) -> None:
        """Tab on until the focus is there, round the page if need be."""
        for _ in range(MOST_TABS):
            if self.browser.execute_script(ROUND, selector) >= 0:
                assert self.browser.execute_script("return document.activeElement.matches(':focus-visible')"), selector
                return
            self.press(Keys.TAB)
        raise AssertionError(f"{selector} is not reached by the Tab key")

    def write(self, selector: str, text: str) -> None:
        """Into a field, in place of what stands there."""
        self.to(selector)
        ActionChains(self.browser).key_down(Keys.CONTROL).send_keys("a").key_up(Keys.CONTROL).perform()
        self.press(text or Keys.DELETE)

    def choose(self, selector: str, value: str) -> None:
        """In a list, by the arrow keys."""
        self.to(selector)
        self.press(Keys.HOME)
        chosen = "return document.activeElement.value"
        for _ in range(30):
            if self.browser.execute_script(chosen) == value:
                return
            self.press(Keys.ARROW_DOWN)
        raise AssertionError(f"{selector} has no {value}")

    def confirm(self) -> None:
        """Confirm the question before an act that cannot be taken back; the focus is in the question."""
        until(self.browser, lambda: self.browser.execute_script("return document.getElementById('sure').open"))
        assert self.browser.execute_script("return document.activeElement.closest('#sure') !== null")
        self.to("#sure [value=yes]")
        self.press(Keys.ENTER)

    def open(self, part: str) -> None:
        """A part of the desk."""
        self.to(f"#act-{part} > summary")
        if not self.browser.execute_script("return document.activeElement.parentElement.open"):
            self.press(Keys.ENTER)


@LONG
def test_a_whole_game_without_a_mouse(chromium, tmp_path):
    table = DirectedTable(tmp_path, "ultimate")
    resize(chromium, DESKTOP)
    keys = Keyboard(chromium)
    with serve_page(table.app, port=0) as served:
        chromium.get(f"{served.url}director")
        keys.write("#pin", table.pin.make())
        keys.press(Keys.ENTER)
        until(chromium, lambda: chromium.execute_script("return document.getElementById('leave') !== null"))
        set_up(keys, table)
        for number, (player, point) in enumerate((("B", "C3"), ("W", "C2"), ("B", "D3")), 1):
            enter(keys, table, number, player, "place", point)
        enter(keys, table, 4, "W", "pass")
        enter(keys, table, 5, "B", "pass")
        agree(keys, table)
        finish(keys, table)
        chromium.get("about:blank")
    table.close()


def set_up(keys: Keyboard, table: DirectedTable) -> None:
    keys.open("match")
    keys.write("#act-match [name=black]", "Anna")
    keys.choose("#act-match [name=rules]", "chinese")
    keys.to("#act-match [data-act=set-up]")
    keys.press(Keys.ENTER)
    until(keys.browser, lambda: table.now.game.rules == "chinese")
    table.look()


def enter(keys: Keyboard, table: DirectedTable, number: int, player: str, turn: str, point: str = "") -> None:
    keys.open("turn")
    keys.choose("#turn-form [name=player]", player)
    keys.choose("#turn-form [name=turn]", turn)
    if point:
        keys.write("#turn-form [name=point]", point)
    keys.write("#turn-form [name=why]", "played while the camera was away")
    keys.to("#turn-form [data-act=enter]")
    keys.press(Keys.ENTER)
    until(keys.browser, lambda: table.now.game.turn == number)


def agree(keys: Keyboard, table: DirectedTable) -> None:
    keys.open("dead")
    keys.choose("#dead-form [name=player]", "B")
    keys.to("#dead-form [data-act=propose]")
    keys.press(Keys.ENTER)
    until(keys.browser, lambda: table.now.game.counting.waits_for is not None)
    keys.choose("#act-dead form + form [name=player]", "W")
    keys.to("#act-dead [data-act=agree]")
    keys.press(Keys.ENTER)
    until(keys.browser, lambda: table.now.game.result is not None)


def finish(keys: Keyboard, table: DirectedTable) -> None:
    keys.open("result")
    keys.to("#act-result [data-act=verify]")
    keys.press(Keys.ENTER)
    keys.confirm()
    until(keys.browser, lambda: table.now.phase is Phase.FINAL)
