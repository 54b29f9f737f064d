"""How fast the eyes are beside plain Hough lines and k-means, in one run: `python -m tests.benchmarks.speed_of_sight`.

    --each N   photographs of every source (5)

On one core: processor time of a photograph from its file to its position (decoding, finding, reading), the stone net's
share of it, and of a frame of 1920x1080 at a table whose board is known. Each eye runs in a process of its own, for the
most memory it ever held. The other one is tests/support/vision/baseline.py; it sees the same photographs.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict

import cv2
import numpy as np

from tests.support.vision import baseline
from tests.support.vision.photographs import is_found, sample
from tests.support.vision.sight_figures import Figures, count, table, timed
from vision.board.detect import find_board, refine_board
from vision.calibration import Grid
from vision.frame import Frame, Image, read_image
from vision.observer import Looking, Observer
from vision.render.looks import club_look
from vision.render.scene import Scene
from vision.render.table import Table
from vision.stones import shipped

EACH = 5
FRAMES, RATE = 60, 10.0
EYES = ("shinpan", "baseline")


def seen_by_shinpan(image: Image) -> tuple[Grid | None, np.ndarray | None, float]:
    """The grid, the kinds of all points, and the milliseconds of the stone net."""
    grid = find_board(image)
    if grid is None:
        return None, None, 0.0
    probabilities, ms = timed(lambda: shipped().read(image, grid))
    return grid, np.asarray(probabilities).argmax(axis=-1), ms


def seen_by_baseline(image: Image) -> tuple[Grid | None, np.ndarray | None, float]:
    """The grid and the kinds of all points; it has no net."""
    grid = baseline.find(image)
    return grid, None if grid is None else baseline.read(image, grid), 0.0


def photographs(figures: Figures, eye: str, each: int) -> None:
    """Every photograph, from the file to the position."""
    see = seen_by_shinpan if eye == "shinpan" else seen_by_baseline
    for _, label in sample(each):
        (grid, kinds, net), ms = timed(lambda path=label.image: see(read_image(path)))  # type: ignore[misc]
        figures.ms.append(ms)
        figures.net.append(net)
        figures.boards += 1
        figures.points += label.told()
        if grid is not None and is_found(grid, label):
            figures.found += 1
            count(figures, label, kinds)


def drawn_frames() -> list[Image]:
    """A table of 1920x1080 that rests, its noise another each time."""
    table, rng = Table(club_look(3, 19, 1920, 1080)), np.random.default_rng(3)
    marks = rng.choice([".", "X", "O"], (19, 19), p=[0.6, 0.2, 0.2])
    scene = Scene(tuple("".join(row) for row in marks))
    return [np.asarray(table.draw(scene, k).pixels, np.uint8) for k in range(6)]


def tracked(figures: Figures) -> None:
    """A drawn table frame by frame, and what a look costs; drawn in a process of its own, for that takes memory too."""
    with ProcessPoolExecutor(1) as painter:
        frames = painter.submit(drawn_frames).result()
    observer = Observer(Looking())
    for k in range(-10, FRAMES):
        frame = Frame(frames[k % len(frames)], k / RATE)
        _, ms = timed(lambda frame=frame: observer.see(frame))  # type: ignore[misc]
        figures.frames += [ms] if k >= 0 else []
    grid = observer.grid
    assert grid is not None, "the drawn table's board was not found"
    figures.read = statistics.median(timed(lambda: shipped().read(frames[0], grid))[1] for _ in range(5))
    figures.fitted = statistics.median(timed(lambda: refine_board(frames[0], grid))[1] for _ in range(5))


def run(eye: str, each: int) -> Figures:
    """All figures of one eye, in this process."""
    cv2.setNumThreads(1)
    figures = Figures()
    if eye == "shinpan":
        tracked(figures)
    photographs(figures, eye, each)
    figures.memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return figures


def apart(eye: str, each: int) -> Figures:
    """The same in a process of its own."""
    command = [sys.executable, "-m", "tests.benchmarks.speed_of_sight", "--eye", eye, "--each", str(each)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return Figures(**json.loads(done.stdout))


def main() -> int:
    """Run both eyes and print the table, or one of them and print its figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=EACH)
    parser.add_argument("--eye", choices=EYES, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.eye:
        print(json.dumps(asdict(run(args.eye, args.each))))
        return 0
    print("\n".join(table(*(apart(eye, args.each) for eye in EYES))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
