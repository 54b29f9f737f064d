"""The fit of a lattice to the lines found near it: a homography, and the lens's curvature if it plainly helps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.board.edge_contrast import Edges, measure_edges
from vision.board.homography import point_products, solve_homographies
from vision.board.window import line_levels
from vision.calibration.model import UNIT_SQUARE, Grid, bend_points, transform_points, unbend_points

Floats = npt.NDArray[np.float64]
Fit = tuple[Floats, float, float]
"""A homography from flat half diagonals to the board, the curvature, and the misfit in board units."""

# Chosen by hand (docs/vision.md). Curvatures are the radial lens term of vision.calibration.model.Grid.
ROUNDS, LEAST_EDGES = 3, 16
"""The number of rounds of finding lines beside the last fitted grid, and the minimum number of edges in either
direction to fix a grid.
"""
STRAY = 0.05
"""The scale of Cauchy's weights, in cells, by which a line point far off its line counts less and less."""
TO_BOTH_SIDES = np.array([-1.0, 0.0, 1.0])
NO_DEPTH = 1e-9
"""The minimum magnitude of a homogeneous depth."""
MOST_CURVED, FINEST, GAIN = 0.2, 0.01, 0.8
"""Limits while finding: the largest curvature tried, the smallest step between two, and the share of the flat lens's
misfit below which a curvature is believed.
"""
EXACT, CROSSED = 0.012, 0.04
"""Misfits in cells below which, while finding, a lens is taken as flat, for lines and for crossings: it moves no point
by much. Of 121 boards that their crossings showed none was missed by more, and none was curved.
"""
CURVATURE_STEPS, MOST = ((0.16, 0.05), (0.04,)), 0.4
"""The curvature steps of the two polishing passes around the likeliest so far, and the maximum curvature."""
SURE, MATTERS = 8.0, 0.03
"""Polishing believes a curvature if it takes the share SURE / marks off the squared misfit, an F ratio of SURE, and
moves a point of the board by more than MATTERS cells.
"""


@dataclass(frozen=True, eq=False)
class Marks:
    """Points seen on lines.

    `pixels`: their positions, shape (n, 2).
    `axis`: shape (n,), 0 if the point fixes x (a line running down), 1 if it fixes y.
    `value`: shape (n,), the board coordinate (0 to 1) that it fixes.
    """

    pixels: Floats
    axis: npt.NDArray[np.int64]
    value: Floats


def refine_grid(grey: npt.NDArray[np.float32], grid: Grid) -> tuple[Grid, float] | None:
    """Return the grid fitted to the lines near it, and the RMS misfit in cells; None if there are too few lines."""
    height, width = grey.shape
    centre, half = (width / 2, height / 2), float(np.hypot(width, height)) / 2
    misfit = 1.0
    edges = measure_edges(grey, grid.points())
    level = _min_contrasts(edges, grid)
    for number in range(ROUNDS):
        edges = edges if number == 0 else measure_edges(grey, grid.points())
        if min((edges.across > level[0]).sum(), (edges.down > level[1]).sum()) < LEAST_EDGES:
            return None
        marks, exact = _collect_marks(edges, grid, level), EXACT if number == ROUNDS - 1 else np.inf
        matrix, curvature, misfit = _best_fit(marks, grid.size, np.array(centre), half, exact)
        grid = _make_grid(grid.size, matrix, curvature, centre, half)
    return grid, misfit * (grid.size - 1)


def polish_grid(grey: npt.NDArray[np.float32], grid: Grid) -> Grid:
    """Return a detected grid fitted as exactly as its lines allow, curvature included; unchanged if they are few."""
    height, width = grey.shape
    centre, half = (width / 2, height / 2), float(np.hypot(width, height)) / 2
    curved_grid, edges = grid, measure_edges(grey, grid.points(), exact=True)
    level = _min_contrasts(edges, grid)
    for steps in CURVATURE_STEPS:
        edges = edges if curved_grid is grid else measure_edges(grey, curved_grid.points(), exact=True)
        if min((edges.across > level[0]).sum(), (edges.down > level[1]).sum()) < LEAST_EDGES:
            return grid
        marks = _collect_marks(edges, curved_grid, level)
        points = (marks.pixels - np.array(centre)) / half
        curvature = _likeliest_curvature(points, marks, curved_grid.curvature, steps)
        curved_fit = _reweighted_dlt(unbend_points(points, curvature), marks)
        curved_grid = _make_grid(grid.size, curved_fit[0], curvature, centre, half)
    flat_fit = _reweighted_dlt(points, marks)
    flat_grid = _make_grid(grid.size, flat_fit[0], 0.0, centre, half)
    sure = curved_fit[1] ** 2 < (1 - SURE / len(marks.value)) * flat_fit[1] ** 2
    return curved_grid if sure and _max_distance(curved_grid, flat_grid) > MATTERS else flat_grid


def _min_contrasts(edges: Edges, grid: Grid) -> tuple[float, float]:
    """Return the minimum contrast of a line across and of one down on the grid."""
    return line_levels(edges, (0, 0, grid.size, grid.size))


def _likeliest_curvature(points: Floats, marks: Marks, curvature: float, steps: tuple[float, ...]) -> float:
    """Return the curvature with the least misfit, by parabolas through three tries each."""
    for step in steps:
        before, middle, after = _fit_curvatures(points, marks, curvature + step * TO_BOTH_SIDES)[1] ** 2
        bend = before - 2 * middle + after
        move = (before - after) / (2 * bend) if bend > 0 else 0.0
        curvature = float(np.clip(curvature + step * np.clip(move, -1.5, 1.5), -MOST, MOST))
    return curvature


