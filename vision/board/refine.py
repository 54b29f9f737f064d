"""A lattice fitted to the lines found near it: a homography, and the lens's curvature where it plainly helps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.board.edge_contrast import Edges, edges_of
from vision.calibration import UNIT_SQUARE, Grid, bend, transformed, unbend

Floats = npt.NDArray[np.float64]

# Chosen by hand (docs/vision.md). Curvatures are the radial lens term of vision.calibration.Grid.
ROUNDS, LEAST_EDGES = 3, 16
"""How often lines are looked for beside the grid fitted last; fewer edges in either direction do not fix a grid."""
STRAY = 0.05
"""Cells: the scale of Cauchy's weights, by which a line point far off its line counts less and less."""
NO_DEPTH = 1e-9
"""A homogeneous depth nearer to 0 is taken for this one."""
MOST_CURVED, FINEST, GAIN = 0.2, 0.01, 0.8
"""While finding: the largest curvature tried, the smallest step between two, and the share of the flat lens's misfit
below which a curvature is believed."""
TRIED, MOST = ((0.16, 0.05), (0.04,)), 0.4
"""A found grid is polished twice; curvatures are tried so far to either side of the likeliest until then, to MOST."""
SURE, MATTERS = 8.0, 0.03
"""Then a curvature is believed when it takes the share SURE / marks off the squared misfit, an F ratio of SURE, and
moves a point of the board by more than MATTERS cells."""


@dataclass(frozen=True, eq=False)
class Marks:
    """Places where lines were seen. pixels: shape (n, 2). axis: shape (n,), 0 when the place fixes x (a line running
    down), 1 when it fixes y. value: shape (n,), the board coordinate (0 to 1) that it fixes."""

    pixels: Floats
    axis: npt.NDArray[np.int64]
    value: Floats


def refined(grey: npt.NDArray[np.float32], grid: Grid, level: tuple[float, float]) -> tuple[Grid, float] | None:
    """The grid fitted to the lines near it, and the root mean square misfit in cells; None when too few are there.

    level: the least contrast of a line across and of one down (see vision.board.window).
    """
    height, width = grey.shape
    centre, half = (width / 2, height / 2), float(np.hypot(width, height)) / 2
    misfit = 1.0
    for number in range(ROUNDS):
        edges = edges_of(grey, grid.points())
        if min((edges.across > level[0]).sum(), (edges.down > level[1]).sum()) < LEAST_EDGES:
            return None
        marks = _marks(edges, grid, level)
        matrix, curvature, misfit = _best_fit(marks, np.array(centre), half, number == ROUNDS - 1)
        grid = _grid(grid.size, matrix, curvature, centre, half)
    return grid, misfit * (grid.size - 1)


def polished(grey: npt.NDArray[np.float32], grid: Grid, level: tuple[float, float]) -> Grid:
    """A grid that was found, as exact as its lines allow, the lens's curvature included; itself where they are few."""
    height, width = grey.shape
    centre, half = (width / 2, height / 2), float(np.hypot(width, height)) / 2
    bent = grid
    for steps in TRIED:
        edges = edges_of(grey, bent.points(), exact=True)
        if min((edges.across > level[0]).sum(), (edges.down > level[1]).sum()) < LEAST_EDGES:
            return grid
        marks = _marks(edges, bent, level)
        seen = (marks.pixels - np.array(centre)) / half
        curvature = _likeliest(seen, marks, bent.curvature, steps)
        curved = _reweighted_dlt(unbend(seen, curvature), marks)
        bent = _grid(grid.size, curved[0], curvature, centre, half)
    flat = _reweighted_dlt(seen, marks)
    plain = _grid(grid.size, flat[0], 0.0, centre, half)
    sure = curved[1] ** 2 < (1 - SURE / len(marks.value)) * flat[1] ** 2
    return bent if sure and _apart(bent, plain) > MATTERS else plain


def _likeliest(seen: Floats, marks: Marks, curvature: float, steps: tuple[float, ...]) -> float:
    """The curvature that leaves the least misfit, by parabolas through three tries each."""
    for step in steps:
        before, at, after = (_reweighted_dlt(unbend(seen, curvature + k), marks)[1] ** 2 for k in (-step, 0.0, step))
        bend = before - 2 * at + after
        move = (before - after) / (2 * bend) if bend > 0 else 0.0
        curvature = float(np.clip(curvature + step * np.clip(move, -1.5, 1.5), -MOST, MOST))
    return curvature


