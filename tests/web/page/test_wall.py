"""The wall and the overlay: what is on them, and how large it stands there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient
from markupsafe import escape
from selenium import webdriver

from referee.game.board import Colour
from referee.game.game_info import GameInfo
from referee.game.messages import message
from referee.table.display_state import Sight
from referee.time.steps import Act
from tests.support.tiers import LONG, is_long_run, sample
from tests.support.web.browser import resize, screenshot, until
from tests.support.web.moments import moments
from tests.support.web.snapshots import (
    Box,
    box,
    fallen,
    passed_out,
    resigned_table,
    running,
    several,
    superko,
    take_snapshot,
    ultimate_game,
    unfinished_table,
)
from web.app import create_app
from web.language import find_translator
from web.page.wall import WallModel
from web.page_config import PageIdentity
from web.page_server import PageServer, serve_page

ADDRESS = "http://shinpan-3.local:8000/"
LYING = [(1920, 1080), (1280, 720), (3840, 2160), (1024, 768), (1920, 1200)]
UPRIGHT = [(1080, 1920), (768, 1024)]
MIDDLE = {
    "ultimate game": ultimate_game,
    "superko": superko,
    "unfinished": unfinished_table,
    "resigned": resigned_table,
}
LONG_NAMES = ("Maria-Magdalena Schneider-Lüdenscheid", "Kim")
NAMES = (*LONG_NAMES, "Aoi Tanaka", "Jean-Baptiste Moreau", "Oksana Melnyk", "Tom Reed")


@pytest.fixture
def shown_box() -> Box:
    return box(ultimate_game(), number=8, names=("Maria Schneider", "Kim"))


@pytest.fixture
def client(shown_box: Box) -> FlaskClient:
    return create_app(shown_box.backend, PageIdentity(address=ADDRESS)).test_client()


def text(client: FlaskClient, path: str = "/wall", **headers: str) -> str:
    answer = client.get(path, headers=headers)
    assert (answer.status_code, answer.mimetype) == (200, "text/html")
    return answer.get_data(as_text=True)


# What is on it


def test_the_wall_has_names_lids_the_order_and_the_newest_rulings(client):
    page = text(client)
    assert "White: play, then press DONE." in page and "Maria Schneider" in page and "Ultimate Go" in page
    assert page.count('class="lid"') == 2 and 'class="ultimate"' in page
    assert "<li>Black played E4.</li><li>White played F2.</li>" in page


@pytest.mark.parametrize(
    ("now", "mover"),
    [
        (lambda: take_snapshot(ultimate_game()), Colour.WHITE),
        (lambda: take_snapshot(superko()), Colour.BLACK),
        (lambda: take_snapshot(unfinished_table()), Colour.BLACK),
        (lambda: take_snapshot(resigned_table()), Colour.BLACK),
        (lambda: take_snapshot(fallen()), Colour.WHITE),
        (lambda: take_snapshot(ultimate_game(), paused=True), Colour.WHITE),
        (lambda: take_snapshot(passed_out()), None),
    ],
    ids=["turn", "illegal", "unfinished", "resigned", "flag fallen", "paused", "end of play"],
)
def test_one_stone_tells_whose_turn_it_is_or_who_has_won(now, mover):
    wall = WallModel(now())
    assert wall.addressed == (mover.value if mover else "")
    assert [seat.player.colour for seat in wall.seats if seat.lit] == ([mover.value] if mover else [])


def test_a_refusal_is_told_in_a_few_words():
    assert [why.text for why in WallModel(take_snapshot(superko())).reasons] == ["Superko: as at the start"]
    later = take_snapshot(superko())
    assert later.trouble is not None
    later = replace(later, trouble=replace(later.trouble, repeats=8))
    assert [why.text for why in WallModel(later).reasons] == ["Superko: as after turn 8"]
    assert "8" in WallModel(later, find_translator("de")).reasons[0].text
    assert WallModel(take_snapshot(ultimate_game())).reasons == ()


@pytest.mark.parametrize("name", ["unexplained", "unfinished", "board covered"])
def test_a_reason_is_short_and_said_whole_by_a_screen_reader(name):
    now = next(moment.now for moment in moments(1) if moment.name == name)
    for code in ("en", "de", "ja"):
        wall = WallModel(now, find_translator(code))
        assert [why.whole for why in wall.reasons] == [why.text for why in wall.headline.reasons]
        assert all(len(why.text) <= 32 < len(why.whole) for why in wall.reasons if code != "ja"), wall.reasons
    page = text(create_app(Box(now).backend).test_client())
    short = WallModel(now).reasons[0]
    assert f'<span aria-hidden="true">{short.text}</span><span class="unseen">{escape(short.whole)}</span>' in page


def test_a_reason_out_of_turn_is_not_said_below_the_order_again():
    now = next(moment.now for moment in moments(1) if moment.name == "out of turn")
    assert WallModel(now).headline.text.startswith("Not your turn") and WallModel(now).reasons == ()


def test_a_short_reason_takes_no_place_but_its_own():
    now = replace(take_snapshot(superko()), asks=message("sight.seen"))
    assert [why.text for why in WallModel(now).reasons] == ["The camera sees the table.", "Superko: as at the start"]


def test_what_is_wrong_stands_beneath_the_order_and_not_in_the_ticker_too():
    wall = WallModel(take_snapshot(superko()))
    assert wall.headline.reasons[0].text.startswith("Black may not play C8.")
    assert [line.text for line in wall.newest_sentences] == ["White played B8 and captured C8."]


def test_a_remark_stands_between_earlier_and_later_rulings():
    table = running("10m")
    assert [line.text for line in WallModel(take_snapshot(table)).newest_sentences] == [
        "White starts the clock. It is Black's turn."
    ]
    table.play("B A5")
    now = [line.text for line in WallModel(take_snapshot(table)).newest_sentences]
    assert now == ["Black played A5.", "White starts the clock. It is Black's turn."]
    table.act(Act.PAUSE)
    newest, *rest = (line.text for line in WallModel(take_snapshot(table)).newest_sentences)
    assert newest.startswith("The clock is paused.") and rest == ["Black played A5."]


def test_the_camera_is_mentioned_where_it_does_not_see():
    assert "camera" not in text(create_app(box(ultimate_game()).backend).test_client())
    assert "camera" in text(create_app(box(ultimate_game(), sight=Sight.LOST).backend).test_client())


def test_the_wall_says_what_the_game_is_part_of(shown_box, client):
    shown_box.show(replace(shown_box.now, number=9, game_info=GameInfo("Spring <Open>", "3", "12")))
    assert "<strong>Spring &lt;Open&gt;, round 3, table 12</strong>" in text(client)
    shown_box.show(replace(shown_box.now, number=10, game_info=GameInfo(round="Final")))
    assert "<strong>Final</strong>" in text(client)
    assert "Spring &lt;Open&gt;, Runde 3" not in text(client, "/wall?lang=de")


def test_of_a_clock_only_what_holds_now_is_said_beside_it():
    table = running("1m+3x10s").wait(55)
    table.due()
    wall = WallModel(take_snapshot(table))
    assert [seat.beside for seat in wall.seats] == ["3 periods left", ""]
    assert [seat.player.clock.more for seat in wall.seats if seat.player.clock] == [
        "3 periods left",
        "then 3 × 10 seconds",
    ]


def test_the_page_leads_to_the_wall(client):
    assert '<a href="/wall">Big screen</a>' in text(client, "/")


def test_without_names_the_colours_are_the_names():
    page = text(create_app(box(ultimate_game()).backend).test_client())
    assert "<h2><span>Black</span></h2>" in page and "<h2><span>White</span></h2>" in page


# Where phones find the game


def seen_in(page: str) -> str:
    """Return the text that a phone reads from the page's code, "" if there is none."""
    return page.partition("<figcaption>")[2].partition("</figcaption>")[0]


