"""Fit of a lattice to crossings: their columns and rows, counted from one crossing to its neighbours, and the window of
9, 13 or 19 a side that is a whole board.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from vision.board.crossing_net import Crossings
from vision.board.homography import point_products, solve_homographies
from vision.board.window import block_sums
from vision.calibration.model import Grid, transform_points

Floats = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.int64]

# Chosen by hand (docs/vision.md).
FEWEST = 24
"""The minimum number of crossings on one lattice for a board."""
TRUE = 0.28
"""The distance from a lattice point, in cells, within which a crossing lies on the lattice."""
SEEDS = 5
"""The number of crossings tried as seeds: evenly spaced ones first, and central rather than outlying ones."""
CENTRAL = 100
"""The number of central crossings examined as seeds before the others."""
OUTLYING = 0.3
"""The penalty for an outlying crossing against an uneven one (a ratio)."""
ENOUGH = 0.7
"""The share of the crossings from which a lattice is accepted without further seeds."""
GROWTHS, GROWN = 24, 1.5
"""The maximum number of growth steps; each multiplies the lattice's reach by GROWN and adds two lines all round."""
ROUGHLY, EXACTLY = 1, 3
"""The passes of a fit while the lattice grows, and of the last one."""
FARTHEST = 99
"""The limit to which column and row indices are clipped."""
PAD = 5
"""The number of lines examined around the detected crossings."""
CLIP = (0.04, 0.96)
"""The range to which the net's probabilities are clamped: a hand hides, a stone beside the board misleads."""
AFFINE_BELOW = 12
"""The number of crossings below which a lattice is fitted by an affine map, because they do not fix a homography."""


@dataclass(frozen=True, eq=False)
class CrossingLattice:
    """Crossings on one lattice.

    `matrix`: the homography from column and row to places, 3x3.
    `at`: each crossing's column and row, shape (n, 2).
    `peaks`: each crossing's place, shape (n, 2).
    """

    matrix: Floats
    at: Numbers
    peaks: Floats

    def crossing_places(self, columns: Numbers, rows: Numbers) -> Floats:
        """Return the places of all crossings of these columns and rows, shape (rows, columns, 2)."""
        return transform_points(np.stack(np.meshgrid(columns, rows), axis=-1).astype(np.float64), self.matrix)


def fit_lattice(peaks: Floats) -> CrossingLattice | None:
    """Return the lattice on which most of the crossings lie; None if too few lie on one."""
    if len(peaks) < FEWEST:
        return None
    best: CrossingLattice | None = None
    for seed, steps in _choose_seeds(peaks):
        lattice = _grow_lattice(peaks, seed, steps)
        if lattice is not None and (best is None or len(lattice.at) > len(best.at)):
            best = lattice
        if best is not None and len(best.at) > ENOUGH * len(peaks):
            break
    return best if best is not None and len(best.at) >= FEWEST else None


def _choose_seeds(peaks: Floats) -> list[tuple[int, Floats]]:
    """Return crossings with evenly spaced neighbours, the most even first, with their steps across and down.

    Outlying ones are examined only where they may be among them.
    """
    far = _vector_lengths(peaks - np.median(peaks, axis=0)) / max(float(np.max(np.ptp(peaks, axis=0))), 1.0)
    penalties = OUTLYING * far
    central, outer = np.split(np.argsort(penalties), [CENTRAL])
    seeds = _rate_seeds(peaks, central, penalties)
    last = seeds[SEEDS - 1][0] if len(seeds) >= SEEDS else np.inf
    seeds += _rate_seeds(peaks, outer[penalties[outer] <= last], penalties)
    return [(k, steps) for _, k, steps in sorted(seeds, key=lambda seed: seed[0])[:SEEDS]]


def _rate_seeds(peaks: Floats, chosen: Numbers, penalties: Floats) -> list[tuple[float, int, Floats]]:
    """Return the best SEEDS of the chosen crossings with their demerits, the best first; none without neighbours."""
    if not len(chosen):
        return []
    right, left, down, up = (way for axis in (0, 1) for way in _neighbour_vectors(peaks, chosen, axis))
    across, along = (right - left) / 2, (down - up) / 2
    lengths = _vector_lengths(across) + _vector_lengths(along)
    uneven = (_vector_lengths(right + left) + _vector_lengths(down + up)) / np.maximum(lengths, 1.0)
    demerits = np.nan_to_num(uneven, nan=np.inf) + penalties[chosen]
    best = [k for k in np.argsort(demerits)[:SEEDS] if np.isfinite(demerits[k])]
    return [(float(demerits[k]), int(chosen[k]), np.stack([across[k], along[k]])) for k in best]


