"""Photographs with a box round every stone and no corners: the grid is fitted to the stones themselves."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.calibration.model import Grid, Points
from vision.camera.frame import read_image
from vision.stones.reader import CELLS
from vision.training.photos import UNKNOWN
from vision.training.windows import BoardWindow, window

BOXED = "stone-boxes"
"""Name of the source with a box round every stone."""
FEWEST = 12
"""Smallest number of stones of a photograph that is used."""
FITTED = 0.9
"""Share of the stones that must lie on the lattice."""
NEAR = 0.3
"""Largest distance of a stone from its point, in cells."""
SEEDS = 24
"""Largest number of seeds from which a lattice is grown."""

Numbers = npt.NDArray[np.int64]


def boxed_windows(folder: Path) -> Iterator[BoardWindow]:
    """Yield the photographs of BOXED whose stones lie on one lattice."""
    parts = (sorted((folder / BOXED / part / "labels").glob("*.txt")) for part in ("train", "valid", "test"))
    for path in chain.from_iterable(parts):
        image = read_image(path.parents[1] / "images" / f"{path.stem}.jpg")
        boxes = np.loadtxt(path, ndmin=2)
        if len(boxes) < FEWEST:
            continue
        centres = boxes[:, 1:3] * image.shape[1::-1]
        places = lattice(centres, boxes[:, 3:5] * image.shape[1::-1])
        if places is not None:
            grid, kinds = _board(centres, places, boxes[:, 0].astype(int) + 1)
            if grid.size <= CELLS:
                yield window(BOXED, image, grid, kinds, _offsets(grid, centres, places))


def lattice(centres: Points, sizes: Points) -> Numbers | None:
    """Return column and row of every stone (n, 2), from 0, -1 for a stone off the lattice; None if too few fit.

    centres, sizes: the stones' centres and sizes in pixels, (n, 2) each.
    """
    best: dict[int, tuple[int, int]] = {}
    for seed in _seeds(centres, sizes):
        best = max(best, _grow(centres, seed), key=len)
        if len(best) >= FITTED * len(centres):
            break
    else:
        return None
    out = np.full((len(centres), 2), -1)
    found = np.array(list(best.values()))
    out[list(best)] = found - found.min(axis=0)
    return out


def _seeds(centres: Points, sizes: Points) -> Iterator[dict[int, tuple[int, int]]]:
    """Yield triples of touching stones, one to the right of and one below the first."""
    given = 0
    for i, size in enumerate(sizes):
        steps = (centres - centres[i]) / size
        right = np.flatnonzero((abs(steps[:, 0] - 1.05) < 0.25) & (abs(steps[:, 1]) < 0.4))
        below = np.flatnonzero((abs(steps[:, 1] - 1.05) < 0.25) & (abs(steps[:, 0]) < 0.4))
        if len(right) and len(below) and given < SEEDS:
            given += 1
            yield {i: (0, 0), int(right[0]): (1, 0), int(below[0]): (0, 1)}


def _grow(centres: Points, places: dict[int, tuple[int, int]]) -> dict[int, tuple[int, int]]:
    """Add neighbours of placed stones, refitting the lattice each time, until no stone is added."""
    while True:
        to_places = _fit(centres, places)
        seen = cv2.perspectiveTransform(centres.reshape(-1, 1, 2), to_places).reshape(-1, 2)
        taken = np.array(list(places.values()))
        near = (abs(np.rint(seen)[:, None] - taken[None]).max(axis=2) <= 2).any(axis=1)
        fits = near & (abs(seen - np.rint(seen)).max(axis=1) < NEAR)
        grown = {int(i): (round(float(seen[i, 0])), round(float(seen[i, 1]))) for i in np.flatnonzero(fits)}
        if len(grown) <= len(places) or len(set(grown.values())) < len(grown):
            return places
        places = grown


def _fit(centres: Points, places: dict[int, tuple[int, int]]) -> npt.NDArray[np.float64]:
    """Fit the 3x3 matrix from pixels to columns and rows: affine for few stones, a homography for many."""
    seen, there = centres[list(places)], np.array(list(places.values()), np.float64)
    if len(places) >= 8:
        found, _ = cv2.findHomography(seen, there, 0)
        if found is not None:
            return np.asarray(found, np.float64)
    solved = np.linalg.lstsq(np.column_stack([seen, np.ones(len(seen))]), there, rcond=None)[0]
    return np.vstack([solved.T, [0, 0, 1]])


def _board(centres: Points, places: Numbers, kinds: Numbers) -> tuple[Grid, Numbers]:
    """Return the smallest square board with a middle point that holds the stones, and its contents.

    Points outside the stones' rectangle are unknown.
    """
    on = places[:, 0] >= 0
    columns, rows = (int(most) + 1 for most in places.max(axis=0))
    size = max(columns, rows) // 2 * 2 + 1
    found = np.asarray(cv2.findHomography(places[on].astype(np.float64), centres[on], 0)[0], np.float64)
    ends = np.array([[0, 0], [size - 1, 0], [size - 1, size - 1], [0, size - 1]], np.float64)
    corners = cv2.perspectiveTransform(ends.reshape(-1, 1, 2), found).reshape(-1, 2)
    board = np.full((size, size), UNKNOWN)
    board[:rows, :columns] = 0
    board[places[on, 1], places[on, 0]] = kinds[on]
    _forget_near(board, centres[~on], found)
    return Grid(size, tuple((float(x), float(y)) for x, y in corners)), board.ravel()


def _offsets(grid: Grid, centres: Points, places: Numbers) -> npt.NDArray[np.float64]:
    """Return the offset of every box's middle to the right of its point and down from it, in cells."""
    on, off = places[:, 0] >= 0, np.full((grid.size, grid.size, 2), np.nan)
    seen = cv2.perspectiveTransform(centres[on].reshape(-1, 1, 2), np.linalg.inv(grid.homography())).reshape(-1, 2)
    off[places[on, 1], places[on, 0]] = seen * (grid.size - 1) - places[on]
    return off


def _forget_near(board: Numbers, strays: Points, to_image: npt.NDArray[np.float64]) -> None:
    """Mark points next to a stone off the lattice as unknown."""
    if len(strays):
        seen = cv2.perspectiveTransform(strays.reshape(-1, 1, 2), np.linalg.inv(to_image)).reshape(-1, 2)
        rows, columns = np.indices(board.shape)
        for column, row in seen:
            board[(abs(rows - row) < 1) & (abs(columns - column) < 1)] = UNKNOWN