def test_the_address_is_the_one_that_led_here_or_what_the_box_tells(client):
    assert seen_in(text(client, Host="localhost:8000")) == "shinpan-3.local:8000"
    assert seen_in(text(client, Host="127.0.0.1:8000")) == "shinpan-3.local:8000"
    far = {"REMOTE_ADDR": "192.168.1.9", "shinpan.here": "192.168.1.20"}
    page = client.get("/wall", headers={"Host": "192.168.1.20:8000"}, environ_overrides=far).get_data(as_text=True)
    assert seen_in(page) == "192.168.1.20:8000"


def test_a_page_for_this_machine_alone_shows_no_address(shown_box):
    page = text(create_app(shown_box.backend).test_client(), Host="localhost:8000")
    assert "<figure" not in page


# In a browser


def named(size: tuple[int, int]) -> Any:
    """Return a window's size as a parameter whose id is 1920x1080."""
    return pytest.param(size, id="x".join(map(str, size)))


@pytest.fixture
def wall(chromium: webdriver.Chrome) -> Iterator[Wall]:
    shown_box = box(running("3h+5x30s"), number=3, names=LONG_NAMES)
    app = create_app(shown_box.backend, PageIdentity(address=ADDRESS))
    with serve_page(app, port=0) as served:
        yield Wall(chromium, shown_box, served, app)
        chromium.get("about:blank")


