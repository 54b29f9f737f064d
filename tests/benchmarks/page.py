"""The page measured: what axe-core finds, whether its HTML is valid, how much is loaded first, how the heap grows, what
shifts over a game, and whether its API is as described. Needs Debian's chromium and chromium-driver.

    npm pack axe-core && tar xzf axe-core-*.tgz package/axe.min.js
    python -m tests.benchmarks.page --axe package/axe.min.js
    pip install --target out/schemathesis schemathesis
    python -m tests.benchmarks.page api --site out/schemathesis

With html5lib installed the pages are parsed strictly as well. api: a real box is served and schemathesis asks it as the
director and as anybody, also without cookie, token or origin; event streams, which do not end, are left out. Exit 1 for
a violation, HTML that is not valid, an answer 5xx or one that is not described.
"""

from __future__ import annotations

import argparse
import math
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

from flask import Response, request
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from referee.game.board import Colour
from referee.game.count_result import DeadStoneClaim
from referee.game.messages import plain_message
from referee.table.display_state import Sight
from referee.table.events import Agree, Propose
from tests.benchmarks.parts.venue import venue
from tests.support.device.directed import DirectedTable
from tests.support.referee.table import PlayedTable
from tests.support.web.browser import DESKTOP, PHONE, choose_theme, open_browser, resize
from tests.support.web.snapshots import (
    Box,
    begun_table,
    box,
    counted_table,
    random_game,
    random_turn,
    superko,
    take_snapshot,
)
from web.app import create_app
from web.backend import Replay
from web.hall.app import HallDesk, create_hall_app
from web.hall.tiles import Entering, LastBoard, Outcome, Result, Standing
from web.page_config import PageIdentity
from web.page_server import PageServer, serve_page

CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
SLOW = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 90_000}
"""A slow mobile network: 1.6 Mbit/s down, 150 ms."""
WARM, EVENTS = 50, 1000
LONG = 300
PARTS = ("pause", "turn", "clocks", "dead", "result", "match", "lie", "remark", "files", "log")
PATHS = ("?lang=de", "?lang=ja", "?lang=en", "?turn=0", "?turn=1&tried=1", "games", "wall", "wall?overlay")
"""English last of the languages: the browser keeps it for all that is opened afterwards."""
AFTER = ("", "?step=1", "wall", "sheet", "games", "games/1/", "games/1/?turn=1", "games/1/sheet")
HALL = ("", "me", "incidents", "results")
RESULTS = (
    (Result("3", "7", "Mia Maple", "Noa Nutmeg", "W+12.5", number=1, rules="japanese", turns=234), Outcome.STANDS),
    (Result("3", "6", "Kim Kauri", "Leo Larch", "B+R"), Outcome.NAMES),
)
ADDRESS = "http://shinpan-3.local:8000/"
OPENED = """const all = document.getElementById("open");
  if (all.getClientRects().length && all.getAttribute("aria-expanded") === "false") all.click();
  document.getElementById(arguments[0]).open = true;"""
"""Of the desk a part; on a phone all of it is a sheet, which is opened first."""
LOADED = """return performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'))
  .map(one => [one.name, one.transferSize, one.responseEnd])"""


NAMES = ("Anna Berg", "Maria Schwarzenegger-Oberhauser")
SHIFTING_TURNS = 60
INTERRUPTIONS: tuple[dict[str, object], ...] = (
    {"paused": True},
    {"called": True},
    {"paused": True, "called": True},
    {"waiting": (1,)},
    {"sight": Sight.COVERED},
    {"sight": Sight.LOST},
    {"notice": plain_message("The director: please be quiet, another game is still going on at the next table.")},
)
OBSERVED = """
  window.shifts = [];
  const nameOf = (node) => {
    const named = (node?.closest ? node : node?.parentElement)?.closest("[data-live], [class], [id]");
    return named?.dataset.live || named?.getAttribute("class") || named?.id || "unknown";
  };
  const keep = (one) => {
    const names = one.sources.map(({ node }) => nameOf(node));
    if (!one.hadRecentInput) window.shifts.push([one.startTime, one.value, names]);
  };
  new PerformanceObserver((list) => list.getEntries().forEach(keep)).observe({ type: "layout-shift", buffered: true });
"""