def _vector_lengths(vectors: Floats) -> Floats:
    """Return the lengths of vectors, shape (n, 2); np.linalg.norm takes three times as long."""
    x, y = vectors.T
    return np.asarray(np.sqrt(x * x + y * y))


def _neighbour_vectors(peaks: Floats, chosen: Numbers, axis: int) -> tuple[Floats, Floats]:
    """Return the chosen crossings' vectors to their nearest neighbours ahead and behind along an axis; nan without
    one.
    """
    along, other = peaks.T[[axis, 1 - axis]].astype(np.float32)
    ahead, aside = along - along[chosen, None], np.abs(other - other[chosen, None])
    nearest_ahead, nearest_behind = _find_nearest(ahead, aside), _find_nearest(-ahead, aside)
    return _vectors_to(peaks, chosen, *nearest_ahead), _vectors_to(peaks, chosen, *nearest_behind)


def _find_nearest(
    ahead: npt.NDArray[np.float32], aside: npt.NDArray[np.float32]
) -> tuple[Numbers, npt.NDArray[np.float32]]:
    """Return the nearest crossing of each row that lies ahead rather than aside, and its distance: inf without one."""
    distances = np.full_like(ahead, np.inf)
    np.add(ahead, aside, out=distances, where=(ahead > 0.5) & (aside < 0.5 * ahead))
    nearest = distances.argmin(axis=1)
    return nearest, distances[np.arange(len(distances)), nearest]


def _vectors_to(peaks: Floats, chosen: Numbers, nearest: Numbers, distances: npt.NDArray[np.float32]) -> Floats:
    return np.where(np.isfinite(distances)[:, None], peaks[nearest] - peaks[chosen], np.nan)


def _grow_lattice(peaks: Floats, seed: int, steps: Floats) -> CrossingLattice | None:
    """Return the lattice grown outward from one crossing and its steps, and fitted again at each step."""
    matrix = np.eye(3)
    matrix[:2, 0], matrix[:2, 1], matrix[:2, 2] = steps[0], steps[1], peaks[seed]
    reach, fitted_count = 1, 0
    for _ in range(GROWTHS):
        try:
            cells, misfits = _to_cells(peaks, matrix)
        except np.linalg.LinAlgError:
            return None
        distance = _larger_of_pairs(np.abs(cells))
        is_near = distance <= reach
        keep = _nearest_per_point(cells, misfits, is_near & (misfits < TRUE))
        if len(keep) < 4:
            return None
        farthest = int(distance[keep].max())
        if len(keep) == fitted_count and reach > farthest + 1:
            break
        reach, fitted_count = int(GROWN * farthest) + 2, len(keep)
        matrix = _fit_matrix(cells[keep], peaks[keep], ROUGHLY)
    return CrossingLattice(_fit_matrix(cells[keep], peaks[keep], EXACTLY), cells[keep], peaks[keep])


def _to_cells(peaks: Floats, matrix: Floats) -> tuple[Numbers, Floats]:
    cells = transform_points(peaks, np.asarray(np.linalg.inv(matrix), np.float64))
    cells = np.fmax(np.fmin(cells, FARTHEST), -FARTHEST)  # Not a number is FARTHEST too.
    rounded = np.rint(cells)
    return rounded.astype(np.int64), _larger_of_pairs(np.abs(cells - rounded))