class Wall:
    """A browser before the wall."""

    def __init__(self, browser: webdriver.Chrome, shown_box: Box, served: PageServer, app: Flask) -> None:
        self.browser, self.shown_box, self.served, self.app = browser, shown_box, served, app

    def open(self, size: tuple[int, int], query: str = "") -> None:
        resize(self.browser, size)
        self.browser.get(f"{self.served.url}wall{query}")

    def box(self, selector: str) -> dict[str, float]:
        script = "return document.querySelector(arguments[0]).getBoundingClientRect().toJSON()"
        rectangle: dict[str, float] = self.browser.execute_script(script, selector)
        return rectangle

    def picture(self, size: tuple[int, int]) -> np.ndarray:
        data = np.frombuffer(screenshot(self.browser, size), np.uint8)
        decoded = cv2.imdecode(data, cv2.IMREAD_UNCHANGED)
        assert decoded is not None
        return decoded

    def cut(self) -> list[str]:
        """List what does not fit where it stands; names, and the oldest in the ticker, may be cut."""
        cut_texts: list[str] = self.browser.execute_script(CUT)
        return cut_texts


CUT = """
const outer = { right: innerWidth + 1, bottom: innerHeight + 1, left: -1, top: -1 };
const within = (a, b) =>
  a.left >= b.left - 1 && a.right <= b.right + 1 && a.top >= b.top - 1 && a.bottom <= b.bottom + 1;
const parts = ".order h1, .order .label, .order .stone, .sign, .time, .clock small, .board, .lid, .held, .seat, " +
  ".seat > .stone, .seat h2, .act, .qr, figcaption";
const cut = [...document.querySelectorAll(parts)].filter(one => one.getClientRects().length).filter(one => {
  const place = one.getBoundingClientRect();
  const home = one.closest(".seat, .order, .foot")?.getBoundingClientRect() ?? outer;
  return !within(place, home) || !within(place, outer);
}).map(one => `${one.className.baseVal ?? one.className} ${one.tagName} ${one.textContent.slice(0, 20)}`);
const { scrollHeight, scrollWidth } = document.documentElement;
return cut.concat(scrollHeight > innerHeight || scrollWidth > innerWidth ? ["scrolls"] : []);
"""


ORDER = """
const order = document.querySelector(".order");
return [order.scrollHeight - order.clientHeight, parseFloat(getComputedStyle(order.querySelector("h1")).fontSize)];
"""
"""The script that returns how much of the order is hidden, and how large its letters are, in pixels."""


REASONS = """
return [...document.querySelectorAll(".order .reason")].map(one =>
  [one.scrollHeight - one.clientHeight, parseFloat(getComputedStyle(one).fontSize)]);
"""
"""How much of each reason is hidden, and how large its letters are, in pixels."""


@pytest.mark.slow
@pytest.mark.parametrize("size", sample([*map(named, (*LYING, *UPRIGHT))], 1))
def test_everything_fits_and_is_large(wall, size):
    wall.open(size)
    wide, high = size
    least = 0.95 * high if wide > high else 0.9 * min(wide, 0.58 * high)
    assert wall.box(".board")["height"] >= least - 0.5
    if wide > high:
        assert digits_height(wall, size) >= 0.08 * high
    assert wall.cut() == []
    for number, table in enumerate(list(MIDDLE.values())[: None if is_long_run() else 2], 4):
        wall.shown_box.show(take_snapshot(table(), number, names=LONG_NAMES))
        wall.open(size)
        assert wall.cut() == []


