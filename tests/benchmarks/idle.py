"""The cost of a box that watches a table at rest: `python -m tests.benchmarks.idle [--tree FOLDER] [--rate 10]`.

A network camera sends MJPEG of a drawn table of 1280x720, with a grain as a sensor gives it, to `shinpan run`, whose
page is open in one browser's place. Printed are processor time of all the box's processes, as a share of one core, and
their memory (PSS, each process's share of what it has in common with others). --tree FOLDER runs the box of another
checkout at the same time, so that both are measured on the machine as it is then.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from tests.support import ROOT
from tests.support.attack.boxes import free_port
from tests.support.device.started import children_of, processor_seconds
from tests.support.vision.streams import jpeg, phone
from tests.support.vision.tables import shot, table_of
from vision.render.looks import club_look
from vision.render.scene import Scene

WIDTH, HEIGHT, SIZE, SEED = 1280, 720, 19, 3
PICTURES, GRAIN = 40, 5
"""The number of different pictures, sent in turn, and the grey levels of their grain."""
SETTLES_S, START_WITHIN_S = 25.0, 60.0


@dataclass(frozen=True)
class IdleBox:
    """A running box. pid: of its first process."""

    name: str
    pid: int
    port: int

    @property
    def pids(self) -> tuple[int, ...]:
        """All its processes."""
        pids, new = [self.pid], [self.pid]
        while new:
            new = [child for pid in new for child in children_of(pid)]
            pids += new
        return tuple(pids)

    def sight(self) -> str:
        """Return how the camera sees the table."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/status.json", timeout=2) as answer:
            return str(json.load(answer)["sight"])

    def seconds(self) -> dict[int, float]:
        """Return the processor seconds of each process."""
        return {pid: processor_seconds(pid) for pid in self.pids}


def shots() -> Iterator[bytes]:
    """The table at rest, again and again."""
    rows = tuple("".join("XO.."[(3 * row + column * column) % 4] for column in range(SIZE)) for row in range(SIZE))
    pixels = shot(table_of(club_look(SEED, SIZE, WIDTH, HEIGHT)), Scene(rows)).pixels
    chance = np.random.default_rng(SEED)
    grains = (chance.integers(0, GRAIN, pixels.shape, np.uint8) for _ in range(PICTURES))
    return itertools.cycle([jpeg(np.asarray(cv2.add(pixels, grain), np.uint8)) for grain in grains])


def memory_mb(pid: int) -> float:
    """A process's proportional set size."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


@contextmanager
def run_box(name: str, tree: Path, folder: Path, camera: str) -> Iterator[IdleBox]:
    """The box of a checkout."""
    port, settings = free_port(), folder / f"{name}.toml"
    settings.write_text("[camera]\nrate = 10\n")
    command = [sys.executable, "-m", "device", "run", "--camera", camera, "--settings", str(settings)]
    command += ["--data", str(folder / name), "--port", str(port)]
    quiet, environment = subprocess.DEVNULL, os.environ | {"PYTHONPATH": str(tree)}
    with subprocess.Popen(command, cwd=tree, env=environment, stdout=quiet, stderr=quiet) as process:
        try:
            yield IdleBox(name, process.pid, port)
        finally:
            process.terminate()


def wait_until_seen(box: IdleBox) -> None:
    """Wait until the table is seen and everything has settled."""
    until = time.monotonic() + START_WITHIN_S
    while time.monotonic() < until:
        try:
            if box.sight() == "seen":
                return
        except OSError:
            pass
        time.sleep(0.5)
    raise SystemExit(f"{box.name}: the table is not seen.")


def measure(boxes: list[IdleBox], lasting: float) -> Iterator[str]:
    """Yield a line of figures for each box."""
    before, begun = [box.seconds() for box in boxes], time.monotonic()
    time.sleep(lasting)
    after, took = [box.seconds() for box in boxes], time.monotonic() - begun
    for box, first, last in zip(boxes, before, after, strict=True):
        share = {pid: (last[pid] - first.get(pid, 0.0)) / took for pid in last}
        pss = {pid: memory_mb(pid) for pid in box.pids}
        each = ", ".join(f"{share[pid]:.1%} {pss[pid]:.0f} MB" for pid in share)
        yield f"{box.name}: {sum(share.values()):.1%} of a core, {sum(pss.values()):.0f} MB ({each}); {box.sight()}"


def main() -> int:
    """Run the boxes, and print their figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tree", type=Path, help="another checkout, to be compared")
    parser.add_argument("--rate", type=float, default=10.0, help="pictures a second")
    parser.add_argument("--seconds", type=float, default=60.0)
    args = parser.parse_args()
    pictures = list(itertools.islice(shots(), PICTURES))
    trees = {"here": ROOT} | ({"there": args.tree.absolute()} if args.tree else {})
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="shinpan-")))
        app = stack.enter_context(phone(lambda: itertools.cycle(pictures), lambda: time.sleep(1 / args.rate)))
        boxes = [stack.enter_context(run_box(name, tree, folder, app.address)) for name, tree in trees.items()]
        for box in boxes:
            wait_until_seen(box)
        time.sleep(SETTLES_S)
        for line in measure(boxes, args.seconds):
            print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
