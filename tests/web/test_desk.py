"""The director's desk in a real browser: every act by mouse and by keyboard, at a real box."""

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

from referee.board import Colour
from referee.standing import Phase
from tests.support.device import directed
from tests.support.device.directed import Directed
from tests.support.web.browser import DESKTOP, PHONE, resize, until
from web.server import serve
from web.svg import CELL, MARGIN

B, W = Colour.BLACK, Colour.WHITE


class Desk:
    """A browser at the desk. keyboard: everything is done by keys, else by the mouse."""

    def __init__(self, browser: webdriver.Chrome, table: Directed, keyboard: bool) -> None:
        self.browser, self.table, self.keyboard = browser, table, keyboard

    def come_in(self, url: str) -> Desk:
        self.browser.get(f"{url}director")
        self.one("#pin").send_keys(self.table.pin.make())
        self.do(self.one("#door .main"))
        self.until(lambda: self.browser.find_elements(By.ID, "leave"))
        return self

    def one(self, selector: str) -> WebElement:
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def until(self, seen: Callable[[], object]) -> None:
        until(self.browser, seen)

    def do(self, button: WebElement) -> None:
        """Press it, by key or by mouse."""
        self.browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", button)
        if self.keyboard:
            self.browser.execute_script("arguments[0].focus()", button)
            button.send_keys(Keys.ENTER)
        else:
            button.click()

    def open(self, part: str) -> None:
        if self.one(f"#act-{part}").get_attribute("open") is None:
            self.do(self.one(f"#act-{part} > summary"))
        self.until(lambda: self.one(f"#act-{part}").get_attribute("open") is not None)

    def act(self, part: str, act: str, **values: str) -> str:
        """Fill the form that has this act's button, and press that; what is answered."""
        self.open(part)
        button = self.one(f"#act-{part} [data-act={act}]")
        form = button.find_element(By.XPATH, "./ancestor::form")
        for name, value in values.items():
            self._fill(form.find_element(By.NAME, name), value)
        answer = form.find_element(By.CSS_SELECTOR, ".answer")
        self.browser.execute_script("arguments[0].textContent = ''", answer)
        self.do(button)
        self.until(lambda: answer.text)
        return answer.text

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
        svg = self.one("#board svg")
        self.browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", svg)
        scale = svg.rect["width"] / (2 * MARGIN + 4 * CELL)
        right, down = (int(CELL * (n - 2) * scale) for n in (col, row))
        ActionChains(self.browser).move_to_element_with_offset(svg, right, down).click().perform()


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Directed]:
    grey = bytes(cv2.imencode(".jpg", np.full((720, 1280, 3), 110, np.uint8))[1])
    monkeypatch.setattr(directed, "PICTURE", {False: grey, True: grey})
    made = Directed(tmp_path, "chinese", "10m+3x30s")
    yield made
    made.close()


@pytest.mark.slow
@pytest.mark.parametrize(("keyboard", "size"), [(False, DESKTOP), (True, PHONE)], ids=["mouse", "keyboard"])
def test_every_act(chromium, table, keyboard, size):
    resize(chromium, size)
    with serve(table.app, port=0) as served:
        desk = Desk(chromium, table, keyboard).come_in(served.url)
        turns_and_clocks(desk, table)
        count_and_end(desk, table)
        match_and_place(desk, table)
        chromium.get_log("browser")
        desk.do(desk.one("#leave"))
        desk.until(lambda: chromium.find_elements(By.ID, "pin"))
        chromium.get("about:blank")


def turns_and_clocks(desk: Desk, table: Directed) -> None:
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
    assert table.now.game.clocks.running is W
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


def count_and_end(desk: Desk, table: Directed) -> None:
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
    assert "rules that the game is void" in desk.act("result", "void", why="a cycle")
    desk.act("dead", "agree", player="W")
    desk.act("result", "report", result="B+3", why="counted by hand")
    assert table.now.game.result == "B+3"
    desk.act("result", "verify")
    assert table.now.phase is Phase.FINAL


def match_and_place(desk: Desk, table: Directed) -> None:
    desk.act("match", "set-up", black="Ōta", white="Li", rules="japanese", komi="5.5", control="45m")
    assert (table.now.game.rules, table.now.names) == ("japanese", ("Ōta", "Li"))
    desk.until(lambda: "Ōta" in desk.one(".players").text)
    desk.open("lie")
    desk.until(lambda: desk.browser.find_elements(By.CSS_SELECTOR, "[data-key=corner-0]"))
    handle, drawn = desk.one("[data-key=corner-0]"), desk.one(".grid").get_attribute("d")
    if desk.keyboard:
        handle.send_keys(Keys.ARROW_RIGHT, Keys.SHIFT, Keys.ARROW_DOWN)
    else:
        desk.browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", handle)
        ActionChains(desk.browser).drag_and_drop_by_offset(handle, 15, 20).perform()
    assert desk.one(".grid").get_attribute("d") != drawn
    desk.do(desk.one("#lie-lids"))
    desk.act("lie", "calibrate")
    (given,) = table.calibrated
    assert given.grid.corners[0] > (384.0, 144.0) and len(given.lids) == 2
    assert json.loads(given.to_json())["size"] == 5
