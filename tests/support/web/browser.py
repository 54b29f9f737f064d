"""A headless Chromium, as a phone or a desktop; Debian's chromium and chromium-driver."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.support.ui import WebDriverWait

from tests.support.wanting import CHROMIUM, program

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


def until(browser: webdriver.Chrome, seen: Callable[[], Seen]) -> Seen:
    """What the page shows, once it is something. A part exchanged between finding and reading is looked at anew."""
    ignored = (StaleElementReferenceException,)
    return WebDriverWait(browser, 60, poll_frequency=0.1, ignored_exceptions=ignored).until(lambda _: seen())


def resize(browser: webdriver.Chrome, size: tuple[int, int]) -> None:
    """Let the window be so wide and high, in pixels."""
    metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": size == PHONE}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)


def reset(browser: webdriver.Chrome, cookie: str) -> None:
    """Give the browser the window and theme of a desktop, and let it forget the cookie of that name."""
    resize(browser, DESKTOP)
    choose_theme(browser, "light")
    kept = browser.execute_cdp_cmd("Network.getAllCookies", {})["cookies"]
    for domain in {one["domain"] for one in kept if one["name"] == cookie}:
        browser.execute_cdp_cmd("Network.deleteCookies", {"name": cookie, "domain": domain})


def screenshot(browser: webdriver.Chrome, size: tuple[int, int], whole: bool = False) -> bytes:
    """The page as a PNG, as wide as the window and as high; whole: as high as the page is."""
    height = int(browser.execute_script("return document.documentElement.scrollHeight")) if whole else size[1]
    clip = {"x": 0, "y": 0, "width": size[0], "height": height, "scale": 1}
    taken = browser.execute_cdp_cmd("Page.captureScreenshot", {"clip": clip, "captureBeyondViewport": height > size[1]})
    return base64.b64decode(taken["data"])


def choose_theme(browser: webdriver.Chrome, theme: str, still: bool = False) -> None:
    """Let the reader prefer a theme, light or dark, and, if so wished, that nothing moves."""
    media = [{"name": "prefers-color-scheme", "value": theme}]
    media += [{"name": "prefers-reduced-motion", "value": "reduce"}] if still else []
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": media})
