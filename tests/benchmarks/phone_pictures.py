"""Pictures of the phones' pages and of Chromium's warning: a real box, and a drawn table before the camera."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

import cv2
import numpy as np
from selenium import webdriver

from device.simulator.script import read_script
from tests.benchmarks.parts.phone_table import DrawnTable, LiveFilm
from tests.support.phones import AFTER_S, ClockPhone, PhonesBox, phone_browser
from tests.support.waiting import comes
from tests.support.web.browser import PHONE, choose_theme, open_browser, resize, screenshot
from vision.camera.frame import Image

SCRIPT = "size 19\nlook 4\nrules new-zealand\nblack 1\n\nB play Q16\nW play D4\nB play Q3\nW play D17\n"
SETTINGS = '[game]\nrules = "new-zealand"\nblack_side = 1\n[time]\ncontrol = "30m+5x30s"\n[camera]\nrate = 4\n'
FILM = (960, 720)
TURNS = 3
DRAWS_S = 1.0
"""Time that a page needs to draw what was asked for."""


def photograph_phones(scratch: Path) -> Mapping[str, Image]:
    """Return the camera's page when all is well, the clock's after some turns, and the warning, by their names."""
    with ExitStack() as stack:
        box = stack.enter_context(PhonesBox(scratch / "box", settings=SETTINGS))
        film = LiveFilm(scratch / "film.y4m", *FILM)
        stack.callback(film.close)
        table = DrawnTable(read_script(SCRIPT), film.put, *FILM)
        stack.callback(table.close)
        camera = stack.enter_context(phone_browser(scratch / "camera", film.file))
        browser = stack.enter_context(phone_browser(scratch / "clock"))
        choose_theme(browser, "dark", still=True)
        box.login()
        address = f"https://127.0.0.1:{box.secure}"
        camera.get(f"{address}/phone#{box.codes()['camera']}")
        clock = ClockPhone(browser, address, box.codes()["clock"])
        comes(lambda: box.status().get("phase") == "play")
        clock.touch(2)  # It starts Black's clock.
        for turn in range(1, TURNS + 1):
            table.play(turn)
            time.sleep(AFTER_S)
            clock.touch(1 + (turn + 1) % 2)
            comes(lambda turn=turn: box.status().get("turn", 0) >= turn)  # type: ignore[misc]
        comes(lambda: camera.execute_script("return !!document.querySelector('.drawn.good')"))
        time.sleep(DRAWS_S)
        shots = {"phone-camera.webp": _shot(camera), "phone-clock.webp": _shot(browser)}
        return {**shots, "phone-warning.webp": _warning(scratch / "warned", f"{address}/phone")}


def _warning(profile: Path, address: str) -> Image:
    """Return the warning and what is behind Advanced, side by side."""
    with open_browser(profile) as browser:
        resize(browser, PHONE)
        browser.get(address)
        before = _shot(browser)
        browser.find_element("id", "details-button").click()
        time.sleep(DRAWS_S)
        return np.hstack([before, _shot(browser)])


def _shot(browser: webdriver.Chrome) -> Image:
    pixels = cv2.imdecode(np.frombuffer(screenshot(browser, PHONE), np.uint8), cv2.IMREAD_COLOR)
    assert pixels is not None
    return np.asarray(pixels, np.uint8)
