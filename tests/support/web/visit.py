"""A browser on the page of a box, and what is looked for there."""

from __future__ import annotations

from collections.abc import Callable

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement

from tests.support.web.browser import DESKTOP, resize, until
from tests.support.web.showings import Box
from web.server import Served


class Visit:
    """A browser on the page of a box."""

    def __init__(self, browser: webdriver.Chrome, shown: Box, served: Served) -> None:
        self.browser, self.shown, self.served = browser, shown, served

    def open(self, size: tuple[int, int] = DESKTOP) -> Visit:
        """Load the page in a window of that size, and wait until it hears of changes."""
        resize(self.browser, size)
        self.browser.get_log("browser")
        self.browser.get(self.served.url)
        self.until(lambda: self.link == "live")
        self.browser.execute_script("window.loadedOnce = true")
        return self

    def until(self, seen: Callable[[], object]) -> None:
        """Wait until the page shows it."""
        until(self.browser, seen)

    def one(self, selector: str) -> WebElement:
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def text(self, selector: str) -> str:
        """The text there; read in one step, for parts are exchanged while one looks."""
        found = self.browser.execute_script("return document.querySelector(arguments[0])?.innerText ?? ''", selector)
        return str(found)

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
        """What the console says that is no lost connection."""
        logged = [str(entry["message"]) for entry in self.browser.get_log("browser")]
        return [message for message in logged if "net::ERR_" not in message]
