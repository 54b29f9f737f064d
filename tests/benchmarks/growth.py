"""The cost of a turn to a box, and its growth with the game: `python -m tests.benchmarks.growth [--turns 1010]`.

A game of 19 lines drawn by lot, with captures, is played by DONE, with a clock, before a box without camera or threads
that keeps journal and record as every box does. Printed around some turns are medians of a turn's processor time in ms:
all that the box does of it; of that, its game record; what is sent to the page's process, as a pickle, and its size;
and in that process the status, and the parts of the page that open pages ask for, with their sizes. With --no-page, the
box alone, whose syncs `strace -f -c -e trace=fsync,fdatasync` counts. With --tree FOLDER, a checkout of another
version plays the same game, by turns in the same run.
"""

from __future__ import annotations

import argparse
import os
import pickle
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from device.panel.panel import NoPanel
from device.table.controller import TableController
from referee.game.board import points_of
from referee.game.record import GameRecord
from referee.game.turns import Placement
from referee.rules.legality import judge
from referee.table.display_state import TableSnapshot
from tests.support.device.player import Player
from tests.support.play import start_game
from web.app import create_app
from web.backend import Backend, LatestValue
from web.server.deltas import DeltaEncoder

RULES, CONTROL, SEED = "new-zealand", "9h", 4
ROOT = Path(__file__).parents[2]
AT, AROUND = (10, 100, 400, 700, 1000), 10
"""The turns around which each median is taken, and how many to either side."""
COLUMNS = ("turn", "of it record", "pickle", "bytes", "status", "bytes", "parts", "bytes")

Costs = dict[str, list[float]]
T = TypeVar("T")


class GrowingBox(Player):
    """A box whose turns are measured. costs: by column."""

    def __init__(self, folder: Path, page: bool, size: int = 19) -> None:
        super().__init__(folder, rules=RULES, size=size, control=CONTROL, panel=NoPanel())
        self.position = start_game(RULES, size=(size, size)).position
        self.costs: Costs = {}
        self._page = _Page() if page else None
        self._record = 0.0
        keep = TableController._keep_record
        self.box._keep_record = self._metered(lambda: keep(self.box))  # type: ignore[method-assign]

    def _metered(self, does: Callable[[], None]) -> Callable[[], None]:
        def metered() -> None:
            self._record += time_call(does)[1]

        return metered

    def play(self, after: GameRecord) -> None:
        """A turn: stones onto the board, into the lids, and DONE."""
        shown_count, self._record = len(self.snapshots), 0.0
        self.position, self.lids = after.position, after.bowls
        side = 1 if after.number % 2 else 2
        _, spent = time_call(lambda: self.press(side).look(0.5))
        assert self.now.game.turn == after.number, f"turn {after.number} was not ruled"
        self._note(spent, self._record)
        if self._page is not None:
            self._note(*self._page.take(self.snapshots[shown_count:]), start=2)
        self.snapshots.clear()

    def _note(self, *values: float, start: int = 0) -> None:
        for column, value in enumerate(values, start):
            self.costs.setdefault(str(column), []).append(value)


class _Page:
    """The page's process as far as it costs: its pickles, its status, and the parts that an open page asks for."""

    def __init__(self) -> None:
        self._desk, self._encoder = LatestValue(), DeltaEncoder()
        nothing = {name: lambda *_: None for name in ("picture", "sgf", "health")}
        self._client = create_app(Backend(lambda: self._desk.newest, self._desk.wait, **nothing)).test_client()
        self._version = ""

    def take(self, snapshots: list[TableSnapshot]) -> tuple[float, ...]:
        messages, pickling = time_call(
            lambda: [pickle.dumps(self._encoder.encode(one), pickle.HIGHEST_PROTOCOL) for one in snapshots]
        )
        self._desk.publish(snapshots[-1])
        status, answering = time_call(lambda: self._client.get("/status.json"))
        version = status.headers["ETag"].strip('"')
        parts, comparing = time_call(lambda: self._client.get("/parts", query_string={"since": self._version}))
        self._version = version
        return pickling, sum(map(len, messages)), answering, len(status.data), comparing, len(parts.data)


def time_call(does: Callable[[], T]) -> tuple[T, float]:
    """The result, and the milliseconds of processor time."""
    begun = time.process_time()
    result = does()
    return result, 1000 * (time.process_time() - begun)


def drawn_by_lot(record: GameRecord, seed: int) -> Iterator[GameRecord]:
    """Yield the record after each turn."""
    rng, board = random.Random(seed), record.position.board
    while True:
        empty = list(points_of(board.full & ~record.position.occupied))
        rng.shuffle(empty)
        verdicts = (judge(record, Placement(record.to_play, point)).after for point in empty)
        after = next((after for after in verdicts if after is not None and after.position != record.position), None)
        if after is None:
            return
        record = after
        yield record


def play_beside(tree: Path, options: list[str]) -> None:
    """Have this version and another one play, by turns, and print the table of each."""
    with player(ROOT, options) as here, player(tree.resolve(), options) as there:
        tables: dict[str, str] = {}
        while len(tables) < 2:
            for name, one in (("here", here), ("there", there)):
                assert one.stdin is not None and one.stdout is not None
                print(file=one.stdin, flush=True)
                if first_line := one.stdout.readline().strip():
                    tables[name] = first_line + "\n" + one.stdout.read()
    for name in ("here", "there"):
        print(f"{name}:\n{tables[name]}")


def player(tree: Path, options: list[str]) -> subprocess.Popen[str]:
    """Start a process that plays with the product of a tree, a turn for each line."""
    command = [sys.executable, str(Path(__file__).resolve()), "--by-turns", *options]
    environment = {**os.environ, "PYTHONPATH": str(tree), "PYTHONSAFEPATH": "1"}
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=tree, env=environment, stdin=pipe, stdout=pipe, text=True)


def main() -> int:
    """Play the game and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=1010)
    parser.add_argument("--no-page", action="store_true")
    parser.add_argument("--tree", type=Path, help="another checkout, to be compared")
    parser.add_argument("--by-turns", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.tree is not None:
        play_beside(args.tree, [f"--turns={args.turns}", *(["--no-page"] if args.no_page else [])])
        return 0
    with tempfile.TemporaryDirectory() as folder:
        box = GrowingBox(Path(folder), not args.no_page)
        box.look()
        for number, after in enumerate(drawn_by_lot(start_game(RULES, size=(19, 19)), SEED), 1):
            if args.by_turns:
                sys.stdin.readline()
            box.play(after)
            if number == args.turns:
                break
            if args.by_turns:
                print(flush=True)
    columns = COLUMNS[: len(box.costs)]
    print("| turn | " + " | ".join(columns) + " |\n" + "|--:" * (len(columns) + 1) + "|")
    for at in AT:
        if at + AROUND <= number:
            medians = [statistics.median(costs[at - AROUND : at + AROUND]) for costs in box.costs.values()]
            print(f"| {at} | " + " | ".join(f"{one:.1f}" if one < 1000 else f"{one:.0f}" for one in medians) + " |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
