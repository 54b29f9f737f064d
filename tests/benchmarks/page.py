"""The page measured in headless Chromium: what axe-core finds, how much is loaded first, how the heap grows, how long a
ruling takes to be shown. Needs Debian's chromium and chromium-driver.

    npm pack axe-core && tar xzf axe-core-*.tgz package/axe.min.js
    python -m tests.benchmarks.page --axe package/axe.min.js

With html5lib installed the pages are parsed strictly as well. Exit 1 for a serious violation or HTML that is not valid.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from flask import Response, request
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from referee.messages import plain
from tests.benchmarks.browser import ruling_to_browser
from tests.support.device.directed import Directed
from tests.support.web.browser import DESKTOP, PHONE, open_browser, resize
from tests.support.web.showings import Box, begun, box, showing, superko
from web.app import create_app
from web.server import Served, serve

SERIOUS = ("serious", "critical")
SLOW = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 90_000}
"""A slow mobile network: 1.6 Mbit/s down, 150 ms."""
WARM, EVENTS = 50, 1000
PARTS = ("pause", "turn", "clocks", "dead", "result", "match", "lie", "remark", "files")
LOADED = """return performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'))
  .map(one => [one.name, one.transferSize, one.responseEnd])"""


def main() -> int:
    """Measure all of it, or what is named."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--axe", type=Path, metavar="FILE", help="axe.min.js; without it axe-core is left out")
    parser.add_argument("only", nargs="*", choices=["rules", "html", "load", "heap", "latency", []])
    args = parser.parse_args()
    wanted = args.only or ["rules", "html", "load", "heap", "latency"]
    with tempfile.TemporaryDirectory(prefix="shinpan-page-") as scratch, open_browser(Path(scratch) / "b") as browser:
        faults = _rules(browser, args.axe, Path(scratch)) if "rules" in wanted and args.axe else 0
        faults += _html(browser, Path(scratch)) if "html" in wanted else 0
        for name, measure in (("load", _load), ("heap", _heap)):
            if name in wanted:
                measure(browser)
    if "latency" in wanted:
        _latency()
    return 1 if faults else 0


@contextmanager
def pages(browser: webdriver.Chrome, scratch: Path) -> Iterator[list[tuple[str, Callable[[], None]]]]:
    """Every page of a box, each with what opens it in the browser."""
    folder = Path(tempfile.mkdtemp(dir=scratch))
    table = Directed(folder, "chinese", "10m+3x30s")
    table.act("enter", player="B", turn="place", point="C3", why="played")
    shown = box(superko(), number=8)
    with serve(table.app, port=0) as desk, serve(create_app(shown.desk), port=0) as game:
        plain = [(f"/{path}", _opener(browser, f"{game.url}{path}")) for path in ("", "?turn=0", "?lang=de", "games")]
        door = ("/director, outside", _opener(browser, f"{desk.url}director"))
        inside = [(f"/director, {part}", _part(browser, desk, table, part)) for part in PARTS]
        yield [*plain, door, *inside]
    table.close()


def _opener(browser: webdriver.Chrome, url: str) -> Callable[[], None]:
    return lambda: browser.get(url)


def _part(browser: webdriver.Chrome, desk: Served, table: Directed, part: str) -> Callable[[], None]:
    def opened() -> None:
        browser.get(f"{desk.url}director")
        if browser.find_elements(By.ID, "pin"):
            browser.find_element(By.ID, "pin").send_keys(table.pin.make() + "\n")
            WebDriverWait(browser, 20).until(lambda _: browser.find_elements(By.ID, "leave"))
        browser.execute_script(f"document.getElementById('act-{part}').open = true")
        time.sleep(0.3)

    return opened


def _rules(browser: webdriver.Chrome, axe: Path, scratch: Path) -> int:
    """Print what axe-core finds on every page, in both themes and sizes; returns the serious violations."""
    source, serious, seen = axe.read_text(encoding="utf-8"), 0, 0
    with pages(browser, scratch) as all_pages:
        for size, theme in ((DESKTOP, "light"), (DESKTOP, "dark"), (PHONE, "light"), (PHONE, "dark")):
            resize(browser, size)
            media = [{"name": "prefers-color-scheme", "value": theme}]
            browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": media})
            for name, opened in all_pages:
                opened()
                seen += 1
                for found in _violations(browser, source):
                    serious += found["impact"] in SERIOUS
                    where = ", ".join(str(node["target"]) for node in found["nodes"][:3])
                    print(f"{name} ({size[0]}, {theme}): {found['impact']} {found['id']}: {where}")
    print(f"axe-core: {serious} serious or critical violations on {seen} views")
    return serious


