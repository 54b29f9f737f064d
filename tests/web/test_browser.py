"""The page in a real browser: what a phone and a desktop show, what arrives, and what is understood in a second."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import pytest
from selenium.webdriver.common.keys import Keys

from referee.game.actor import Actor
from referee.game.coordinates import JOINT, Coordinates
from referee.game.count_result import DeadStoneClaim
from referee.game.messages import plain_message
from referee.table.display_state import Paused, Sight
from referee.table.events import Agree, Propose
from tests.support.referee.table import PlayedTable
from tests.support.tiers import LONG, is_long_run, sample
from tests.support.web.browser import DESKTOP, PHONE, Visit, resize
from tests.support.web.moments import moments
from tests.support.web.snapshots import (
    PAIR,
    B,
    Box,
    W,
    begun_table,
    box,
    counted_table,
    expedited_snapshot,
    random_game,
    random_turn,
    resigned_table,
    running,
    several_with_names,
    superko,
    take_snapshot,
    ultimate_game,
    unfinished_table,
)
from tests.support.wording import english
from web.app import create_app
from web.language import find_translator
from web.language_traits import CODES
from web.page.headline import headline_of
from web.page.partials import parts_of
from web.page.svg import MARGIN, STONE
from web.page_config import AccessConfig
from web.page_server import serve_page

pytestmark = pytest.mark.slow

WINDOWS = [pytest.param(DESKTOP, id="desktop"), pytest.param(PHONE, id="phone")]
SIZES = pytest.mark.parametrize("size", WINDOWS)
MAINLY_DESKTOP = pytest.mark.parametrize("size", sample(WINDOWS, 1))
MAINLY_PHONE = pytest.mark.parametrize("size", sample(WINDOWS[::-1], 1))


@MAINLY_DESKTOP
def test_board_lids_and_ruling_appear(visit, size):
    visit.open(size)
    assert visit.text("h1").replace("\n", " ") == "White: play, then press DONE."
    assert visit.text(".banner .notice") == "Black played E4."
    assert visit.text(".player.of-W .count").replace("\n", " ") == "2 black stones and the ultimate stone"
    assert visit.count(".board circle.last") == 1
    assert visit.one(".board").rect["width"] > 300
    assert visit.complaints() == []


def test_points_are_shown_and_typed_as_the_board_s_edge_names_them(visit):
    """A board of 9 lines: E5 is its middle. Newspapers' の, wide digits and bare figures are understood too."""
    typed = {"A1": ["e5"], "A1-I": ["E5", "i1"], "1-1": ["5-5", "5の5"], "japanese": ["5-五", "５の五", "5-5"]}
    names = {"A1": "E5", "A1-I": "E5", "1-1": f"5{JOINT}5", "japanese": f"5{JOINT}五"}
    ask = "return [shinpanPoints.shown('E5'), arguments[0].map(shinpanPoints.typed)]"
    for coordinates, texts in typed.items():
        number = visit.shown_box.now.number + 1
        visit.shown_box.show(replace(visit.shown_box.now, number=number, coordinates=Coordinates(coordinates)))
        visit.open()
        name, points = visit.browser.execute_script(ask, [*texts, names[coordinates]])
        assert (name, points) == (names[coordinates], [*("J1" if one == "i1" else "E5" for one in texts), "E5"])
    assert visit.complaints() == []


@MAINLY_PHONE
def test_nothing_is_wider_than_the_window(visit, size):
    visit.open(size)
    for game in (ultimate_game, superko, resigned_table):
        number = visit.shown_box.now.number + 1
        long = "There is neither a camera nor a lamp nor a buzzer at this table, and nothing can be judged or shown."
        visit.shown_box.show(
            take_snapshot(
                game(), number=number, notice=plain_message(long), faults=(plain_message(long), plain_message(long))
            )
        )
        visit.until(
            lambda game=game, number=number: visit.one("main").get_attribute("data-version").endswith(f"-{number}")
        )
        width = visit.browser.execute_script("return document.documentElement.scrollWidth")
        assert width <= size[0]


@pytest.mark.parametrize("code", sample(sorted(CODES), 1))
def test_every_language_fits_a_phone(visit, code):
    resize(visit.browser, PHONE)
    games = [superko, counted_table, ultimate_game, resigned_table][: None if is_long_run() else 2]
    for number, game in enumerate(games, 9):
        visit.shown_box.show(take_snapshot(game(), number=number))
        visit.browser.get(f"{visit.served.url}?lang={code}")
        assert visit.one("html").get_attribute("lang") == code
        assert visit.browser.execute_script("return document.documentElement.scrollWidth") <= PHONE[0]


