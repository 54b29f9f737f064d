"""The hall's pages: what they answer, and its wall and its round in a browser."""

from __future__ import annotations

import re
import time
from contextlib import contextmanager
from dataclasses import replace

import pytest
from selenium.webdriver.common.by import By

from tests.support.tiers import LONG, sample
from tests.support.web.browser import resize, until
from tests.support.web.moments import moments
from tests.support.web.snapshots import running, take_snapshot
from web.hall.app import HallDesk, create_hall_app
from web.hall.assignment import Draft, HandedOut, Handing
from web.hall.auth import Keys
from web.hall.round import RoundDesk
from web.hall.tiles import STALE, Call, Entering, HallWall, Standing, Tile, Urgency
from web.language_traits import CODES
from web.page.status import status_of
from web.page_server import serve_page

FAILING = HallDesk(
    lambda: HallWall(1, "Spring Cup"),
    lambda number, timeout: HallWall(1),
    dict,
    dict,
    lambda: 0.0,
    lambda table, by: False,
    lambda: failing(),
    lambda pin: False,
    lambda: None,
)


def failing() -> Entering:
    raise ValueError("for the test")


@pytest.mark.parametrize(
    ("path", "code", "said"),
    [
        ("/results", 500, "This could not be shown. The log says why.\n"),
        ("/nowhere", 404, "There is nothing at this address. The page is at /.\n"),
    ],
)
def test_what_cannot_be_answered_gets_one_plain_sentence(path, code, said):
    answer = create_hall_app(FAILING).test_client().get(path)
    assert (answer.status_code, answer.get_data(as_text=True)) == (code, said)
    assert answer.mimetype == "text/plain"


# In a browser


RUNS = tuple(f"{left // 60}:{left % 60:02}" for left in range(287))
"""The times that a clock shows, however late one looks, if four seconds ago its box said that 4:50 are left."""


LONG_NAME = "Maximiliane-Wilhelmine Mustermann-Beispielhausen-Oberdorfers"
"""As long as a name can be."""
TOO_WIDE = "const { scrollWidth, clientWidth } = document.documentElement; return scrollWidth - clientWidth"


@contextmanager
def wall(since: float, call: Call | None = None):
    """A wall of one table whose box said so many seconds ago that 4:50 are left to Black, who moves."""
    began = time.monotonic()
    status = status_of(take_snapshot(running("5m")))
    tile = Tile("1", "http://192.0.2.1/", status, heard_at=began, status_at=began - since, call=call).on(
        1, began + since, Tile("1", "")
    )
    hall_state = HallWall(1, "Spring Cup", (replace(tile, number=1),))
    with serve_page(create_hall_app(desk(hall_state, since, call)), port=0) as served:
        yield served.url


def desk(
    hall_state: HallWall, since: float = 0.0, call: Call | None = None, rounds: RoundDesk | None = None
) -> HallDesk:
    return HallDesk(
        lambda: hall_state,
        lambda number, timeout: hall_state,
        lambda: {"1": since},
        lambda: {"1": since} if call else {},
        time.monotonic,
        lambda table, by: False,
        lambda: Entering(()),
        lambda pin: False,
        lambda: None,
        rounds,
    )


@contextmanager
def serve_handing_hall():
    """A hall with a round to be handed out, whose director has any PIN."""
    match = {
        "event": "",
        "round": "1",
        "table": "1",
        "black": LONG_NAME,
        "white": LONG_NAME,
        "rules": "chinese",
        "handicap": 0,
    }
    handed = [HandedOut("1", "1", LONG_NAME, LONG_NAME, one, by=f"{LONG_NAME[:40]} (192.0.2.1)") for one in Handing]
    rounds = RoundDesk(
        Keys(lambda pin: True, lambda: "since today"),
        lambda request: Draft("1", ("1",), (match,), ("2",)),
        lambda matches, by: [],
        lambda table, by: False,
        lambda: handed,
        lambda _: {"rules": [{"name": "chinese", "title": "Chinese"}]},
    )
    with serve_page(create_hall_app(desk(HallWall(1), rounds=rounds)), port=0) as served:
        yield served.url


def read_age_and_clocks(browser) -> tuple[str, list[str]]:
    """The age of the box's word and both clocks at one moment; no age where the tile was only just laid."""
    text = "(part) => [...document.querySelectorAll(`.tile ${part}`)].map((one) => one.textContent)"
    ages, clocks = browser.execute_script(f"return ['.age', '.time'].map({text})")
    return "".join(ages), clocks


