"""Drawn boards of 19 lines with 0 to 361 stones: are they found? `python -m tests.benchmarks.found [--many N]`

    python -m tests.benchmarks.found small [--first 200] [--many 18]

Two of three have 150 stones and more; six shapes of picture, 1920x1080 first; a camera that is tilted by up to 50
degrees, by less than 12 in most; in every fourth tinted, dim or glaring light. A board is missed if nothing is found,
and false if something else is: another number of lines, or a corner half a cell off. small: club tables with boards of
9, 13 and 19 lines that are small in the picture, of little contrast, or both, sought as the box does in play, and as
`look` does.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import radians

import cv2
import numpy as np

from tests.benchmarks.ways import Way, numbers, run
from vision.board.detect import find_board
from vision.board.detect_by_crossings import find_board_by_crossings
from vision.board.select_board import find_likeliest
from vision.board.window import SIZES
from vision.calibration.model import Grid, mean_side, order_clockwise
from vision.camera.frame import Image, to_working_size
from vision.render.looks import club_look, frame_board
from vision.render.scene import Appearance, Scene
from vision.render.table import Table
from vision.render.truth import Picture
from vision.training.drawn_boards import random_rows
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
    off = np.linalg.norm(corners - truth, axis=1).max() * (picture.truth.grid.size - 1) / mean_side(truth)
    return "found" if grid.size == picture.truth.grid.size and off < NEAR_CELLS else "false"


@dataclass(frozen=True)
class Kind:
    """Small or faint boards: the least and the greatest share of the picture's height, and whether contrast is low."""

    shares: tuple[float, float]
    is_faint: bool


KINDS = {
    "small": Kind((0.22, 0.4), False),
    "faint": Kind((0.6, 0.95), True),
    "small and faint": Kind((0.3, 0.5), True),
}
FAINTNESS, HAZE_PX = (0.25, 0.45), 40
"""The share of the contrast that is left of a faint picture, and the spread of the brightness around which it is."""


def draw_small(kind: Kind, seed: int) -> Picture:
    """A club's table with a board of that kind in the middle."""
    rng, size = np.random.default_rng([seed, 31]), (19, 19, 13, 9)[seed % 4]
    look = club_look(seed, size, 1280, 720)
    camera = replace(look.camera, tilt=radians(rng.uniform(0, 35)), shift=(0.0, 0.0))
    share = rng.uniform(*kind.shares)
    look = frame_board(replace(look, camera=camera, bowls_shown=bool(rng.random() < 0.5)), share, share)
    picture = Table(look).draw(Scene(random_rows(rng, size)), seed)
    if not kind.is_faint:
        return picture
    pixels = picture.pixels.astype(np.float32)
    haze = cv2.GaussianBlur(pixels, (0, 0), HAZE_PX)
    faint = haze + (pixels - haze) * rng.uniform(*FAINTNESS) + rng.normal(0, 2, pixels.shape)
    return replace(picture, pixels=np.clip(faint, 0, 255).astype(np.uint8))


def small(args: argparse.Namespace) -> int:
    """Print what is found of boards that are small or faint; return how many `look` misses or takes for others."""
    bad = 0
    for name, kind in KINDS.items():
        in_play, looked = Counter[str](), Counter[str]()
        for seed in numbers(args):
            picture = draw_small(kind, seed)
            place = find_likeliest(picture.pixels)
            in_play[became(find_board(picture.pixels), picture)] += 1
            looked[became(None if place is None else place.grid, picture)] += 1
        bad += args.many - looked["found"]
        print(f"{name}: in play {dict(in_play)}, by look {dict(looked)}", flush=True)
    return bad


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


WAYS: dict[str, Way] = {"boards": (boards, 1000), "crossings": (by_crossings, 1000), "small": (small, 18)}

if __name__ == "__main__":
    sys.exit(run(__doc__, WAYS))
