"""Every act of the director's desk on a phone's window with one thumb: the taps it needs and the pixels scrolled.

    python -m tests.benchmarks.thumb
    python -m tests.benchmarks.thumb game --seed 3 --taps 60

game: a game goes on while a thumb taps what lies in the window. The thumb decides, and taps a moment later where it saw
the button; the game may have gone on meanwhile. Each tap is logged with what it hit and for how long that had lain
still. Exit 1 if one hit another act than it was meant for, or something that moved within the second before, unless the
desk ignored it for that. What had gone is no act: the tap then falls on nothing, or names a point of the board.

Needs Debian's chromium and chromium-driver.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from threading import Timer
from typing import Any

from selenium import webdriver

from referee.game.board import points_of
from referee.rules.legality import legal_placements
from tests.benchmarks.parts.thumb import WAYS, come_in, walked
from tests.support.device.directed import DirectedTable
from tests.support.web.browser import open_browser
from web.errors import BadAct
from web.page_server import serve_page

STILL_S = 1.0
"""Seconds for which what is tapped has to have lain still."""
REACTION_S = (0.2, 0.8)
"""Seconds between the look and the tap."""
WITNESS = """
const places = new Map();
const TAPPED = "button, summary, a, #board svg";
const look = (now) => {
  for (const one of document.querySelectorAll(TAPPED)) {
    const { x, y, width, height } = one.getBoundingClientRect();
    const place = [x, y, width, height].map(Math.round).join(" ");
    if (places.get(one)?.place !== place) places.set(one, { place, since: now });
  }
  requestAnimationFrame(look);
};
requestAnimationFrame(look);
window.landed = [];
addEventListener("pointerdown", (event) => {
  const hit = event.target.closest(TAPPED);
  const words = (hit?.getAttribute("data-body") ?? hit?.id) || hit?.tagName || "nothing";
  const ignored = hit && !shinpanDesk.settled(hit);
  landed.push({ hit: words, ignored, still: hit ? (performance.now() - places.get(hit).since) / 1000 : Infinity });
}, true);
"""
TARGETS = """
const there = [...document.querySelectorAll(".bar button, #board svg")].filter((one) => one.getClientRects().length);
return there.map((one) => {
  const { left, top, width, height } = one.getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  const free = one.contains(document.elementFromPoint(x, y));
  return { words: one.getAttribute("data-body") ?? (one.id || one.tagName), x, y, free };
}).filter(({ free, words }) => free && words !== "open")
"""


def main() -> int:
    """Walk to each act and print a table; or tap through a game."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="?", choices=("ways", "game"), default="ways")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--taps", type=int, default=60)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch, open_browser(Path(scratch) / "profile") as browser:
        if args.what == "game":
            return _tap_through(browser, Path(scratch) / "game", random.Random(args.seed), args.taps)
        _print_ways(browser, Path(scratch))
    return 0


def _print_ways(browser: webdriver.Chrome, scratch: Path) -> None:
    print("| act | taps | pixels scrolled |\n|---|--:|--:|")
    walks = [walked(browser, scratch / f"{number}", way) for number, way in enumerate(WAYS)]
    for one in walks:
        print(f"| {one.name} | {one.taps} | {one.pixels} |")
    print(f"| all {len(walks)} | {sum(one.taps for one in walks)} | {sum(one.pixels for one in walks)} |")


def _tap_through(browser: webdriver.Chrome, folder: Path, rng: random.Random, taps: int) -> int:
    """Tap so many times while the game goes on; print each tap, and return 1 if one went wrong."""
    table = DirectedTable(folder, "chinese", "10m+3x30s")
    wrong = 0
    try:
        with serve_page(table.app, port=0) as served:
            come_in(browser, served.url, table)
            browser.execute_script(WITNESS)
            time.sleep(STILL_S)
            for number in range(1, taps + 1):
                wrong += _tap_once(browser, table, rng, number)
            browser.get("about:blank")
    finally:
        table.close()
    print(f"{taps} taps, {wrong} of them on another act or on something that had just moved")
    return 1 if wrong else 0


def _tap_once(browser: webdriver.Chrome, table: DirectedTable, rng: random.Random, number: int) -> bool:
    """Choose what lies free, wait as long as a thumb takes, tap there; returns True if that went wrong."""
    targets: list[dict[str, Any]] = browser.execute_script(TARGETS)
    target = rng.choice(targets)
    react = rng.uniform(*REACTION_S)
    goes_on = Timer(rng.uniform(0, react), _play, (table, rng.random()))
    goes_on.start()
    time.sleep(react)
    for kind in ("mousePressed", "mouseReleased"):
        at = {"type": kind, "x": target["x"], "y": target["y"], "button": "left", "clickCount": 1}
        browser.execute_cdp_cmd("Input.dispatchMouseEvent", at)
    goes_on.join()
    hit = browser.execute_script("return landed.splice(0)")[-1]
    browser.execute_script("document.querySelector('dialog[open] [value=no]')?.click()")
    other, is_miss = hit["hit"] != target["words"], hit["hit"] in ("svg", "nothing")
    moved = hit["still"] is not None and hit["still"] < STILL_S
    wrong = (moved or (other and not is_miss)) and not hit["ignored"]
    summary = (
        "ignored, because it had just changed" if hit["ignored"] else f"hit {hit['hit']}" if other or wrong else ""
    )
    print(f"{number:3} {target['words'][:60]:60} lay still for {hit['still'] or 0:5.1f} s {summary}")
    time.sleep(STILL_S + react)  # Until what the thumb itself has changed lies still.
    return wrong


def _play(table: DirectedTable, chance: float) -> None:
    """Let the player to move play anywhere, or call, or nothing happen."""
    record = table.box.table.record
    points = list(points_of(legal_placements(record)))
    with suppress(BadAct):
        if chance > 0.9:
            table.act("time", step="pause", by=record.to_play.value)
        elif chance > 0.3 and points:
            point = record.position.board.name(points[int(chance * 1000) % len(points)])
            table.act("enter", player=record.to_play.value, turn="place", point=point, why="played")


if __name__ == "__main__":
    sys.exit(main())
