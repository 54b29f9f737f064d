"""The processor time a rendered frame takes on one core: `python -m tests.benchmarks.render`."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np

from vision.render.crops import random_board, random_rows
from vision.render.lids import draw_lid, random_lid
from vision.render.looks import club_look
from vision.render.scene import Hand, Scene
from vision.render.table import Table

FRAMES = 40


def main() -> None:
    """Print the milliseconds of each kind of drawing: the median and the slowest tenth."""
    cv2.setNumThreads(1)
    rng = np.random.default_rng(0)
    look = club_look(1, 19, 1280, 720)
    table, scene = Table(look), Scene(random_rows(rng, 19), (random_lid(rng, 4, 4), random_lid(rng, 3, 5)))
    table.draw(scene)
    tell("the same scene, 1280x720", lambda frame: table.draw(scene, frame))
    tell("one stone changed", lambda frame: table.draw(replace(scene, rows=turned(scene.rows, frame)), frame))
    tell("a hand over the board", lambda frame: table.draw(replace(scene, hand=hand(frame)), frame))
    tell("another position", lambda frame: table.draw(replace(scene, rows=random_rows(rng, 19)), frame))
    tell("a new table and its first frame", lambda frame: Table(club_look(frame, 19, 1280, 720)).draw(scene))
    tell("a whole random board, 800 px", lambda frame: random_board(rng))
    tell("a lid in close-up, 160 px", lambda frame: draw_lid(random_lid(rng, 5, 5), look, 160, rng))


def tell(what: str, draw: Callable[[int], object]) -> None:
    """Draw a number of times and print the processor time it took."""
    spent = []
    for frame in range(FRAMES):
        start = time.process_time()
        draw(frame)
        spent.append(1000 * (time.process_time() - start))
    print(f"{what:34} {statistics.median(spent):6.1f} ms  {statistics.quantiles(spent, n=10)[-1]:6.1f} ms")


def turned(rows: tuple[str, ...], frame: int) -> tuple[str, ...]:
    """The rows with one point, another each frame, taken by a stone or left by it."""
    row, col = divmod(frame * 37 % 361, 19)
    mark = "X" if rows[row][col] == "." else "."
    return (*rows[:row], rows[row][:col] + mark + rows[row][col + 1 :], *rows[row + 1 :])


def hand(frame: int) -> Hand:
    """A hand coming in and going out."""
    return Hand((0.4, 0.45), "bottom", abs(frame % 20 - 10) / 10)


if __name__ == "__main__":
    main()