def _violations(browser: webdriver.Chrome, source: str) -> list[dict[str, Any]]:
    browser.execute_script(source)
    found = browser.execute_async_script("axe.run(document).then(arguments[0])")
    violations: list[dict[str, Any]] = found["violations"]
    return violations


def _html(browser: webdriver.Chrome, scratch: Path) -> int:
    """Parse every page strictly, as it is served; returns how many are not valid."""
    try:
        html5lib = import_module("html5lib")
    except ImportError:
        print("html5lib is not installed: the pages are not validated")
        return 0
    wrong = 0
    with pages(browser, scratch) as all_pages:
        for name, opened in all_pages[:6]:
            opened()
            text = browser.execute_async_script(
                "fetch(location.href).then(a => a.text()).then(arguments[arguments.length - 1])"
            )
            parser = html5lib.HTMLParser(strict=False)
            parser.parse(text)
            wrong += bool(parser.errors)
            print(f"{name}: {len(parser.errors)} errors {parser.errors[:3]}")
    return wrong


def _load(browser: webdriver.Chrome) -> None:
    """Print what a first visit loads, and when the board is there on a slow network."""
    resize(browser, PHONE)
    browser.execute_cdp_cmd("Network.enable", {})
    browser.execute_cdp_cmd("Network.setCacheDisabled", {"cacheDisabled": True})
    with serve(create_app(box(superko(), number=8).desk), port=0) as served:
        browser.execute_cdp_cmd("Network.emulateNetworkConditions", SLOW)
        browser.get(served.url)
        time.sleep(3.0)
        loaded = browser.execute_script(LOADED)
        painted = browser.execute_script("return performance.getEntriesByName('first-contentful-paint')[0].startTime")
        browser.execute_cdp_cmd("Network.emulateNetworkConditions", {**SLOW, "latency": 0, "downloadThroughput": -1})
        browser.get("about:blank")
    files = [one for one in loaded if not one[0].endswith(("events", "health"))]
    total = sum(size for _, size, _ in files)
    print(f"first load: {total:,.0f} bytes in {len(files)} requests; board painted after {painted:.0f} ms on slow 3G+")


def _heap(browser: webdriver.Chrome) -> None:
    """Print how the collected heap has grown after many changes.

    The browser is asked nothing meanwhile: each question of a driver leaves some 75 bytes behind in the page's heap.
    """
    resize(browser, DESKTOP)
    shown = box(begun().play("B E5", "W G3", "B C3"), number=1)
    app, fetched = create_app(shown.desk), threading.Semaphore(0)
    app.after_request(lambda answer: _tell_of_pages(answer, fetched))
    with serve(app, port=0) as served:
        browser.get(served.url)
        WebDriverWait(browser, 20).until(lambda _: browser.execute_script("return document.body.dataset.liveText"))
        assert fetched.acquire(timeout=30)
        _changes(shown, 2, WARM, fetched)
        before = _collected(browser, WARM + 1)
        _changes(shown, 2 + WARM, EVENTS, fetched)
        after = _collected(browser, WARM + EVENTS + 1)
        browser.get("about:blank")
    print(f"heap: {before:,} bytes, after {EVENTS} more changes {after:,} ({(after / before - 1) * 100:+.1f}%)")


def _tell_of_pages(answer: Response, fetched: threading.Semaphore) -> Response:
    if request.path == "/":
        fetched.release()
    return answer


def _changes(shown: Box, first: int, count: int, fetched: threading.Semaphore) -> None:
    """So many showings that differ, each fetched before the next."""
    games = (begun().play("B E5", "W G3", "B C3"), superko())
    for number in range(first, first + count):
        shown.show(showing(games[number % 2], number, notice=plain(f"Change {number}.")))
        assert fetched.acquire(timeout=30), "the page did not ask for the change"


def _collected(browser: webdriver.Chrome, number: int) -> int:
    """The heap's bytes after collecting garbage, once the page shows the change of this number."""
    version = "return document.querySelector('main').dataset.version"
    WebDriverWait(browser, 30).until(lambda _: browser.execute_script(version).endswith(f"-{number}"))
    for _ in range(3):
        browser.execute_cdp_cmd("HeapProfiler.collectGarbage", {})
    return int(browser.execute_cdp_cmd("Runtime.getHeapUsage", {})["usedSize"])


def _latency() -> None:
    taken = sorted(ruling_to_browser(100))
    p99 = taken[min(int(0.99 * len(taken)), len(taken) - 1)]
    print(f"ruling to browser: median {statistics.median(taken):.0f} ms, p99 {p99:.0f} ms of {len(taken)}")


if __name__ == "__main__":
    sys.exit(main())
