"""A headless Chromium, as a phone or a desktop, and a visit in it to the page of a box; Debian's chromium and
chromium-driver."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException, WebDriverException
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

from tests.support.waiting import PATIENCE_S
from tests.support.wanting import CHROMIUM, program
from tests.support.web.snapshots import Box
from web.page_server import PageServer

FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"),
    # Without processes and pages in reserve it uses a quarter less processor time.
    *("--disable-site-isolation-trials", "--disable-features=SpareRendererForSitePerProcess,BackForwardCache"),
)
Seen = TypeVar("Seen")
DESKTOP, PHONE = (1280, 900), (390, 844)


@contextmanager
def open_browser(profile: Path) -> Iterator[webdriver.Chrome]:
    """A browser that keeps its things in an empty folder; skips where there is no Chromium."""
    chromium, driver = program("chromium", CHROMIUM), program("chromedriver", CHROMIUM)
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    running = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    try:
        yield running
    finally:
        running.quit()


GONE = "does not belong to the document"
"""Chromium's words for a part of a page that was left while it was read."""


def until(browser: webdriver.Chrome, condition: Callable[[], Seen]) -> Seen:
    """Return what the page shows, once it is something. A part exchanged between finding and reading is read again."""

    def look(_: webdriver.Chrome) -> Seen:
        try:
            return condition()
        except WebDriverException as error:
            if GONE in (error.msg or ""):
                raise StaleElementReferenceException(error.msg) from error
            raise

    ignored = (StaleElementReferenceException,)
    return WebDriverWait(browser, PATIENCE_S, poll_frequency=0.1, ignored_exceptions=ignored).until(look)


def resize(browser: webdriver.Chrome, size: tuple[int, int]) -> None:
    """Let the window be so wide and high, in pixels."""
    metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": size == PHONE}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)


def reset(browser: webdriver.Chrome, cookie: str) -> None:
    """Give the browser the window and theme of a desktop, and let it forget the cookie of that name."""
    resize(browser, DESKTOP)
    choose_theme(browser, "light")
    cookies = browser.execute_cdp_cmd("Network.getAllCookies", {})["cookies"]
    for domain in {one["domain"] for one in cookies if one["name"] == cookie}:
        browser.execute_cdp_cmd("Network.deleteCookies", {"name": cookie, "domain": domain})


def screenshot(browser: webdriver.Chrome, size: tuple[int, int], whole: bool = False) -> bytes:
    """The page as a PNG, as wide as the window and as high; whole: as high as the page is."""
    height = int(browser.execute_script("return document.documentElement.scrollHeight")) if whole else size[1]
    clip = {"x": 0, "y": 0, "width": size[0], "height": height, "scale": 1}
    capture = browser.execute_cdp_cmd(
        "Page.captureScreenshot", {"clip": clip, "captureBeyondViewport": height > size[1]}
    )
    return base64.b64decode(capture["data"])


def choose_theme(browser: webdriver.Chrome, theme: str, still: bool = False) -> None:
    """Let the reader prefer a theme, light or dark, and, if so wished, that nothing moves."""
    media = [{"name": "prefers-color-scheme", "value": theme}]
    media += [{"name": "prefers-reduced-motion", "value": "reduce"}] if still else []
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": media})


class Visit:
    """A browser on the page of a box."""

    def __init__(self, browser: webdriver.Chrome, box: Box, served: PageServer) -> None:
        self.browser, self.shown_box, self.served = browser, box, served

    def open(self, size: tuple[int, int] = DESKTOP) -> Visit:
        """Load the page in a window of that size, and wait until it hears of changes."""
        resize(self.browser, size)
        self.browser.get_log("browser")
        self.browser.get(self.served.url)
        self.until(lambda: self.link == "live")
        self.browser.execute_script("window.loadedOnce = true")
        return self

    def until(self, condition: Callable[[], object]) -> None:
        """Wait until the page shows it."""
        until(self.browser, condition)

    def one(self, selector: str) -> WebElement:
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def choose(self, selector: str) -> None:
        """Choose from the menu."""
        if self.one("#menu").get_attribute("open") is None:
            self.one("#menu > summary").click()
        self.one(selector).click()

    def text(self, selector: str) -> str:
        """The text there; read in one step, for parts are exchanged while one looks."""
        text = self.browser.execute_script("return document.querySelector(arguments[0])?.innerText ?? ''", selector)
        return str(text)

    def count(self, selector: str) -> int:
        return len(self.browser.find_elements(By.CSS_SELECTOR, selector))

    @property
    def link(self) -> str:
        return str(self.browser.execute_script("return document.getElementById('link').dataset.state || ''"))

    @property
    def same_page(self) -> bool:
        """The page was not loaded again since it was opened."""
        return bool(self.browser.execute_script("return window.loadedOnce === true"))

    def top_of(self, selector: str) -> float:
        return float(
            self.browser.execute_script(
                "return document.querySelector(arguments[0]).getBoundingClientRect().top", selector
            )
        )

    def complaints(self) -> list[str]:
        """List the console's messages other than lost connections, of which one may be that of the page's worker."""
        logged = [str(entry["message"]) for entry in self.browser.get_log("browser")]
        connection_errors = ("net::ERR_", "occurred when fetching the script")
        return [message for message in logged if not any(words in message for words in connection_errors)]
