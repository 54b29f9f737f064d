"""Count the calls and changes of file that a look, a press and a page take: `python -m tests.benchmarks.trace`.

A 19x19 game of Ultimate Go with clocks is played at a true table before a box without threads or camera; a profiler
notes every call of our own code from a press to the lamps, from the look that judges it to the lamps, and from the new
snapshot to the page. A change of file is a call of a function that stands in another file than the one called before;
comprehensions, and a generator that goes on, are no calls.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from itertools import pairwise
from pathlib import Path
from types import FrameType

from flask import Flask

from device.journal.entries import Terms, as_journaled
from device.journal.replay import Folder
from device.panel.panel import Edge, NoPanel
from device.table.controller import TableController
from referee.game.board import Colour
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.table.events import Button
from referee.table.table import TableConfig
from referee.time.controls import read_control
from tests.support.referee.looks import lids_of, look
from web.app import create_app
from web.backend import Backend

HOUSE = Path(sys.modules["referee"].__file__ or "").parents[1]
OURS = tuple(f"{HOUSE}/{package}/" for package in ("referee", "vision", "device", "web"))
MOVES = ("Q16", "D4", "Q4", "D16", "R14", "C14", "K4", "K16", "C6", "R6")
INNER = ("<genexpr>", "<listcomp>", "<dictcomp>", "<setcomp>")
Call = tuple[str, str, int]
"""A function that was called: its file, its name, and how deep it stands below what was traced."""


def traced(run: Callable[[], object]) -> list[Call]:
    """Every call of a function of ours while something runs, in order."""
    calls: list[Call] = []
    met: set[FrameType] = set()
    depth = 0

    def note(frame: FrameType, event: str, _: object) -> None:
        nonlocal depth
        code = frame.f_code
        if event not in ("call", "return") or not code.co_filename.startswith(OURS) or code.co_name in INNER:
            return
        if event == "call" and frame not in met:
            calls.append((str(Path(code.co_filename).relative_to(HOUSE)), code.co_qualname, depth))
        met.add(frame)
        depth += 1 if event == "call" else -1

    sys.setprofile(note)
    try:
        run()
    finally:
        sys.setprofile(None)
    return calls


def figures(calls: Iterable[Call]) -> str:
    """Describe how many calls there are, through how many files, with how many changes of file."""
    files = [file for file, _, _ in calls]
    changes = sum(one != other for one, other in pairwise(files))
    return f"{len(files)} calls through {len(set(files))} files, {changes} changes of file"


class TracedTable:
    """A box, a true table before it, and the page; `ways` are the calls from what it hears to what is seen of it."""

    def __init__(self, folder: Path) -> None:
        config = TableConfig(True, 1, control=read_control("30m+5x30s"))
        terms = Terms(Setup(rule_set("ultimate"), size=(19, 19)), config)
        self.box = TableController(terms, Folder(folder), NoPanel(), lambda snapshot: None)
        self.page = _page(self.box).test_client()
        self.t = 0.0
        record = terms.record()
        self.position, self.lids = record.position, lids_of(record.bowls)
        self.ways: dict[str, list[Call]] = {}

    def play(self) -> None:
        """The whole game; what its last turn takes stays noted."""
        self._look()()
        self._press(2)
        for number, point in enumerate(MOVES):
            self._put(Colour("BW"[number % 2]), point)
            self._look()()
            self._note("a press", lambda side=1 + number % 2: self._press(side))
            self._note("the look that judges it", self._look())
            assert self.box.table.record.number == number + 1, self.box.snapshot.game.newest_ruling
            self._note("the page", lambda: self.page.get("/"))
            self._note("the status", lambda: self.page.get("/status.json"))
            self._note("a look without news", self._look())

    def _note(self, way: str, run: Callable[[], object]) -> None:
        """Note the calls until the lamps are lit, or all where they stay as they are."""
        calls = traced(run)
        lit = [number for number, (_, name, _) in enumerate(calls, 1) if name == "NoPanel.show"]
        self.ways[way] = calls[: lit[-1]] if lit else calls

    def _put(self, player: Colour, point: str) -> None:
        board = self.box.table.record.position.board
        self.position = self.position.with_stones(player, 1 << board.point(point))

    def _look(self) -> Callable[[], None]:
        """Lets the box see the table, once it is called."""
        self.t += 1.0
        return partial(self.box.handle_observation, as_journaled(look(self.position, self.t, self.lids)))

    def _press(self, side: int) -> None:
        for down in (True, False):
            self.t += 0.1
            self.box.take_edge(Edge(side, Button.DONE, down, self.t))
        self.t += 0.1
        self.box.tick(self.t)


def _page(box: TableController) -> Flask:
    def nothing() -> list[str]:
        return []

    return create_app(
        Backend(
            lambda: box.snapshot,
            lambda number, timeout: box.snapshot,
            lambda overlay: None,
            lambda: b"",
            dict,
            nothing,
            lambda name: None,
        )
    )


def main() -> int:
    """Play, and print the figures; with --calls every call, and how often each file is come to."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--calls", action="store_true", help="print every call too")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="shinpan-") as folder:
        table = TracedTable(Path(folder))
        table.play()
        table.box.close()
    for way, calls in table.ways.items():
        print(f"{way}: {figures(calls)}")
        if args.calls:
            print(*(f"  {'  ' * depth}{name}  ({file})" for file, name, depth in calls), sep="\n")
            print("  ", Counter(file for file, _, _ in calls).most_common())
    return 0


if __name__ == "__main__":
    sys.exit(main())