def main() -> int:
    """Measure all of it, or what is named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--axe", type=Path, metavar="FILE", help="axe.min.js; without it axe-core is left out")
    parser.add_argument("--site", type=Path, metavar="FOLDER", help="where schemathesis is; without it api is left out")
    parser.add_argument("--examples", type=int, default=30, metavar="N", help="api: cases an address")
    parser.add_argument("--phases", default="coverage,fuzzing", metavar="NAMES", help="api: schemathesis's own")
    parser.add_argument("only", nargs="*", choices=[*PART, []])
    args = parser.parse_args()
    wanted = args.only or list(PART)
    with tempfile.TemporaryDirectory(prefix="shinpan-page-") as scratch, open_browser(Path(scratch) / "b") as browser:
        return 1 if sum(PART[name](browser, args, Path(scratch)) for name in wanted) else 0


@contextmanager
def desk_of(scratch: Path) -> Iterator[DirectedTable]:
    """A running box with a turn and clocks, and its director's desk."""
    table = DirectedTable(Path(tempfile.mkdtemp(dir=scratch)), "chinese", "10m+3x30s")
    table.act("enter", player="B", turn="place", point="C3", why="played")
    yield table
    table.close()


@contextmanager
def pages(browser: webdriver.Chrome, scratch: Path) -> Iterator[list[tuple[str, Callable[[], None]]]]:
    """Every page of a box and of a hall, each with what opens it in the browser."""
    refused, over = box(superko(), number=8), box(counted_table(), number=9, archive_name="1")
    over.games, over.replays = {"1": b"(;FF[4])"}, {"1": Replay(replace(over.now, sight=Sight.NONE), day="2026-11-22")}
    with (
        desk_of(scratch) as table,
        serve_page(table.app, port=0) as desk,
        serve_page(create_app(refused.backend, PageIdentity(address=ADDRESS)), port=0) as game,
        serve_page(create_app(over.backend, PageIdentity(address=ADDRESS)), port=0) as ended,
        serve_page(create_hall_app(_hall()), port=0) as hall,
    ):
        plain = [(f"/{path}", _opener(browser, f"{game.url}{path}")) for path in PATHS]
        after = [(f"/{path}, after the game", _opener(browser, f"{ended.url}{path}")) for path in AFTER]
        door = ("/director, outside", _opener(browser, f"{desk.url}director"))
        inside = [(f"/director, {part}", _part(browser, desk, table, part)) for part in PARTS]
        tables = [(f"/{path} of the hall", _table_opener(browser, f"{hall.url}{path}")) for path in HALL]
        yield [*plain, *after, door, *inside, *tables]


def _hall() -> HallDesk:
    """Eight tables after two rounds, of which two have a result."""
    desk, ends = venue(), (Standing(2, 0), Standing(1.5, 0.5))
    hall = replace(desk.read_wall(), tiles=tuple(replace(one, standings=ends) for one in desk.read_wall().tiles))
    board = LastBoard((".X.", "OO.", "..."))
    return replace(desk, read_wall=lambda: hall, entering=lambda: Entering(RESULTS), last_board={1: board}.get)


def _table_opener(browser: webdriver.Chrome, url: str) -> Callable[[], None]:
    def opened() -> None:
        browser.get(url)
        time.sleep(0.5)  # The tiles come with a request of their own.

    return opened


def _opener(browser: webdriver.Chrome, url: str) -> Callable[[], None]:
    return lambda: browser.get(url)


def _part(browser: webdriver.Chrome, desk: PageServer, table: DirectedTable, part: str) -> Callable[[], None]:
    def opened() -> None:
        browser.get(f"{desk.url}director")
        if browser.find_elements(By.ID, "pin"):
            browser.find_element(By.ID, "pin").send_keys(table.pin.make() + "\n")
            WebDriverWait(browser, 20).until(lambda _: browser.find_elements(By.ID, "leave"))
        browser.execute_script(OPENED, f"act-{part}")
        time.sleep(0.5)

    return opened


def _rules(browser: webdriver.Chrome, args: argparse.Namespace, scratch: Path) -> int:
    """Print what axe-core finds on every page, in both themes and sizes; returns how many violations."""
    if args.axe is None:
        print("axe-core is not given: accessibility is not measured")
        return 0
    source, violations, view_count = args.axe.read_text(encoding="utf-8"), 0, 0
    with pages(browser, scratch) as all_pages:
        for size, theme in ((DESKTOP, "light"), (DESKTOP, "dark"), (PHONE, "light"), (PHONE, "dark")):
            resize(browser, size)
            choose_theme(browser, theme)
            for name, opened in all_pages:
                opened()
                view_count += 1
                for violation in _violations(browser, source):
                    violations += 1
                    where = ", ".join(str(node["target"]) for node in violation["nodes"][:3])
                    print(f"{name} ({size[0]}, {theme}): {violation['impact']} {violation['id']}: {where}")
    print(f"axe-core: {violations} violations on {view_count} views")
    return violations