@pytest.mark.slow
def test_a_long_name_stands_whole_in_smaller_letters(wall):
    wall.shown_box.show(replace(wall.shown_box.now, number=4, names=("Maria Schneider-Kowalczyk", "Kim")))
    for size in ((1920, 1080), (390, 844)):
        wall.open(size)
        hidden = "return [...document.querySelectorAll('.seat h2')].map(one => one.scrollWidth - one.clientWidth)"
        assert max(wall.browser.execute_script(hidden)) <= 0, size
        scale = "return [...document.querySelectorAll('.seat h2')].map(one => one.style.getPropertyValue('--fit'))"
        long, short = wall.browser.execute_script(scale)
        assert float(long) < 1 and float(short) == 1, size


@LONG
@pytest.mark.parametrize("players", [3, 4, 6])
@pytest.mark.parametrize("control", ["1m+3x20s", "3h+5x30s", None])
def test_with_more_players_the_order_is_whole_and_large(wall, players, control):
    wall.shown_box.show(replace(several(players, control), number=4, names=NAMES[:players]))
    for size in (*LYING, *UPRIGHT):
        wall.open(size)
        assert wall.cut() == [], size
        hidden, high = wall.browser.execute_script(ORDER)
        assert hidden <= 0 and high >= 0.017 * size[1], size
    for size in (*LYING, *UPRIGHT):
        wall.open(size, "?overlay")
        assert wall.cut() == [], size


def digits_height(wall: Wall, size: tuple[int, int]) -> int:
    """Rows of pixels that hold ink of the waiting player's clock."""
    place = wall.box(".seat:not(.lit) .time")
    left, top, right, bottom = (round(place[side]) for side in ("left", "top", "right", "bottom"))
    ground = wall.picture(size)[top:bottom, left:right, :3].astype(int)
    inked = (abs(ground - ground[0, 0]).sum(axis=2) > 150).any(axis=1)
    return int(np.ptp(np.flatnonzero(inked))) + 1


@LONG
@pytest.mark.parametrize("size", [*map(named, LYING[:2])])
def test_a_phone_reads_the_address(wall, size):
    wall.open(size)
    read, *_ = cv2.QRCodeDetector().detectAndDecode(wall.picture(size)[..., :3])
    assert read == ADDRESS


@LONG
def test_whose_turn_it_is_is_told_by_brightness_alone(wall):
    """Without any colour the lit side differs from the other, and so do the two stones."""
    wall.open((1920, 1080))
    grey = cv2.cvtColor(wall.picture((1920, 1080))[..., :3], cv2.COLOR_BGR2GRAY)

    def brightness(selector: str, x: float, y: float) -> int:
        place = wall.box(selector)
        return int(grey[round(place["top"] + y * place["height"]), round(place["left"] + x * place["width"])])

    lit, dark = brightness(".seat.lit", 0.5, 0.97), brightness(".seat:not(.lit)", 0.5, 0.97)
    black, white = (brightness(f".seat > .stone.{colour}", 0.7, 0.7) for colour in "BW")
    assert lit - dark > 120 and white - black > 120
    assert brightness(".order .stone", 0.7, 0.7) == pytest.approx(black, abs=25)


@LONG
def test_the_screen_is_kept_awake(wall):
    """Served to this machine itself the page is secure, so the browser grants a lock; without one a film plays."""
    wall.open((1280, 720))
    until(wall.browser, lambda: wall.browser.execute_script("return document.body.dataset.awake"))
    without = {"source": "delete Navigator.prototype.wakeLock"}
    script = wall.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", without)
    try:
        wall.open((1280, 720))
    finally:
        wall.browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)
    until(wall.browser, lambda: wall.browser.execute_script("return document.body.dataset.awake") == "film")
    large = wall.box(".awake")
    assert (large["width"], large["height"]) == (1280, 720)
    assert wall.browser.execute_script("return !document.querySelector('.awake').paused")


@LONG
def test_the_overlay_is_transparent_where_nothing_is_drawn(wall):
    clear = {"color": {"r": 0, "g": 0, "b": 0, "a": 0}}
    wall.browser.execute_cdp_cmd("Emulation.setDefaultBackgroundColorOverride", clear)
    try:
        wall.open((1920, 1080), "?overlay")
        opaque = wall.picture((1920, 1080))[..., 3]
    finally:
        wall.browser.execute_cdp_cmd("Emulation.setDefaultBackgroundColorOverride", {})
    assert (opaque[:200] == 0).all() and (opaque == 0).mean() > 0.6
    for part in (".board", ".seat", ".order"):
        place = wall.box(part)
        assert opaque[round(place["top"] + place["height"] / 2), round(place["left"] + place["width"] / 2)] == 255
    assert wall.box(".board")["bottom"] <= 1080 and wall.cut() == []


