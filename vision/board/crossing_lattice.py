"""Fit of a lattice to crossings: their columns and rows, counted from one crossing to its neighbours, and the window of
9, 13 or 19 a side that is a whole board.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from vision.board.crossing_net import Crossings
from vision.board.homography import homographies, products
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
UNEVEN, OUTLYING = 9.0, 0.3
"""The unevenness assumed for a crossing without four neighbours, and the penalty for an outlying one (a ratio)."""
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

    def places(self, columns: Numbers, rows: Numbers) -> Floats:
        """Return the places of all crossings of these columns and rows, shape (rows, columns, 2)."""
        return transform_points(np.stack(np.meshgrid(columns, rows), axis=-1).astype(np.float64), self.matrix)


def fit_lattice(peaks: Floats) -> CrossingLattice | None:
    """Return the lattice on which most of the crossings lie; None if too few lie on one."""
    if len(peaks) < FEWEST:
        return None
    best: CrossingLattice | None = None
    for seed, steps in _seeds(peaks):
        grown = _grow(peaks, seed, steps)
        if grown is not None and (best is None or len(grown.at) > len(best.at)):
            best = grown
        if best is not None and len(best.at) > ENOUGH * len(peaks):
            break
    return best if best is not None and len(best.at) >= FEWEST else None


def _seeds(peaks: Floats) -> list[tuple[int, Floats]]:
    """Return crossings with evenly spaced neighbours, the most even first, with their steps across and down."""
    right, left, down, up = (way for axis in (0, 1) for way in _nearest(peaks, axis))
    across, along = (right - left) / 2, (down - up) / 2
    lengths = _lengths(across) + _lengths(along)
    uneven = (_lengths(right + left) + _lengths(down + up)) / np.maximum(lengths, 1.0)
    far = _lengths(peaks - np.median(peaks, axis=0)) / max(float(np.max(np.ptp(peaks, axis=0))), 1.0)
    order = np.argsort(np.nan_to_num(uneven, nan=UNEVEN) + OUTLYING * far)
    return [(int(k), np.stack([across[k], along[k]])) for k in order[:SEEDS] if np.isfinite(uneven[k])]


def _lengths(vectors: Floats) -> Floats:
    """Return the lengths of vectors, shape (n, 2); np.linalg.norm takes three times as long."""
    x, y = vectors.T
    return np.asarray(np.sqrt(x * x + y * y))


def _nearest(peaks: Floats, axis: int) -> tuple[Floats, Floats]:
    """Return each crossing's vectors to its nearest neighbours ahead and behind along an axis; nan without one."""
    along, other = peaks.T[[axis, 1 - axis]].astype(np.float32)
    ahead, aside = along - along[:, None], np.abs(other - other[:, None])
    far = np.full_like(ahead, np.inf)
    np.add(ahead, aside, out=far, where=(ahead > 0.5) & (aside < 0.5 * ahead))
    # One crossing is behind another that is ahead of it.
    return _to_nearest(peaks, far), _to_nearest(peaks, np.ascontiguousarray(far.T))


def _to_nearest(peaks: Floats, far: npt.NDArray[np.float32]) -> Floats:
    """Return each crossing's vector to the nearest one, by the distances in the columns of its row."""
    nearest = far.argmin(axis=1)
    there = np.isfinite(far[np.arange(len(far)), nearest])
    return np.where(there[:, None], peaks[nearest] - peaks, np.nan)


def _grow(peaks: Floats, seed: int, steps: Floats) -> CrossingLattice | None:
    """Return the lattice grown outward from one crossing and its steps, and fitted again at each step."""
    matrix = np.eye(3)
    matrix[:2, 0], matrix[:2, 1], matrix[:2, 2] = steps[0], steps[1], peaks[seed]
    reach, known = 1, 0
    for _ in range(GROWTHS):
        try:
            at, off = _index(peaks, matrix)
        except np.linalg.LinAlgError:
            return None
        distance = _larger(np.abs(at))
        near = distance <= reach
        keep = _one_each(at, off, near & (off < TRUE))
        if len(keep) < 4:
            return None
        farthest = int(distance[keep].max())
        if len(keep) == known and reach > farthest + 1:
            break
        reach, known = int(GROWN * farthest) + 2, len(keep)
        matrix = _fit(at[keep], peaks[keep], ROUGHLY)
    return CrossingLattice(_fit(at[keep], peaks[keep], EXACTLY), at[keep], peaks[keep])


def _index(peaks: Floats, matrix: Floats) -> tuple[Numbers, Floats]:
    back = transform_points(peaks, np.asarray(np.linalg.inv(matrix), np.float64))
    back = np.fmax(np.fmin(back, FARTHEST), -FARTHEST)  # Not a number is FARTHEST too.
    whole = np.rint(back)
    return whole.astype(np.int64), _larger(np.abs(back - whole))


