"""A headless Chromium, as a phone or a desktop; Debian's chromium and chromium-driver."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from selenium import webdriver

FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run")
DESKTOP, PHONE = (1280, 900), (390, 844)
MISSING = "the page is shown in Debian's chromium: apt install chromium chromium-driver"


class NoBrowser(Exception):
    """There is no Chromium on this machine."""


@contextmanager
def open_browser(profile: Path) -> Iterator[webdriver.Chrome]:
    """A browser that keeps its things in an empty folder; raises NoBrowser."""
    program, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if program is None or driver is None:
        raise NoBrowser(MISSING)
    options = webdriver.ChromeOptions()
    options.binary_location = program
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    running = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    try:
        yield running
    finally:
        running.quit()


def resize(browser: webdriver.Chrome, size: tuple[int, int]) -> None:
    """Let the window be so wide and high, in pixels."""
    metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": size == PHONE}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
