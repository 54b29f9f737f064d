"""What the tests of the page share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from selenium import webdriver

from tests.support.web.browser import open_browser
from tests.support.web.showings import box, ultimate_game
from tests.support.web.visit import Visit
from web.answers import LANGUAGE
from web.app import create_app
from web.server import serve


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    """One browser for all tests here."""
    with open_browser(tmp_path_factory.mktemp("browser")) as running:
        yield running


@pytest.fixture(autouse=True)
def own_language(request: pytest.FixtureRequest) -> Iterator[None]:
    """The browser forgets the language in which a test read, for the others are in the usual one."""
    yield
    if "chromium" in request.fixturenames:
        browser: webdriver.Chrome = request.getfixturevalue("chromium")
        kept = browser.execute_cdp_cmd("Network.getAllCookies", {})["cookies"]
        for domain in {cookie["domain"] for cookie in kept if cookie["name"] == LANGUAGE}:
            browser.execute_cdp_cmd("Network.deleteCookies", {"name": LANGUAGE, "domain": domain})


@pytest.fixture
def visit(chromium: webdriver.Chrome) -> Iterator[Visit]:
    """The page of a game of Ultimate Go, not opened yet."""
    shown = box(ultimate_game(), number=8)
    with serve(create_app(shown.desk), port=0) as served:
        yield Visit(chromium, shown, served)
        chromium.get("about:blank")