def _larger(pairs: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the larger of each pair, shape (n, 2); the maximum over an axis of two takes four times as long."""
    return np.asarray(np.maximum(pairs[:, 0], pairs[:, 1]))


def _one_each(at: Numbers, off: Floats, allowed: npt.NDArray[np.bool_]) -> Numbers:
    """Return the allowed crossings, only the nearest one for each lattice point."""
    order = np.flatnonzero(allowed)
    order = order[off[order].argsort()]
    points = at[order, 0] * (2 * FARTHEST + 1) + at[order, 1]
    by_point = points.argsort(kind="stable")
    is_first = np.ones(len(order), bool)
    is_first[by_point[1:]] = np.diff(points[by_point]) != 0
    return np.asarray(order[is_first])


def _fit(at: Numbers, places: Floats, passes: int) -> Floats:
    """Return the matrix from lattice to places: affine for few crossings, else a homography fitted in `passes`."""
    points = np.ones((len(at), 3))
    points[:, :2] = at
    if len(at) < AFFINE_BELOW or np.min(np.ptp(at, axis=0)) < 3:
        affine = np.linalg.lstsq(points, places, rcond=None)[0]
        return np.vstack([affine.T, [0, 0, 1]])
    into, out = _hartley(at.astype(np.float64)), np.linalg.inv(_hartley(places))
    matrix = out @ _reweighted_dlt(points @ into.T, (places - out[:2, 2]) / out[0, 0], passes) @ into
    return np.asarray(matrix / matrix[2, 2])


def _hartley(points: Floats) -> Floats:
    """Return Hartley's normalisation: the matrix that centres points, shape (n, 2), on the origin with unit spread."""
    off = points - points.sum() / points.size
    wide = float(np.sqrt((off * off).sum() / off.size)) + 1e-9
    x, y = (-points.sum(axis=0) / len(points) / wide).tolist()
    return np.array([[1 / wide, 0.0, x], [0.0, 1 / wide, y], [0.0, 0.0, 1.0]])


def _reweighted_dlt(points: Floats, seen: Floats, passes: int) -> Floats:
    """Return the homography from points, shape (n, 3), to places, shape (n, 2).

    It is found by the direct linear transform, iteratively reweighted by Cauchy's weights in every pass after the
    first: points far off, relative to the median, count less and less.
    """
    weights, (u, v) = np.ones(len(points)), seen.T
    squares, shares = products(points.T), np.ones((5, len(u)))
    shares[2], shares[3], shares[4] = -u, -v, u * u + v * v
    matrix = np.eye(3)
    for number in range(passes):
        matrix = homographies(squares, shares * (weights * weights))
        if number == passes - 1:
            break
        across, down, depth = matrix @ points.T
        off = np.hypot(across / depth - u, down / depth - v)
        weights = 1 / (1 + (off / (2 * np.median(off) + 1e-6)) ** 2)
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


def likeliest_window(seen: Crossings, lattice: CrossingLattice, sizes: tuple[int, ...]) -> CrossingWindow | None:
    """Return the likeliest window of the lattice; None if the lattice is too small for any."""
    low, high = lattice.at.min(axis=0), lattice.at.max(axis=0)
    columns, rows = (np.arange(low[k] - PAD, high[k] + PAD + 1) for k in (0, 1))
    places = lattice.places(columns, rows)
    log_odds, probabilities = _log_odds(seen.probabilities(places))
    found = [
        (float(sums[at]), size, at)
        for size in sizes
        for sums in [block_sums(log_odds, size, size)]
        for at in _highest(sums)
    ]
    if not found:
        return None
    found.sort(key=lambda entry: -entry[0])
    total, size, (j, i) = found[0]
    rival = found[1][0] if len(found) > 1 else 0.0
    mean = float(block_sums(probabilities, size, size)[j, i]) / size**2
    board = _mean(seen.boards(places[j : j + size, i : i + size]))
    return CrossingWindow(size, int(columns[i]), int(rows[j]), mean, (total - rival) / size, board)


def score_window(seen: Crossings, grid: Grid) -> CrossingWindow:
    """Return the crossings' evidence for a grid found otherwise; its rivals are the grids a line off."""
    log_odds, probabilities = _log_odds(seen.probabilities(seen.places(grid.around(1))))
    sums = block_sums(log_odds, grid.size, grid.size)
    own = float(sums[1, 1])
    sums[1, 1] = -np.inf
    mean = float(block_sums(probabilities, grid.size, grid.size)[1, 1]) / grid.size**2
    board = _mean(seen.boards(seen.places(grid.points())))
    return CrossingWindow(grid.size, 0, 0, mean, (own - float(np.max(sums))) / grid.size, board)


def _mean(values: Floats) -> float:
    """Return the mean of the values that are not nan; 0 if there are none."""
    known = values[~np.isnan(values)]
    return float(known.mean()) if known.size else 0.0


def _log_odds(probabilities: Floats) -> tuple[Floats, Floats]:
    """Return the log-odds of probabilities clamped to CLIP, 0 beyond the map; and the clamped probabilities."""
    clamped = np.clip(np.nan_to_num(probabilities), *CLIP)
    return np.where(np.isnan(probabilities), 0.0, np.log(clamped / (1 - clamped))), clamped


def _highest(sums: Floats) -> list[tuple[int, int]]:
    order = np.argsort(-sums, axis=None)[:2]
    return [(int(k) // sums.shape[1], int(k) % sums.shape[1]) for k in order] if sums.size else []