FILLED = """
document.querySelector(".banner").outerHTML = arguments[0];
const {scrollHeight, clientHeight, scrollWidth, clientWidth} = document.querySelector(".banner > div");
return [scrollHeight - clientHeight, scrollWidth - clientWidth];
"""
LONGEST = 2
"""Moments a language."""


@pytest.mark.parametrize("size", [pytest.param(PHONE, id="phone"), pytest.param((1024, 768), id="tablet")])
def test_the_longest_orders_need_no_scrolling(visit, size):
    visit.open(size)
    client = create_app(visit.shown_box.backend).test_client()
    why = Paused(Actor.DIRECTOR, "a telephone rang, and " * 13, 0.0)
    snapshots = [take_snapshot(running(), paused=True, pause=why), *(one.now for one in moments(1))]
    for code in CODES:
        longest = sorted(snapshots, key=lambda now: -len(str(headline_of(now, find_translator(code)))))
        for number, now in enumerate(longest[:LONGEST]):
            visit.shown_box.now = replace(now, number=100 + number)
            banner = parts_of(client.get(f"/?lang={code}").get_data(as_text=True))["banner"]
            assert visit.browser.execute_script(FILLED, banner) == [0, 0], banner


CUT = """
return [...document.querySelectorAll(".player")].flatMap(player => {
  const strip = player.getBoundingClientRect(), who = player.querySelector(".who"), name = who.getBoundingClientRect();
  const cut = who.scrollHeight > who.clientHeight || name.top < strip.top || name.bottom > strip.bottom;
  return cut ? [who.innerText] : [];
});
"""


@pytest.mark.parametrize("size", sample([(360, 740), PHONE, (768, 1024), (1280, 800), (1920, 1080)], 1), ids=str)
def test_a_long_name_is_whole_in_its_strip(visit, size):
    names = ("Maximiliane-Wilhelmine Mustermann-Beispielhausen-Oberdorfers", "Maria Schwarzenegger-Oberhauser")
    visit.shown_box.now = take_snapshot(running("20m+5x30s"), number=8, names=names)
    visit.open(size)
    assert visit.browser.execute_script(CUT) == []


LEAVING = """
document.querySelector(".players").outerHTML = arguments[0];
document.documentElement.lang = arguments[1];
const within = (card, one) => {
  const [a, b] = [card.getBoundingClientRect(), one.getBoundingClientRect()];
  return a.left <= b.left && b.right <= a.right && a.top <= b.top && b.bottom <= a.bottom;
};
return [...document.querySelectorAll(".player")].flatMap(card => {
  const [name, clock] = [".who", ".clock"].map(one => card.querySelector(one).getBoundingClientRect());
  const leaves = [...card.querySelectorAll(".clock, .clock *")].filter(one => !within(card, one));
  const isWide = card.scrollWidth > card.clientWidth || name.right > clock.left;
  return isWide || leaves.length ? [card.innerText] : [];
});
"""


@pytest.mark.parametrize("size", [pytest.param(PHONE, id="phone"), pytest.param((1280, 800), id="laptop")])
def test_the_byo_yomi_stays_in_its_card_in_every_language(visit, size):
    visit.open(size)
    client = create_app(visit.shown_box.backend).test_client()
    names = ("Maximiliane-Wilhelmine Mustermann-Beispielhausen-Oberdorfers", "Ada")
    controls = ("20m+5x30s", "5s+10x30s", "5s+1x30s", "5s+25/10m", "2h+5x60s", "5s+3x30s")
    for code in CODES:
        for number, control in enumerate(controls, 100):
            visit.shown_box.now = take_snapshot(running(control), number, names=names)
            players = parts_of(client.get(f"/?lang={code}").get_data(as_text=True))["players"]
            assert visit.browser.execute_script(LEAVING, players, code) == [], (code, control)


@pytest.mark.parametrize("size", [pytest.param(PHONE, id="phone"), pytest.param((1024, 768), id="tablet")])
def test_a_long_name_of_a_winner_is_whole_in_the_banner(visit, size):
    names = ("Ada", "Maximiliane-Wilhelmine Mustermann-Beispielhausen-Oberdorfers")
    visit.shown_box.now = take_snapshot(counted_table(), number=8, names=names)
    visit.open(size)
    cut = "const { scrollHeight, clientHeight } = arguments[0]; return scrollHeight - clientHeight"
    assert visit.browser.execute_script(cut, visit.one(".winner")) <= 2


