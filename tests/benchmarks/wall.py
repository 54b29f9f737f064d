"""The one-second test: twenty moments of games on the wall, each as it is seen from five metres away.

    python -m tests.benchmarks.wall out/wall
    python -m tests.benchmarks.wall out/wall --seed 7 --view "wall?overlay"
    python -m tests.benchmarks.wall out/page --seed 7 --view phone

writes 01.png to 20.png, the wall at 1920x1080 made as small as 320x180 pixels, or the page on a phone or a desktop,
all of them on one sheet, and answers.txt. Look at each for a second, without the answers: whose turn is it, what is
wrong, what is to be done? Then compare. Needs Debian's chromium and chromium-driver.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

import cv2
import numpy as np
from selenium import webdriver

from tests.support.web.browser import open_browser, resize, screenshot, until
from tests.support.web.moments import Moment, moments
from tests.support.web.snapshots import Box
from web.app import create_app
from web.page.headline import headline_of
from web.page_config import PageIdentity
from web.page_server import serve_page

ACROSS = 4
VIEWS = {
    "wall": ("wall", (1920, 1080), (320, 180)),
    "wall?overlay": ("wall?overlay", (1920, 1080), (320, 180)),
    "phone": ("", (390, 844), (390, 844)),
    "desktop": ("", (1440, 900), (720, 450)),
}
"""Each view's page, its window, and its size in the pictures."""
ADDRESS = "http://shinpan-3.local:8000/"


def main() -> int:
    """Write the pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where the pictures go")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--view", choices=VIEWS, default="wall")
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    scenes = moments(args.seed)
    with tempfile.TemporaryDirectory(prefix="shinpan-wall-") as scratch, open_browser(Path(scratch)) as browser:
        small = [_photograph(browser, moment, args.view) for moment in scenes]
    for number, picture in enumerate(small, 1):
        cv2.imwrite(str(args.folder / f"{number:02}.png"), picture)
    rows = [np.hstack(small[first : first + ACROSS]) for first in range(0, len(small), ACROSS)]
    cv2.imwrite(str(args.folder / "sheet.png"), np.vstack(rows))
    (args.folder / "answers.txt").write_text("".join(map(_answer, range(1, len(scenes) + 1), scenes)), encoding="utf-8")
    print(f"{len(scenes)} pictures in {args.folder}; the answers are in answers.txt")
    return 0


def _photograph(browser: webdriver.Chrome, moment: Moment, view: str) -> np.ndarray:
    """Return the picture of a view, BGR."""
    page, window, small = VIEWS[view]
    app = create_app(Box(moment.now).backend, PageIdentity(address=ADDRESS))
    with serve_page(app, port=0) as served:
        resize(browser, window)
        browser.get(f"{served.url}{page}")
        until(browser, lambda: browser.execute_script("return document.readyState") == "complete")
        data = np.frombuffer(screenshot(browser, window), np.uint8)
        browser.get("about:blank")
    picture = cv2.imdecode(data, cv2.IMREAD_COLOR)
    assert picture is not None
    return cv2.resize(picture, small, interpolation=cv2.INTER_AREA)


def _answer(number: int, moment: Moment) -> str:
    mover = f"{moment.mover.name.title()}" if moment.mover else "nobody"
    return f"{number:02}: {moment.name}. Turn or win: {mover}. {headline_of(moment.now).text}\n"


if __name__ == "__main__":
    sys.exit(main())