def _violations(browser: webdriver.Chrome, source: str) -> list[dict[str, Any]]:
    browser.execute_script(source)
    report = browser.execute_async_script("axe.run(document).then(arguments[0])")
    violations: list[dict[str, Any]] = report["violations"]
    return violations


def _html(browser: webdriver.Chrome, args: argparse.Namespace, scratch: Path) -> int:
    """Parse every page strictly, as it is served; returns how many are not valid."""
    try:
        html5lib = import_module("html5lib")
    except ImportError:
        print("html5lib is not installed: the pages are not validated")
        return 0
    wrong = 0
    with pages(browser, scratch) as all_pages:
        for name, opened in all_pages:
            opened()
            text = browser.execute_async_script(
                "fetch(location.href).then(a => a.text()).then(arguments[arguments.length - 1])"
            )
            parser = html5lib.HTMLParser(strict=False)
            parser.parse(text)
            wrong += bool(parser.errors)
            print(f"{name}: {len(parser.errors)} errors {parser.errors[:3]}")
    return wrong


def _load(browser: webdriver.Chrome, args: argparse.Namespace, scratch: Path) -> int:
    """Print what a first visit loads, of a new and of a long game, and when the board is there on a slow network."""
    resize(browser, PHONE)
    browser.execute_cdp_cmd("Network.enable", {})
    browser.execute_cdp_cmd("Network.setCacheDisabled", {"cacheDisabled": True})
    for name, table in (("new", superko()), (f"{LONG} turns", random_game(LONG))):
        _first_load(browser, name, table)
    return 0


def _first_load(browser: webdriver.Chrome, name: str, table: PlayedTable) -> None:
    with serve_page(create_app(box(table, number=8).backend), port=0) as served:
        browser.execute_cdp_cmd("Network.emulateNetworkConditions", SLOW)
        browser.get(served.url)
        time.sleep(3.0)
        loaded = browser.execute_script(LOADED)
        painted = browser.execute_script("return performance.getEntriesByName('first-contentful-paint')[0].startTime")
        browser.execute_cdp_cmd("Network.emulateNetworkConditions", {**SLOW, "latency": 0, "downloadThroughput": -1})
        browser.get("about:blank")
    files = [one for one in loaded if "/events" not in one[0] and not one[0].endswith("health")]
    total = sum(size for _, size, _ in files)
    print(f"first load, {name}: {total:,.0f} bytes in {len(files)} requests; board after {painted:.0f} ms on slow 3G+")


def _heap(browser: webdriver.Chrome, args: argparse.Namespace, scratch: Path) -> int:
    """Print how the collected heap has grown after many changes.

    The browser is asked nothing meanwhile: each question of a driver leaves some 75 bytes behind in the page's heap.
    """
    resize(browser, DESKTOP)
    shown_box = box(begun_table().play("B E5", "W G3", "B C3"), number=1)
    app, fetched = create_app(shown_box.backend), threading.Semaphore(0)
    app.after_request(lambda answer: _tell_of_pages(answer, fetched))
    with serve_page(app, port=0) as served:
        browser.get(served.url)
        WebDriverWait(browser, 20).until(lambda _: browser.execute_script("return document.body.dataset.liveText"))
        assert fetched.acquire(timeout=30)
        _changes(shown_box, 2, WARM, fetched)
        before = _collected(browser, WARM + 1)
        _changes(shown_box, 2 + WARM, EVENTS, fetched)
        after = _collected(browser, WARM + EVENTS + 1)
        browser.get("about:blank")
    print(f"heap: {before:,} bytes, after {EVENTS} more changes {after:,} ({(after / before - 1) * 100:+.1f}%)")
    return 0


def _tell_of_pages(answer: Response, fetched: threading.Semaphore) -> Response:
    if request.path in ("/", "/parts"):
        fetched.release()
    return answer


def _changes(shown_box: Box, first: int, count: int, fetched: threading.Semaphore) -> None:
    """So many snapshots that differ, each fetched before the next."""
    games = (begun_table().play("B E5", "W G3", "B C3"), superko())
    for number in range(first, first + count):
        shown_box.show(take_snapshot(games[number % 2], number, notice=plain_message(f"Change {number}.")))
        assert fetched.acquire(timeout=30), "the page did not ask for the change"


def _collected(browser: webdriver.Chrome, number: int) -> int:
    """The heap's bytes after collecting garbage, once the page shows the change of this number."""
    version = "return document.querySelector('main').dataset.version"
    WebDriverWait(browser, 30).until(lambda _: browser.execute_script(version).endswith(f"-{number}"))
    for _ in range(3):
        browser.execute_cdp_cmd("HeapProfiler.collectGarbage", {})
    return int(browser.execute_cdp_cmd("Runtime.getHeapUsage", {})["usedSize"])