LINES = """
return [...document.querySelectorAll(".who")].map(who => {
  const range = document.createRange();
  range.selectNodeContents(who);
  return range.getClientRects().length;
});
"""


def test_names_of_six_players_are_whole_on_a_phone(visit):
    visit.shown_box.now = replace(several_with_names(6), number=8)
    visit.open(PHONE)
    assert visit.browser.execute_script(LINES) == [1] * 6
    assert visit.browser.execute_script(CUT) == []


BROKEN = """
const texts = [...document.querySelectorAll(".count")].map(one => one.firstChild);
return texts.flatMap(text => [...text.data.matchAll(/\\S+/g)].filter(word => {
  const range = document.createRange();
  range.setStart(text, word.index);
  range.setEnd(text, word.index + word[0].length);
  return range.getClientRects().length > 1;
}).map(word => word[0]));
"""


@LONG
@pytest.mark.parametrize("code", CODES[:2])
@pytest.mark.parametrize("size", [(320, 700), (360, 740), PHONE, (1920, 1080)], ids=lambda size: f"{size[0]}")
def test_beside_a_lid_no_word_is_broken(visit, size, code):
    visit.open(size)
    visit.browser.get(f"{visit.served.url}?lang={code}")
    assert "ultimat" in visit.text(".players") and visit.browser.execute_script(BROKEN) == []


@LONG
def test_on_a_phone_banner_board_and_lids_come_first(visit):
    visit.open(PHONE)
    tops = [visit.top_of(part) for part in (".banner", ".player.of-W", ".board", ".player.of-B", ".steps", ".turns")]
    assert tops == sorted(tops)
    assert visit.one(".player.of-B").rect["y"] + visit.one(".player.of-B").rect["height"] <= PHONE[1]


@LONG
@SIZES
def test_a_change_arrives_without_loading_the_page_again(visit, size):
    visit.open(size)
    visit.shown_box.show(take_snapshot(superko(), number=9))
    visit.until(lambda: "may not play C8" in visit.text(".banner .notice"))
    assert visit.text(".banner .label") == "Illegal: superko"
    assert visit.text(".moves .tried a").split() == ["2", "✕", "C8", "superko"]
    assert visit.browser.title.startswith("Black: remove C8")
    assert visit.one(".banner > div").get_attribute("aria-live") == "polite"
    assert visit.same_page
    assert visit.complaints() == []


@LONG
@SIZES
def test_an_update_moves_nothing(visit, size):
    visit.open(size)
    parts = (".board", ".player.of-W", ".steps", ".turns")
    before = [visit.top_of(part) for part in parts]
    for number, game in enumerate((superko, resigned_table, begun_table), 9):
        visit.shown_box.show(take_snapshot(game(), number=number, sight=Sight.COVERED))
        visit.until(lambda number=number: visit.one("main").get_attribute("data-version").endswith(f"-{number}"))
        assert [visit.top_of(part) for part in parts] == before


@LONG
def test_every_turn_of_a_game_arrives(visit):
    table = begun_table()
    visit.shown_box.now = take_snapshot(table)
    visit.open()
    for number, turn in enumerate(("B E5", "W G5", "B delay", "W C3"), 2):
        table.play(turn)
        visit.shown_box.show(take_snapshot(table, number=number))
    visit.until(lambda: visit.count(".moves li .stone") == 4)
    assert visit.text(".moves li").split() == ["4", "C3"]
    assert visit.same_page


def test_it_recovers_when_the_box_comes_back(visit):
    visit.open()
    visit.served.close()
    visit.until(lambda: visit.link == "lost")
    assert visit.one("#lost").is_displayed()
    visit.shown_box.show(take_snapshot(superko(), number=1))
    with serve_page(create_app(visit.shown_box.backend), port=visit.served.port):
        visit.until(lambda: visit.link == "live")
        visit.until(lambda: "may not play C8" in visit.text(".banner .notice"))
        assert not visit.one("#lost").is_displayed()
        assert visit.same_page
        assert visit.complaints() == []


def test_it_asks_where_no_stream_is_free(chromium):
    shown_box = box(ultimate_game(), number=8)
    with serve_page(create_app(shown_box.backend, access=AccessConfig(viewers=0)), port=0) as served:
        visit = Visit(chromium, shown_box, served)
        chromium.get(served.url)
        visit.until(lambda: visit.link == "polling")
        shown_box.show(replace(shown_box.now, number=9, paused=True))
        visit.until(lambda: visit.text(".banner .label") == "Paused")
        chromium.get("about:blank")


