"""Compare this tree's speed with another one's, in one run: `python -m tests.benchmarks.paired --tree FOLDER`.

FOLDER is a checkout of another version (`git worktree add FOLDER COMMIT`). One process of each tree does the same work
on the same games and pictures, by turns; what is compared is processor time, so that a busy machine decides little.
Below 1 is faster than the other tree. The names of the product that are used here must be in both.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from operator import truediv
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
ROUNDS, GAMES, PICTURES, FRAMES, FIELDED, PAGES = 15, 60, 3, 60, 4, 30
SHORT = 20
"""Turns of the game that the command judges."""
RULES = ("positional", "japanese", "ing")
Work = Callable[[int], object]
"""The work of a round, by the round's number from 1; round 0 warms up."""


def judging(folder: Path, rules: str) -> Work:
    """Every turn of the games judged."""
    from referee import Colour, Pass, Placement, Setup, board_of, judge, rule_set

    board = board_of(19)
    games = [
        [Placement(Colour(player), board.point(point)) for player, point in moves]
        for moves in json.loads((folder / "games.json").read_text(encoding="utf-8"))
    ]

    def run(_: int) -> None:
        for moves in games:
            record = Setup(rule_set(rules), size=(19, 19)).record()
            for turn in moves:
                record = judge(record, turn).after or judge(record, Pass(turn.player)).after or record

    return run


def look_at_photographs(folder: Path) -> Work:
    """Photographs of tables with two lids, from the file to everything that is said of them.

    Each round has photographs of its own: what was seen before is remembered.
    """
    from device.cli.look import seen_in

    return lambda number: [seen_in(path) for path in pictures(folder, number)]


def tracking(folder: Path) -> Work:
    """Frames of a table at rest, of which one a second is read."""
    from vision.camera.frame import Frame, read_image
    from vision.tracking.tracker import BoardTracker, TrackerConfig

    images = [read_image(path) for path in pictures(folder, 0)]
    tracker = BoardTracker(TrackerConfig())

    def run(number: int) -> None:
        for k in range(number * FRAMES, (number + 1) * FRAMES):
            tracker.see(Frame(images[k % len(images)], k / 10))

    return run


def counting(folder: Path) -> Work:
    """Prisoner fields read, that were found before."""
    from vision.board.detect import find_board
    from vision.board.field_positions import find_fields
    from vision.camera.frame import read_image
    from vision.fields.reader import read_prisoners

    images = [read_image(path) for path in sorted(folder.glob("fields-*.png"))]
    boards = [(image, grid) for image in images if (grid := find_board(image)) is not None]
    fields = [(*board, view.locate_field()) for board in boards for view in find_fields(*board).values()]
    assert len(fields) == 2 * FIELDED, "a drawn table's board or fields were not found"
    return lambda _: [read_prisoners(*field) for field in fields]


def asking(folder: Path, address: str) -> Work:
    """Pages of a game with clocks, of another state each."""
    from tests.benchmarks.trace import TracedTable, _page

    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        table = TracedTable(Path(scratch))
        table.play()
        snapshot = table.box.snapshot
        table.box.close()

    @dataclass
    class SnapshotHolder:
        snapshot: Any

    shown = SnapshotHolder(snapshot)
    client = _page(shown).test_client()  # type: ignore[arg-type]

    def run(_: int) -> None:
        for _ in range(PAGES):
            shown.snapshot = replace(shown.snapshot, number=shown.snapshot.number + 1)
            assert client.get(address).status_code == 200

    return run


def starting(folder: Path) -> Work:
    """A short game judged by the command, from its start to its end, with compiled modules kept as usual."""
    command = [sys.executable, "-m", "device", "judge", str(folder / "short.jsonl")]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return lambda _: subprocess.run(command, check=True, capture_output=True, env=environment)


def works(folder: Path) -> dict[str, Callable[[], Work]]:
    """The work by its name, made ready when it is asked for."""
    judged = {f"judge {rules}": lambda rules=rules: judging(folder, rules) for rules in RULES}
    return judged | {
        "look": lambda: look_at_photographs(folder),
        "tracked frame": lambda: tracking(folder),
        "prisoner field": lambda: counting(folder),
        "page": lambda: asking(folder, "/"),
        "status": lambda: asking(folder, "/status.json"),
        "judge, as a command": lambda: starting(folder),
    }