def _shifts(browser: webdriver.Chrome, args: argparse.Namespace, scratch: Path) -> int:
    """Follow a whole game in a phone's and a desktop's window; returns how many frames shifted something.

    Nothing is left out but what follows a touch or a key, which Chromium itself marks. Printed are the sum of all
    shifts, the largest of a window of time as browsers reckon it (CLS), and what moved most often.
    """
    return sum(_game_s_shifts(browser, size) for size in (PHONE, (1280, 800), (1920, 1080)))


def _game_s_shifts(browser: webdriver.Chrome, size: tuple[int, int]) -> int:
    table, rng = random_game(0), random.Random(59)
    shown_box = box(table, number=1, names=NAMES)
    with serve_page(create_app(shown_box.backend), port=0) as served:
        resize(browser, size)
        browser.get(served.url)
        WebDriverWait(browser, 20).until(lambda _: browser.execute_script("return document.body.dataset.liveText"))
        browser.execute_script(OBSERVED)
        for number, changes in enumerate(_whole_game(table, rng), 2):
            shown_box.show(take_snapshot(table, number, names=NAMES, **changes))
            WebDriverWait(browser, 30).until(lambda _, number=number: _version(browser).endswith(f"-{number}"))
            time.sleep(0.6)  # What is exchanged is drawn, and what moves has come to rest.
        shifts = browser.execute_script("return window.shifts")
        browser.get("about:blank")
    total, most = sum(value for _, value, _ in shifts), _largest_window(shifts)
    moved = Counter(name for _, _, names in shifts for name in names).most_common(5)
    summary = f"{len(shifts)} in {number} states, sum {total:.4f}, CLS {most:.4f} {moved or ''}"
    print(f"shifts at {size[0]}x{size[1]}: {summary}")
    return len(shifts)


def _whole_game(table: PlayedTable, rng: random.Random) -> Iterator[dict[str, object]]:
    """Play and count, and yield what else is the case after each step."""
    for _ in range(SHIFTING_TURNS):
        table.wait(rng.randint(1, 9))
        table.play(random_turn(table, rng))
        yield {}
        if rng.random() < 0.3:
            yield rng.choice(INTERRUPTIONS)
            yield {}
    for player in "BW":
        table.play(f"{player} pass")
        yield {}
    table.say(Propose, Colour.BLACK, DeadStoneClaim())
    yield {}
    table.say(Agree, Colour.WHITE)
    yield {}
    yield {"archive_name": "1"}


def _largest_window(shifts: list[tuple[float, float, list[str]]]) -> float:
    """Return the largest sum of shifts less than a second apart, over five seconds at most."""
    largest, now, began, last = 0.0, 0.0, 0.0, -math.inf
    for at, value, _ in shifts:
        if at - last >= 1000 or at - began >= 5000:
            now, began = 0.0, at
        now, last = now + value, at
        largest = max(largest, now)
    return largest


def _version(browser: webdriver.Chrome) -> str:
    return str(browser.execute_script("return document.querySelector('main').dataset.version"))


def _api(browser: webdriver.Chrome, args: argparse.Namespace, scratch: Path) -> int:
    """Ask as the director and as anybody; how many of the two runs failed."""
    if args.site is None:
        print("schemathesis is not given: the API is not compared with its description")
        return 0
    with desk_of(scratch) as table:
        client, headers = table.inside()
        cookie = client.get_cookie("director", path="/director")
        assert cookie is not None
        with serve_page(table.app, port=0) as served:
            origin = served.url.rstrip("/")
            inside = [f"Origin: {origin}", f"X-Token: {headers['X-Token']}", f"Cookie: director={cookie.value}"]
            return _run(args, served.url, inside) + _run(args, served.url, [])


def _run(args: argparse.Namespace, url: str, headers: list[str]) -> int:
    command = [sys.executable, "-m", "schemathesis.cli", "run", f"{url}openapi.json", "--url", url, "--seed", "1"]
    command += ["--checks", CHECKS, "--max-examples", str(args.examples), "--phases", args.phases]
    command += ["--exclude-path", "/events"]
    command += ["--exclude-path", "/director/session"] if headers else []
    for header in headers:
        command += ["-H", header]
    environment = {**os.environ, "PYTHONPATH": str(args.site.resolve())}
    done = subprocess.run(command, env=environment, cwd=tempfile.gettempdir(), check=False)
    return int(done.returncode != 0)


PART = {"rules": _rules, "html": _html, "load": _load, "heap": _heap, "shifts": _shifts, "api": _api}
"""The measurements by name; each returns how many faults it found."""


if __name__ == "__main__":
    sys.exit(main())