def test_a_running_clock_runs_on_the_page(chromium):
    table = running("30m")
    shown_box = box(table, number=3)
    shown_box.health = {"ok": True, "seconds": 12.0 + 5.0}
    with serve_page(create_app(shown_box.backend), port=0) as served:
        visit = Visit(chromium, shown_box, served).open()
        visit.until(lambda: visit.text(".clock.running .time") < "29:46")
        time, since = chromium.execute_script(
            "return [document.querySelector('.clock.running .time').innerText, performance.now() / 1000]"
        )
        minutes, _, seconds = time.partition(":")
        left = 60 * int(minutes) + int(seconds)
        assert 29 * 60 + 44 - since < left <= 29 * 60 + 45
        assert visit.text(".player.of-W .clock .time") == "30:00"
        visit.until(lambda: visit.text(".clock.running .time") < time)
        assert visit.same_page and visit.complaints() == []
        chromium.get("about:blank")


def test_the_camera_picture_is_opened_by_the_menu(visit):
    visit.open()
    assert not visit.one("#picture").is_displayed()
    visit.choose("[data-opens=camera]")
    assert not visit.one("#menu nav").is_displayed() and visit.top_of("#camera") < DESKTOP[1]
    visit.until(lambda: visit.one(".no-picture").is_displayed())
    visit.shown_box.pictures = {True: _jpeg()}
    visit.shown_box.show(replace(visit.shown_box.now, number=9))
    visit.until(lambda: visit.one("#picture").is_displayed())
    assert "overlay=1" in (visit.one("#picture").get_attribute("src") or "")
    assert not visit.one(".no-picture").is_displayed()
    assert visit.text(".camera figcaption").split() == ["Legal", "turn", "8", "Black", "played", "E4."]
    visit.shown_box.show(take_snapshot(superko(), number=10))
    visit.until(lambda: "Illegal: superko" in visit.text(".camera figcaption"))
    assert visit.text(".banner .notice").removesuffix(" See it") in visit.text(".camera figcaption")
    visit.one("#camera summary").click()
    assert not visit.one("#picture").is_displayed()


def test_without_a_script_the_page_shows_the_game_and_renews_itself(chromium, visit):
    chromium.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        chromium.get(visit.served.url)
        assert visit.one(".banner .notice").text == "Black played E4."
        assert visit.count(".board circle.last") == 1
        visit.shown_box.show(take_snapshot(superko(), number=9))
        visit.until(lambda: "may not play C8" in visit.one(".banner .notice").text)
    finally:
        chromium.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def _jpeg() -> bytes:
    """A small grey picture."""
    cv2 = pytest.importorskip("cv2")
    numpy = pytest.importorskip("numpy")
    return bytes(cv2.imencode(".jpg", numpy.full((72, 128, 3), 90, numpy.uint8))[1])


def test_the_game_is_stepped_through_while_it_goes_on(visit):
    visit.open()
    stones = visit.count("#board [data-stones] circle")
    visit.one("[data-go=first]").click()
    visit.until(lambda: visit.count("#board [data-stones] circle") == 7)
    visit.shown_box.show(take_snapshot(superko(), number=9))
    visit.until(lambda: "remove C8" in visit.browser.title)
    visit.until(lambda: visit.text("#where") == "Turn 0 of 1")
    assert visit.text("h1") == "The game begins.", "an earlier moment orders nothing"
    assert visit.count("#board [data-stones] circle") == 7
    visit.shown_box.show(take_snapshot(ultimate_game(), number=10))
    visit.until(lambda: visit.text("#where") == "Turn 0 of 8")
    visit.one("body").send_keys(Keys.ARROW_RIGHT)
    visit.until(lambda: visit.text("#where") == "Turn 1 of 8")
    visit.one(".moves a[href='?turn=3']").click()
    visit.until(lambda: visit.text("#where") == "Turn 3 of 8")
    assert visit.text(".moves a[aria-current]").split() == ["3", "E7"]
    visit.one("body").send_keys(Keys.END)
    visit.until(lambda: visit.count("#board [data-stones] circle") == stones)
    assert visit.count(".moves a[aria-current]") == 0
    assert visit.same_page and visit.complaints() == []


