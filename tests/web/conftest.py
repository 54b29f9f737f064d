"""The browser that the tests of the page share, and the order in which they run."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator

import pytest
from selenium import webdriver

from tests.support.waiting import PATIENCE_S
from tests.support.web.browser import Visit, open_browser, reset
from tests.support.web.snapshots import Box, box, ultimate_game
from web.app import create_app
from web.page_server import PageServer, serve_page
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
    shown_box = box(ultimate_game(), number=8)
    with serve_page(create_app(shown_box.backend), port=0) as served:
        yield Visit(chromium, shown_box, served)
        chromium.get("about:blank")


@pytest.fixture
def shown_box() -> Box:
    return box(ultimate_game(), number=8)


@pytest.fixture
def served(shown_box: Box) -> Iterator[PageServer]:
    with serve_page(create_app(shown_box.backend), port=0) as serving:
        yield serving


def ask(served: PageServer, address: str) -> http.client.HTTPResponse:
    """The answer; its body can still be read bit by bit."""
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=PATIENCE_S)
    connection.request("GET", address)
    return connection.getresponse()


def event(stream: http.client.HTTPResponse) -> dict[str, object]:
    """The data of the next status event; {} when the stream has ended."""
    name = ""
    while line := stream.readline():
        name = line.decode().removeprefix("event: ").strip() if line.startswith(b"event:") else name
        if name == "status" and line.startswith(b"data: "):
            data = json.loads(line.removeprefix(b"data: "))
            assert isinstance(data, dict)
            return data
    return {}
