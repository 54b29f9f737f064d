"""The spacing of a family of parallel lines: the picture is rectified by two vanishing points, and in each direction
the pitch and origin at which most line lies are found by epoch folding.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.vanishing_points import CAP, WITHIN, Segments
from vision.calibration.model import transform_points

Floats = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.int64]

# Chosen by hand (docs/vision.md).
LINES = (9, 13, 19)
"""The board sizes searched for, in lines a side."""
PHASES, PITCHES = 12, 1.015
"""The number of origins tried within a pitch, and the ratio of each pitch tried to the one before."""
MOST_PITCHES = 40
"""The number of pitches examined further, the best for each number of lines."""
HORIZON = 0.3
"""The distance from the horizon (see `_measure_nearness`) below which segments are dropped."""
BANDWIDTH = 0.9
"""The bandwidth of the kernel that smears a segment's position, in pixels of the rectified picture."""
FEWEST_SEGMENTS = 8
"""The number of segments in a direction below which no pitch is estimated."""


@dataclass(frozen=True)
class LinePitch:
    """Evenly spaced lines at `origin + k * pitch`; the best run of lines begins at k = 0.

    `origin`, `pitch`: in rectified pixels.
    `score`: how well the picture's lines lie on them.
    `lines`: the number of lines in the best run.
    """

    origin: float
    pitch: float
    score: float
    lines: int


def rectifying_homography(one: Floats, other: Floats, shape: tuple[int, int]) -> Floats | None:
    """Return the homography, 3x3, that maps lines through `one` to verticals and through `other` to horizontals.

    The picture's middle keeps its position and scale. None if the horizon runs through the middle of the picture.
    `shape`: (height, width).
    """
    height, width = shape
    centre = np.array([width / 2, height / 2, 1.0])
    horizon = np.cross(one, other)
    if abs(horizon @ centre) <= max(1e-12, 0.25 * float(np.linalg.norm(horizon[:2])) * min(shape)):
        return None
    horizon = horizon / (horizon @ centre)
    # A point p goes to centre + (p - centre) / (horizon . p): around the middle, so that the grid is not skewed away.
    flat = np.eye(3) + np.outer(centre, horizon)
    flat[:, 2] -= centre
    flat[2] = horizon
    down, across = flat @ one, flat @ other
    axes = np.column_stack([_unit_vector(across[:2]), _unit_vector(down[:2])])
    if abs(np.linalg.det(axes)) < 0.3:
        return None
    affine = np.eye(3)
    affine[:2, :2] = np.linalg.inv(axes)
    return np.asarray(affine @ flat)


def _unit_vector(vector: Floats) -> Floats:
    vector = vector / np.linalg.norm(vector)
    return vector if vector[np.argmax(np.abs(vector))] > 0 else -vector


def line_pitches(segments: Segments, point: Floats, matrix: Floats, axis: int, max_count: int) -> list[LinePitch]:
    """Return the likeliest pitches of the segments that run to a vanishing point.

    Args:
        segments: all segments.
        point: the vanishing point.
        matrix: the rectifying homography.
        axis: 0 for verticals, by their x; 1 for horizontals, by their y.
        max_count: the maximum number of pitches.
    """
    family = segments.select_segments(
        (segments.angles_off(point) < WITHIN) & (_measure_nearness(segments.middles, matrix) > HORIZON)
    )
    if len(family.lengths) < FEWEST_SEGMENTS:
        return []
    density, start = _line_density(transform_points(family.middles, matrix)[:, axis], np.minimum(family.lengths, CAP))
    candidates = _drop_similar(sorted(_fold_epochs(density), key=lambda candidate: -candidate.score), max_count)
    root_density = np.sqrt(density)
    return [_polish_pitch(candidate.likeliest_pitch(start), root_density, start) for candidate in candidates]


def _measure_nearness(points: Floats, matrix: Floats) -> Floats:
    """Return the nearness of points: 1 in the middle of the picture, 0 on the horizon, which is rectified to
    infinity.
    """
    return np.asarray(np.column_stack([points, np.ones(len(points))]) @ matrix[2])


def _line_density(positions: Floats, weights: Floats) -> tuple[Floats, float]:
    """Return the density of line by position, in bins of half a pixel (a kernel estimate), and the first bin's
    position.
    """
    low, high = np.percentile(positions, [1, 99])
    reach = min(max(high - low, 50.0), 4000.0)
    start = low - 0.1 * reach
    bins = int(1.2 * reach * 2)
    density, _ = np.histogram(positions, bins, (start, start + bins / 2), weights=weights)
    kernel = cv2.getGaussianKernel(9, 2 * BANDWIDTH).ravel()
    return np.convolve(density, kernel, "same"), start


