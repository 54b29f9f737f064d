"""The gallery in a browser: it follows news by itself, and fits a television."""

from __future__ import annotations

import msgspec
import pytest
from selenium.webdriver.common.by import By

from tests.support.tiers import LONG
from tests.support.web.browser import PHONE, resize, until
from tests.support.web.public import BOARD, news, room_of
from web.gallery.app import create_gallery_app
from web.gallery.news import ResultNews
from web.server import serve

pytestmark = pytest.mark.slow
TELEVISION = 1920, 1080


def test_a_phone_follows_moves_and_results(chromium):
    room = room_of(news(1, BOARD))
    with serve(create_gallery_app(room), port=0) as served:
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
    with serve(create_gallery_app(room), port=0) as served:
        resize(chromium, TELEVISION)
        chromium.get(f"{served.url}en/tv")
        until(chromium, lambda: len(chromium.find_elements(By.CSS_SELECTOR, ".tile svg")) == 40)
        # They are fitted in the frame after the last of them came.
        fits = "const at = document.getElementById('tiles'); return at.scrollHeight <= at.clientHeight"
        until(chromium, lambda: chromium.execute_script(fits))
        assert chromium.execute_script("return document.documentElement.scrollHeight <= innerHeight")
        chromium.get("about:blank")