@LONG
def test_the_slider_and_the_list_follow_the_moment(visit):
    visit.open()
    assert visit.one("#slider").get_attribute("max") == "8" and visit.one("#slider").get_attribute("value") == "8"
    visit.browser.execute_script(
        "const slider = document.getElementById('slider'); slider.value = 2; slider.dispatchEvent(new Event('input'))"
    )
    visit.until(lambda: visit.text("#where") == "Turn 2 of 8")
    assert visit.text(".banner .label") == "You are at turn 2 of 8"
    current = visit.one(".moves a[aria-current]").rect
    box = visit.one(".turns .scroll").rect
    assert box["y"] <= current["y"] and current["y"] + current["height"] <= box["y"] + box["height"] + 1
    visit.one(".banner .back").click()
    visit.until(lambda: visit.text("h1") == "White: play, then press DONE.")
    assert visit.one("#slider").get_attribute("value") == "8" and visit.complaints() == []


@LONG
def test_the_list_of_turns_is_one_stop_for_the_keyboard(visit):
    visit.open()
    stops = "return [...document.querySelectorAll('.moves a')].filter(one => one.tabIndex === 0).length"
    assert visit.browser.execute_script(stops) == 1
    visit.browser.execute_script("document.querySelector('.moves a').focus()")
    visit.browser.switch_to.active_element.send_keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ENTER)
    visit.until(lambda: visit.text("#where") == "Turn 6 of 8")
    assert visit.browser.execute_script(stops) == 1


@LONG
def test_the_frame_of_a_replay_covers_no_coordinates(visit):
    visit.open()
    visit.one("[data-go=first]").click()
    visit.until(lambda: visit.count(".table.past") == 1)
    padding = "return parseFloat(getComputedStyle(document.querySelector('.board')).paddingTop)"
    assert visit.browser.execute_script(padding) > 0


@LONG
def test_the_seal_stands_at_the_end_alone(chromium):
    shown_box = box(counted_table(), archive_name="1", seal="a" * 64)
    with serve_page(create_app(shown_box.backend), port=0) as served:
        visit = Visit(chromium, shown_box, served).open(PHONE)
        assert visit.count(".seal") == 1
        assert chromium.execute_script("return document.documentElement.scrollWidth") <= PHONE[0]
        visit.one("[data-go=first]").click()
        visit.until(lambda: visit.text("#where") == "Turn 0 of 2")
        assert visit.count(".seal") == 0
        chromium.get("about:blank")


LYING = (844, 390)


@pytest.fixture(scope="module")
def large(chromium) -> Iterator[Visit]:
    """A visit to a board of nineteen lines, with clocks."""
    table = PlayedTable(("." * 19,) * 19, rules="chinese", refereed=True, black_side=1, control="20m+3x30s")
    table.look()
    table.play("B D4", "W Q16")
    shown_box = box(table, names=("Anna Berg", "Maria Schwarzenegger-Oberhauser"))
    with serve_page(create_app(shown_box.backend), port=0) as served:
        yield Visit(chromium, shown_box, served)
        chromium.get("about:blank")


NAMES = """
const board = document.querySelector(".board"), names = board.querySelector(".names");
const numbers = [...names.children].filter(one => Number(one.textContent));
const ends = numbers.map(one => one.getBBox().x + one.getBBox().width);
const scale = board.clientWidth / board.viewBox.baseVal.width;
return [names.getAttribute("font-size") * scale, Math.max(...ends.filter(x => x < 100))];
"""


@pytest.mark.parametrize("size", sample([pytest.param(PHONE, id="upright"), pytest.param(LYING, id="sideways")], 1))
def test_coordinates_can_be_read_and_no_stone_covers_them(large, size):
    large.open(size)
    pixels, end = large.browser.execute_script(NAMES)
    assert pixels >= 9 and end <= MARGIN - STONE


@LONG
def test_sideways_the_board_the_clocks_and_the_order_fit_without_scrolling(large):
    large.open(LYING)
    for part in (".board", "h1", ".player.of-B .clock", ".player.of-W .clock"):
        rect = large.one(part).rect
        assert rect["y"] >= 0 and rect["y"] + rect["height"] <= LYING[1], part


LEAST = {(390, 844): 390, (768, 1024): 700, (1280, 800): 700, (1920, 1080): 960, (2560, 1440): 1280}
"""The board's width in pixels, at least, in each window."""