@pytest.mark.slow
def test_the_overlay_says_who_plays_and_what_was_ruled(wall):
    wall.shown_box.show(take_snapshot(superko(), 4, names=("Maria", "Kim"), notice=message("sight.seen")))
    wall.open((1920, 1080), "?overlay")
    text = wall.browser.execute_script("return document.querySelector('main').innerText")
    assert "Black may not play C8." in text and "Maria" in text and "Kim" in text and "Ultimate Go" not in text


@pytest.mark.slow
def test_a_change_arrives_without_loading_the_wall_again(wall):
    wall.open((1280, 720))
    wall.browser.execute_script("window.loadedOnce = true")
    wall.shown_box.show(take_snapshot(superko(), 4))
    until(wall.browser, lambda: wall.browser.execute_script("return document.querySelector('.order.red') !== null"))
    assert wall.browser.execute_script("return window.loadedOnce")
    assert wall.cut() == []


@LONG
@pytest.mark.parametrize("seed", [1, 2])
def test_twenty_moments_can_be_read_from_afar(wall, seed):
    """At 320x180 pixels, as from five metres, the order's letters are still 8 pixels high, and its reasons' 7."""
    for number, moment in enumerate(moments(seed), 10):
        wall.shown_box.show(replace(moment.now, number=number))
        wall.open((1920, 1080))
        size = "return parseFloat(getComputedStyle(document.querySelector('h1')).fontSize)"
        lit = wall.browser.execute_script("return document.querySelector('.seat.lit')?.ariaLabel ?? ''")
        assert wall.browser.execute_script(size) >= 8 * 6 and wall.cut() == [], moment.name
        assert all(hidden <= 0 and high >= 7 * 6 for hidden, high in wall.browser.execute_script(REASONS)), moment.name
        assert lit == (moment.mover.name.title() if moment.mover else ""), moment.name


@LONG
def test_the_position_that_would_be_repeated_flashes_up(wall):
    wall.open((1280, 720))
    wall.shown_box.show(take_snapshot(superko(), 4))
    until(wall.browser, lambda: wall.browser.execute_script("return document.querySelector('.flash svg') !== null"))
    flash, board = wall.box(".flash .board"), wall.box("#board .board")
    beside = flash["left"] >= board["left"] + board["width"] or flash["left"] + flash["width"] <= board["left"]
    assert beside, "it covers no stone"
    assert "start" in wall.browser.execute_script("return document.querySelector('.flash p').textContent")
    assert wall.cut() == []


@LONG
@pytest.mark.parametrize("size", [*map(named, (*LYING[:2], UPRIGHT[0]))])
def test_the_overlay_follows_the_game_as_the_overlay(wall, size):
    wall.open(size, "?overlay")
    assert wall.cut() == []
    wall.shown_box.show(take_snapshot(superko(), 4))
    reason = "return document.querySelector('.reason').textContent"
    until(wall.browser, lambda: "Black may not play C8." in wall.browser.execute_script(reason))
    assert wall.cut() == []


@pytest.mark.slow
def test_without_contact_the_numbers_stand_and_it_says_since_when(wall):
    wall.shown_box.health = {"ok": True, "seconds": wall.shown_box.now.t + 5}
    wall.open((1280, 720))
    clock = "return document.querySelector('.clock.running .time').textContent"
    begun = wall.browser.execute_script(clock)
    until(wall.browser, lambda: wall.browser.execute_script(clock) != begun)
    wall.served.close()
    lost_text = "return document.querySelector('#lost:not([hidden])')?.textContent ?? ''"
    until(wall.browser, lambda: wall.browser.execute_script(lost_text))
    assert re.search(r"at \d+:\d\d:\d\d", wall.browser.execute_script(lost_text))
    place = wall.box("#lost")
    assert place["left"] >= 0 and place["right"] <= 1280 and place["bottom"] <= 720 and wall.cut() == []
    stood, now = wall.browser.execute_script(clock), wall.browser.execute_script("return performance.now()")
    until(wall.browser, lambda: wall.browser.execute_script("return performance.now()") > now + 1500)
    assert wall.browser.execute_script(clock) == stood
    with serve_page(wall.app, port=wall.served.port):
        until(wall.browser, lambda: not wall.browser.execute_script(lost_text))
        until(wall.browser, lambda: wall.browser.execute_script(clock) != stood)