def _fold_epochs(density: Floats) -> list[TriedPitch]:
    """Return every pitch tried, scored by its lines against the positions half-way between them."""
    level = np.percentile(density[density > 0], 70) if (density > 0).any() else 1.0
    occupancy = (density / (density + level)).astype(np.float32)
    table = _pitch_table(len(occupancy))
    one, other = occupancy.take(table.bins).reshape(2, PHASES // 2, -1)
    sums = np.zeros((PHASES // 2, one.shape[1] + 1), np.float32)
    np.cumsum(one - other, axis=1, out=sums[:, 1:])
    return [one for runs in table.runs for one in _best_pitches(runs, sums)]


@dataclass(frozen=True, eq=False)
class Runs:
    """Runs of a given number of lines: the columns of `PitchTable.bins` from `first` up to `last`.

    `lines`: the number of lines of a run.
    `first`, `last`: the columns of each run.
    `row`: the line of its pitch at which each run begins.
    `begin`, `pitch`: the index at which the runs of each pitch begin, and that pitch.
    """

    lines: int
    first: Numbers
    last: Numbers
    row: Numbers
    begin: Numbers
    pitch: Floats


@dataclass(frozen=True, eq=False)
class PitchTable:
    """All lines of all pitches tried. `bins`: their bins in the density, shape (PHASES, lines)."""

    bins: npt.NDArray[np.int32]
    runs: tuple[Runs, ...]


@lru_cache(maxsize=8)
def _pitch_table(bins: int) -> PitchTable:
    """Return the lines in a density of `bins` bins, half a pixel each."""
    reach = bins / 2
    pitches = 6.0 * PITCHES ** np.arange(max(1, int(np.log(reach / 8 / 6) / np.log(PITCHES)) + 1))
    counts = (reach / pitches).astype(int)
    row = np.concatenate([np.arange(count) for count in counts])
    pitch = np.repeat(pitches, counts)
    positions = (row + np.arange(PHASES)[:, None] / PHASES) * pitch * 2
    ends = np.repeat(np.cumsum(counts), counts)
    runs = tuple(_find_runs(lines, pitch, row, ends, counts) for lines in LINES)
    return PitchTable(np.minimum(np.rint(positions).astype(np.int32), bins - 1), runs)


def _find_runs(lines: int, pitch: Floats, row: Numbers, ends: Numbers, counts: Numbers) -> Runs:
    """Return the runs of `lines` lines, one fewer at the end of the density."""
    long = np.minimum(lines, np.repeat(counts, counts))
    first = np.flatnonzero((np.arange(len(pitch)) + long <= ends) & (long >= lines - 1))
    begin = np.flatnonzero(np.diff(pitch[first], prepend=0.0))
    return Runs(lines, first, first + long[first], row[first], begin, pitch[first[begin]])


@dataclass(frozen=True, eq=False)
class TriedPitch:
    """A pitch with its runs.

    `pitch`: in rectified pixels.
    `score`: the best run's.
    `begin`, `end`: the range of its runs in `runs`.
    `runs`: the runs of all pitches.
    `scores`: of all of `runs` in half the phases, shape (PHASES / 2, n); the other half is the same with opposite sign.
    """

    pitch: float
    score: float
    begin: int
    end: int
    runs: Runs
    scores: npt.NDArray[np.float32]

    def likeliest_pitch(self, start: float) -> LinePitch:
        """Return its best phase and run of lines. `start`: the position of the density's first bin."""
        half = self.scores[:, self.begin : self.end]
        scores = np.concatenate([half, -half])
        run = int(scores.max(axis=0).argmax())
        phase, k = int(scores[:, run].argmax()), self.begin + run
        origin = start + (int(self.runs.row[k]) + phase / PHASES) * self.pitch
        return LinePitch(origin, self.pitch, self.score, int(self.runs.last[k] - self.runs.first[k]))


def _best_pitches(runs: Runs, sums: npt.NDArray[np.float32]) -> list[TriedPitch]:
    """Return the MOST_PITCHES best pitches.

    `sums`: cumulative density on the lines minus that half-way between them, shape (PHASES / 2, lines + 1); the other
        phases have the opposite sign.
    """
    if not len(runs.first):
        return []
    scores = sums.take(runs.last, axis=1) - sums.take(runs.first, axis=1)
    best = np.maximum.reduceat(np.maximum(scores.max(axis=0), -scores.min(axis=0)), runs.begin)
    ends = np.append(runs.begin[1:], scores.shape[1])
    picks = np.argsort(-best)[:MOST_PITCHES]
    pitches, highest, begins, last = (of[picks].tolist() for of in (runs.pitch, best, runs.begin, ends))
    return [
        TriedPitch(pitch, score / np.sqrt(runs.lines), begin, end, runs, scores)
        for pitch, score, begin, end in zip(pitches, highest, begins, last, strict=True)
    ]


def _polish_pitch(estimate: LinePitch, density: Floats, start: float) -> LinePitch:
    """Return pitch and origin moved a little to where the lines are densest. `density`: its square root."""
    pitches = estimate.pitch * np.linspace(0.985, 1.015, 31)
    moves = estimate.pitch * np.linspace(-0.14, 0.14, 29)
    middle = (estimate.lines - 1) / 2
    ks = np.arange(estimate.lines) - middle
    positions = estimate.origin + middle * estimate.pitch + moves[:, None] + pitches * ks[:, None, None]
    bins = np.clip(np.rint((positions - start) * 2).astype(np.int32), 0, len(density) - 1)
    sums = density[bins].sum(axis=0)
    move, pitch = np.unravel_index(int(sums.argmax()), sums.shape)
    origin = estimate.origin + middle * estimate.pitch + moves[move] - middle * pitches[pitch]
    return LinePitch(float(origin), float(pitches[pitch]), estimate.score, estimate.lines)


def _drop_similar(candidates: list[TriedPitch], max_count: int) -> list[TriedPitch]:
    distinct: list[TriedPitch] = []
    for candidate in candidates:
        if all(abs(np.log(candidate.pitch / other.pitch)) > 0.04 for other in distinct):
            distinct.append(candidate)
        if len(distinct) == max_count:
            break
    return distinct