@LONG
def test_the_board_is_as_large_as_the_window_allows(large):
    large.open()
    for size, least in LEAST.items():
        resize(large.browser, size)
        board, strip = large.one(".place").rect, large.one(".player.of-B").rect
        assert board["width"] >= least and strip["y"] + strip["height"] <= size[1], size
        digits = "return parseFloat(getComputedStyle(document.querySelector('.clock .time')).fontSize)"
        assert large.browser.execute_script(digits) >= (44 if size[0] > 390 else 34), size


@LONG
@SIZES
def test_a_tap_on_a_barred_point_says_why(chromium, size):
    table = begun_table(to_play=W).play("W B8")
    with serve_page(create_app(box(table).backend), port=0) as served:
        visit = Visit(chromium, box(table), served).open(size)
        assert visit.text(".bars .words") == "C8 is barred for Black"
        visit.browser.execute_script("document.querySelector('.barred rect').scrollIntoView({block: 'center'})")
        visit.one("#board .barred").click()
        visit.until(lambda: "repeat the starting position" in visit.text("#bar-C8"))
        visit.one("body").send_keys(Keys.ESCAPE)
        visit.until(lambda: visit.one("#bars").get_attribute("open") is None)
        chromium.get("about:blank")


@LONG
def test_captured_stones_fade(visit):
    visit.open()
    visit.browser.execute_script(
        "window.faded = 0; new MutationObserver(all => all.forEach(one => one.addedNodes.forEach(node => {"
        "if (node.querySelectorAll) window.faded += node.querySelectorAll('.gone circle').length;})))"
        ".observe(document.querySelector('.left'), {childList: true, subtree: true})"
    )
    table = begun_table(PAIR)
    visit.shown_box.show(take_snapshot(table, number=9))
    visit.until(lambda: visit.one("main").get_attribute("data-version").endswith("-9"))
    visit.browser.execute_script("window.faded = 0")
    visit.shown_box.show(take_snapshot(table.play("B E7"), number=10))
    visit.until(lambda: visit.browser.execute_script("return window.faded") == 2)
    visit.until(lambda: visit.count(".gone") == 0)


@LONG
def test_sounds_are_made_if_wanted(visit):
    visit.open()
    visit.shown_box.show(take_snapshot(superko(), number=9))
    visit.until(lambda: "may not play C8" in visit.text(".banner .notice"))
    assert visit.one("#sound").get_attribute("data-played") is None
    visit.choose("#sound")
    assert visit.one("#sound").get_attribute("aria-pressed") == "true" and visit.text("#sound") == "Sound on"
    visit.shown_box.show(take_snapshot(unfinished_table(), number=10))
    visit.until(lambda: visit.one("#sound").get_attribute("data-played") == "unfinished")
    visit.choose("#sound")
    assert visit.complaints() == []


@LONG
def test_the_language_is_chosen_on_the_page(visit):
    visit.open()
    visit.choose("#menu a[lang=de]")
    visit.until(lambda: visit.text("h1") == "Weiß ist am Zug: setzen, dann DONE drücken.")
    visit.shown_box.show(take_snapshot(superko(), number=9))
    visit.until(lambda: "darf nicht auf C8 spielen" in visit.text(".banner .notice"))
    visit.choose("#menu a[lang=en]")
    visit.until(lambda: visit.text("h1") == "Black: remove C8 and put the white stone back on B8.")
    assert visit.complaints() == []


@LONG
@SIZES
def test_the_count_is_stepped_through_after_the_game(chromium, size):
    now = expedited_snapshot()
    count = now.game.counting.count
    assert count is not None
    with serve_page(create_app(Box(now).backend), port=0) as served:
        visit = Visit(chromium, Box(now), served).open(size)
        stones = visit.count("#board [data-stones] circle")
        visit.one("body").send_keys(Keys.ARROW_RIGHT)
        visit.until(lambda: visit.text("#where") == f"Count, step 1 of {len(count.steps)}")
        visit.until(lambda: visit.count("#board [data-stones] circle") == stones + 1)
        assert visit.text(".counted [aria-current]") == english(count.steps[0])
        visit.one(".counted a[href='?step=2']").click()
        visit.until(lambda: visit.count("#board [data-stones] circle") == stones + 2)
        visit.one("[data-go=now]").click()
        visit.until(lambda: visit.count("#board [data-stones] circle") == stones)
        assert visit.count(".counted a[aria-current]") == 0 and visit.complaints() == []
        chromium.get("about:blank")


# What is understood in a second: whose turn it is, what to do, and whether it is of now


