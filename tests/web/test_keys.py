"""A whole game at the director's desk by the keyboard alone: nothing is clicked, focused or filled by a script."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from referee.standing import Phase
from tests.support.device.directed import Directed
from tests.support.tiers import LONG
from tests.support.web.browser import DESKTOP, resize, until
from web.server import serve

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
        """What cannot be taken back is asked about first; the focus is in the question."""
        until(self.browser, lambda: self.browser.execute_script("return document.getElementById('sure').open"))
        assert self.browser.execute_script("return document.activeElement.closest('#sure') !== null")
        self.to("#sure [value=yes]")
        self.press(Keys.ENTER)

    def open(self, part: str) -> None:
        """A part of the desk."""
        self.to(f"#act-{part} > summary")
        if not self.browser.execute_script("return document.activeElement.parentElement.open"):
            self.press(Keys.ENTER)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Directed]:
    made = Directed(tmp_path, "ultimate")
    yield made
    made.close()


@LONG
def test_a_whole_game_without_a_mouse(chromium, table):
    resize(chromium, DESKTOP)
    keys = Keyboard(chromium)
    with serve(table.app, port=0) as served:
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


def set_up(keys: Keyboard, table: Directed) -> None:
    keys.open("match")
    keys.write("#act-match [name=black]", "Anna")
    keys.choose("#act-match [name=rules]", "chinese")
    keys.to("#act-match [data-act=set-up]")
    keys.press(Keys.ENTER)
    until(keys.browser, lambda: table.now.game.rules == "chinese")
    table.look()


def enter(keys: Keyboard, table: Directed, number: int, player: str, turn: str, point: str = "") -> None:
    keys.open("turn")
    keys.choose("#turn-form [name=player]", player)
    keys.choose("#turn-form [name=turn]", turn)
    if point:
        keys.write("#turn-form [name=point]", point)
    keys.write("#turn-form [name=why]", "played while the camera was away")
    keys.to("#turn-form [data-act=enter]")
    keys.press(Keys.ENTER)
    until(keys.browser, lambda: table.now.game.turn == number)


def agree(keys: Keyboard, table: Directed) -> None:
    keys.open("dead")
    keys.choose("#dead-form [name=player]", "B")
    keys.to("#dead-form [data-act=propose]")
    keys.press(Keys.ENTER)
    until(keys.browser, lambda: table.now.game.counting.waits_for is not None)
    keys.choose("#act-dead form + form [name=player]", "W")
    keys.to("#act-dead [data-act=agree]")
    keys.press(Keys.ENTER)
    until(keys.browser, lambda: table.now.game.result is not None)


def finish(keys: Keyboard, table: Directed) -> None:
    keys.open("result")
    keys.to("#act-result [data-act=verify]")
    keys.press(Keys.ENTER)
    keys.confirm()
    until(keys.browser, lambda: table.now.phase is Phase.FINAL)
