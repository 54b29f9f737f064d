"""The gallery: a separate Flask application that has access to public data only."""

from __future__ import annotations

import re

import msgspec
import pytest
from selenium.webdriver.common.by import By

from tests.support.tiers import LONG
from tests.support.web.browser import PHONE, resize, until
from tests.support.web.public import BOARD, news, room_of
from web.gallery.app import FOR_GOOD, create_gallery_app
from web.gallery.publication import ResultNews
from web.language_traits import CODES
from web.page_server import serve_page

RESULT = ResultNews("1", "00001_a", ("Ada", "Ben <b>"), "B+R")


def client(*news_items):
    return create_gallery_app(room_of(*news_items)).test_client()


@pytest.mark.parametrize("code", CODES)
def test_a_tile_is_drawn_and_kept_for_good(code):
    asking = client(news(1, BOARD))
    (table,) = asking.get("/live/index.json").get_json()["tables"]
    answer = asking.get(f"/live/tiles/{code}/{table['version']}.html")
    assert answer.headers["Cache-Control"] == FOR_GOOD and "Set-Cookie" not in answer.headers
    text = answer.get_data(as_text=True)
    assert "<svg" in text and "Ada" in text and "Ben &lt;b&gt;" in text and 'href="/live/7.sgf"' in text


def test_earlier_versions_can_still_be_had():
    room = room_of(news(1, BOARD))
    asking = create_gallery_app(room).test_client()
    (before,) = asking.get("/live/index.json").get_json()["tables"]
    asking.get(f"/live/tiles/en/{before['version']}.html")
    room.take(news(2, RESULT))
    (after,) = asking.get("/live/index.json").get_json()["tables"]
    assert after["version"] != before["version"] and after["result"] == "B+R"
    assert {asking.get(f"/live/tiles/en/{one['version']}.html").status_code for one in (before, after)} == {200}


def test_every_file_of_the_page_is_kept_for_good_at_its_version():
    asking = client()
    files = re.findall(r'(?:href|src)="(/static/[^"]+)"', asking.get("/en/").get_data(as_text=True))
    assert len(files) >= 5
    for file in files:
        assert asking.get(file).headers["Cache-Control"] == FOR_GOOD
        assert asking.get(file.partition("?")[0]).headers["Cache-Control"] != FOR_GOOD


TELEVISION = 1920, 1080


@pytest.mark.slow
def test_a_phone_follows_moves_and_results(chromium):
    room = room_of(news(1, BOARD))
    with serve_page(create_gallery_app(room), port=0) as served:
        resize(chromium, PHONE)
        chromium.get_log("browser")
        chromium.get(served.url)
        chromium.execute_script("window.loadedOnce = true")

        def shown(words: str) -> bool:
            return words in chromium.find_element(By.TAG_NAME, "body").text

        until(chromium, lambda: shown("Ada") and shown("12:34"))
        room.take(news(2, msgspec.structs.replace(BOARD, turn=3, clocks=None)))
        until(chromium, lambda: shown("3") and not shown("12:34"))
        room.take(news(3, ResultNews("1", BOARD.game, BOARD.players, "B+R")))
        until(chromium, lambda: shown("B+R") and chromium.find_element(By.ID, "results").is_displayed())
        assert chromium.execute_script("return window.loadedOnce && document.documentElement.scrollWidth <= innerWidth")
        assert chromium.get_log("browser") == []
        chromium.get("about:blank")


@LONG
def test_all_boards_fit_a_television(chromium):
    room = room_of(*[news(number, BOARD, table=str(number)) for number in range(1, 41)])
    with serve_page(create_gallery_app(room), port=0) as served:
        resize(chromium, TELEVISION)
        chromium.get(f"{served.url}en/tv")
        until(chromium, lambda: len(chromium.find_elements(By.CSS_SELECTOR, ".tile svg")) == 40)
        # They are fitted in the frame after the last of them came.
        fits = "const at = document.getElementById('tiles'); return at.scrollHeight <= at.clientHeight"
        until(chromium, lambda: chromium.execute_script(fits))
        assert chromium.execute_script("return document.documentElement.scrollHeight <= innerHeight")
        chromium.get("about:blank")