def test_without_contact_the_last_board_is_shown_in_place_of_an_error(chromium):
    shown_box = box(ultimate_game(), number=8)
    with serve_page(create_app(shown_box.backend), port=0) as served:
        visit = Visit(chromium, shown_box, served).open()
        visit.until(lambda: chromium.execute_script("return navigator.serviceWorker.controller !== null"))
        visit.open()
        shown_box.show(take_snapshot(superko(), number=9))
        visit.until(lambda: "remove C8" in visit.text("h1"))
    visit.until(lambda: visit.link == "lost")
    visit.until(
        lambda: chromium.execute_async_script(
            "caches.open('shinpan-page').then(kept => kept.match(location.href)).then(found => found.text())"
            ".then(text => arguments[0](text.includes('remove C8')))"
        )
    )
    chromium.get(served.url)
    visit.until(lambda: visit.text("h1") == "Black: remove C8 and put the white stone back on B8.")
    visit.until(lambda: visit.text("#lost").startswith("Lost contact at"))
    chromium.get("about:blank")
    chromium.get_log("browser")


@LONG
def test_a_link_skips_to_the_board(visit):
    visit.open()
    visit.one("body").send_keys(Keys.TAB)
    skip = visit.browser.switch_to.active_element
    assert skip.text == "Skip to the board" and skip.is_displayed()
    skip.send_keys(Keys.ENTER)
    assert visit.browser.switch_to.active_element.get_attribute("id") == "board"


SIDEWAYS = [pytest.param((844, 390), id="side"), pytest.param((667, 375), id="small")]
ANY_WINDOW = pytest.mark.parametrize("size", sample([*WINDOWS[::-1], *SIDEWAYS], 1))


def background(visit: Visit, selector: str) -> str:
    script = "return getComputedStyle(document.querySelector(arguments[0])).backgroundColor"
    return str(visit.browser.execute_script(script, selector))


def passed(visit: Visit, seconds: float) -> None:
    """Wait until so much time has gone by in the browser."""
    since = visit.browser.execute_script("return performance.now()")
    visit.until(lambda: visit.browser.execute_script("return performance.now()") - since > 1000 * seconds)


@ANY_WINDOW
def test_the_whole_board_and_the_order_are_in_the_window(visit, size):
    visit.open(size)
    for part in (".board", ".banner", ".player.of-B", ".player.of-W"):
        rectangle = visit.one(part).rect
        assert rectangle["x"] >= 0 and rectangle["x"] + rectangle["width"] <= size[0], part
        assert rectangle["y"] + rectangle["height"] <= size[1], part
    assert visit.one(".board").rect["height"] > 0.38 * size[1]


@ANY_WINDOW
def test_whose_turn_it_is_does_not_need_a_word_or_a_hue(visit, size):
    visit.open(size)
    assert visit.count(".banner .big.W") == 1 and visit.count(".player.mover h2 .stone.W") == 1
    white = background(visit, ".banner")
    table = ultimate_game().play("W D2")
    visit.shown_box.show(take_snapshot(table, number=9))
    visit.until(lambda: visit.count(".banner .big.B") == 1)
    assert visit.count(".player.mover h2 .stone.B") == 1
    assert (white, background(visit, ".banner")) == ("rgb(255, 255, 255)", "rgb(23, 25, 28)")


@LONG
def test_a_stone_that_is_no_part_of_the_game_is_drawn(visit):
    visit.open()
    table = begun_table().put(B, "J9", "A1")
    table.done(B)
    visit.shown_box.show(take_snapshot(table, number=9))
    visit.until(lambda: visit.text("h1") == "Please remove J9 and A1.")
    assert visit.count("#board g[opacity='0.6'] circle") == 2
    assert "Black at J9" in visit.browser.execute_script("return document.querySelector('#board desc').textContent")


def test_without_contact_every_number_stands_and_the_page_says_since_when(chromium):
    shown_box = box(running(), number=3)
    shown_box.health = {"ok": True, "seconds": 17.0}
    with serve_page(create_app(shown_box.backend), port=0) as served:
        visit = Visit(chromium, shown_box, served).open()
        visit.until(lambda: visit.text(".clock.running .time") < "0:45")
        served.close()
        visit.until(lambda: visit.link == "lost")
    time = visit.text(".clock.running .time")
    passed(visit, 2.2)
    assert visit.text(".clock.running .time") == time, "the clock ran on without the box"
    assert visit.text("#lost").startswith("Lost contact at ") and ":" in visit.text("#lost")
    chromium.get("about:blank")