def _max_distance(one: Grid, other: Grid) -> float:
    """Return the maximum distance between two grids' points, in cells, on the rim and in the middle."""
    board = np.stack(np.meshgrid(*[np.linspace(0, 1, 5)] * 2), axis=-1)
    return float(np.max(np.linalg.norm(one.to_pixels(board) - other.to_pixels(board), axis=-1))) / one.cell()


def _collect_marks(edges: Edges, grid: Grid, level: tuple[float, float]) -> Marks:
    """Return the points, in pixels, on the lines of edges with contrast."""
    n = grid.size - 1
    j, i = np.nonzero(edges.across > level[0])
    across = np.column_stack([i + 0.5, j + edges.shift_across[j, i]]) / n
    row, column = np.nonzero(edges.down > level[1])
    down = np.column_stack([column - edges.shift_down[row, column], row + 0.5]) / n
    board = np.concatenate([across, down])
    axis = np.repeat([1, 0], [len(across), len(down)])
    return Marks(grid.to_pixels(board), axis, np.concatenate([j / n, column / n]))


def fit_grid(marks: Marks, size: int, shape: tuple[int, ...]) -> tuple[Grid, float]:
    """Return the grid that puts every mark on its line, and the RMS misfit in cells. `shape`: the picture's."""
    centre, half = (shape[1] / 2, shape[0] / 2), float(np.hypot(shape[1], shape[0])) / 2
    matrix, curvature, misfit = _best_fit(marks, size, np.array(centre), half, CROSSED)
    return _make_grid(size, matrix, curvature, centre, half), misfit * (size - 1)


def _best_fit(marks: Marks, size: int, centre: Floats, half: float, exact: float) -> Fit:
    """Return the homography from flat half diagonals to the board, the curvature, and the misfit in board units.

    `exact`: the misfit in cells below which the lens is taken as flat.
    """
    points = (marks.pixels - centre) / half
    matrix, misfit = _reweighted_dlt(points, marks)
    flat_lens = matrix, 0.0, float(misfit)
    if flat_lens[2] * (size - 1) < exact:
        return flat_lens
    bent = _fit_curvature(points, marks, flat_lens)
    return bent if bent[2] < GAIN * flat_lens[2] else flat_lens


def _fit_curvature(points: Floats, marks: Marks, flat_lens: Fit) -> Fit:
    """Return the fit with the best curvature, searched in ever smaller steps."""
    best, step = flat_lens, MOST_CURVED / 2
    while step >= FINEST:
        tries = best[1] + step * TO_BOTH_SIDES[::2]
        tries = tries[np.abs(tries) <= MOST_CURVED]
        fits = zip(*_fit_curvatures(points, marks, tries), tries, strict=True)
        best = min([best, *((matrix, float(k), float(misfit)) for matrix, misfit, k in fits)], key=lambda fit: fit[2])
        step /= 2
    return best


def _fit_curvatures(points: Floats, marks: Marks, curvatures: Floats) -> tuple[Floats, Floats]:
    """Return a fit for each curvature."""
    return _reweighted_dlt(np.stack([unbend_points(points, float(k)) for k in curvatures]), marks)


def _reweighted_dlt(flat: Floats, marks: Marks) -> tuple[Floats, Floats]:
    """Return the homographies that put every mark on its line, and the remaining misfits, in board units.

    They are found by the direct linear transform, iteratively reweighted by Cauchy's weights.
    `flat`: the marks' positions, shape (..., n, 2), one fit each.
    """
    points = np.ones((*flat.shape[:-2], 3, flat.shape[-2]))
    points[..., 0, :], points[..., 1, :] = flat[..., 0], flat[..., 1]
    squares, shares = point_products(points), _mark_factors(marks)
    weights, scale = np.ones(flat.shape[:-1]), STRAY / 18
    for _ in range(4):
        matrix = solve_homographies(squares, shares * (weights * weights)[..., None, :])
        distances = np.abs(_line_distances(points, marks, matrix))
        weights = 1 / (1 + (distances / scale) ** 2)
    misfit = (distances * distances * weights).sum(axis=-1) / weights.sum(axis=-1)
    return matrix, np.asarray(np.sqrt(misfit))


def _mark_factors(marks: Marks) -> Floats:
    """Return each mark's factors for `solve_homographies`, shape (5, n): it fixes one of its point's coordinates."""
    down, value = marks.axis == 0, marks.value
    return np.stack([down, ~down, -value * down, -value * ~down, value * value])


def _line_distances(points: Floats, marks: Marks, matrix: Floats) -> Floats:
    """Return each mark's distance from its line, very large for one on the horizon. `points`: shape (..., 3, n)."""
    flat = matrix @ points
    depth = flat[..., 2, :]
    depth = np.where(np.abs(depth) < NO_DEPTH, NO_DEPTH, depth)
    return np.asarray(np.where(marks.axis == 0, flat[..., 0, :], flat[..., 1, :]) / depth - marks.value)


def _make_grid(size: int, matrix: Floats, curvature: float, centre: tuple[float, float], half: float) -> Grid:
    flat = transform_points(UNIT_SQUARE, np.asarray(np.linalg.inv(matrix), np.float64))
    corners = bend_points(flat, curvature) * half + np.array(centre)
    return Grid(size, tuple((float(x), float(y)) for x, y in corners), curvature, centre, half)
