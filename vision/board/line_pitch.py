"""Two vanishing points to a lattice: the picture straightened so that both families of lines are parallel to its sides,
and in each family the regular comb of line positions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.vanishing_points import WITHIN, Segments

Floats = npt.NDArray[np.float64]

LINES = (9, 13, 19)
PHASES = 12
PITCHES = 1.015
MOST_PITCHES = 40
"""... of those tried are looked at further, the best for each number of lines."""
HORIZON = 0.3
"""Segments nearer to the horizon than this (see `_nearness`) are left out."""
SPREAD = 0.9
"""How far a segment's position is smeared, in pixels of the straightened picture."""


@dataclass(frozen=True)
class Comb:
    """Regular positions `origin + k * pitch` in straightened pixels, and how well lines lie on them.

    The best stretch of lines begins at k = 0 and has `lines` teeth.
    """

    origin: float
    pitch: float
    score: float
    lines: int


def straightening(one: Floats, other: Floats, shape: tuple[int, int]) -> Floats | None:
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


def combs(segments: Segments, point: Floats, matrix: Floats, axis: int, most: int) -> list[Comb]:
    """The likeliest combs of the segments that run to a vanishing point, along one axis of the straightened picture.

    axis: 0 for verticals, whose x matters; 1 for horizontals, whose y does.
    """
    family = segments.some((segments.off(point) < WITHIN) & (_nearness(segments.middles, matrix) > HORIZON))
    if len(family.lengths) < 8:
        return []
    straight = cv2.perspectiveTransform(family.middles.reshape(-1, 1, 2), matrix).reshape(-1, 2)[:, axis]
    density, start = _density(np.asarray(straight, np.float64), np.minimum(family.lengths, 60.0))
    found = _distinct(sorted(_folded(density, start), key=lambda comb: -comb.score), most)
    return [_tuned(comb, density, start) for comb in found]


def _nearness(points: Floats, matrix: Floats) -> Floats:
    """How near points lie: 1 in the middle of the picture, 0 on the horizon, which straightened has no end."""
    return np.asarray(np.column_stack([points, np.ones(len(points))]) @ matrix[2])


def _density(positions: Floats, weights: Floats) -> tuple[Floats, float]:
    low, high = np.percentile(positions, [1, 99])
    reach = min(max(high - low, 50.0), 4000.0)
    start = low - 0.1 * reach
    bins = int(1.2 * reach * 2)
    density, _ = np.histogram(positions, bins, (start, start + bins / 2), weights=weights)
    kernel = cv2.getGaussianKernel(9, 2 * SPREAD).ravel()
    return np.convolve(density, kernel, "same"), start


def _folded(density: Floats, start: float) -> list[Comb]:
    """Every pitch tried: the best phase and stretch of teeth against the places half-way between them."""
    level = np.percentile(density[density > 0], 70) if (density > 0).any() else 1.0
    filled = (density / (density + level)).astype(np.float32)
    teeth = _teeth(len(filled))
    held = filled[teeth.bins]
    sums = np.zeros((len(held) + 1, PHASES), np.float32)
    np.cumsum(held - np.roll(held, PHASES // 2, axis=1), axis=0, out=sums[1:])
    return [comb for lines in teeth.stretches for comb in _best_combs(lines, sums, teeth, start)]


@dataclass(frozen=True, eq=False)
class Stretches:
    """Stretches of teeth: rows of `Teeth.bins` from `first` up to `last`, and where those of a next pitch begin."""

    lines: int
    first: npt.NDArray[np.int64]
    last: npt.NDArray[np.int64]
    begin: npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Teeth:
    """All teeth of all combs. bins: of the density, a tooth a row, its phases across; pitch, row: of each tooth."""

    bins: npt.NDArray[np.int64]
    pitch: Floats
    row: npt.NDArray[np.int64]
    stretches: tuple[Stretches, ...]


@lru_cache(maxsize=8)
def _teeth(bins: int) -> Teeth:
    """The teeth in a density of so many bins, half a pixel each."""
    reach = bins / 2
    pitches = 6.0 * PITCHES ** np.arange(max(1, int(np.log(reach / 8 / 6) / np.log(PITCHES)) + 1))
    counts = (reach / pitches).astype(int)
    row = np.concatenate([np.arange(count) for count in counts])
    pitch = np.repeat(pitches, counts)
    at = (row[:, None] + np.arange(PHASES) / PHASES) * pitch[:, None] * 2
    ends = np.repeat(np.cumsum(counts), counts)
    stretches = tuple(_stretches(lines, pitch, ends, counts) for lines in LINES)
    return Teeth(np.minimum(at.round().astype(np.int64), bins - 1), pitch, row, stretches)


def _stretches(lines: int, pitch: Floats, ends: npt.NDArray[np.int64], counts: npt.NDArray[np.int64]) -> Stretches:
    """Those of so many lines, one fewer where the density ends."""
    long = np.minimum(lines, np.repeat(counts, counts))
    first = np.flatnonzero((np.arange(len(pitch)) + long <= ends) & (long >= lines - 1))
    begin = np.flatnonzero(np.diff(pitch[first], prepend=0.0))
    return Stretches(lines, first, first + long[first], begin)


def _best_combs(stretches: Stretches, sums: npt.NDArray[np.float32], teeth: Teeth, start: float) -> list[Comb]:
    """The best stretch of each of the MOST_PITCHES best pitches."""
    if not len(stretches.first):
        return []
    scores = sums[stretches.last] - sums[stretches.first]
    highest = scores.max(axis=1)
    best = np.maximum.reduceat(highest, stretches.begin)
    ends = np.append(stretches.begin[1:], len(highest))
    found = []
    for pick in np.argsort(-best)[:MOST_PITCHES]:
        begin = stretches.begin[pick]
        k = begin + int(np.argmax(highest[begin : ends[pick]]))
        first, phase = stretches.first[k], int(scores[k].argmax())
        pitch = float(teeth.pitch[first])
        origin = start + (int(teeth.row[first]) + phase / PHASES) * pitch
        count = int(stretches.last[k] - first)
        found.append(Comb(origin, pitch, float(best[pick]) / np.sqrt(stretches.lines), count))
    return found


def _tuned(comb: Comb, density: Floats, start: float) -> Comb:
    """The comb with pitch and origin moved a little to where the lines are densest."""
    pitches = comb.pitch * np.linspace(0.985, 1.015, 31)
    moves = comb.pitch * np.linspace(-0.14, 0.14, 29)
    middle = (comb.lines - 1) / 2
    ks = np.arange(comb.lines) - middle
    at = comb.origin + middle * comb.pitch + moves[:, None, None] + pitches[:, None] * ks
    bins = np.clip(((at - start) * 2).round().astype(int), 0, len(density) - 1)
    sums = np.sqrt(density[bins]).sum(axis=-1)
    move, pitch = np.unravel_index(int(sums.argmax()), sums.shape)
    origin = comb.origin + middle * comb.pitch + moves[move] - middle * pitches[pitch]
    return Comb(float(origin), float(pitches[pitch]), comb.score, comb.lines)


def _distinct(found: list[Comb], most: int) -> list[Comb]:
    kept: list[Comb] = []
    for comb in found:
        if all(abs(np.log(comb.pitch / other.pitch)) > 0.04 for other in kept):
            kept.append(comb)
        if len(kept) == most:
            break
    return kept