def work_for(folder: Path) -> None:
    """Do the work that is asked for, line by line, and answer each line with the processor time."""
    import cv2

    cv2.setNumThreads(1)
    ready: dict[str, Work] = {}
    for line in sys.stdin:
        name, _, number = line.strip().rpartition(" ")
        if name not in ready:
            ready[name] = works(folder)[name]()
            ready[name](0)
        before = _used()
        ready[name](int(number))
        print(_used() - before, flush=True)


def _used() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def prepare(folder: Path, rounds: int) -> None:
    """Write the games, and the pictures of each round, that both trees get."""
    import cv2

    from tests.benchmarks.fields import club_picture
    from tests.benchmarks.speed import games
    from tests.benchmarks.speed_of_sight import drawn_frames

    names = [[(player, _name(point)) for player, point in moves] for moves in games()[:GAMES]]
    turns = [f'{{"player":"{player}","place":"{point}"}}\n' for player, point in names[0][:SHORT]]
    (folder / "short.jsonl").write_text('{"rules":"positional"}\n' + "".join(turns), encoding="utf-8")
    (folder / "games.json").write_text(json.dumps(names), encoding="utf-8")
    for number, pixels in enumerate(drawn_frames(count=PICTURES * (rounds + 1))):
        cv2.imwrite(str(folder / f"{number // PICTURES}-{number % PICTURES}.jpg"), pixels)
    for seed in range(FIELDED):
        cv2.imwrite(str(folder / f"fields-{seed}.png"), club_picture(seed).pixels)


def pictures(folder: Path, number: int) -> list[Path]:
    """Return the files of a round."""
    return [folder / f"{number}-{count}.jpg" for count in range(PICTURES)]


def _name(point: int) -> str:
    from tests.benchmarks.speed import BOARD

    return BOARD.name(point)


def worker(tree: Path, folder: Path) -> subprocess.Popen[str]:
    """Start the process that works with the product of a tree."""
    command = [sys.executable, str(Path(__file__).resolve()), "--work-in", str(folder)]
    environment = {**os.environ, "PYTHONPATH": str(tree), "PYTHONSAFEPATH": "1"}
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=tree, env=environment, stdin=pipe, stdout=pipe, text=True)


def ask(process: subprocess.Popen[str], name: str, number: int) -> float:
    """Have a round of work done; return its processor time in seconds."""
    assert process.stdin is not None and process.stdout is not None
    print(name, number, file=process.stdin, flush=True)
    return float(process.stdout.readline())


def main() -> int:
    """Compare, and print a line for each kind of work."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--tree", type=Path, help="the other checkout")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"how often each does each work ({ROUNDS})")
    parser.add_argument("--work-in", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("only", nargs="*", help="the kinds of work; all if none is named")
    args = parser.parse_args()
    if args.work_in is not None:
        work_for(args.work_in)
        return 0
    if args.tree is None:
        parser.error("name the other checkout with --tree")
    with tempfile.TemporaryDirectory(prefix="shinpan-") as scratch:
        folder = Path(scratch)
        prepare(folder, args.rounds)
        with worker(ROOT, folder) as here, worker(args.tree.resolve(), folder) as there:
            for name in args.only or works(folder):
                print(compare(name, here, there, args.rounds), flush=True)
            for one in (here, there):
                assert one.stdin is not None
                one.stdin.close()
    return 0


def compare(name: str, here: subprocess.Popen[str], there: subprocess.Popen[str], rounds: int) -> str:
    """Have both do the work by turns; return the line about it: the best rounds compared, and the middle of all."""
    ours, theirs = list[float](), list[float]()
    for number in range(1, rounds + 1):
        for one in (here, there) if number % 2 else (there, here):
            (ours if one is here else theirs).append(ask(one, name, number))
    best, middle = min(ours) / min(theirs), statistics.median(map(truediv, ours, theirs))
    return f"{name:20} {best:.3f} times in the best round, {middle:.3f} in the middle; {1000 * min(ours):.0f} ms here"


if __name__ == "__main__":
    sys.exit(main())
