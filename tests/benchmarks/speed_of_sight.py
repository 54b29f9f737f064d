"""Compare the eyes with plain Hough lines and k-means, in one run: `python -m tests.benchmarks.speed_of_sight`.

    --each N   photographs of every source (5)

Processor time on one core, so that it can be compared between machines as a multiple of what decoding a picture and
warping its board take in the same run:

- of a look at a photograph of 12 megapixels and at one of 1920x1080 with two lids, from file to answer, as
  `shinpan look` makes it; both are drawn.
- of a frame of 1920x1080 at a table at rest, at which a look is told each second.
- of photographs from file to position, without lids, beside tests/benchmarks/parts/baseline.py; the stone net's share.

Each eye runs in a process of its own, for the most memory it ever held.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import numpy as np

from device.cli.look import seen_in
from tests.benchmarks.parts import baseline
from tests.benchmarks.parts.baseline import Figures, count, table, timed
from tests.support.vision.photographs import is_found, sample
from vision.board.detect import find_board, refine_board
from vision.calibration.model import Grid
from vision.camera.frame import Frame, Image, read_image, read_reduced
from vision.render.looks import club_look
from vision.render.scene import Scene
from vision.render.table import Table
from vision.stones.reader import default_reader, rectify_input
from vision.tracking.tracker import BoardTracker, TrackerConfig

EACH = 5
FRAMES, RATE, DRAWN = 200, 10.0, 6
TABLES, TIMES = (3, 4, 5), 3
"""The drawn tables' seeds, and how often each is photographed: of one picture the lids' answers would be remembered."""
SIZES = {"large": (4032, 3024), "lids": (1920, 1080)}
EYES = ("shinpan", "baseline")


def seen_by_shinpan(path: Path) -> tuple[Grid | None, np.ndarray | None, float]:
    """The grid, the kinds of all points, and the milliseconds of the stone net."""
    image, shrunk = read_reduced(path)
    grid = find_board(image)
    if grid is None:
        return None, None, 0.0
    probabilities, ms = timed(lambda: default_reader().read(image, grid))
    return grid.move_grid(shrunk, np.zeros(2)), np.asarray(probabilities).argmax(axis=-1), ms


def seen_by_baseline(path: Path) -> tuple[Grid | None, np.ndarray | None, float]:
    """The grid and the kinds of all points; it has no net."""
    image = read_image(path)
    grid = baseline.find(image)
    return grid, None if grid is None else baseline.read(image, grid), 0.0


def photographs(figures: Figures, eye: str, each: int) -> None:
    """Every photograph, from the file to the position."""
    see = seen_by_shinpan if eye == "shinpan" else seen_by_baseline
    for _, label in sample(each):
        (grid, kinds, net), ms = timed(lambda path=label.image: see(path))  # type: ignore[misc]
        figures.ms.append(ms)
        figures.net.append(net)
        figures.boards += 1
        figures.points += label.count_points()
        if grid is not None and is_found(grid, label):
            figures.found += 1
            count(figures, label, kinds)


def drawn_frames(width: int = 1920, height: int = 1080, count: int = DRAWN, seed: int = TABLES[0]) -> list[Image]:
    """A table that rests, with two lids, its noise another each time."""
    table, rng = Table(club_look(seed, 19, width, height)), np.random.default_rng(seed)
    marks = rng.choice([".", "X", "O"], (19, 19), p=[0.6, 0.2, 0.2])
    scene = Scene(tuple("".join(row) for row in marks))
    return [np.asarray(table.draw(scene, k).pixels, np.uint8) for k in range(count)]


def drawn_photographs(folder: Path, size: tuple[int, int], seed: int) -> list[Path]:
    """The files of as many photographs of one table."""
    paths = [folder / f"{size[0]}-{seed}-{count}.jpg" for count in range(TIMES)]
    for path, pixels in zip(paths, drawn_frames(*size, TIMES, seed), strict=True):
        cv2.imwrite(str(path), pixels)
    return paths


def whole_looks(figures: Figures) -> None:
    """Photographs from their files to all that is said of them, beside decoding and warping alone."""
    with TemporaryDirectory() as folder, ProcessPoolExecutor(1) as painter:
        for (kind, size), seed in product(SIZES.items(), TABLES):
            paths = painter.submit(drawn_photographs, Path(folder), size, seed).result()
            figures.looks.setdefault(kind, []).extend(map(whole_look, paths))


def whole_look(path: Path) -> tuple[float, float]:
    """Milliseconds of decoding and warping alone, and of a look."""
    started = time.process_time()
    reading, _ = seen_in(path)
    look = 1000 * (time.process_time() - started)
    assert reading is not None, f"{path}: no board"
    grid = reading.grid

    def floor() -> Image:
        image, shrunk = read_reduced(path)
        return rectify_input(image, grid.move_grid(1 / shrunk, np.zeros(2)))

    return timed(floor)[1], look


def store_frames(folder: Path) -> list[Path]:
    """The files of drawn frames, as pixels; a camera too gives one at a time."""
    paths = [folder / f"{count}.npy" for count in range(DRAWN)]
    for path, pixels in zip(paths, drawn_frames(), strict=True):
        np.save(path, pixels)
    return paths


def tracked(figures: Figures) -> None:
    """A drawn table frame by frame, and what a look costs; drawn in a process of its own, for that takes memory too."""
    with TemporaryDirectory() as folder:
        with ProcessPoolExecutor(1) as painter:
            paths = painter.submit(store_frames, Path(folder)).result()
        observer = BoardTracker(TrackerConfig())
        for k in range(-10, FRAMES):
            frame = Frame(np.load(paths[k % len(paths)]), k / RATE)
            _, ms = timed(lambda frame=frame: observer.see(frame))  # type: ignore[misc]
            figures.frames += [ms] if k >= 0 else []
        pixels = np.load(paths[0])
    grid = observer.grid
    assert grid is not None, "the drawn table's board was not found"
    figures.read = statistics.median(timed(lambda: default_reader().read(pixels, grid))[1] for _ in range(5))
    figures.fitted = statistics.median(timed(lambda: refine_board(pixels, grid))[1] for _ in range(5))


def run(eye: str, each: int) -> Figures:
    """All figures of one eye, in this process."""
    cv2.setNumThreads(1)
    figures = Figures()
    if eye == "shinpan":
        tracked(figures)
        whole_looks(figures)
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
