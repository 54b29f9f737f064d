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
from vision.training.windows import BoardWindow, cut_window

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
        places = place_on_lattice(centres, boxes[:, 3:5] * image.shape[1::-1])
        if places is not None:
            grid, kinds = _build_board(centres, places, boxes[:, 0].astype(int) + 1)
            if grid.size <= CELLS:
                yield cut_window(BOXED, image, grid, kinds, _measure_offsets(grid, centres, places))


def place_on_lattice(centres: Points, sizes: Points) -> Numbers | None:
    """Return column and row of every stone (n, 2), from 0, -1 for a stone off the lattice; None if too few fit.

    centres, sizes: the stones' centres and sizes in pixels, (n, 2) each.
    """
    best: dict[int, tuple[int, int]] = {}
    for seed in _find_touching_triples(centres, sizes):
        best = max(best, _grow_lattice(centres, seed), key=len)
        if len(best) >= FITTED * len(centres):
            break
    else:
        return None
    places = np.full((len(centres), 2), -1)
    cells = np.array(list(best.values()))
    places[list(best)] = cells - cells.min(axis=0)
    return places


def _find_touching_triples(centres: Points, sizes: Points) -> Iterator[dict[int, tuple[int, int]]]:
    """Yield triples of touching stones, one to the right of and one below the first."""
    count = 0
    for i, size in enumerate(sizes):
        steps = (centres - centres[i]) / size
        right = np.flatnonzero((abs(steps[:, 0] - 1.05) < 0.25) & (abs(steps[:, 1]) < 0.4))
        below = np.flatnonzero((abs(steps[:, 1] - 1.05) < 0.25) & (abs(steps[:, 0]) < 0.4))
        if len(right) and len(below) and count < SEEDS:
            count += 1
            yield {i: (0, 0), int(right[0]): (1, 0), int(below[0]): (0, 1)}


def _grow_lattice(centres: Points, places: dict[int, tuple[int, int]]) -> dict[int, tuple[int, int]]:
    """Add neighbours of placed stones, refitting the lattice each time, until no stone is added."""
    while True:
        to_places = _fit_matrix(centres, places)
        cells = cv2.perspectiveTransform(centres.reshape(-1, 1, 2), to_places).reshape(-1, 2)
        used_cells = np.array(list(places.values()))
        is_near = (abs(np.rint(cells)[:, None] - used_cells[None]).max(axis=2) <= 2).any(axis=1)
        fits = is_near & (abs(cells - np.rint(cells)).max(axis=1) < NEAR)
        grown_places = {int(i): (round(float(cells[i, 0])), round(float(cells[i, 1]))) for i in np.flatnonzero(fits)}
        if len(grown_places) <= len(places) or len(set(grown_places.values())) < len(grown_places):
            return places
        places = grown_places


def _fit_matrix(centres: Points, places: dict[int, tuple[int, int]]) -> npt.NDArray[np.float64]:
    """Fit the 3x3 matrix from pixels to columns and rows: affine for few stones, a homography for many."""
    pixels, cells = centres[list(places)], np.array(list(places.values()), np.float64)
    if len(places) >= 8:
        matrix, _ = cv2.findHomography(pixels, cells, 0)
        if matrix is not None:
            return np.asarray(matrix, np.float64)
    affine = np.linalg.lstsq(np.column_stack([pixels, np.ones(len(pixels))]), cells, rcond=None)[0]
    return np.vstack([affine.T, [0, 0, 1]])


def _build_board(centres: Points, places: Numbers, kinds: Numbers) -> tuple[Grid, Numbers]:
    """Return the smallest square board with a middle point that holds the stones, and its contents.

    Points outside the stones' rectangle are unknown.
    """
    is_on = places[:, 0] >= 0
    columns, rows = (int(highest) + 1 for highest in places.max(axis=0))
    size = max(columns, rows) // 2 * 2 + 1
    matrix = np.asarray(cv2.findHomography(places[is_on].astype(np.float64), centres[is_on], 0)[0], np.float64)
    ends = np.array([[0, 0], [size - 1, 0], [size - 1, size - 1], [0, size - 1]], np.float64)
    corners = cv2.perspectiveTransform(ends.reshape(-1, 1, 2), matrix).reshape(-1, 2)
    board = np.full((size, size), UNKNOWN)
    board[:rows, :columns] = 0
    board[places[is_on, 1], places[is_on, 0]] = kinds[is_on]
    _forget_near(board, centres[~is_on], matrix)
    return Grid(size, tuple((float(x), float(y)) for x, y in corners)), board.ravel()


def _measure_offsets(grid: Grid, centres: Points, places: Numbers) -> npt.NDArray[np.float64]:
    """Return the offset of every box's middle to the right of its point and down from it, in cells."""
    is_on, offsets = places[:, 0] >= 0, np.full((grid.size, grid.size, 2), np.nan)
    board_places = cv2.perspectiveTransform(centres[is_on].reshape(-1, 1, 2), np.linalg.inv(grid.homography())).reshape(
        -1, 2
    )
    offsets[places[is_on, 1], places[is_on, 0]] = board_places * (grid.size - 1) - places[is_on]
    return offsets


def _forget_near(board: Numbers, strays: Points, to_image: npt.NDArray[np.float64]) -> None:
    """Mark points next to a stone off the lattice as unknown."""
    if len(strays):
        cells = cv2.perspectiveTransform(strays.reshape(-1, 1, 2), np.linalg.inv(to_image)).reshape(-1, 2)
        rows, columns = np.indices(board.shape)
        for column, row in cells:
            board[(abs(rows - row) < 1) & (abs(columns - column) < 1)] = UNKNOWN
