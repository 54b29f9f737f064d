"""The browser that the tests of the page share, and the order in which they run."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from selenium import webdriver

from tests.support.web.browser import Visit, open_browser, reset
from tests.support.web.showings import box, ultimate_game
from web.app import create_app
from web.page_server import serve
from web.responses import LANGUAGE


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the tests in a browser first: xdist gives them all to its first worker, so that one browser is started."""
    items.sort(key=lambda item: "chromium" not in getattr(item, "fixturenames", ()))


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    """One browser for all tests here."""
    with open_browser(tmp_path_factory.mktemp("browser")) as running:
        yield running


@pytest.fixture(autouse=True)
def unchanged_browser(request: pytest.FixtureRequest) -> Iterator[None]:
    """Undo what a test has changed in the shared browser: its window, its theme and the language that it remembers."""
    yield
    if "chromium" in request.fixturenames:
        reset(request.getfixturevalue("chromium"), LANGUAGE)


@pytest.fixture
def visit(chromium: webdriver.Chrome) -> Iterator[Visit]:
    """The page of a game of Ultimate Go, not opened yet."""
    shown = box(ultimate_game(), number=8)
    with serve(create_app(shown.desk), port=0) as served:
        yield Visit(chromium, shown, served)
        chromium.get("about:blank")