def _larger_of_pairs(pairs: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the larger of each pair, shape (n, 2); the maximum over an axis of two takes four times as long."""
    return np.asarray(np.maximum(pairs[:, 0], pairs[:, 1]))


def _nearest_per_point(cells: Numbers, misfits: Floats, allowed: npt.NDArray[np.bool_]) -> Numbers:
    """Return the allowed crossings, only the nearest one for each lattice point."""
    order = np.flatnonzero(allowed)
    order = order[misfits[order].argsort()]
    points = cells[order, 0] * (2 * FARTHEST + 1) + cells[order, 1]
    by_point = points.argsort(kind="stable")
    is_first = np.ones(len(order), bool)
    is_first[by_point[1:]] = np.diff(points[by_point]) != 0
    return np.asarray(order[is_first])


def _fit_matrix(cells: Numbers, places: Floats, passes: int) -> Floats:
    """Return the matrix from lattice to places: affine for few crossings, else a homography fitted in `passes`."""
    points = np.ones((len(cells), 3))
    points[:, :2] = cells
    if len(cells) < AFFINE_BELOW or np.min(np.ptp(cells, axis=0)) < 3:
        affine = np.linalg.lstsq(points, places, rcond=None)[0]
        return np.vstack([affine.T, [0, 0, 1]])
    into, out = _normalise_hartley(cells.astype(np.float64)), np.linalg.inv(_normalise_hartley(places))
    matrix = out @ _reweighted_dlt(points @ into.T, (places - out[:2, 2]) / out[0, 0], passes) @ into
    return np.asarray(matrix / matrix[2, 2])


def _normalise_hartley(points: Floats) -> Floats:
    """Return Hartley's normalisation: the matrix that centres points, shape (n, 2), on the origin with unit spread."""
    centred = points - points.sum() / points.size
    wide = float(np.sqrt((centred * centred).sum() / centred.size)) + 1e-9
    x, y = (-points.sum(axis=0) / len(points) / wide).tolist()
    return np.array([[1 / wide, 0.0, x], [0.0, 1 / wide, y], [0.0, 0.0, 1.0]])


def _reweighted_dlt(points: Floats, places: Floats, passes: int) -> Floats:
    """Return the homography from points, shape (n, 3), to places, shape (n, 2).

    It is found by the direct linear transform, iteratively reweighted by Cauchy's weights in every pass after the
    first: points far off, relative to the median, count less and less.
    """
    weights, (u, v) = np.ones(len(points)), places.T
    squares, shares = point_products(points.T), np.ones((5, len(u)))
    shares[2], shares[3], shares[4] = -u, -v, u * u + v * v
    matrix = np.eye(3)
    for number in range(passes):
        matrix = solve_homographies(squares, shares * (weights * weights))
        if number == passes - 1:
            break
        across, down, depth = matrix @ points.T
        distances = np.hypot(across / depth - u, down / depth - v)
        weights = 1 / (1 + (distances / (2 * np.median(distances) + 1e-6)) ** 2)
    return matrix


@dataclass(frozen=True)
class CrossingWindow:
    """A window of the lattice, with the evidence of its crossings.

    `size`: lines a side.
    `column`, `row`: its first column and row in the lattice.
    `mean`: the mean probability of its crossings.
    `margin`: the excess of its crossings' log-odds over the best rival's, a line off or of another size, per line.
    `board`: the mean probability of a board there.
    """

    size: int
    column: int
    row: int
    mean: float
    margin: float
    board: float


def likeliest_window(crossings: Crossings, lattice: CrossingLattice, sizes: tuple[int, ...]) -> CrossingWindow | None:
    """Return the likeliest window of the lattice; None if the lattice is too small for any."""
    low, high = lattice.at.min(axis=0), lattice.at.max(axis=0)
    columns, rows = (np.arange(low[k] - PAD, high[k] + PAD + 1) for k in (0, 1))
    places = lattice.crossing_places(columns, rows)
    log_odds, probabilities = _log_odds(crossings.probabilities_near(places))
    candidates = [
        (float(sums[corner]), size, corner)
        for size in sizes
        for sums in [block_sums(log_odds, size, size)]
        for corner in _two_highest(sums)
    ]
    if not candidates:
        return None
    candidates.sort(key=lambda entry: -entry[0])
    total, size, (j, i) = candidates[0]
    rival = candidates[1][0] if len(candidates) > 1 else 0.0
    mean = float(block_sums(probabilities, size, size)[j, i]) / size**2
    board = _mean_known(crossings.board_probabilities(places[j : j + size, i : i + size]))
    return CrossingWindow(size, int(columns[i]), int(rows[j]), mean, (total - rival) / size, board)


def score_window(crossings: Crossings, grid: Grid) -> CrossingWindow:
    """Return the crossings' evidence for a grid found otherwise; its rivals are the grids a line off."""
    log_odds, probabilities = _log_odds(crossings.probabilities_near(crossings.to_places(grid.points_beyond(1))))
    sums = block_sums(log_odds, grid.size, grid.size)
    own = float(sums[1, 1])
    sums[1, 1] = -np.inf
    mean = float(block_sums(probabilities, grid.size, grid.size)[1, 1]) / grid.size**2
    board = _mean_known(crossings.board_probabilities(crossings.to_places(grid.points())))
    return CrossingWindow(grid.size, 0, 0, mean, (own - float(np.max(sums))) / grid.size, board)


def _mean_known(values: Floats) -> float:
    """Return the mean of the values that are not nan; 0 if there are none."""
    valid = values[~np.isnan(values)]
    return float(valid.mean()) if valid.size else 0.0


def _log_odds(probabilities: Floats) -> tuple[Floats, Floats]:
    """Return the log-odds of probabilities clamped to CLIP, 0 beyond the map; and the clamped probabilities."""
    clamped = np.clip(np.nan_to_num(probabilities), *CLIP)
    return np.where(np.isnan(probabilities), 0.0, np.log(clamped / (1 - clamped))), clamped


def _two_highest(sums: Floats) -> list[tuple[int, int]]:
    order = np.argsort(-sums, axis=None)[:2]
    return [(int(k) // sums.shape[1], int(k) % sums.shape[1]) for k in order] if sums.size else []
