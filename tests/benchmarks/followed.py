"""A whole game followed in two windows, a phone's and a desktop's, to its result; the box is killed in the middle.

    python -m tests.benchmarks.followed [--speed 2] [--out out/followed]

A seeded game of Ultimate Go is played on a drawn table in a process of its own before `shinpan run`. After some turns
the box is killed (kill -9) and started again on the same port. Neither window is loaded again: each has to say that the
connection is lost, to find the box again, and to have shown every turn and ruling in the end. With --out both windows
are photographed at the end, light and dark. Needs Debian's chromium and chromium-driver; exit 1 for anything missed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from selenium import webdriver

from device.simulator.serve import TableProcess
from referee.table.display_state import Phase
from tests.benchmarks.kills import INSIST, SIZE, KilledBox, Status
from tests.support.web.browser import DESKTOP, PHONE, choose_theme, open_browser, resize, screenshot

WITHIN = 480.0
"""Wall seconds for the game."""
HALF = 6
"""Turns after which the box is killed."""
DEAD = 3.0
"""Seconds for which it stays so."""
WITNESS = """
window.loadedOnce = true;
window.met = {links: [], rulings: [], headlines: []};
const note = (list, text) => { if (text && list[list.length - 1] !== text) list.push(text); };
const look = () => {
  note(met.links, document.getElementById("link").dataset.state);
  note(met.rulings, document.querySelector(".banner .notice")?.textContent ?? "");
  note(met.headlines, document.querySelector("h1").textContent);
};
new MutationObserver(look).observe(document.body, {subtree: true, childList: true, attributes: true});
look();
"""
SHOWN = """return {once: window.loadedOnce === true, ...window.met, title: document.title,
  moves: document.querySelectorAll(".moves li:not(.tried) a").length,
  turns: document.querySelector(".steps").dataset.turns,
  rulings_listed: Array.from(document.querySelectorAll(".earlier li")).length,
  wide: document.documentElement.scrollWidth}"""


class Window:
    """One browser on the page, which is never loaded again."""

    def __init__(self, name: str, browser: webdriver.Chrome, size: tuple[int, int], url: str) -> None:
        self.name, self.browser, self.size = name, browser, size
        resize(browser, size)
        browser.get(url)
        browser.execute_script(WITNESS)

    def shown(self) -> dict[str, Any]:
        """Return what the page has shown so far."""
        page_state: dict[str, Any] = self.browser.execute_script(SHOWN)
        return page_state

    def missed(self, status: Status) -> list[str]:
        """Return sentences on everything that the page should have shown and has not."""
        page_state, wrong = self.shown(), []
        checks = [
            (page_state["once"], "the page was loaded again"),
            (page_state["wide"] <= self.size[0], "the page is wider than its window"),
            (page_state["moves"] == status["turn"], f"{page_state['moves']} turns are listed of {status['turn']}"),
            (page_state["headlines"][-1] == status["headline"], f"it says {page_state['headlines'][-1]!r} in the end"),
            (_in_order(["live", "lost", "live"], page_state["links"]), f"connections: {page_state['links']}"),
        ]
        wrong += [f"{self.name}: {text}" for holds, text in checks if not holds]
        ruling_texts = {ruling["text"] for ruling in status["rulings"][1:] if ruling["status"] != "legal"}
        listed = self.browser.execute_script("return document.body.textContent")
        return wrong + [f"{self.name}: never shown: {text}" for text in ruling_texts if text not in listed]

    def photograph(self, out: Path) -> None:
        """Light and dark, as high as the page is."""
        for theme in ("light", "dark"):
            choose_theme(self.browser, theme)
            (out / f"{self.name}-{theme}.png").write_bytes(screenshot(self.browser, self.size, whole=True))


def _in_order(wanted: list[str], actual: list[str]) -> bool:
    rest = iter(actual)
    return all(one in rest for one in wanted)


def main() -> int:
    """Play, follow, kill, follow on; print what was met."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--speed", type=float, default=2.0, metavar="X", help="so many times as fast, if it follows")
    parser.add_argument("--seed", type=int, default=1000, help="of the game")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="photograph both windows at the end")
    args = parser.parse_args()
    with ExitStack() as stack:
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="shinpan-followed-")))
        game = ("--size", str(SIZE), "--seed", str(args.seed), "--insist", str(INSIST))
        stack.enter_context(TableProcess(scratch / "table", "--speed", str(args.speed), *game))
        box = KilledBox(scratch / "table", scratch / "data", None)
        box.start()
        stack.callback(box.kill)
        windows = [
            Window(name, stack.enter_context(open_browser(scratch / name)), size, box.url)
            for name, size in (("phone", PHONE), ("desktop", DESKTOP))
        ]
        wrong = follow(box, windows)
        for window in windows if args.out else []:
            args.out.mkdir(parents=True, exist_ok=True)
            window.photograph(args.out)
    print("\n".join(wrong) or "nothing was missed")
    return 1 if wrong else 0


def follow(box: KilledBox, windows: list[Window]) -> list[str]:
    """The game to its end, with a kill in the middle; what was missed."""
    _wait_until(box, lambda status: status["turn"] >= HALF)
    box.kill()
    begun = time.monotonic()
    time.sleep(DEAD)
    box.start()
    back = time.monotonic()
    while not all(window.shown()["links"][-1] == "live" for window in windows) and time.monotonic() - back < 60:
        time.sleep(0.05)
    print(f"killed after {HALF} turns, served again {back - begun:.1f} s later, ", end="")
    print(f"both windows live {time.monotonic() - back:.1f} s after that")
    status = _wait_until(box, lambda status: status["phase"] == Phase.FINAL)
    time.sleep(2.0)
    for window in windows:
        page_state = window.shown()
        print(
            f"{window.name}: {len(page_state['headlines'])} headlines, {len(page_state['rulings'])} rulings, "
            f"{page_state['links']}"
        )
    print(f"the game: {status['turn']} turns, {len(status['rulings'])} rulings, {status['headline']}")
    return [sentence for window in windows for sentence in window.missed(status)]


def _wait_until(box: KilledBox, condition: Callable[[Status], bool]) -> Status:
    until = time.monotonic() + WITHIN
    while time.monotonic() < until:
        status = box.ask()
        if status is not None and condition(status):
            return status
        time.sleep(0.05)
    raise SystemExit(f"The game did not come so far: {box.last and box.last['headline']}")


if __name__ == "__main__":
    sys.exit(main())
