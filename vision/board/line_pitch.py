"""The spacing of a family of parallel lines: the picture rectified by two vanishing points, and in each direction the
pitch and origin at which most line lies, found by epoch folding."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.vanishing_points import CAP, WITHIN, Segments
from vision.calibration import transformed

Floats = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.int64]

# Chosen by hand (docs/vision.md).
LINES = (9, 13, 19)
"""Lines a side: the boards looked for."""
PHASES, PITCHES = 12, 1.015
"""Origins tried within a pitch, and how much larger each pitch tried is than the one before."""
MOST_PITCHES = 40
"""So many of the pitches tried are looked at further, the best for each number of lines."""
HORIZON = 0.3
"""Segments nearer to the horizon than this (see `_nearness`) are left out."""
BANDWIDTH = 0.9
"""Of the kernel by which a segment's position is smeared, in pixels of the rectified picture."""
FEWEST_SEGMENTS = 8
"""Fewer segments in a direction tell no pitch."""


@dataclass(frozen=True)
class LinePitch:
    """Evenly spaced lines at `origin + k * pitch` in rectified pixels, and how well the picture's lines lie on them.

    The best run of lines begins at k = 0 and has `lines` of them.
    """

    origin: float
    pitch: float
    score: float
    lines: int


def rectifying_homography(one: Floats, other: Floats, shape: tuple[int, int]) -> Floats | None:
    """The homography, 3x3, that sends lines through `one` to verticals and through `other` to horizontals.

    The picture's middle keeps its place and scale there. None when the horizon runs through the middle of the picture.
    shape: (height, width).
    """
    height, width = shape
    centre = np.array([width / 2, height / 2, 1.0])
    horizon = np.cross(one, other)
    if abs(horizon @ centre) <= max(1e-12, 0.25 * float(np.linalg.norm(horizon[:2])) * min(shape)):
        return None
    horizon = horizon / (horizon @ centre)
    # A point p goes to centre + (p - centre) / (horizon . p): round the middle, lest the grid be skewed away.
    flat = np.eye(3) + np.outer(centre, horizon)
    flat[:, 2] -= centre
    flat[2] = horizon
    down, across = flat @ one, flat @ other
    axes = np.column_stack([_unit(across[:2]), _unit(down[:2])])
    if abs(np.linalg.det(axes)) < 0.3:
        return None
    affine = np.eye(3)
    affine[:2, :2] = np.linalg.inv(axes)
    return np.asarray(affine @ flat)


def _unit(vector: Floats) -> Floats:
    vector = vector / np.linalg.norm(vector)
    return vector if vector[np.argmax(np.abs(vector))] > 0 else -vector


def line_pitches(segments: Segments, point: Floats, matrix: Floats, axis: int, most: int) -> list[LinePitch]:
    """The likeliest pitches of the segments that run to a vanishing point, along one axis of the rectified picture.

    axis: 0 for verticals, whose x matters; 1 for horizontals, whose y does.
    """
    family = segments.some((segments.off(point) < WITHIN) & (_nearness(segments.middles, matrix) > HORIZON))
    if len(family.lengths) < FEWEST_SEGMENTS:
        return []
    density, start = _density(transformed(family.middles, matrix)[:, axis], np.minimum(family.lengths, CAP))
    found = _distinct(sorted(_epoch_folded(density), key=lambda one: -one.score), most)
    filled = np.sqrt(density)
    return [_polished(one.likeliest(start), filled, start) for one in found]


def _nearness(points: Floats, matrix: Floats) -> Floats:
    """How near points lie: 1 in the middle of the picture, 0 on the horizon, which rectified lies at infinity."""
    return np.asarray(np.column_stack([points, np.ones(len(points))]) @ matrix[2])


def _density(positions: Floats, weights: Floats) -> tuple[Floats, float]:
    """How much line lies at each position, in bins of half a pixel (a kernel density estimate), and the first bin's."""
    low, high = np.percentile(positions, [1, 99])
    reach = min(max(high - low, 50.0), 4000.0)
    start = low - 0.1 * reach
    bins = int(1.2 * reach * 2)
    density, _ = np.histogram(positions, bins, (start, start + bins / 2), weights=weights)
    kernel = cv2.getGaussianKernel(9, 2 * BANDWIDTH).ravel()
    return np.convolve(density, kernel, "same"), start


