"""A thumb's way to each act of the desk on a phone: taps, and pixels scrolled until what is tapped lies free.

A thumb taps whatever lies free in the window, and scrolls what hides it, page or sheet, by no more than it has to. Text
is typed for nothing; the tap into its field counts. The same ways are walked at a desk without the buttons that are one
tap away: an act then goes by its form.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.common.by import By

from tests.support.device.directed import DirectedTable
from tests.support.web.browser import PHONE, resize, until
from web.page_server import serve_page

REACH = """
const target = arguments[0];
const boxes = [document.scrollingElement];
for (let up = target.parentElement; up; up = up.parentElement) if (up.scrollHeight > up.clientHeight) boxes.push(up);
const tops = boxes.map((box) => box.scrollTop);
const far = () => boxes.reduce((sum, box, i) => sum + Math.abs(box.scrollTop - tops[i]), 0);
const free = () => {
  const { left, top, width, height } = target.getBoundingClientRect();
  const there = document.elementFromPoint(left + width / 2, top + height / 2);
  return there && (target.contains(there) || there.contains(target) && there.tagName === "LABEL");
};
if (!free()) target.scrollIntoView({ block: "nearest", behavior: "instant" });
if (!free()) target.scrollIntoView({ block: "center", behavior: "instant" });
return free() ? Math.round(far()) : -1;
"""


@dataclass(frozen=True)
class ThumbWay:
    """To an act. begins: what has happened before. near: what is tapped where the desk has it one tap away. part, form:
    what is opened otherwise, and what is tapped then. A text in `texts` is typed into the field of that name."""

    name: str
    form: tuple[str, ...]
    part: str
    near: tuple[str, ...] = ()
    begins: tuple[dict[str, object], ...] = ()
    rules: str = "ultimate"


@dataclass(frozen=True)
class ThumbWork:
    """taps, and pixels scrolled."""

    name: str
    taps: int
    pixels: int


def _turn(player: str, point: str) -> dict[str, object]:
    return {"act": "enter", "player": player, "turn": "place", "point": point, "why": "x"}


START: dict[str, object] = {"act": "time", "step": "start"}
PLAYED = (START, _turn("B", "C3"), _turn("W", "D3"))
PASSED = tuple({"act": "enter", "player": player, "turn": "pass", "why": "x"} for player in "BW")
PROPOSED: dict[str, object] = {"act": "propose", "player": "B", "dead": ["D3"]}
BOARD = "#board svg"
WAYS = (
    ThumbWay("pause", ("[data-act=pause]",), "pause", ("[data-body*='\"pause\"']",), PLAYED),
    ThumbWay("resume", ("[data-act=resume]",), "pause", ("[data-body*='\"resume\"']",), (*PLAYED, {"act": "pause"})),
    ThumbWay(
        "answer a call",
        ("[data-act=resume]",),
        "pause",
        ("[data-body*='\"pause\"']",),
        (*PLAYED, {"act": "time", "step": "pause", "by": "W"}),
    ),
    ThumbWay(
        "enter a stone",
        (BOARD, "#turn-form [name=why]", "[data-act=enter]"),
        "turn",
        (BOARD, "#named button"),
        PLAYED,
    ),
    ThumbWay(
        "take one turn back",
        ("#turn-form ~ form [name=why]", "[data-act=take-back]"),
        "turn",
        ("[data-body*='take-back']",),
        PLAYED,
    ),
    ThumbWay(
        "take two turns back",
        ("[name=turns]", "#turn-form ~ form [name=why]", "[data-act=take-back]"),
        "turn",
        begins=PLAYED,
    ),
    ThumbWay("exchange prisoners", ("[data-act=exchange]",), "agreed", begins=PLAYED),
    ThumbWay("remove dead stones", (BOARD, "[data-act=remove]"), "agreed", begins=PLAYED),
    ThumbWay("start the clock", ("[data-act=time]",), "clocks", ("[data-body*='\"start\"']",)),
    ThumbWay(
        "set the clocks",
        ("#fill-clocks", "#clocks-form [name=why]", "[data-act=clocks]"),
        "clocks",
        begins=(*PLAYED, {"act": "pause"}),
    ),
    ThumbWay("name dead stones", (BOARD, "[data-act=propose]"), "dead", begins=(*PLAYED, *PASSED), rules="chinese"),
    ThumbWay(
        "agree for White",
        ("#dead-form ~ form [name=player]", "[data-act=agree]"),
        "dead",
        ("[data-body*='\"agree\"']",),
        (*PLAYED, *PASSED, PROPOSED),
        "chinese",
    ),
    ThumbWay(
        "disagree for White",
        ("#dead-form ~ form [name=player]", "[data-act=disagree]"),
        "dead",
        ("[data-body*='\"disagree\"']",),
        (*PLAYED, *PASSED, PROPOSED),
        "chinese",
    ),
    ThumbWay(
        "report a result", ("[name=result]", "#act-result [name=why]", "[data-act=report]"), "result", begins=PLAYED
    ),
    ThumbWay(
        "end the match for both",
        ("[data-act=verify]",),
        "result",
        ("[data-body*='verify']",),
        (*PLAYED, {"act": "report", "result": "B+R", "why": "x"}),
    ),
    ThumbWay("void", ("form:last-of-type [name=why]", "[data-act=void]"), "result", begins=PLAYED),
    ThumbWay("set up a match", ("[data-act=set-up]",), "match", begins=PLAYED),
    ThumbWay("show board and lids", ("[data-act=calibrate]",), "lie", begins=PLAYED),
    ThumbWay("send a message", ("#act-remark [name=why]", "[data-act=remark]"), "remark", begins=PLAYED),
)


class Thumb:
    """Taps at the desk, in a phone's window, and counts."""

    def __init__(self, browser: webdriver.Chrome) -> None:
        self._browser = browser
        self.taps = self.pixels = 0

    def has(self, selector: str) -> bool:
        return any(one.is_displayed() for one in self._browser.find_elements(By.CSS_SELECTOR, selector))

    def tap(self, selector: str) -> None:
        """Tap what lies there, scrolling to it where it has to be."""
        until(self._browser, lambda: self.has(selector))
        (element, *_) = [one for one in self._browser.find_elements(By.CSS_SELECTOR, selector) if one.is_displayed()]
        scrolled = self._browser.execute_script(REACH, element)
        assert scrolled >= 0, f"{selector} lies free nowhere"
        self.taps, self.pixels = self.taps + 1, self.pixels + scrolled
        if element.get_attribute("name") in ("why", "result"):
            element.send_keys("B+R" if element.get_attribute("name") == "result" else "x")
        elif element.get_attribute("name") == "turns":
            element.send_keys("\ue003" * 2, "2")
        else:
            element.click()


