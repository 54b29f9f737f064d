"""Crowded boards from low angles, and photographs under lamps of one colour: `python -m tests.benchmarks.low`.

    --boards N   drawn boards of 230 to 290 stones, 40 to 60 degrees off the vertical (20)
    --steep N    drawn boards of any number of stones, 60 to 72 degrees off (20)
    --each N     labelled photographs of every source, each under four lamps (1)

Each is told as it would be without and with what vision/board/pose.py and vision/board/detect.py are for:
boards read on the plane of their lines, and on the plane where stones are seen; the surest plane believed, and planes
that have to agree; boards looked for in the usual grey, and in the grey of the light. The photographs are altered:
linear light times the lamp, exposed by its brightness until channels clip, noise of a sensor, JPEG. Seeds are not those
that the constants were chosen on.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import replace
from math import radians
from unittest import mock

import cv2
import numpy as np

from tests.support.vision.photographs import Label, is_found, sample
from tests.support.vision.tables import ANY, FIRST, SLOPES, draw_low_board
from vision.board import detect
from vision.board.detect import find_board
from vision.board.markers import align_corner_order
from vision.calibration.model import Grid
from vision.camera.frame import Image, read_image
from vision.render.truth import Picture
from vision.stones import reader
from vision.stones.reader import default_reader
from vision.training.measure import GAMMA, Score, score_board

LAMPS = {
    "blue": (1.0, 0.03, 0.01),
    "cyan": (0.9, 0.8, 0.01),
    "red": (0.01, 0.02, 1.0),
    "magenta": (0.9, 0.01, 0.8),
}
"""The share of blue, green and red light that is left, by lamp."""
LONGER = 1280
"""Pixels, the longer side of a photograph."""
NOTHING = Score(0, 0, 0, 0, 0, 0)


def read(picture: Picture, grid: Grid) -> Score:
    """Score the reader's answers; a grid that is a line off counts as all wrong."""
    kinds = np.array([".XO".index(symbol) for symbol in "".join(picture.truth.rows)])
    return score_board(
        default_reader().read(picture.pixels, align_corner_order(grid, picture.truth.grid)).reshape(-1, 3), kinds
    )


def table_of_angles(boards: int) -> Iterator[str]:
    """Lines of the table of low angles."""
    pictures = [draw_low_board(seed) for seed in range(boards)]
    return _rows(pictures, "MUCH", {"plane of the lines": 10**6, "plane of the stones": reader.MUCH})


def steep(boards: int) -> Iterator[str]:
    """Lines of the table of angles from which stones are seen on the next point."""
    pictures = [draw_low_board(seed, SLOPES, ANY) for seed in range(boards)]
    return _rows(pictures, "STEEP", {"surest plane": radians(90), "planes that agree": reader.STEEP})


def _rows(pictures: list[Picture], constant: str, values: dict[str, float]) -> Iterator[str]:
    """A line for each value of a constant of vision/stones/reader.py, by the name of what it stands for."""
    grids = [find_board(picture.pixels) for picture in pictures]
    for name, value in values.items():
        with mock.patch.object(reader, constant, value):
            scores = [read(p, g) for p, g in zip(pictures, grids, strict=True) if g is not None and g.size == 19]
        total = sum(scores, NOTHING)
        few = sum(one.doubtful <= 5 for one in scores)
        found_share = f"{len(scores)}/{len(pictures)}"
        cells = (name, found_share, total.wrong, total.unlisted, total.doubtful, f"{few}/{len(pictures)}")
        yield "| " + " | ".join(map(str, cells)) + " |"


def relight_photograph(image: Image, lamp: str, rng: np.random.Generator) -> Image:
    """A photograph as it might look under one of LAMPS."""
    linear = (image.astype(np.float32) / 255) ** GAMMA * np.array(LAMPS[lamp], np.float32)
    bright = float((linear @ np.array([0.114, 0.587, 0.299], np.float32)).mean())
    linear *= min(0.18 / max(bright, 1e-4), 30.0) * rng.uniform(0.7, 1.3)
    noise = np.sqrt(linear * 0.0012 + 0.00006) * rng.uniform(0.5, 1.5)
    linear += rng.standard_normal(linear.shape, np.float32) * noise
    pixels = (np.clip(linear, 0, 1) ** (1 / GAMMA) * 255).astype(np.uint8)
    packed = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(70, 93))])[1]
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


def shrunk(label: Label) -> tuple[Image, Label]:
    """The photograph no larger than LONGER, and its label."""
    image = read_image(label.image)
    scale = min(1.0, LONGER / max(image.shape[:2]))
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8), replace(label, corners=(label.corners + 0.5) * scale - 0.5)


def table_of_lamps(each: int) -> Iterator[str]:
    """Lines of the table of lamps."""
    shots = [shrunk(label) for _, label in sample(each)]
    for number, lamp in enumerate(LAMPS):
        pairs = [
            (relight_photograph(image, lamp, np.random.default_rng([FIRST, number, k])), label)
            for k, (image, label) in enumerate(shots)
        ]
        with mock.patch.object(detect, "in_one_grey", lambda small: None):
            before = sum(_is_board_found(image, label) for image, label in pairs)
        after = sum(_is_board_found(image, label) for image, label in pairs)
        yield f"| {lamp} | {len(pairs)} | {before} | {after} |"


def _is_board_found(image: Image, label: Label) -> bool:
    grid = find_board(image)
    return grid is not None and is_found(grid, label)


def main() -> int:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boards", type=int, default=20)
    parser.add_argument("--steep", type=int, default=20)
    parser.add_argument("--each", type=int, default=1)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    print("| read on the | boards found | wrong points | silent | doubts | boards of at most 5 doubts |")
    rows = (*table_of_angles(args.boards), *steep(args.steep))
    print("|---|--:|--:|--:|--:|--:|", *rows, "", sep="\n", flush=True)
    print("| lamp | photographs | found in the usual grey | found in the light's grey |\n|---|--:|--:|--:|")
    for line in table_of_lamps(args.each):
        print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