def _epoch_folded(density: Floats) -> list[TriedPitch]:
    """Every pitch tried: lines against the places half-way between them."""
    level = np.percentile(density[density > 0], 70) if (density > 0).any() else 1.0
    filled = (density / (density + level)).astype(np.float32)
    table = _pitch_table(len(filled))
    one, other = filled.take(table.bins).reshape(2, PHASES // 2, -1)
    sums = np.zeros((PHASES // 2, one.shape[1] + 1), np.float32)
    np.cumsum(one - other, axis=1, out=sums[:, 1:])
    return [one for runs in table.runs for one in _best_pitches(runs, sums)]


@dataclass(frozen=True, eq=False)
class Runs:
    """Runs of so many lines: columns of `PitchTable.bins` from `first` up to `last`. row: which line of its pitch each
    begins at. begin, pitch: where the runs of each pitch begin, and that pitch."""

    lines: int
    first: Numbers
    last: Numbers
    row: Numbers
    begin: Numbers
    pitch: Floats


@dataclass(frozen=True, eq=False)
class PitchTable:
    """All lines of all pitches tried. bins: of the density, shape (PHASES, lines)."""

    bins: npt.NDArray[np.int32]
    runs: tuple[Runs, ...]


@lru_cache(maxsize=8)
def _pitch_table(bins: int) -> PitchTable:
    """The lines in a density of so many bins, half a pixel each."""
    reach = bins / 2
    pitches = 6.0 * PITCHES ** np.arange(max(1, int(np.log(reach / 8 / 6) / np.log(PITCHES)) + 1))
    counts = (reach / pitches).astype(int)
    row = np.concatenate([np.arange(count) for count in counts])
    pitch = np.repeat(pitches, counts)
    at = (row + np.arange(PHASES)[:, None] / PHASES) * pitch * 2
    ends = np.repeat(np.cumsum(counts), counts)
    runs = tuple(_runs(lines, pitch, row, ends, counts) for lines in LINES)
    return PitchTable(np.minimum(np.rint(at).astype(np.int32), bins - 1), runs)


def _runs(lines: int, pitch: Floats, row: Numbers, ends: Numbers, counts: Numbers) -> Runs:
    """Those of so many lines, one fewer where the density ends."""
    long = np.minimum(lines, np.repeat(counts, counts))
    first = np.flatnonzero((np.arange(len(pitch)) + long <= ends) & (long >= lines - 1))
    begin = np.flatnonzero(np.diff(pitch[first], prepend=0.0))
    return Runs(lines, first, first + long[first], row[first], begin, pitch[first[begin]])


@dataclass(frozen=True, eq=False)
class TriedPitch:
    """A pitch, and the score of the best of its runs, which are those of `runs` from `begin` up to `end`. scores: those
    of all of `runs` in half the phases, shape (PHASES / 2, n); in the other half they are the same below 0."""

    pitch: float
    score: float
    begin: int
    end: int
    runs: Runs
    scores: npt.NDArray[np.float32]

    def likeliest(self, start: float) -> LinePitch:
        """Its best phase and run of lines. start: of the density."""
        half = self.scores[:, self.begin : self.end]
        scores = np.concatenate([half, -half])
        run = int(scores.max(axis=0).argmax())
        phase, k = int(scores[:, run].argmax()), self.begin + run
        origin = start + (int(self.runs.row[k]) + phase / PHASES) * self.pitch
        return LinePitch(origin, self.pitch, self.score, int(self.runs.last[k] - self.runs.first[k]))


def _best_pitches(runs: Runs, sums: npt.NDArray[np.float32]) -> list[TriedPitch]:
    """The MOST_PITCHES best. sums: of what lies on the lines less what lies half-way between them, shape
    (PHASES / 2, lines + 1); in the other phases it is the other way about."""
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


def _polished(one: LinePitch, density: Floats, start: float) -> LinePitch:
    """Pitch and origin moved a little to where the lines are densest. density: its square root."""
    pitches = one.pitch * np.linspace(0.985, 1.015, 31)
    moves = one.pitch * np.linspace(-0.14, 0.14, 29)
    middle = (one.lines - 1) / 2
    ks = np.arange(one.lines) - middle
    at = one.origin + middle * one.pitch + moves[:, None] + pitches * ks[:, None, None]
    bins = np.clip(np.rint((at - start) * 2).astype(np.int32), 0, len(density) - 1)
    sums = density[bins].sum(axis=0)
    move, pitch = np.unravel_index(int(sums.argmax()), sums.shape)
    origin = one.origin + middle * one.pitch + moves[move] - middle * pitches[pitch]
    return LinePitch(float(origin), float(pitches[pitch]), one.score, one.lines)


def _distinct(found: list[TriedPitch], most: int) -> list[TriedPitch]:
    kept: list[TriedPitch] = []
    for one in found:
        if all(abs(np.log(one.pitch / other.pitch)) > 0.04 for other in kept):
            kept.append(one)
        if len(kept) == most:
            break
    return kept