@LONG
def test_where_the_reader_is_stays_when_the_game_goes_on(visit):
    visit.open()
    table = ultimate_game()
    visit.browser.execute_script("document.querySelector('[data-go=first]').focus()")
    visit.one("#said summary").click() if visit.count("#said") else None
    for number, turn in enumerate(("W D2", "B D3"), 9):
        visit.shown_box.show(take_snapshot(table.play(turn), number=number))
        visit.until(lambda number=number: visit.text("#where") == f"Turn {number} of {number}")
    assert visit.browser.execute_script("return document.activeElement.dataset.go") == "first"


@LONG
def test_the_title_names_the_game(visit):
    visit.shown_box.now = take_snapshot(ultimate_game(), 8, names=("Ann", "Bea"))
    visit.open()
    assert visit.browser.title == "White: play, then press DONE. · Ann – Bea · shinpan"
    assert visit.text(".about") == "Ultimate Go"


SHIFTS = """
window.shifted = [];
new PerformanceObserver((list) => list.getEntries().forEach((one) => {
  const moved = one.sources.map(({ node }) => node?.closest ? node : node?.parentElement);
  window.shifted.push(...moved.filter(Boolean).map((node) => node.outerHTML));
})).observe({ type: "layout-shift" });
"""


def _end_of(table: PlayedTable, stands: Iterable[dict[str, object]]) -> Iterator[dict[str, object]]:
    """Play a turn for each of these, then to the end, and yield what else is the case after each step."""
    for changes in stands:
        table.play(random_turn(table))
        yield changes
    for player in "BW":
        table.play(f"{player} pass")
        yield {}
    table.say(Propose, B, DeadStoneClaim())
    yield {}
    table.say(Agree, W)
    yield {}
    yield {"archive_name": "1"}


@pytest.mark.parametrize("size", sample([pytest.param((1280, 800), id="desktop"), pytest.param(PHONE, id="phone")], 1))
def test_nothing_moves_over_a_whole_game(chromium, size):
    table = random_game(3)
    shown_box = box(table, names=("Anna Berg", "Maria Schwarzenegger-Oberhauser"))
    stands: list[dict[str, object]] = [{"paused": True}, {}, {"paused": True, "called": True}, {"waiting": (1,)}]
    stands += [{"sight": Sight.COVERED}, {"sight": Sight.LOST}, {}]
    with serve_page(create_app(shown_box.backend), port=0) as served:
        visit = Visit(chromium, shown_box, served).open(size)
        chromium.execute_script(SHIFTS)
        for number, changes in enumerate(_end_of(table, stands), 10):
            visit.shown_box.show(take_snapshot(table, number, names=shown_box.now.names, **changes))
            visit.until(lambda number=number: visit.one("main").get_attribute("data-version").endswith(f"-{number}"))
            passed(visit, 0.1)
        assert visit.browser.execute_script("return window.shifted") == []
        chromium.get("about:blank")


def test_a_browser_without_the_newer_functions_follows_the_game(visit):
    newer = ("AbortSignal.timeout", "String.prototype.replaceAll", "Array.prototype.at", "window.structuredClone")
    missing = "".join(f"delete {one};" for one in newer)
    script = visit.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": missing})
    try:
        visit.open(PHONE)
        assert visit.browser.execute_script("return AbortSignal.timeout === undefined")
        visit.shown_box.show(take_snapshot(superko(), number=9))
        visit.until(lambda: "remove C8" in visit.text("h1"))
        assert visit.link == "live" and visit.complaints() == []
    finally:
        visit.browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)


COVERED = """const lost = document.getElementById("lost");
lost.hidden = false;
lost.textContent = document.body.dataset.sinceText.split("#").join("22:22:22");
document.body.classList.add("is-lost");
const { left, right, top, bottom } = lost.getBoundingClientRect();
return Array.from(document.querySelectorAll("main :not(.match), .menu"))
  .filter((part) => part.getClientRects().length)
  .filter((part) => {
    const one = part.getBoundingClientRect();
    return one.left < right && one.right > left && one.top < bottom && one.bottom > top;
  })
  .map((part) => part.outerHTML)
  .concat(lost.scrollHeight > lost.clientHeight ? ["cut"] : []);
"""


def test_a_lost_connection_covers_nothing(visit):
    for size in sample((PHONE, (1280, 800), (768, 1024), (1920, 1080)), 2):
        for code in sample(("de", "en", "ja", "ko"), 1):
            resize(visit.browser, size)
            visit.browser.get(f"{visit.served.url}?lang={code}")
            assert visit.browser.execute_script(COVERED) == [], (size, code)
