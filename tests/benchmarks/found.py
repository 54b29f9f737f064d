"""Drawn boards of 19 lines with 0 to 361 stones: are they found? `python -m tests.benchmarks.found [--many N]`

Two of three have 150 stones and more; six shapes of picture, 1920x1080 first; a camera that is tilted by up to 50
degrees, by less than 12 in most; in every fourth tinted, dim or glaring light. A board is missed if nothing is found,
and false if something else is: another number of lines, or a corner half a cell off.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import replace
from math import radians

import numpy as np

from tests.benchmarks.ways import Way, numbers, run
from vision.board.detect import find_board
from vision.board.detect_by_crossings import find_board_by_crossings
from vision.board.window import SIZES
from vision.calibration.model import Grid, mean_side, order_clockwise
from vision.camera.frame import Image, to_working_size
from vision.render.looks import club_look, frame_board
from vision.render.scene import Appearance, Scene
from vision.render.table import Table
from vision.render.truth import Picture
from vision.training.drawn_looks import random_look
from vision.training.rendered import LIGHTS, relight_look

SIZE, STONY = 19, 150
SHAPES = ((1920, 1080), (1280, 720), (1600, 1200), (1080, 1920), (1000, 1000), (1024, 640))
STEEP_DEGREES, USUAL_DEGREES = 50, 12
NEAR_CELLS = 0.5


def rows(rng: np.random.Generator, stones: int) -> tuple[str, ...]:
    """A position of so many stones, in areas of one colour with some of the other in them."""
    places = np.indices((SIZE, SIZE)).reshape(2, -1)
    waves = rng.normal(0, 0.35, (2, 6, 2)) @ places + rng.uniform(0, 2 * np.pi, (2, 6, 1))
    empty, white = np.sin(waves).sum(axis=1) + rng.normal(0, 1.0, (2, SIZE**2))
    marks = np.where(white > 0, "O", "X")
    marks[np.argsort(empty)[: SIZE**2 - stones]] = "."
    return tuple("".join(row) for row in marks.reshape(SIZE, SIZE))


def draw_picture(seed: int) -> Picture:
    """The picture with that number."""
    rng = np.random.default_rng([seed, SIZE])
    stones = int(rng.integers(STONY if seed % 3 else 0, SIZE**2 + 1))
    width, height = SHAPES[int(rng.integers(len(SHAPES)))]
    look = random_look(rng, SIZE, width, height) if seed % 2 else club_look(seed, SIZE, width, height)
    look = _from_above(rng, look)
    look = relight_look(look, LIGHTS[seed // 4 % len(LIGHTS)], rng) if seed % 4 == 0 else look
    return Table(look).draw(Scene(rows(rng, stones)), seed)


def _from_above(rng: np.random.Generator, look: Appearance) -> Appearance:
    """The table as a camera sees it that is tilted by up to so many degrees, the board whole."""
    tilt = rng.uniform(0, USUAL_DEGREES) if rng.random() < 0.6 else rng.uniform(USUAL_DEGREES, STEEP_DEGREES)
    camera = replace(look.camera, tilt=radians(tilt), shift=(0.0, 0.0))
    look = replace(look, camera=camera, lids_shown=bool(rng.random() < 0.3))
    return frame_board(look, rng.uniform(0.7, 0.97), rng.uniform(0.7, 0.97))


def became(grid: Grid | None, picture: Picture) -> str:
    """Return "missed", "false" or "found"."""
    if grid is None:
        return "missed"
    truth, corners = (order_clockwise(np.array(one.corners)) for one in (picture.truth.grid, grid))
    off = np.linalg.norm(corners - truth, axis=1).max() * (SIZE - 1) / mean_side(truth)
    return "found" if grid.size == SIZE and off < NEAR_CELLS else "false"


def _in_short(pixels: Image) -> Grid | None:
    """Return the board that crossings alone show, in the picture in which they are sought, enlarged again."""
    small, scale = to_working_size(pixels)
    grid = find_board_by_crossings(small, SIZES)
    return None if grid is None else grid.move_grid(1 / scale, np.zeros(2))


def boards(args: argparse.Namespace) -> int:
    """Print what is missed or false; return how many."""
    return _count_found(args, find_board)


def by_crossings(args: argparse.Namespace) -> int:
    """The same of the search by crossings alone."""
    return _count_found(args, _in_short)


def _count_found(args: argparse.Namespace, find: Callable[[Image], Grid | None]) -> int:
    counts = {"found": 0, "missed": 0, "false": 0}
    for seed in numbers(args):
        picture = draw_picture(seed)
        what = became(find(picture.pixels), picture)
        counts[what] += 1
        if what != "found":
            stones = SIZE**2 - sum(row.count(".") for row in picture.truth.rows)
            print(f"{seed}: {what}, {picture.pixels.shape[1]}x{picture.pixels.shape[0]}, {stones} stones", flush=True)
    print(f"of {args.many} boards from number {args.first} on: {counts}")
    return counts["missed"] + counts["false"]


WAYS: dict[str, Way] = {"boards": (boards, 1000), "crossings": (by_crossings, 1000)}

if __name__ == "__main__":
    sys.exit(run(__doc__, WAYS))
