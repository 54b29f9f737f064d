"""Stones drawn beside their points, and what is said of each."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from vision.render.looks import club_look, frame_board
from vision.render.scene import Nudge, Scene
from vision.render.table import Table
from vision.render.truth import Picture
from vision.stones.reader import StoneReader
from vision.tracking.reading import Reading, read_frame
from vision.training.drawn_boards import APART, random_rows
from vision.training.drawn_looks import random_look

STRAYS = 2
"""Stones of a board that lie off their points."""
STEPS = tuple(round(0.05 * step, 2) for step in range(11))
"""The distances at which stones are drawn beside their points, in cells."""
AMONG, FEWEST, FAR = 4, 8, (0.35, 0.5)
"""The most stones off their points on a board that has others, the fewest stones of such a board, and the least and the
greatest offset, in cells, along each way that they are off.
"""


class Way(StrEnum):
    """The direction in which a stone lies off its point."""

    BESIDE = "towards a neighbouring point"
    ASLANT = "aslant, as far both ways"


class StoneVerdict(StrEnum):
    """The answer on a stone. AWAY: surely on another point, or nothing, or of the other colour."""

    ON = "on its point"
    BETWEEN = "between points"
    DOUBTFUL = "doubtful"
    AWAY = "wrong and not listed"


@dataclass(frozen=True)
class StrewnBoard:
    """A drawn board with STRAYS stones that all lie as far off their points, the others about on theirs. towards: of
    each such stone's point, the point towards which it lies."""

    picture: Picture
    towards: dict[tuple[int, int], tuple[int, int]]


def strewn(seed: int, way: Way, far: float, usual: bool = False) -> StrewnBoard:
    """A board of a look of its own, a stone on every other point of every other line, of either colour, and gaps.

    usual: as a club's table looks, and not any that is plausible at all.
    """
    rng, size = np.random.default_rng([seed, 77]), 9
    look = club_look(seed, size, 800, 640) if usual else random_look(rng, size, 800, 640)
    look = frame_board(replace(look, lids_shown=False), *rng.uniform(0.75, 0.98, 2))
    rows, nudges, towards = np.full((size, size), "."), [], {}
    for row, col in np.ndindex(size, size):
        if row % 2 == 0 or col % 2 == 0 or rng.random() < 0.25:
            continue
        rows[row, col] = "XO"[int(rng.integers(2))]
    for row, col in rng.permutation(np.argwhere(rows != "."))[:STRAYS].tolist():
        right, down = rng.choice([-1, 1], 2) if way is Way.ASLANT else rng.permutation([0, int(rng.choice([-1, 1]))])
        nudges.append(Nudge(row, col, right * far, down * far))
        towards[row, col] = row + int(down), col + int(right)
    lines = tuple("".join(row) for row in rows)
    return StrewnBoard(Table(look).draw(Scene(lines, nudges=tuple(nudges)), seed), towards)


def among(seed: int) -> StrewnBoard:
    """A board of 9, 13 or 19 lines with stones at random; a few that have room lie FAR towards empty points."""
    rng, size = np.random.default_rng([seed, 78]), (9, 13, 19)[seed % 3]
    look = club_look(seed, size, 1280, 720) if seed % 2 else random_look(rng, size, 1280, 720)
    look = frame_board(replace(look, lids_shown=False), *rng.uniform(0.75, 0.98, 2))
    rows = random_rows(rng, size)
    while sum(map("".join(rows).count, "XO")) < FEWEST:
        rows = random_rows(rng, size)
    stones = np.argwhere(np.array([list(row) for row in rows]) != ".")
    places, occupied_points = stones.astype(np.float64), {(row, col) for row, col in stones.tolist()}
    nudges: list[Nudge] = []
    towards: dict[tuple[int, int], tuple[int, int]] = {}
    for index in rng.permutation(len(stones)):
        row, col = stones[index].tolist()
        right, down = rng.choice([-1, 1], 2) if rng.random() < 0.5 else rng.permutation([0, int(rng.choice([-1, 1]))])
        place = stones[index] + rng.uniform(*FAR) * np.array([down, right])
        near = {(r, c) for r in (row, row + int(down)) for c in (col, col + int(right))} - {(row, col)}
        is_free = all(0 <= r < size and 0 <= c < size and (r, c) not in occupied_points for r, c in near)
        apart = np.linalg.norm(np.delete(places, index, axis=0) - place, axis=1).min()
        if not is_free or apart < APART or len(nudges) == AMONG:
            continue
        places[index] = place
        occupied_points |= near
        nudges.append(Nudge(row, col, *(place - stones[index])[::-1].tolist()))
        towards[row, col] = row + int(down), col + int(right)
    return StrewnBoard(Table(look).draw(Scene(rows, nudges=tuple(nudges)), seed), towards)


def count_verdicts(strewn: StrewnBoard, reader: StoneReader | None = None) -> Counter[StoneVerdict]:
    """Count the answers on every stone of a board, its corners given."""
    truth = strewn.picture.truth
    reading = read_frame(np.asarray(strewn.picture.pixels, np.uint8), truth.grid, (), reader)
    named = {stone.point for stone in reading.between()}
    doubtful = {doubt.point for doubt in reading.doubtful()}
    return Counter(_answer_on(reading, truth.rows, at, to, named, doubtful) for at, to in strewn.towards.items())


def _answer_on(
    reading: Reading,
    rows: tuple[str, ...],
    at: tuple[int, int],
    to: tuple[int, int],
    named: set[int],
    doubtful: set[int],
) -> StoneVerdict:
    """Of the stone of one point, that lies towards another."""
    (row, col), (row_to, col_to) = at, to
    own = row * len(rows) + col
    near = {r * len(rows) + c for r in (row, row_to) for c in (col, col_to)}
    if near & named:
        return StoneVerdict.BETWEEN
    if near & doubtful:
        return StoneVerdict.DOUBTFUL
    read = "".join(reading.rows())
    right = read[own] == rows[row][col] and all(read[point] == "." for point in near - {own})
    return StoneVerdict.ON if right else StoneVerdict.AWAY
