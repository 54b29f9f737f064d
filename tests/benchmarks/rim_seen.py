"""`python -m tests.benchmarks.rim_seen`: whether the eyes still find and read a board whose rim shines and flashes.

Drawn tables at seeds that nothing else uses. On each, for each brightness, the lights point at a refused stone and two
points, or go through a count, on all four pairs of edges in turn. Told are the tables whose board was found, the points
that were read wrong with more than half a chance, and how long it took to see that a stone was lifted.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from statistics import median

import cv2
import numpy as np

from device.panel.rim import ASKED, REFUSED, Step, frame_at
from device.panel.rim_driver import limit_current
from device.simulator.messages import read_rim, write_rim
from device.simulator.script import SIZES
from referee.game.board import Board, board_of, points_of
from referee.game.diagram import position_of
from tests.benchmarks.parts.rim import counted_steps
from vision.camera.frame import Frame
from vision.render.looks import club_look
from vision.render.scene import Scene
from vision.render.table import Table
from vision.tracking.tracker import BoardTracker, TrackerConfig
from vision.training.drawn_boards import random_rows

FIRST, RATE, PATIENCE = 880_000, 10, 12.0
EDGES = (("top", "right"), ("right", "bottom"), ("bottom", "left"), ("left", "top"))
PLENTY = 10_000
"""Milliamperes: the limit is another matter."""


@dataclass(frozen=True)
class RimOutcome:
    """found: seconds until the board was read. wrong: points read wrong then. lifted: seconds until a stone that was
    taken off was missed; None where it was not."""

    found: float | None
    wrong: int = 0
    lifted: float | None = None


def steps(kind: str, board: Board, rng: np.random.Generator) -> tuple[Step, ...]:
    """Return the steps that the lights show."""
    if kind == "dark":
        return ()
    if kind == "count":
        return counted_steps(board, rng)
    lines = rng.permutation(board.rows)[:3]
    return tuple(
        Step(((int(row), sign),), ((int(rng.integers(board.cols)), sign),))
        for row, sign in zip(lines, (REFUSED, ASKED, ASKED), strict=True)
    )


def watch_table(seed: int, kind: str, brightness: float) -> RimOutcome:
    """One table."""
    rng = np.random.default_rng([FIRST, seed])
    size, edges = SIZES[seed % len(SIZES)], EDGES[seed % len(EDGES)]
    table, board, rows = Table(club_look(FIRST + seed, size, 1280, 720)), board_of(size), random_rows(rng, size)
    sequence, tracker = steps(kind, board, rng), BoardTracker(TrackerConfig())
    stones = list(points_of(position_of(rows).occupied))
    found_at = None
    for number in range(round(2 * PATIENCE * RATE)):
        t = number / RATE
        frame = limit_current(frame_at(sequence, board, t), 0, brightness, PLENTY)
        scene = Scene(rows, rim=read_rim(write_rim(frame, edges)) or ())
        observation = tracker.see(Frame(table.draw(scene, number).pixels, t))
        if observation is None or len(observation.points) != size * size:
            if t > (PATIENCE if found_at is None else found_at + PATIENCE):
                break
            continue
        kinds = [".XO"[int(np.argmax(point))] for point in observation.points]
        if found_at is None:
            found_at, wrong = t, sum(a != b for a, b in zip(kinds, "".join(rows), strict=True))
            if not stones:
                return RimOutcome(found_at, wrong, 0.0)
            gone = int(rng.choice(stones))
            row, col = divmod(gone, size)
            rows = (*rows[:row], rows[row][:col] + "." + rows[row][col + 1 :], *rows[row + 1 :])
        elif kinds[gone] == ".":
            return RimOutcome(found_at, wrong, t - found_at)
    return RimOutcome(found_at, 0 if found_at is None else wrong)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=0, metavar="SEED")
    parser.add_argument("--tables", type=int, default=12)
    parser.add_argument("--kinds", nargs="+", default=["dark", "points", "count"])
    args = parser.parse_args()
    cv2.setNumThreads(1)
    for kind, brightness in ((k, b) for k in args.kinds for b in ((0.0,) if k == "dark" else (0.2, 0.5, 1.0))):
        here = [watch_table(seed, kind, brightness) for seed in range(args.first, args.first + args.tables)]
        times = [one.found for one in here if one.found is not None]
        lifted = [one.lifted for one in here if one.lifted is not None]
        print(
            f"{kind:6} {brightness:.1f}: read {len(times)} of {len(here)}, after {median(times or [0]):.1f} s, "
            f"at most {max(times or [0]):.1f}; {sum(one.wrong for one in here)} points wrong; a lifted stone seen gone "
            f"{len(lifted)} times, after {median(lifted or [0]):.1f} s, at most {max(lifted or [0]):.1f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