@pytest.mark.slow
def test_a_clock_on_the_wall_runs_on(chromium):
    with wall(since=4.0) as url:
        chromium.get(url)
        black, white = until(chromium, lambda: (result := read_age_and_clocks(chromium))[0] and result[1])
        assert black in RUNS and white == "5:00"
        until(chromium, lambda: (result := read_age_and_clocks(chromium))[0] and result[1] < [black, white])
        chromium.get("about:blank")


@pytest.mark.slow
def test_a_clock_whose_box_has_not_been_heard_for_long_stands(chromium):
    with wall(since=STALE + 5) as url:
        chromium.get(url)
        age, clocks = until(chromium, lambda: (result := read_age_and_clocks(chromium))[0] and result)
        assert int(age.removesuffix(" s ago")) >= STALE + 5 and clocks == ["4:50", "5:00"]
        chromium.get("about:blank")


@pytest.mark.slow
def test_the_wall_says_while_nothing_can_be_noted(chromium):
    states = [HallWall(1, "Spring Cup")]
    backend = replace(desk(states[0]), read_wall=lambda: states[-1], wait=lambda number, timeout: states[-1])
    with serve_page(create_hall_app(backend), port=0) as served:
        chromium.get(served.url)
        until(chromium, lambda: chromium.find_element(By.ID, "count").text)
        element = chromium.find_element(By.ID, "unkept")
        assert not element.is_displayed()
        states.append(HallWall(2, "Spring Cup", unkept="/home/ada/hall"))
        until(chromium, lambda: element.is_displayed() and "no room is left in /home/ada/hall" in element.text)
        states.append(HallWall(3, "Spring Cup"))
        until(chromium, lambda: not element.is_displayed())
        chromium.get("about:blank")


def hall_of(tables: int, calling: str = "", names: tuple[str, str] = (LONG_NAME, LONG_NAME)) -> HallWall:
    """A wall of so many tables with games of all kinds, one of which may call, after rounds of different ends."""
    began, games = time.monotonic(), moments(45)
    tiles = []
    for number in range(1, tables + 1):
        name = str(number)
        status = {**status_of(games[number % len(games)].now), "players": [*names], "round": "3"}
        call = Call(1, 0.0) if name == calling else None
        tile = Tile(name, "http://192.0.2.1/", status, heard_at=began, status_at=began, call=call)  # type: ignore[arg-type]
        tile = replace(tile, standings=(Standing(2.5, 0.5), Standing(0.5, 2.5)))
        tiles.append(replace(tile.on(1, began, Tile(name, "")), number=1))
    return HallWall(1, "Spring Cup", tuple(tiles))


CUT = """
const names = [...document.querySelectorAll('.game li b')];
return names.filter(window.shinpanIsCut).length"""
CUT_FOR_STANDING = """
return [...document.querySelectorAll('.standing:not([hidden])')].filter((one) => {
  return window.shinpanIsCut(one.closest('li').querySelector('b'));
}).length"""
SMALLEST_NAME = """
const names = [...document.querySelectorAll('.game li b')];
return Math.min(...names.map((one) => parseFloat(getComputedStyle(one).fontSize)));"""
BOARDS = "return [...document.querySelectorAll('.small')].map((one) => Math.min(one.clientWidth, one.clientHeight))"
OUTSIDE = """
const inside = (part, whole) =>
  part.left >= whole.left && part.right <= whole.right + 1 && part.bottom <= whole.bottom + 1;
return [...document.querySelectorAll('.tile')].filter((tile) =>
  [...tile.querySelectorAll('h2, .small, li b, .standing:not([hidden]), .time')].some((part) =>
    !inside(part.getBoundingClientRect(), tile.getBoundingClientRect()))).map((tile) => tile.dataset.table)"""