def _apart(one: Grid, other: Grid) -> float:
    """How far two grids' points lie apart at most, in cells, on the rim and in the middle."""
    board = np.stack(np.meshgrid(*[np.linspace(0, 1, 5)] * 2), axis=-1)
    return float(np.max(np.linalg.norm(one.at(board) - other.at(board), axis=-1))) / one.cell()


def _marks(edges: Edges, grid: Grid, level: tuple[float, float]) -> Marks:
    """Where the lines of edges with contrast were seen, in pixels."""
    n = grid.size - 1
    j, i = np.nonzero(edges.across > level[0])
    across = np.column_stack([i + 0.5, j + edges.shift_across[j, i]]) / n
    row, column = np.nonzero(edges.down > level[1])
    down = np.column_stack([column - edges.shift_down[row, column], row + 0.5]) / n
    board = np.concatenate([across, down])
    axis = np.repeat([1, 0], [len(across), len(down)])
    return Marks(grid.at(board), axis, np.concatenate([j / n, column / n]))


def fitted(marks: Marks, size: int, shape: tuple[int, ...]) -> tuple[Grid, float]:
    """The grid that puts every mark on its line, and the root mean square misfit in cells. shape: the picture's."""
    centre, half = (shape[1] / 2, shape[0] / 2), float(np.hypot(shape[1], shape[0])) / 2
    matrix, curvature, misfit = _best_fit(marks, np.array(centre), half, curved=True)
    return _grid(size, matrix, curvature, centre, half), misfit * (size - 1)


def _best_fit(marks: Marks, centre: Floats, half: float, curved: bool) -> tuple[Floats, float, float]:
    """The homography from flat half diagonals to the board, the curvature, and the misfit in board units."""
    seen = (marks.pixels - centre) / half
    flat_lens = _reweighted_dlt(seen, marks)
    if not curved:
        return flat_lens[0], 0.0, flat_lens[1]
    matrix, misfit, curvature = _curved(seen, marks, flat_lens)
    if misfit < GAIN * flat_lens[1]:
        return matrix, curvature, misfit
    return flat_lens[0], 0.0, flat_lens[1]


def _curved(seen: Floats, marks: Marks, flat_lens: tuple[Floats, float]) -> tuple[Floats, float, float]:
    """The best curvature, looked for in ever smaller steps."""
    best = (*flat_lens, 0.0)
    step = MOST_CURVED / 2
    while step >= FINEST:
        tries = [k for k in (best[2] - step, best[2] + step) if abs(k) <= MOST_CURVED]
        best = min([best, *((*_reweighted_dlt(unbend(seen, k), marks), k) for k in tries)], key=lambda fit: fit[1])
        step /= 2
    return best


def _reweighted_dlt(flat: Floats, marks: Marks) -> tuple[Floats, float]:
    """The homography that puts every mark on its line, and the misfit left, in board units: by the direct linear
    transform, iteratively reweighted by Cauchy's weights."""
    points = np.column_stack([flat, np.ones(len(flat))])
    rows, weights = _rows(points, marks), np.ones(len(flat))
    matrix = np.eye(3)
    scale = STRAY / 18
    for _ in range(4):
        weighed = rows * weights[:, None]
        matrix = np.asarray(np.linalg.eigh(weighed.T @ weighed)[1][:, 0].reshape(3, 3))
        off = np.abs(_off(points, marks, matrix))
        weights = 1 / (1 + (off / scale) ** 2)
    return matrix, float(np.sqrt(np.average(off**2, weights=weights)))


def _rows(points: Floats, marks: Marks) -> Floats:
    """An equation a mark for the nine entries of the homography, shape (n, 9)."""
    rows = np.zeros((len(points), 9))
    down = marks.axis == 0
    rows[down, 0:3], rows[~down, 3:6] = points[down], points[~down]
    rows[:, 6:9] = -marks.value[:, None] * points
    return rows


def _off(points: Floats, marks: Marks, matrix: Floats) -> Floats:
    """How far off each mark lies; one on the horizon lies further off than any."""
    board = points @ matrix.T
    depth = np.where(np.abs(board[:, 2]) < NO_DEPTH, NO_DEPTH, board[:, 2])
    return np.asarray(board[np.arange(len(points)), marks.axis] / depth - marks.value)


def _grid(size: int, matrix: Floats, curvature: float, centre: tuple[float, float], half: float) -> Grid:
    flat = transformed(UNIT_SQUARE, np.asarray(np.linalg.inv(matrix), np.float64))
    corners = bend(flat, curvature) * half + np.array(centre)
    return Grid(size, tuple((float(x), float(y)) for x, y in corners), curvature, centre, half)