def walked(browser: webdriver.Chrome, folder: Path, way: ThumbWay) -> ThumbWork:
    """One act from a fresh desk, at the top of the page with nothing open, until it is answered."""
    table = DirectedTable(folder, way.rules, "10m+3x30s")
    try:
        for act in way.begins:
            table.act(**act)  # type: ignore[arg-type]
        with serve_page(table.app, port=0) as served:
            come_in(browser, served.url, table)
            thumb = Thumb(browser)
            _walk(thumb, way)
            until(browser, lambda: any(one.text for one in browser.find_elements(By.CSS_SELECTOR, ".desk .answer")))
            browser.get("about:blank")
        return ThumbWork(way.name, thumb.taps, thumb.pixels)
    finally:
        table.close()


def come_in(browser: webdriver.Chrome, url: str, table: DirectedTable) -> None:
    resize(browser, PHONE)
    browser.get(f"{url}director")
    browser.find_element(By.ID, "pin").send_keys(table.pin.make())
    browser.find_element(By.CSS_SELECTOR, "#door .main").click()
    until(browser, lambda: browser.find_elements(By.ID, "leave"))
    near = browser.find_elements(By.CSS_SELECTOR, "[data-now=taps]")
    until(browser, lambda: not near or browser.find_elements(By.CSS_SELECTOR, "[data-now=taps] button"))


def _walk(thumb: Thumb, way: ThumbWay) -> None:
    if way.near and thumb.has("[data-now=taps]"):
        _each(thumb, way.near)
    else:
        _each(thumb, (*(("#open",) if thumb.has("#open") else ()), f"#act-{way.part} > summary"))
        time.sleep(0.3)
        _each(thumb, (one if one.startswith("#") else f"#act-{way.part} {one}" for one in way.form))
    time.sleep(0.3)
    if thumb.has("#sure [value=yes]"):
        thumb.tap("#sure [value=yes]")


def _each(thumb: Thumb, selectors: Iterable[str], tap: Callable[[Thumb, str], None] = Thumb.tap) -> None:
    for selector in selectors:
        tap(thumb, selector)