@pytest.mark.slow
def test_a_long_name_takes_two_lines_before_it_is_cut(chromium):
    with serve_page(create_hall_app(desk(hall_of(8, names=("Maria Sokolowska-Vandenberghe",) * 2))), port=0) as served:
        resize(chromium, (1920, 1080))
        chromium.get(served.url)
        until(chromium, lambda: len(chromium.find_elements(By.CLASS_NAME, "tile")) == 8)
        assert chromium.execute_script(CUT) == 0 and chromium.execute_script(SMALLEST_NAME) >= 26
        assert chromium.execute_script(OUTSIDE) == [] and min(chromium.execute_script(BOARDS)) >= 330
        chromium.get("about:blank")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tables", "least", "names", "player"), sample([(8, 390, 26, "Ada Nakamura"), (30, 180, 20, LONG_NAME)], 1)
)
def test_boards_and_names_are_large_and_nothing_leaves_its_tile(chromium, tables, least, names, player):
    with serve_page(create_hall_app(desk(hall_of(tables, names=(player, player)))), port=0) as served:
        resize(chromium, (1920, 1080))
        chromium.get(served.url)
        until(chromium, lambda: len(chromium.find_elements(By.CLASS_NAME, "tile")) == tables)
        boards = sorted(chromium.execute_script(BOARDS))
        assert boards[len(boards) // 2] >= least and boards[0] >= 0.8 * least
        assert chromium.execute_script(SMALLEST_NAME) >= names
        assert chromium.execute_script(OUTSIDE) == []
        assert chromium.execute_script(TOO_WIDE) == 0
        chromium.get("about:blank")


@pytest.mark.slow
@pytest.mark.parametrize("size", sample([(1280, 720), (1280, 800), (1920, 1080)], 1), ids=str)
def test_no_column_stays_empty_in_the_last_row(chromium, size):
    with serve_page(create_hall_app(desk(hall_of(8, names=("Ada", "Ben")))), port=0) as served:
        resize(chromium, size)
        chromium.get(served.url)
        until(chromium, lambda: len(chromium.find_elements(By.CLASS_NAME, "tile")) == 8)
        tops = [one.rect["y"] for one in chromium.find_elements(By.CLASS_NAME, "tile")]
        assert tops[:4] == [tops[0]] * 4 and tops[4:] == [tops[4]] * 4 and tops[0] < tops[4]
        chromium.get("about:blank")


@LONG
def test_a_standing_gives_way_to_a_name(chromium):
    with serve_page(
        create_hall_app(desk(hall_of(20, names=("Ann", "Maria Sokolowska-Vandenberghe")))), port=0
    ) as served:
        resize(chromium, (1920, 1080))
        chromium.get(served.url)
        samples = until(
            chromium, lambda: [one.is_displayed() for one in chromium.find_elements(By.CLASS_NAME, "standing")]
        )
        assert len(samples) == 40 and all(samples[::2]) and not all(samples[1::2])
        assert chromium.execute_script(CUT_FOR_STANDING) == 0
        chromium.get("about:blank")


@pytest.mark.slow
def test_a_table_keeps_its_place_when_somebody_is_needed(chromium):
    hall = hall_of(8, calling="7")
    with serve_page(create_hall_app(desk(hall)), port=0) as served:
        chromium.get(served.url)
        tiles = until(chromium, lambda: chromium.find_elements(By.CLASS_NAME, "tile"))
        assert [one.get_attribute("data-table") for one in tiles] == list("12345678")
        assert chromium.find_element(By.ID, "count").text.startswith("Needs you: 7")
        done = sum(one.urgency is Urgency.FINISHED for one in hall.tiles)
        assert chromium.find_element(By.ID, "progress").text == f"Round 3: {done} of 8 finished"
        chromium.get(f"{served.url}me")
        first = until(chromium, lambda: chromium.find_elements(By.CLASS_NAME, "tile"))[0]
        assert first.get_attribute("data-table") == "7"
        chromium.get("about:blank")


def test_a_finished_game_has_its_result_in_the_winners_strip():
    tile = {one.table: one for one in hall_of(20).tiles}
    won = [one for one in tile.values() if (one.status or {}).get("result") not in (None, "0", "Void")]
    tiles = create_hall_app(desk(HallWall(1, tiles=tuple(won)))).test_client().get("/tiles").get_json()["tiles"]
    assert won and len(tiles) == len(won)
    for one in won:
        (strip,) = re.findall(r'<li class="[^"]*winner.*?</li>', tiles[one.table])
        assert f'<span class="outcome">{one.status["result"]}</span>' in strip


@LONG
def test_a_call_says_for_how_long_it_has_waited(chromium):
    with wall(since=70.0, call=Call(1, 0.0)) as url:
        chromium.get(url)
        until(chromium, lambda: "for 1:" in chromium.find_element(By.CSS_SELECTOR, ".tile strong").text)
        chromium.get("about:blank")


@pytest.mark.slow
@pytest.mark.parametrize("code", sample(sorted(CODES), 1))
def test_the_round_is_no_wider_than_a_phone(chromium, code):
    with serve_handing_hall() as url:
        resize(chromium, (360, 640))
        chromium.get(f"{url}round?lang={code}")
        for name in ("name", "pin"):
            chromium.find_element(By.NAME, name).send_keys("1")
        chromium.find_element(By.CSS_SELECTOR, "form button").click()
        until(chromium, lambda: chromium.find_elements(By.ID, "round"))
        for width in (360, 320):
            resize(chromium, (width, 640))
            until(chromium, lambda width=width: chromium.execute_script("return innerWidth") == width)
            assert chromium.execute_script(TOO_WIDE) == 0
        chromium.get("about:blank")
