"""Drawn dense boards in tinted, dim and glaring light: `python -m tests.benchmarks.dense [--boards N] [--found]`.

Every point that is read wrong and not listed as doubtful counts, however little of it can be seen. The corners are
given, or, with --found, those that the finder answers.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace

import cv2
import numpy as np

from tests.support.vision.photographs import wilson
from vision.board.detect import find_board
from vision.calibration.model import Grid
from vision.render.looks import frame_board
from vision.render.scene import Scene
from vision.render.table import Table
from vision.render.truth import Picture
from vision.stones.reader import default_reader
from vision.training.drawn_boards import random_rows
from vision.training.drawn_looks import random_look
from vision.training.measure import Score, score_board
from vision.training.rendered import LIGHTS, relight_look

FIRST = 700_000
"""Seeds from here on: training uses other ones, drawn in the same lights."""
SIZE, FEWEST = 19, 150
NOTHING = Score(0, 0, 0, 0, 0, 0)


def draw_dense_board(light: str, seed: int) -> Picture:
    """A board of 19 lines with more than 150 stones in that light."""
    rng = np.random.default_rng([FIRST + seed, LIGHTS.index(light)])
    look = random_look(rng, SIZE, 1200, 900)
    look = frame_board(replace(look, lids_shown=False), rng.uniform(0.75, 0.98), rng.uniform(0.75, 0.98))
    rows = random_rows(rng, SIZE)
    while sum(row.count(".") for row in rows) > SIZE**2 - FEWEST:
        rows = random_rows(rng, SIZE)
    return Table(relight_look(look, light, rng)).draw(Scene(rows), seed)


def read(picture: Picture, grid: Grid) -> Score:
    """Score the reader's answers, all wrong if another number of lines was found."""
    kinds = np.array([".XO".index(symbol) for symbol in "".join(picture.truth.rows)])
    if grid.size != SIZE:
        return Score(len(kinds), len(kinds), len(kinds), 0, 1, 0)
    return score_board(default_reader().read(picture.pixels, grid).reshape(-1, 3), kinds)


def main() -> int:
    """Read the boards light by light and print what came of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=200, help="boards a light")
    parser.add_argument("--found", action="store_true", help="let the finder find the corners")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    total = NOTHING
    for light in LIGHTS:
        of_light, missing = NOTHING, 0
        for seed in range(args.boards):
            picture = draw_dense_board(light, seed)
            grid = find_board(picture.pixels) if args.found else picture.truth.grid
            missing += grid is None
            of_light += read(picture, grid) if grid is not None else NOTHING
        total += of_light
        print(f"{light:7} {of_light}" + (f"; {missing} not found" if args.found else ""), flush=True)
    low, high = wilson(total.unlisted, total.points)
    print(f"wrong and not listed: {total.unlisted} of {total.points}, {1e6 * low:.0f} to {1e6 * high:.0f} in a million")
    return 0


if __name__ == "__main__":
    sys.exit(main())
